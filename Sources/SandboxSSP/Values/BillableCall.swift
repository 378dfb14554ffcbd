import AdCore
import LoopbackServer

/// A billable call, by the place where it names the event and the ad.
enum BillableCall: Hashable, Sendable {
    /// A tracker call: the key or the path names the event, the query the ad.
    case tracker
    /// AttentionMarket's click.
    case attentionMarket
    /// CeedAds' event; its body names the event.
    case ceedAds
    /// ActiveAds' click.
    case activeAds
    /// A message that the page of a Smartico engagement sends over the socket.
    case engagement
    /// An app's report to Smartico about a push notification.
    case pushReport

    /// The event that a call reports; nil when it is not billable.
    func event(of hit: Sandbox.Hit) -> String? {
        switch self {
        case .tracker: Sandbox.Bill.event(key: hit.key, path: hit.path)
        case .attentionMarket, .activeAds: "click"
        // A call without a type is refused; its line gets the last part of the path.
        case .ceedAds: self.member("type", of: hit) ?? Sandbox.Bill.event(key: nil, path: hit.path)
        case .engagement: self.number("cid", of: hit) == SmarticoRequest.Class.action.rawValue ? "click" : "impression"
        case .pushReport: SmarticoPublicEndpoint.report(in: hit)?.event
        }
    }

    /// The ad that a call reports on, as the call identifies it.
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

    /// The key that duplicates of a call share; nil when each call is billed.
    func key(of hit: Sandbox.Hit) -> String? {
        // A message of a socket has no headers: an engagement has one impression and one click.
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
