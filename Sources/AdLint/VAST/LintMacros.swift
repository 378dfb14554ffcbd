import AdCore
import AdHTML
import AdMarkup

/// The macros of VAST (VAST 4.3 §6), and a scanner for the macros in a URL.
///
/// It is not built on `AdMacroSpelling`, because the rules differ. `AdMacroSpelling` finds what a system may replace.
/// This scanner also finds mistakes in VAST's own form: a bracket that is open, spaced or percent-encoded. On the other
/// hand it is stricter with `{NAME}`, `[name]` and `__NAME__`, which URLs contain for other reasons, too.
enum LintMacros {
    /// The form in which a macro is written.
    enum Style {
        /// `[NAME]`
        case brackets
        /// `[ NAME ]`
        case spaced
        /// `[NAME` without the closing bracket
        case unclosed
        /// `%5BNAME%5D`, and `%255BNAME%255D`
        case escaped
        /// `%%NAME%%`
        case percent
        /// `${NAME}`, `{{NAME}}`, `{NAME}`, `__NAME__` and other forms that no player replaces.
        case foreign
    }

    struct Macro {
        let name: String
        let text: String
        let style: Style
    }

    /// The version in which a macro was added; nil for an unknown macro.
    static func release(of name: String) -> VASTRelease? { self.releases[name] }

    static let names: [String] = releases.keys.sorted()

    /// Common misspellings, and the macros that they stand for.
    static let mistakes: [String: String] = [
        "CACHEBUSTER": "CACHEBUSTING", "CACHE_BUSTER": "CACHEBUSTING", "CACHE_BUSTING": "CACHEBUSTING",
        "CACHEBUST": "CACHEBUSTING", "RANDOM": "CACHEBUSTING", "ERROR_CODE": "ERRORCODE", "ERROR": "ERRORCODE",
        "TIME_STAMP": "TIMESTAMP", "ASSET_URI": "ASSETURI", "CONTENT_PLAYHEAD": "CONTENTPLAYHEAD",
        "APP_BUNDLE": "APPBUNDLE", "PAGE_URL": "PAGEURL", "DEVICE_UA": "DEVICEUA", "DEVICE_IP": "DEVICEIP",
    ]

    private static let releases: [String: VASTRelease] = {
        var releases: [String: VASTRelease] = [:]
        func add(_ names: String, _ release: VASTRelease) {
            for name in names.split(separator: " ") { releases[String(name)] = release }
        }
        // TIMESTAMP was added in 4.0, but players replace it in older documents, too.
        add("CACHEBUSTING CONTENTPLAYHEAD ASSETURI ERRORCODE TIMESTAMP", .v2)
        add(
            """
            MEDIAPLAYHEAD ADPLAYHEAD BREAKPOSITION BLOCKEDADCATEGORIES ADCATEGORIES ADCOUNT TRANSACTIONID \
            PLACEMENTTYPE ADTYPE UNIVERSALADID ADSERVINGID PODSEQUENCE IFA IFATYPE LIMITADTRACKING REGULATIONS \
            GDPRCONSENT CLIENTUA SERVERUA DEVICEUA SERVERSIDE DEVICEIP LATLONG DOMAIN PAGEURL APPBUNDLE VASTVERSIONS \
            APIFRAMEWORKS EXTENSIONS VERIFICATIONVENDORS OMIDPARTNER MEDIAMIME PLAYERCAPABILITIES CLICKTYPE PLAYERSTATE \
            INVENTORYSTATE PLAYERSIZE CONTENTID CONTENTURI CLICKPOS REASON
            """,
            .v41
        )
        add("BREAKMAXDURATION BREAKMINDURATION BREAKMAXADS BREAKMINADLENGTH BREAKMAXADLENGTH", .v42)
        // IAB's list added these between versions.
        add(
            "GPPSTRING GPPSECTIONID DSAREQUIRED DSAPARAMS DSAPUBRENDER STOREID STOREURL PLAYBACKMETHODS CONTENTCAT",
            .v2
        )
        return releases
    }()

    /// Whether a text contains a macro.
    static func containsMacro(_ text: String) -> Bool { !self.macros(in: text).isEmpty }

    private static let maxMacros = 50

    /// The macros in a text, at most fifty.
    static func macros(in text: String) -> [Macro] {
        var text = text
        return text.withUTF8 { bytes in
            var found: [Macro] = []
            var at = 0
            while at < bytes.count, found.count < self.maxMacros {
                guard let macro = self.macro(in: bytes, at: at) else {
                    at += 1
                    continue
                }
                found.append(macro)
                at += macro.text.utf8.count
            }
            return found
        }
    }

    private static func macro(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Macro? {
        switch bytes[start] {
        case UInt8(ascii: "["): self.brackets(in: bytes, at: start)
        case UInt8(ascii: "%"): self.percent(in: bytes, at: start)
        case UInt8(ascii: "$"): self.enclosed(in: bytes, at: start, "${", "}", .foreign)
        case UInt8(ascii: "{"):
            self.enclosed(in: bytes, at: start, "{{", "}}", .foreign)
                ?? self.uppercaseOnly(self.enclosed(in: bytes, at: start, "{", "}", .foreign))
        case UInt8(ascii: "_"): self.underscores(in: bytes, at: start)
        default: nil
        }
    }

    /// The macros that begin with `%`.
    private static func percent(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Macro? {
        guard start + 1 < bytes.count else { return nil }
        // Most percent signs begin the escape of another character.
        switch bytes[start + 1] {
        case UInt8(ascii: "%"): return self.enclosed(in: bytes, at: start, "%%", "%%", .percent)
        case UInt8(ascii: "5"):
            return self.enclosed(in: bytes, at: start, "%5B", "%5D", .escaped)
                ?? self.enclosed(in: bytes, at: start, "%5b", "%5d", .escaped)
        case UInt8(ascii: "2"):
            let brackets =
                self.enclosed(in: bytes, at: start, "%255B", "%255D", .escaped)
                ?? self.enclosed(in: bytes, at: start, "%255b", "%255d", .escaped)
            if let brackets { return brackets }
            // Elsewhere it is part of a nested URL, and belongs to the next server.
            guard start > 0, bytes[start - 1] == UInt8(ascii: "=") else { return nil }
            return self.uppercaseOnly(self.enclosed(in: bytes, at: start, "%24%7B", "%7D", .foreign))
                ?? self.uppercaseOnly(self.enclosed(in: bytes, at: start, "%24%7b", "%7d", .foreign))
                ?? self.uppercaseOnly(self.enclosed(in: bytes, at: start, "%25%25", "%25%25", .foreign))
        default: return nil
        }
    }

    /// A macro in a form that ordinary texts have as well: it must be in capitals.
    private static func uppercaseOnly(_ macro: Macro?) -> Macro? {
        guard let macro, macro.name.utf8.count > 3, macro.name.utf8.allSatisfy({ !(0x61...0x7A).contains($0) }) else {
            return nil
        }
        return macro
    }

    /// `__NAME__` as a whole value.
    private static func underscores(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Macro? {
        guard start > 1, bytes.has("__", at: start), "=/".utf8.contains(bytes[start - 1]) else { return nil }
        let word = bytes[start...].prefix(68).prefix { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "_") }
        guard word.count > 4, word.endIndex == bytes.count || "&/#;".utf8.contains(bytes[word.endIndex]),
            bytes.has("__", at: word.endIndex - 2)
        else { return nil }
        let name = String(decoding: word.dropFirst(2).dropLast(2), as: UTF8.self)
        return self.uppercaseOnly(Macro(name: name, text: String(decoding: word, as: UTF8.self), style: .foreign))
    }

    /// `[NAME]`; `list[3]`, `filter[name]` and the host of `http://[::1]` are not macros.
    private static func brackets(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Macro? {
        guard let macro = self.enclosed(in: bytes, at: start, "[", "]", .brackets) else {
            return self.spaced(in: bytes, at: start)
        }
        guard macro.name.utf8.count > 1 else { return nil }
        let isUppercase = macro.name.utf8.allSatisfy { !(0x61...0x7A).contains($0) }
        if isUppercase { return macro }
        // A name in lower case is a macro only if it is a whole value.
        let before = start > 0 ? bytes[start - 1] : 0
        return before == UInt8(ascii: "=") || before == UInt8(ascii: "/") ? macro : nil
    }

    /// `[ NAME ]` and `[NAME` without its end, if VAST has a macro of that name.
    private static func spaced(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Macro? {
        let rest = bytes[(start + 1)...].prefix(80)
        let word = rest.drop(while: \.isWhiteSpace).prefix { self.isOfName($0, .brackets) }
        let name = String(decoding: word, as: UTF8.self)
        guard !word.isEmpty, self.releases[name] != nil || self.mistakes[name] != nil else { return nil }
        let behind = bytes[word.endIndex...].prefix(8).drop(while: \.isWhiteSpace)
        guard behind.first == UInt8(ascii: "]") else {
            let text = String(decoding: bytes[start..<word.endIndex], as: UTF8.self)
            return Macro(name: name, text: text, style: .unclosed)
        }
        let text = String(decoding: bytes[start...behind.startIndex], as: UTF8.self)
        return Macro(name: name, text: text, style: .spaced)
    }

    private static func enclosed(
        in bytes: UnsafeBufferPointer<UInt8>,
        at start: Int,
        _ open: StaticString,
        _ close: StaticString,
        _ style: Style
    ) -> Macro? {
        guard bytes.has(open, at: start) else { return nil }
        let from = start + open.utf8CodeUnitCount
        var end = from
        while end < bytes.count, end - from < 64, self.isOfName(bytes[end], style) { end += 1 }
        guard end > from, bytes[from].isASCIILetter, bytes.has(close, at: end) else { return nil }
        let name = String(decoding: bytes[from..<end], as: UTF8.self)
        let text = String(decoding: bytes[start..<(end + close.utf8CodeUnitCount)], as: UTF8.self)
        return Macro(name: name, text: text, style: style)
    }

    private static func isOfName(_ byte: UInt8, _ style: Style) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "_")
            || (style == .foreign && ":.-".utf8.contains(byte))
    }
}
