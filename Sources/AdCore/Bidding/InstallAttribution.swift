/// What a bid brings so that the system can attribute the install of an advertised app to a view or a click of its ad.
///
/// The bidder has signed all of it; a device can only pass it on to the system.
package struct InstallAttribution: Hashable, Sendable {
    /// The signed impression for SKAdNetwork of a view, from version 2.2 on.
    package var skAdNetwork: SKAdNetworkImpression?
    /// The signed impression for SKAdNetwork of the App Store's page inside the app.
    package var storePage: SKAdNetworkImpression?
    /// The signed impression for AdAttributionKit.
    package var adAttributionKit: AdAttributionKitImpression?

    /// Creates an attribution; nil if there is nothing to attribute with.
    package init?(
        _ skAdNetwork: SKAdNetworkImpression?,
        _ adAttributionKit: AdAttributionKitImpression?,
        storePage: SKAdNetworkImpression? = nil
    ) {
        guard skAdNetwork != nil || adAttributionKit != nil || storePage != nil else { return nil }
        self.skAdNetwork = skAdNetwork
        self.storePage = storePage
        self.adAttributionKit = adAttributionKit
    }
}

/// An impression for SKAdNetwork, as `SKAdImpression` of StoreKit needs it.
package struct SKAdNetworkImpression: Hashable, Sendable {
    /// What the ad network calls its campaign.
    package enum Campaign: Hashable, Sendable {
        /// From 1 to 100; up to version 3.0.
        case identifier(Int)
        /// Up to four digits; from version 4.0 on.
        case source(Int)
    }

    /// The version of SKAdNetwork whose rules the signature follows, as in `4.0`.
    package let version: String
    /// The ad network's id, in lower case as it was signed.
    package let network: String
    /// The campaign.
    package let campaign: Campaign
    /// The advertised app's id in the App Store.
    package let advertisedApp: Int
    /// This app's id in the App Store.
    package let sourceApp: Int
    /// The id of the impression, which is signed in lower case.
    package let nonce: String
    /// When it was signed, in milliseconds since 1970.
    package let timestamp: Int
    /// The signature.
    package let signature: String

    package init(
        version: String,
        network: String,
        campaign: Campaign,
        advertisedApp: Int,
        sourceApp: Int,
        nonce: String,
        timestamp: Int,
        signature: String
    ) {
        self.version = version
        self.network = network
        self.campaign = campaign
        self.advertisedApp = advertisedApp
        self.sourceApp = sourceApp
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
    }
}

/// An impression for AdAttributionKit, as `AppImpression` needs it.
package struct AdAttributionKitImpression: Hashable, Sendable {
    /// The impression with its signature (JWS in compact form, RFC 7515 §3.1).
    package let compactJWS: String

    /// Creates an impression; nil unless the text has the three parts of the compact form.
    package init?(compactJWS text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isBase64URL) }) else { return nil }
        self.compactJWS = text
    }
}

extension UInt8 {
    /// Whether the byte is a character of base64url without padding (RFC 4648 §5).
    fileprivate var isBase64URL: Bool {
        self.isDigit || self.isASCIILetter || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
