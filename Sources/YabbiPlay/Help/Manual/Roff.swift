/// Formats text for a manual page, with all characters that roff interprets escaped.
enum Roff {
    /// A text within a line.
    static func inline(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            // A line may break after it: lists of words can be longer than a line.
            case "|": result += "|\\:"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return result
    }

    /// A line of text that is never read as a request.
    static func line(_ text: String) -> String {
        let inline = self.inline(text)
        return inline.hasPrefix(".") ? "\\&" + inline : inline
    }

    static func bold(_ text: String) -> String { "\\fB\(self.inline(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(self.inline(text))\\fR" }

    /// A heading.
    static func section(_ title: String) -> String { ".SH \"\(self.inline(title))\"" }

    /// A heading within a section.
    static func subsection(_ title: String) -> String { ".SS \"\(self.inline(title))\"" }

    /// A formatted term, and its text.
    static func item(_ term: String, _ text: String) -> String { ".TP\n\(term)\n\(self.line(text))" }

    /// Lines that are not filled.
    static func verbatim(_ lines: [String]) -> String {
        ".PP\n.nf\n.RS 4\n\(lines.map(self.line).joined(separator: "\n"))\n.RE\n.fi"
    }

    /// A help text: prose is filled, and rows become terms with their texts.
    static func text(_ text: String) -> String {
        var parts: [String] = []
        var bare: [String] = []
        func endBare() {
            if !bare.isEmpty { parts.append(self.verbatim(bare)) }
            bare = []
        }
        for block in HelpBlock.parse(text) {
            if case .row(_, let term, _, "") = block {
                bare.append(term)
                continue
            }
            endBare()
            switch block {
            case .gap: break
            case .paragraph(let text): parts.append(".PP\n\(self.line(text))")
            case .row(_, let term, _, let text): parts.append(self.item(self.bold(term), text))
            }
        }
        endBare()
        return parts.joined(separator: "\n")
    }
}
