/// Colors, boxes and text widths for a terminal.
package struct Style: Sendable {
    let isColored: Bool

    package init(isColored: Bool) {
        self.isColored = isColored
    }

    package func bold(_ text: String) -> String { self.wrap(text, "1") }
    package func dim(_ text: String) -> String { self.wrap(text, "2") }
    package func red(_ text: String) -> String { self.wrap(text, "31") }
    package func green(_ text: String) -> String { self.wrap(text, "32") }
    package func yellow(_ text: String) -> String { self.wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        self.isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// Untrusted text made safe for a terminal: control, format and other invisible characters become spaces.
    package static func printable(_ text: String, upTo limit: Int = 200) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if result.unicodeScalars.count >= limit { return result + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                result.unicodeScalars.append(" ")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The width of a text in terminal columns.
    ///
    /// East Asian wide characters and emoji take two.
    package static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + self.columns($1) } }

    private static func columns(_ character: Character) -> Int {
        character.unicodeScalars.contains { $0.properties.isEmojiPresentation || self.isWide($0.value) } ? 2 : 1
    }

    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE0F, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// The text, cut to a number of columns.
    ///
    /// Color codes take none, and are reset at the cut.
    package static func cut(_ text: String, to limit: Int) -> String {
        guard self.columns(self.plain(text)) > limit else { return text }
        var result = ""
        var columns = 0
        var isInEscape = false
        for character in text {
            if character == "\u{1B}" { isInEscape = true }
            if !isInEscape {
                columns += self.columns(character)
                if columns > limit - 1 { break }
            }
            result.append(character)
            if isInEscape, character == "m" { isInEscape = false }
        }
        return result + "…" + (text.contains("\u{1B}") ? "\u{1B}[0m" : "")
    }

    /// The text without color codes.
    package static func plain(_ text: String) -> String {
        var result = ""
        var isInEscape = false
        for character in text {
            if character == "\u{1B}" { isInEscape = true }
            if !isInEscape { result.append(character) }
            if isInEscape, character == "m" { isInEscape = false }
        }
        return result
    }

    /// A box around lines, as wide as the widest line, and at most `width` columns.
    package static func box(_ lines: [String], width: Int) -> [String] {
        let inner = min(max(lines.map { self.columns($0) }.max() ?? 0, 10), max(10, width - 4))
        func row(_ text: String) -> String {
            let cut = self.cut(text, to: inner)
            return "│ " + cut + String(repeating: " ", count: max(0, inner - self.columns(cut))) + " │"
        }
        let edge = String(repeating: "─", count: inner + 2)
        return ["┌\(edge)┐"] + lines.map(row) + ["└\(edge)┘"]
    }
}
