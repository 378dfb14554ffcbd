import AdCore

/// The macros of VAST, and where in an address one stands.
enum LintMacros {
    /// How a macro is written.
    enum Style {
        /// `[NAME]`
        case brackets
        /// `%5BNAME%5D`
        case escaped
        /// `${NAME}`, `%%NAME%%`, `{{NAME}}` and others that no player knows.
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
    static func holdsMacro(_ text: String) -> Bool { !self.macros(in: text).isEmpty }

    private static let most = 50

    /// The macros in a text, at most fifty.
    static func macros(in text: String) -> [Macro] {
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

    private static func macro(in bytes: [UInt8], at start: Int) -> Macro? {
        switch bytes[start] {
        case UInt8(ascii: "["): self.brackets(in: bytes, at: start)
        case UInt8(ascii: "%"):
            self.enclosed(in: bytes, at: start, "%%", "%%", .foreign) ?? self.enclosed(
                in: bytes,
                at: start,
                "%5B",
                "%5D",
                .escaped
            )
                ?? self.enclosed(in: bytes, at: start, "%5b", "%5d", .escaped)
        case UInt8(ascii: "$"): self.enclosed(in: bytes, at: start, "${", "}", .foreign)
        case UInt8(ascii: "{"): self.enclosed(in: bytes, at: start, "{{", "}}", .foreign)
        default: nil
        }
    }

    /// `[NAME]`; `list[3]` and `filter[name]` are no macros, and neither is the address in `http://[::1]`.
    private static func brackets(in bytes: [UInt8], at start: Int) -> Macro? {
        guard let macro = self.enclosed(in: bytes, at: start, "[", "]", .brackets), macro.name.utf8.count > 1 else {
            return nil
        }
        let isLoud = macro.name.utf8.allSatisfy { !(0x61...0x7A).contains($0) }
        if isLoud { return macro }
        // Small letters are meant as a macro only where they are a whole value.
        let before = start > 0 ? bytes[start - 1] : 0
        return before == UInt8(ascii: "=") || before == UInt8(ascii: "/") ? macro : nil
    }

    private static func enclosed(in bytes: [UInt8], at start: Int, _ open: String, _ close: String, _ style: Style)
        -> Macro?
    {
        guard bytes[start...].starts(with: open.utf8) else { return nil }
        let from = start + open.utf8.count
        var end = from
        while end < bytes.count, end - from < 64, self.isOfName(bytes[end], style) { end += 1 }
        guard end > from, bytes[from].isLetter, bytes[end...].starts(with: close.utf8) else { return nil }
        let name = String(decoding: bytes[from..<end], as: UTF8.self)
        return Macro(name: name, text: open + name + close, style: style)
    }

    private static func isOfName(_ byte: UInt8, _ style: Style) -> Bool {
        byte.isLetter || byte.isNumeral || byte == UInt8(ascii: "_") || (style == .foreign && ":.-".utf8.contains(byte))
    }
}
