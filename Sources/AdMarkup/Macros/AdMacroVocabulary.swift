import AdCore

/// The names of macros, by the systems that document them.
enum AdMacroVocabulary {
    /// `${…}` of exchanges (OpenRTB 2.6 §4.4), of IAB's consent frameworks, of Display & Video 360 and Xandr.
    private static let dollar: Set<String> = [
        "GDPR", "ADDTL_CONSENT", "US_PRIVACY", "GPP_SID", "CLICK_URL", "CLICK_URL_ENC", "CLICK_URL_ESC",
        "CLICK_URL_UNESC", "CACHEBUSTER", "SOURCE_URL", "SOURCE_URL_ENC", "UNIVERSAL_SITE_ID", "CREATIVE_ID",
        "CAMPAIGN_ID", "INSERTION_ORDER_ID", "LINE_ITEM_ID", "EXCHANGE_ID", "DBM_CUSTOM", "REFERER_URL",
        "REFERER_URL_ENC", "REFERER_DOMAIN", "USER_ID", "TAG_ID", "CP_ID", "CPG_ID", "CP_CODE", "PUBLISHER_ID",
        "SITE_ID", "AD_WIDTH", "AD_HEIGHT", "WIDTH", "HEIGHT", "DEVICE_ID", "DEVICE_APPLE_IDA", "DEVICE_AAID",
        "EXT_APP_ID", "EXT_APP_NAME", "PRICE_PAID", "INV_TYPE", "RANDOM_NUMBER", "CB", "SSP_ID",
    ]
    private static let dollarPrefixes = ["AUCTION_", "GDPR_CONSENT_", "GPP_STRING", "GDPR_", "DV_"]

    /// `[…]` that Campaign Manager 360 writes into its tags for the publisher's ad server.
    private static let brackets: Set<String> = ["timestamp", "TIMESTAMP"]

    /// `[…]` and `%%…%%` in documents of VAST that are not of IAB's list, by the vendor whose player replaces them.
    private static let vendors: [String: String] = {
        var names: [String: String] = [:]
        for name in [
            "AD_MT", "VIEWABILITY", "GOOGLE_VIEWABILITY", "UACH", "SDKV", "AD_CPN", "ACTIVE_VIEW", "AV_CONTENT",
            "CPN", "LACT", "MIDROLL_POS", "OM_PARTNER", "DFPVIDEO", "AD_BREAK_TYPE", "VIDEO_VIEWABILITY",
        ] {
            names[name] = "Google"
        }
        for name in ["AG_UID", "ADGEAR_UID"] { names[name] = "AdGear" }
        return names
    }()

    static func kind(_ name: String, _ style: AdMacroSpelling.Style) -> AdMacroSpelling.Kind {
        switch style {
        case .brackets:
            if VASTMacro(named: name) != nil { return .player }
            if let vendor = self.vendors[name] { return .vendor(vendor) }
            return self.brackets.contains(name) ? .adServer : .unknown
        // Only ad servers use these forms; Google Ad Manager and Campaign Manager 360 document them.
        case .percent, .letter: return .adServer
        case .dollar:
            let plain = String(name.prefix { $0 != ":" })
            if self.dollar.contains(plain) || self.dollarPrefixes.contains(where: plain.hasPrefix) { return .adServer }
            return self.vendors[plain].map { .vendor($0) } ?? .unknown
        case .underscores, .braces, .doubleBraces, .hashes, .ats, .dollars:
            return self.vendors[name].map { .vendor($0) } ?? .unknown
        case .note: return .unknown
        }
    }

    /// Names that contain "click" and stand for something else: an id, a kind, a place.
    private static let notClicks = ["CLICKID", "CLICKTYPE", "CLICKPOS", "CLICKTIME", "CLICKCOUNT"]
    private static let clicks: Set<String> = ["CLK", "LANDINGPAGE", "LANDINGURL", "LANDINGPAGEURL", "DESTURL", "CTA"]

    static func isClick(_ name: String, _ style: AdMacroSpelling.Style) -> Bool {
        if style == .letter { return name == "c" || name == "u" }
        let plain = String(decoding: name.utf8.filter(\.isLetter).map { $0 & 0xDF }, as: UTF8.self)
        if self.clicks.contains(plain) { return true }
        return plain.firstRange(of: "CLICK") != nil && !self.notClicks.contains(where: plain.hasSuffix)
    }

    private static let notes: Set<String> = ["INSERT", "REPLACE", "ENTER", "PUT", "PASTE", "YOUR", "ADD"]
    private static let subjects: Set<String> = [
        "CLICK", "CLICKTAG", "CLICKTRACKER", "CLICKMACRO", "CLICKURL", "MACRO", "URL", "LINK", "LANDING", "TRACKER",
        "CACHEBUSTER", "TIMESTAMP", "PRICE",
    ]

    /// `INSERT_CLICK_HERE`, `CLICK_MACRO_HERE`, `YOUR_CLICK_URL`: capitals, with what to insert named among them.
    static func isNote(_ word: String) -> Bool {
        let parts = word.split { $0 == "_" || $0 == "-" }.map(String.init)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return false }
        guard parts.contains(where: self.subjects.contains) else { return false }
        return self.notes.contains(first) || last == "HERE"
    }
}
