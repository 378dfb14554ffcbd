package import PlayText

/// Sections and tables of a report.
package enum ReportTable {
    /// How a section is displayed: sections of a report of one ad are open, those of a report of several are collapsed.
    package struct Layout: Sendable {
        /// The level of the section's heading.
        let headingLevel: Int
        let isCollapsed: Bool

        package init(headingLevel: Int, isCollapsed: Bool) {
            self.headingLevel = headingLevel
            self.isCollapsed = isCollapsed
        }
    }

    /// A section with a heading, a note next to it, and a table.
    package static func section(
        _ layout: Layout,
        _ title: String,
        about: String = "",
        anchor: String,
        _ columns: [String],
        _ rows: [HTML],
        _ rest: HTML = .none
    ) -> HTML {
        let head = HTML.all(columns.map { $0.isEmpty ? "<td></td>" : "<th scope=\"col\">\($0)</th>" })
        let table: HTML = """
            <div class="wide"><table><caption class="visually-hidden">\(title)</caption><thead><tr>\(head)</tr></thead>
            <tbody>\(HTML.all(rows))</tbody></table></div>\(rest)
            """
        return self.section(layout, title, about: about, anchor: anchor, table)
    }

    /// A section with a heading, a note next to it, and a body.
    package static func section(_ layout: Layout, _ title: String, about: String = "", anchor: String, _ body: HTML)
        -> HTML
    {
        let note: HTML = about.isEmpty ? .none : " <small>\(about)</small>"
        let heading: HTML = layout.headingLevel == 2 ? "<h2>\(title)\(note)</h2>" : "<h3>\(title)\(note)</h3>"
        guard layout.isCollapsed else {
            return "<section class=\"table\" id=\"\(anchor)\">\(heading)\(body)</section>"
        }
        // The anchor is inside the details element: browsers then open it for a link to the anchor (HTML Living
        // Standard, the details element).
        return """
            <details class="table"><summary>\(heading)</summary><div id="\(anchor)">\(body)</div></details>
            """
    }

    /// A text with the color and the sign of a rating.
    package static func badge(_ rating: Rating, _ text: String) -> HTML {
        let sign: HTML = rating == .plain ? .none : "<i aria-hidden=\"true\">\(rating.sign)</i> "
        // A short text is not wrapped.
        let length: HTML = text.count <= 24 ? " short" : .none
        return "<span class=\"badge \(rating.rawValue)\(length)\">\(sign)\(text)</span>"
    }

    /// The header cell of a row; only a long text is wrapped.
    package static func name(_ text: String) -> HTML {
        "<th scope=\"row\"\(text.count > 40 ? " class=\"long\"" : .none)>\(text)</th>"
    }

    /// The cell of a URL: the style displays its first lines, the tooltip has all of it.
    static func address(_ text: String, _ before: String = "", key: String? = nil) -> HTML {
        "<td class=\"address\"><span class=\"url\" title=\"\(key ?? text)\">\(before)\(text)</span></td>"
    }
}
