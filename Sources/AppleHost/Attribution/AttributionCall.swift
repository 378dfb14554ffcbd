import AdCore

/// What a version of the system can attribute with.
struct AttributionSystem: Hashable, Sendable {
    /// Whether it has SKAdNetwork 2.2 and 3.0: iOS 14.6.
    var hasViewThrough = false
    /// Whether it has SKAdNetwork 4.0: iOS 16.1.
    var hasSourceIdentifiers = false
    /// Whether it has AdAttributionKit: iOS 17.4.
    var hasAdAttributionKit = false

    /// The versions of SKAdNetwork for requests.
    ///
    /// Those before 2.2 have no signature for a view.
    var versions: [String] {
        (self.hasViewThrough ? ["2.2", "3.0"] : []) + (self.hasSourceIdentifiers ? ["4.0"] : [])
    }
}

/// The call that reports a view-through impression.
enum AttributionCall: Hashable, Sendable {
    case skAdNetwork(SKAdNetworkImpression)
    case adAttributionKit(AdAttributionKitImpression)

    /// Chooses the call for a bid; nil if the system has none that fits.
    ///
    /// It is one, although a bid may bring both: the system lets impressions of both compete, and one view would take part
    /// twice.
    init?(_ attribution: InstallAttribution, on system: AttributionSystem) {
        if system.hasAdAttributionKit, let impression = attribution.adAttributionKit {
            self = .adAttributionKit(impression)
            return
        }
        guard system.hasViewThrough, let impression = attribution.skAdNetwork else { return nil }
        if case .source = impression.campaign, !system.hasSourceIdentifiers { return nil }
        self = .skAdNetwork(impression)
    }
}
