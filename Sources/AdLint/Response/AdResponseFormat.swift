package import AdCore

/// Recognizes whose response a JSON document is by its members; the linter, `inspect` and `show` all use it.
package enum AdResponseFormat: String, Hashable, Sendable, CaseIterable {
    /// An OpenRTB BidResponse: `seatbid`, or `nbr` when there is no bid (OpenRTB 2.6 §4.2.1).
    case openRTB
    /// A response of YABBI's load call: `adm` or `type`.
    case yabbi
    /// A list of ActiveAds campaigns: `ads`.
    case activeAds
    /// A CeedAds card: `ok` or `requestId`, next to `ad`.
    case ceedAds
    /// An AttentionMarket card: `ad`.
    case attentionMarket
    /// Prebid.js bids, or one of them: a price, and markup in a field of its own.
    case prebid
    /// A message that Smartico pushes over a socket: a class id (`cid`), and no member of an ad response.
    case smarticoMessage

    /// Recognizes a document; nil when it is no known response.
    package init?(_ json: AdJSON) {
        if json["cid"] != nil, ["adm", "seatbid", "ads", "ad"].allSatisfy({ json[$0] == nil }) {
            self = .smarticoMessage
        } else if json["seatbid"] != nil || json["nbr"] != nil {
            self = .openRTB
        } else if json["bids"]?.array != nil
            || (json["cpm"] != nil && json["type"] == nil && ResponseMarkup.isBid(json))
        {
            self = .prebid
        } else if json["adm"] != nil {
            self = .yabbi
        } else if json["ads"] != nil {
            self = .activeAds
        } else if json["ok"] != nil || json["requestId"] != nil {
            self = .ceedAds
        } else if json["ad"] != nil {
            self = .attentionMarket
        } else if json["type"] != nil {
            self = .yabbi
        } else {
            return nil
        }
    }

    /// Whether the response contains cards.
    package var isCards: Bool { self == .activeAds || self == .ceedAds || self == .attentionMarket }
}
