import AdCore

/// Decides when a view-through impression starts and ends: from an ad's view to its close, once each.
///
/// The system wants to hear of it when the ad becomes visible, and when it no longer is (`SKAdNetwork.startImpression`,
/// `AppImpression.beginView`). An ad that is on screen and was not seen has no view, and starts none.
struct ViewThroughMachine {
    enum Action: Hashable, Sendable {
        case start(AdID, InstallAttribution)
        case end(AdID)
    }

    private var started: Set<AdID> = []

    /// Handles the event of an ad.
    mutating func handle(_ record: AdRecord) -> Action? {
        switch record.event {
        case .view:
            guard let attribution = record.attribution, self.started.insert(record.ad).inserted else { return nil }
            return .start(record.ad, attribution)
        case .closed: return self.started.remove(record.ad).map { .end($0) }
        default: return nil
        }
    }
}
