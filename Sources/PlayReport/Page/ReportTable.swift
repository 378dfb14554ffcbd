/// A table of a report, with its heading.
enum ReportTable {
    /// Where a table stands: in the report of one ad all is open, in that of many one opens what one wants to know.
    struct Part: Sendable {
        /// The rank of headings there.
        let rank: Int
        let isFolded: Bool
    }

    /// A part of the page: a heading, what is to be said before, and the table.
    static func section(
        _ part: Part,
        _ title: String,
        about: String = "",
        anchor: String,
        _ columns: [String],
        _ rows: [HTML],
        _ rest: HTML = .none
    ) -> HTML {
        let head = HTML.all(columns.map { $0.isEmpty ? "<td></td>" : "<th scope=\"col\">\($0)</th>" })
        let table: HTML = """
            <div class="wide"><table><caption class="unseen">\(title)</caption><thead><tr>\(head)</tr></thead>
            <tbody>\(HTML.all(rows))</tbody></table></div>\(rest)
            """
        return self.section(part, title, about: about, anchor: anchor, table)
    }

    /// A part of the page: a heading, and what stands below.
    static func section(_ part: Part, _ title: String, about: String = "", anchor: String, _ body: HTML) -> HTML {
        let words: HTML = about.isEmpty ? .none : " <small>\(about)</small>"
        let heading: HTML = part.rank == 2 ? "<h2>\(title)\(words)</h2>" : "<h3>\(title)\(words)</h3>"
        guard part.isFolded else { return "<section class=\"table\" id=\"\(anchor)\">\(heading)\(body)</section>" }
        // A link to what is folded opens it, where it leads to something within.
        return """
            <details class="table"><summary>\(heading)</summary><div id="\(anchor)">\(body)</div></details>
            """
    }

    /// A word with its colour and its sign.
    static func badge(_ mood: Mood, _ text: String) -> HTML {
        let sign: HTML = mood == .plain ? .none : "<i aria-hidden=\"true\">\(mood.sign)</i> "
        // What is short stays on one line, in whatever column it stands.
        let length: HTML = text.count <= 24 ? " short" : .none
        return "<span class=\"badge \(mood.rawValue)\(length)\">\(sign)\(text)</span>"
    }

    /// The first cell of a row: on one line, unless its name is long.
    static func name(_ text: String) -> HTML {
        "<th scope=\"row\"\(text.count > 40 ? " class=\"long\"" : .none)>\(text)</th>"
    }

    /// The cell of an address, which may be long: some lines of it are seen, and all of it is there.
    static func address(_ text: String, _ before: String = "", key: String? = nil) -> HTML {
        "<td class=\"address\"><span class=\"url\" title=\"\(key ?? text)\">\(before)\(text)</span></td>"
    }
}
