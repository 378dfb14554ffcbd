import AdCore

/// A macro found in a text: how it is written, which system replaces it, and where it is.
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

    /// Which system replaces a macro.
    package enum Kind: Hashable, Sendable {
        /// A player does, when it requests the address (VAST 4.3 §6).
        case player
        /// A well-known ad server, exchange (OpenRTB 2.6 §4.4) or consent platform does, before the ad is delivered.
        case adServer
        /// The vendor that is named here does, with a script or a player of its own.
        case vendor(String)
        /// No known system does.
        case unknown
    }

    /// The name without what surrounds it.
    package let name: String
    /// The form that it is written in.
    package let style: Style
    /// Which system replaces it.
    package let kind: Kind
    /// Where it is, in bytes of UTF-8 from the text's start.
    package let range: Range<Int>

    /// Whether it stands for a click tracker or a click-through URL.
    package var isClick: Bool { AdMacroVocabulary.isClick(self.name, self.style) }

    /// The macro as it is written in that text.
    package func text(in text: String) -> String {
        String(decoding: text.utf8.dropFirst(self.range.lowerBound).prefix(self.range.count), as: UTF8.self)
    }

    /// The macros of an address, or of a text in a script that is part of one, at most `limit`.
    package static func all(in address: String, limit: Int = 50) -> [AdMacroSpelling] {
        var address = address
        return address.withUTF8 { bytes in self.all(in: bytes[...], limit: limit) }
    }

    static func all(in bytes: Slice<UnsafeBufferPointer<UInt8>>, limit: Int) -> [AdMacroSpelling] {
        var scanner = AdMacroScanner(bytes)
        var found: [AdMacroSpelling] = []
        while found.count < limit, let macro = scanner.next() { found.append(macro) }
        return found
    }

    /// The macro that an address begins with and that no player replaces; nil where it begins with none.
    ///
    /// `${CLICK_URL}https%3A%2F%2Fshop.example` leads nowhere until an ad server has replaced it. The macro is also found
    /// where a browser has percent-encoded its braces or brackets.
    package static func unresolvedPrefix(of address: String) -> AdMacroSpelling? {
        let trimmed = String(address.prefix(2000)).trimmed
        let plain = [("%7B", "{"), ("%7D", "}"), ("%5B", "["), ("%5D", "]"), ("%24", "$"), ("%25%25", "%%")].reduce(
            trimmed
        ) { text, pair in
            text.replacing(pair.0, by: pair.1).replacing(pair.0.asciiLowercased, by: pair.1)
        }
        guard let first = self.all(in: plain, limit: 1).first, first.range.lowerBound == 0, first.kind != .player else {
            return nil
        }
        return first
    }
}
