/// An app in the App Store, to whose page a click-through URL leads.
package struct StoreProduct: Hashable, Sendable {
    /// What a link adds for its advertiser, by its name in the query.
    package enum Token: String, Hashable, Sendable, CaseIterable {
        case affiliate = "at"
        case campaign = "ct"
        case provider = "pt"
        case productPage = "ppid"
    }

    /// The app's id in the App Store.
    package let app: Int
    /// What the link adds.
    package let tokens: [Token: String]
    /// The impression that the ad network has signed for a page of this app; nil if there is none.
    package let impression: SKAdNetworkImpression?

    /// Reads the product from a link of the App Store; nil for any other link.
    ///
    /// A link that leads there by way of a tracker is another link: the tracker would miss the click if its request was
    /// left out.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - attribution: What the ad's bid brings, of which a signature for another app is not used.
    package init?(_ link: ClickThroughURL, signed attribution: InstallAttribution? = nil) {
        guard link.isWeb || ["itms", "itmss", "itms-apps", "itms-appss"].contains(link.scheme),
            let url = HTTPURL("https" + link.text.dropFirst(link.scheme.utf8.count)),
            ["apps.apple.com", "itunes.apple.com"].contains(where: { url.host == $0 || url.host.hasSuffix("." + $0) })
        else { return nil }
        let parts = url.target.split(separator: "?", maxSplits: 1)
        let path = (parts.first ?? "").split(separator: "/")
        // Pages of developers, stories and albums have an id, too.
        guard path.dropLast().contains("app"), let last = path.last, last.hasPrefix("id"),
            let app = Int(last.dropFirst(2)), app > 0
        else { return nil }
        self.app = app
        var tokens: [Token: String] = [:]
        for field in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let pair = field.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let token = Token(rawValue: String(pair[0])) else { continue }
            tokens[token] = PercentEncoding.decoded(pair[1])
        }
        self.tokens = tokens
        self.impression = attribution?.storePage.flatMap { $0.advertisedApp == app ? $0 : nil }
    }
}
