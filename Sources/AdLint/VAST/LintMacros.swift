import AdCore
import AdHTML
import AdMarkup

/// The macros of VAST, and where in an address one stands.
enum LintMacros {
    /// How a macro is written.
    enum Style {
        /// `[NAME]`
        case brackets
        /// `[ NAME ]`
        case spaced
        /// `[NAME` without an end
        case unclosed
        /// `%5BNAME%5D`, also escaped twice
        case escaped
        /// `%%NAME%%`
        case percent
        /// `${NAME}`, `{{NAME}}`, `{NAME}`, `__NAME__` and others that no player knows.
        case foreign
    }

    struct Macro {
        let name: String
        let text: String
        let style: Style
    }

    /// The release that brought a macro; nil for one that there is not.
    static func release(of name: String) -> VASTRelease? { self.releases[name] }

    static let names: [String] = releases.keys.sorted()

    /// What is written by mistake, and what is meant by it.
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
        // TIMESTAMP came with 4.0, and players have long known it in older documents.
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
        // These came between releases, and belong to none.
        add(
            "GPPSTRING GPPSECTIONID DSAREQUIRED DSAPARAMS DSAPUBRENDER STOREID STOREURL PLAYBACKMETHODS CONTENTCAT",
            .v2
        )
        return releases
    }()

    /// Whether a text has any macro in it.
    static func containsMacro(_ text: String) -> Bool { !self.macros(in: text).isEmpty }

    private static let most = 50

    /// The macros in a text, at most fifty.
    static func macros(in text: String) -> [Macro] {
        guard text.utf8.contains(where: self.mayOpen) else { return [] }
        let bytes = Array(text.utf8)
        var found: [Macro] = []
        var at = 0
        while at < bytes.count, found.count < self.most {
            guard let macro = self.macro(in: bytes, at: at) else {
                at += 1
                continue
            }
            found.append(macro)
            at += macro.text.utf8.count
        }
        return found
    }

    private static func mayOpen(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func macro(in bytes: [UInt8], at start: Int) -> Macro? {
        switch bytes[start] {
        case UInt8(ascii: "["): self.brackets(in: bytes, at: start)
        case UInt8(ascii: "%"):
            self.percent(in: bytes, at: start)
        case UInt8(ascii: "$"): self.enclosed(in: bytes, at: start, "${", "}", .foreign)
        case UInt8(ascii: "{"):
            self.enclosed(in: bytes, at: start, "{{", "}}", .foreign)
                ?? self.loud(self.enclosed(in: bytes, at: start, "{", "}", .foreign))
        case UInt8(ascii: "_"): self.underscores(in: bytes, at: start)
        default: nil
        }
    }

    private static func percent(in bytes: [UInt8], at start: Int) -> Macro? {
        if let macro = self.enclosed(in: bytes, at: start, "%%", "%%", .percent) { return macro }
        // What is not escaped begins otherwise: this is asked of every percent sign.
        for (open, close) in [("%5B", "%5D"), ("%5b", "%5d"), ("%255B", "%255D"), ("%255b", "%255d")] {
            if let macro = self.enclosed(in: bytes, at: start, open, close, .escaped) { return macro }
        }
        for (open, close) in [("%24%7B", "%7D"), ("%24%7b", "%7d"), ("%25%25", "%25%25")] {
            // In an address within the address it is the next server's.
            guard start > 0, bytes[start - 1] == UInt8(ascii: "=") else { return nil }
            if let macro = self.loud(self.enclosed(in: bytes, at: start, open, close, .foreign)) { return macro }
        }
        return nil
    }

    /// A macro in a form that other texts have as well: only in capitals it is one.
    private static func loud(_ macro: Macro?) -> Macro? {
        guard let macro, macro.name.utf8.count > 3, macro.name.utf8.allSatisfy({ !(0x61...0x7A).contains($0) }) else {
            return nil
        }
        return macro
    }

    /// `__NAME__` as a whole value.
    private static func underscores(in bytes: [UInt8], at start: Int) -> Macro? {
        guard start > 1, "=/".utf8.contains(bytes[start - 1]), bytes[start...].starts(with: "__".utf8) else {
            return nil
        }
        let word = bytes[start...].prefix(68).prefix { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "_") }
        guard word.count > 4, word.endIndex == bytes.count || "&/#;".utf8.contains(bytes[word.endIndex]),
            word.suffix(2).elementsEqual("__".utf8)
        else { return nil }
        let name = String(decoding: word.dropFirst(2).dropLast(2), as: UTF8.self)
        return self.loud(Macro(name: name, text: String(decoding: word, as: UTF8.self), style: .foreign))
    }

    /// `[NAME]`; `list[3]` and `filter[name]` are no macros, and neither is the address in `http://[::1]`.
    private static func brackets(in bytes: [UInt8], at start: Int) -> Macro? {
        guard let macro = self.enclosed(in: bytes, at: start, "[", "]", .brackets) else {
            return self.spaced(in: bytes, at: start)
        }
        guard macro.name.utf8.count > 1 else { return nil }
        let isLoud = macro.name.utf8.allSatisfy { !(0x61...0x7A).contains($0) }
        if isLoud { return macro }
        // Small letters are meant as a macro only where they are a whole value.
        let before = start > 0 ? bytes[start - 1] : 0
        return before == UInt8(ascii: "=") || before == UInt8(ascii: "/") ? macro : nil
    }

    /// `[ NAME ]`, and `[NAME` without its end, where VAST has that name.
    private static func spaced(in bytes: [UInt8], at start: Int) -> Macro? {
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

    private static func enclosed(in bytes: [UInt8], at start: Int, _ open: String, _ close: String, _ style: Style)
        -> Macro?
    {
        guard bytes[start...].starts(with: open.utf8) else { return nil }
        let from = start + open.utf8.count
        var end = from
        while end < bytes.count, end - from < 64, self.isOfName(bytes[end], style) { end += 1 }
        guard end > from, bytes[from].isASCIILetter, bytes[end...].starts(with: close.utf8) else { return nil }
        let name = String(decoding: bytes[from..<end], as: UTF8.self)
        return Macro(name: name, text: open + name + close, style: style)
    }

    private static func isOfName(_ byte: UInt8, _ style: Style) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "_")
            || (style == .foreign && ":.-".utf8.contains(byte))
    }
}
