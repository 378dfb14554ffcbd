/// What an app on Apple's systems can do to have installs attributed to its ads, for `imp.ext`.
///
/// `skadn` is of IAB Tech Lab's OpenRTB extension *SKAdNetwork*, `adattributionkit` of *AdAttributionKit* ("Bid Request").
package struct AttributionSupport: Hashable, Sendable {
    /// The list of ad networks that IAB Tech Lab keeps (`skadnetlist`).
    package struct NetworkList: Hashable, Sendable {
        /// The last entry that the app has: with all before it (`max`).
        package var last: Int
        /// The entries that it has not (`excl`).
        package var excluded: [Int]

        package init(last: Int, excluded: [Int] = []) {
            self.last = last
            self.excluded = excluded
        }
    }

    /// This app's id in the App Store (`sourceapp`).
    package var sourceApp: String
    /// The versions of SKAdNetwork that the app and the system support (`versions`).
    package var skAdNetworkVersions: [String] = []
    /// The version of AdAttributionKit that both support (`version`); nil for none.
    package var adAttributionKitVersion: String?
    /// The ids of the ad networks in the app's `Info.plist`, in lower case (`skadnetids`).
    package var networks: [String] = []
    /// The entries of IAB Tech Lab's list that are in the app's `Info.plist`.
    package var list: NetworkList?
    /// Whether the app shows custom product pages (`productpage`).
    package var showsProductPages = false
    /// Whether the app shows `SKOverlay` (`skoverlay`).
    package var showsOverlays = false

    package init(sourceApp: String) { self.sourceApp = sourceApp }

    /// The ids that SKAdNetwork knows: those of AdAttributionKit alone end otherwise.
    private var skAdNetworkIDs: [String] { self.networks.filter { $0.hasSuffix(".skadnetwork") } }

    /// Writes the objects; each is left out without a network, because a bidder could sign for none.
    func write(to ext: inout RequestFields) {
        let known = self.skAdNetworkIDs
        if !self.skAdNetworkVersions.isEmpty, !known.isEmpty || self.list != nil {
            ext.object("skadn") { self.writeSKAdNetwork(known, to: &$0) }
        }
        guard let version = self.adAttributionKitVersion, !self.networks.isEmpty else { return }
        ext.object("adattributionkit") { kit in
            kit.text("version", version)
            kit.text("sourceapp", self.sourceApp)
            kit.texts("skadnetids", self.networks)
            if self.showsOverlays { kit.object("ext") { $0.mark("sko", true) } }
        }
    }

    private func writeSKAdNetwork(_ known: [String], to fields: inout RequestFields) {
        fields.texts("versions", self.skAdNetworkVersions)
        // Buyers from before SKAdNetwork 2.1 read one version: the newest.
        fields.text("version", self.skAdNetworkVersions.last)
        fields.text("sourceapp", self.sourceApp)
        fields.texts("skadnetids", known)
        if let list = self.list {
            fields.object("skadnetlist") { object in
                object.number("max", list.last, in: 1...1_000_000)
                object.numbers("excl", list.excluded)
            }
        }
        fields.mark("productpage", self.showsProductPages)
        fields.mark("skoverlay", self.showsOverlays)
    }
}
