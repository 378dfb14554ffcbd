import PlayConsole

/// A block of help text that is wrapped as one.
enum HelpBlock: Equatable, Sendable {
    /// Prose from margin to margin.
    case paragraph(String)
    /// A term, and its text from a column on. The text is empty for a term alone.
    case row(indent: Int, term: String, column: Int, text: String)
    /// An empty line.
    case gap

    /// Splits a text into blocks.
    ///
    /// Lines at the margin are prose. Two or more spaces within an indented line separate a term from its text. Lines
    /// that are indented further than the term continue its text.
    static func parse(_ text: String) -> [HelpBlock] {
        var blocks: [HelpBlock] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let indent = line.prefix { $0 == " " }.count
            let words = line.dropFirst(indent)
            if words.isEmpty {
                blocks.append(.gap)
            } else if case .row(let start, let term, let column, let text)? = blocks.last, indent > start {
                blocks[blocks.count - 1] = .row(
                    indent: start,
                    term: term,
                    column: text.isEmpty ? indent : column,
                    text: text.isEmpty ? String(words) : "\(text) \(words)"
                )
            } else if let row = self.row(words, indent: indent) {
                blocks.append(row)
            } else if indent > 0 {
                blocks.append(.row(indent: indent, term: String(words), column: 0, text: ""))
            } else if case .paragraph(let before)? = blocks.last {
                blocks[blocks.count - 1] = .paragraph("\(before) \(words)")
            } else {
                blocks.append(.paragraph(String(words)))
            }
        }
        return blocks
    }

    private static func row(_ words: Substring, indent: Int) -> HelpBlock? {
        var spaces = 0
        for index in words.indices {
            if words[index] == " " {
                spaces += 1
            } else if spaces >= 2 {
                let before = words[..<index]
                return .row(
                    indent: indent,
                    term: String(before.dropLast(spaces)),
                    column: indent + before.count,
                    text: String(words[index...])
                )
            } else {
                spaces = 0
            }
        }
        return nil
    }

    /// The block in lines of at most `width` columns, except for longer words.
    func lines(width: Int) -> [String] {
        switch self {
        case .gap: return [""]
        case .paragraph(let text): return HelpBlock.wrapped(text, width: width)
        case .row(let indent, let term, let column, let text):
            let margin = String(repeating: " ", count: indent)
            let head = margin + term
            if text.isEmpty { return [head] }
            // If the column is too narrow, the text starts below the term.
            let column = width - column < 24 ? indent + 4 : column
            let hanging = String(repeating: " ", count: column)
            let lines = HelpBlock.wrapped(text, width: width - column)
            if Style.columns(head) + 1 > column { return [head] + lines.map { hanging + $0 } }
            let first = head + String(repeating: " ", count: column - Style.columns(head)) + lines[0]
            return [first] + lines.dropFirst().map { hanging + $0 }
        }
    }

    /// A text in lines of at most `width` columns, except for longer words.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, Style.columns(line) + 1 + Style.columns(word) > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
