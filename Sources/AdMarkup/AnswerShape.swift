package import AdCore

/// Whose answer a JSON document is, by the members that it has: linter, `inspect` and `show` recognise it alike.
package enum AnswerShape: String, Hashable, Sendable, CaseIterable {
    /// A BidResponse of OpenRTB: `seatbid`, or `nbr` where there is no bid (OpenRTB 2.6 §4.2.1).
    case openRTB
    /// An answer of YABBI's load call: `adm` or `type`.
    case yabbi
    /// A list of campaigns: `ads`.
    case activeAds
    /// A card with `ok` or `requestId` beside it.
    case ceedAds
    /// A card by itself: `ad`.
    case attentionMarket

    /// The shape of a document; nil for one that is no answer known here.
    package init?(_ json: JSON) {
        if json["seatbid"] != nil || json["nbr"] != nil {
            self = .openRTB
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

    /// Whether it is made of cards, which do not say who is to be told of a click.
    package var isCards: Bool { self == .activeAds || self == .ceedAds || self == .attentionMarket }
}
