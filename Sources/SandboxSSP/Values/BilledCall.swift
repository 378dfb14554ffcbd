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
    /// What the page of an engagement of Smartico's told over the socket.
    case engagement
    /// What an app tells Smartico of a push notification.
    case pushReport

    /// What a call tells of; nil where that costs nothing.
    func event(of hit: Sandbox.Hit) -> String? {
        switch self {
        case .tracker: Sandbox.Bill.event(key: hit.key, path: hit.path)
        case .attentionMarket, .activeAds: "click"
        // Without a type it was refused, and the path has to do.
        case .ceedAds: self.member("type", of: hit) ?? Sandbox.Bill.event(key: nil, path: hit.path)
        case .engagement: self.number("cid", of: hit) == SmarticoRequest.Class.action.rawValue ? "click" : "impression"
        case .pushReport: SmarticoPublicEndpoint.report(in: hit)?.event
        }
    }

    /// The ad that it tells of, as it names it.
    func ad(of hit: Sandbox.Hit) -> String? {
        switch self {
        case .tracker: Query.value(of: "ad", in: hit.query)
        case .attentionMarket: self.member("tracking_token", of: hit)
        case .ceedAds: self.member("adId", of: hit)
        case .activeAds: self.member("campaign_id", of: hit)
        case .engagement: self.member("engagement_uid", of: hit)
        case .pushReport: SmarticoPublicEndpoint.report(in: hit)?.engagement
        }
    }

    /// What repetitions of a call have in common; nil where each stands for itself.
    func key(of hit: Sandbox.Hit) -> String? {
        // A message over a socket has no header: an engagement is seen once, and clicked once.
        guard self == .engagement else { return hit.key.flatMap { $0.isEmpty ? nil : $0 } }
        guard let ad = self.ad(of: hit), let event = self.event(of: hit) else { return nil }
        return "\(ad)/\(event)"
    }

    private func number(_ name: String, of hit: Sandbox.Hit) -> Int? {
        (try? AdJSON(parsing: hit.body))?[name]?.number.flatMap { Int(exactly: $0) }
    }

    private func member(_ name: String, of hit: Sandbox.Hit) -> String? {
        (try? AdJSON(parsing: hit.body))?[name]?.string
    }
}
