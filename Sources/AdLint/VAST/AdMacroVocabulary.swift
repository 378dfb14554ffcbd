package import AdCore
import AdMarkup

extension AdMacroSpelling {
    /// The system that replaces a macro.
    package enum Kind: Hashable, Sendable {
        /// A player, when it requests the URL (VAST 4.3 §6).
        case player
        /// A well-known ad server, exchange (OpenRTB 2.6 §4.4) or consent platform, before the ad is delivered.
        case adServer
        /// This vendor, with a script or a player of its own.
        case vendor(String)
        /// No known system.
        case unknown
    }

    /// The system that replaces the macro.
    package var kind: Kind { AdMacroVocabulary.kind(self.name, self.style) }
}

/// The names of macros, by the systems that document them.
package enum AdMacroVocabulary {
    /// `${…}` of exchanges (OpenRTB 2.6 §4.4), the IAB's consent frameworks, Display & Video 360 and Xandr.
    private static let dollar: Set<String> = [
        "GDPR", "ADDTL_CONSENT", "US_PRIVACY", "GPP_SID", "CLICK_URL", "CLICK_URL_ENC", "CLICK_URL_ESC",
        "CLICK_URL_UNESC", "CACHEBUSTER", "SOURCE_URL", "SOURCE_URL_ENC", "UNIVERSAL_SITE_ID", "CREATIVE_ID",
        "CAMPAIGN_ID", "INSERTION_ORDER_ID", "LINE_ITEM_ID", "EXCHANGE_ID", "DBM_CUSTOM", "REFERER_URL",
        "REFERER_URL_ENC", "REFERER_DOMAIN", "USER_ID", "TAG_ID", "CP_ID", "CPG_ID", "CP_CODE", "PUBLISHER_ID",
        "SITE_ID", "AD_WIDTH", "AD_HEIGHT", "WIDTH", "HEIGHT", "DEVICE_ID", "DEVICE_APPLE_IDA", "DEVICE_AAID",
        "EXT_APP_ID", "EXT_APP_NAME", "PRICE_PAID", "INV_TYPE", "RANDOM_NUMBER", "CB", "SSP_ID",
    ]
    private static let dollarPrefixes = ["AUCTION_", "GDPR_CONSENT_", "GPP_STRING", "GDPR_", "DV_"]

    /// `[…]` that Campaign Manager 360 and Ad Manager write into tags for the publisher's ad server or player.
    private static let brackets: Set<String> = [
        "timestamp", "TIMESTAMP", "description_url", "DESCRIPTION_URL", "referrer_url", "REFERRER_URL", "correlator",
        "CORRELATOR",
    ]

    /// `[…]` and `%%…%%` in VAST documents that are not in the IAB's list, with the vendor whose player replaces them.
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

    package static func kind(_ name: String, _ style: AdMacroSpelling.Style) -> AdMacroSpelling.Kind {
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
        case .placeholder: return .unknown
        }
    }
}
