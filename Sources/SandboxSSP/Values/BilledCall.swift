import AdCore

/// A call that costs something, by where it says what happened to which ad.
enum BilledCall: Hashable, Sendable {
    /// A tracker: its key or its path says what happened, and its query to what.
    case tracker
    /// AttentionMarket's click.
    case attentionMarket
    /// CeedAds' event, whose body says what happened.
    case ceedAds
    /// ActiveAds' click.
    case activeAds

    /// What a call tells of.
    func event(of hit: Sandbox.Hit) -> String {
        switch self {
        case .tracker: Sandbox.Bill.event(key: hit.key, path: hit.path)
        case .attentionMarket, .activeAds: "click"
        // Without a type it was refused, and the path has to do.
        case .ceedAds: self.member("type", of: hit) ?? Sandbox.Bill.event(key: nil, path: hit.path)
        }
    }

    /// The ad that it tells of, as it names it.
    func ad(of hit: Sandbox.Hit) -> String? {
        switch self {
        case .tracker: Query.value(of: "ad", in: hit.query)
        case .attentionMarket: self.member("tracking_token", of: hit)
        case .ceedAds: self.member("adId", of: hit)
        case .activeAds: self.member("campaign_id", of: hit)
        }
    }

    private func member(_ name: String, of hit: Sandbox.Hit) -> String? {
        (try? JSON(parsing: hit.body))?[name]?.string
    }
}
