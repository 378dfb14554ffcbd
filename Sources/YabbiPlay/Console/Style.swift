/// Colours and boxes for a terminal; nothing at all elsewhere.
struct Style: Sendable {
    let isColoured: Bool

    func bold(_ text: String) -> String { self.wrap(text, "1") }
    func dim(_ text: String) -> String { self.wrap(text, "2") }
    func red(_ text: String) -> String { self.wrap(text, "31") }
    func green(_ text: String) -> String { self.wrap(text, "32") }
    func yellow(_ text: String) -> String { self.wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        self.isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// What came from outside, made fit for a terminal: no control characters, no tricks with direction.
    static func printable(_ text: String, upTo most: Int = 200) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if result.unicodeScalars.count >= most { return result + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result.unicodeScalars.append(" ")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A box around lines, as wide as the widest, at most `width` columns.
    static func box(_ lines: [String], width: Int) -> [String] {
        let inner = min(max(lines.map(\.count).max() ?? 0, 10), max(10, width - 4))
        func row(_ text: String) -> String {
            let cut = text.count > inner ? text.prefix(inner - 1) + "…" : text[...]
            return "│ " + cut + String(repeating: " ", count: inner - cut.count) + " │"
        }
        let edge = String(repeating: "─", count: inner + 2)
        return ["┌\(edge)┐"] + lines.map(row) + ["└\(edge)┘"]
    }
}
