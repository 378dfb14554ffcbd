/// A macro found in a text: its spelling and its place.
///
/// VAST spells macros `[NAME]` (VAST 4.3 §6); ad servers have other spellings. A URL that begins with an unreplaced
/// macro can't be opened; the linter and the click model use this value.
package struct AdMacroSpelling: Hashable, Sendable {
    /// The spelling of a macro.
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
        /// `INSERT_CLICK_HERE`: text to be replaced by hand, not a macro of any system.
        case placeholder
    }

    /// The name without its delimiters.
    package let name: String
    /// The spelling.
    package let style: Style
    /// Its range in bytes of UTF-8 from the start of the text.
    package let range: Range<Int>

    /// Whether it stands for a click tracker or a click-through URL.
    package var isClick: Bool { AdMacroWords.isClick(self.name, self.style) }

    /// The macro as it is spelled in the text.
    package func text(in text: String) -> String {
        String(decoding: text.utf8.dropFirst(self.range.lowerBound).prefix(self.range.count), as: UTF8.self)
    }

    /// The macros of a URL or of a part of one in a script, up to `limit`.
    package static func all(in address: String, limit: Int = 50) -> [AdMacroSpelling] {
        var address = address
        return address.withUTF8 { bytes in
            var scanner = AdMacroScanner(bytes)
            var found: [AdMacroSpelling] = []
            while found.count < limit, let macro = scanner.next() { found.append(macro) }
            return found
        }
    }

    /// The macro that a URL begins with, as an ad server spells it; nil if there is none.
    ///
    /// `${CLICK_URL}https%3A%2F%2Fshop.example` can't be opened until an ad server has replaced the macro. The macro is
    /// also found if a browser has percent-encoded its delimiters. Lower-case names count, too, because no valid URL
    /// starts like a macro.
    package static func leading(_ address: some StringProtocol) -> String? {
        let start = address.utf8.prefix(AdMacroScanner.maximumNameLength * 4)
        let text = String(decoding: start, as: UTF8.self).trimmed
        // Unescaping comes second, because `%%CACHEBUSTER%%` contains `%CA`, which looks like an escape.
        return self.first(in: text) ?? self.first(in: self.unescaped(text))
    }

    private static func first(in text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = AdMacroScanner(bytes, isAddress: true)
            guard let macro = scanner.next(), macro.range.lowerBound == 0 else { return nil }
            return String(decoding: bytes[macro.range], as: UTF8.self)
        }
    }

    /// The text with the escapes of a macro's delimiters decoded.
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
