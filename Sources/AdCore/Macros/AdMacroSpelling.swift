/// A macro found in a text: how it is written, and where it is.
///
/// VAST's own form is `[NAME]` (VAST 4.3 §6); ad servers have forms of their own. An address that still contains one of
/// these can't be opened as it is, so the linter and the click model both decide by this value.
package struct AdMacroSpelling: Hashable, Sendable {
    /// The form that a macro is written in.
    package enum Style: Hashable, Sendable {
        /// `[NAME]`
        case brackets
        /// `%%NAME%%`
        case percent
        /// `${NAME}`
        case dollar
        /// `{name}`
        case braces
        /// `{{NAME}}`
        case doubleBraces
        /// `__NAME__`
        case underscores
        /// `##NAME##`
        case hashes
        /// `@@NAME@@`
        case ats
        /// `$NAME$`
        case dollars
        /// `%c`, `%n`, `%epid!`, `%pkey=!;`: Campaign Manager 360 and its predecessors.
        case letter
        /// `INSERT_CLICK_HERE`: a note to a person, not a macro of any system.
        case note
    }

    /// The name without what surrounds it.
    package let name: String
    /// The form that it is written in.
    package let style: Style
    /// Where it is, in bytes of UTF-8 from the text's start.
    package let range: Range<Int>

    /// Whether it stands for a click tracker or a click-through URL.
    package var isClick: Bool { AdMacroWords.isClick(self.name, self.style) }

    /// The macro as it is written in that text.
    package func text(in text: String) -> String {
        String(decoding: text.utf8.dropFirst(self.range.lowerBound).prefix(self.range.count), as: UTF8.self)
    }

    /// The macros of an address, or of a text in a script that is part of one, at most `limit`.
    package static func all(in address: String, limit: Int = 50) -> [AdMacroSpelling] {
        var address = address
        return address.withUTF8 { bytes in self.all(in: bytes[...], limit: limit) }
    }

    private static func all(in bytes: Slice<UnsafeBufferPointer<UInt8>>, limit: Int) -> [AdMacroSpelling] {
        var scanner = AdMacroScanner(bytes)
        var found: [AdMacroSpelling] = []
        while found.count < limit, let macro = scanner.next() { found.append(macro) }
        return found
    }

    /// The macro that an address begins with, as an ad server spells it; nil where it begins with none.
    ///
    /// `${CLICK_URL}https%3A%2F%2Fshop.example` leads nowhere until an ad server has replaced it. The macro is also found
    /// where a browser has percent-encoded its braces or brackets. At the start of an address no other text looks like a
    /// macro, so that small letters are one as well.
    package static func leading(_ address: some StringProtocol) -> String? {
        let start = address.utf8.prefix(AdMacroScanner.longestName * 4)
        let text = String(decoding: start, as: UTF8.self).trimmed
        // Escapes are undone only where the text as it is has no macro: in `%%CACHEBUSTER%%` two letters look like one.
        return self.first(in: text) ?? self.first(in: self.unescaped(text))
    }

    private static func first(in text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = AdMacroScanner(bytes[...], isAddress: true)
            guard let macro = scanner.next(), macro.range.lowerBound == 0 else { return nil }
            return String(decoding: bytes[macro.range], as: UTF8.self)
        }
    }

    /// The text with the escapes undone that a browser writes for the marks of a macro.
    private static func unescaped(_ text: String) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), "${}[]%#@".utf8.contains(value)
            {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
