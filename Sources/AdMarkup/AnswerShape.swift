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
    /// Bids of Prebid.js, or one of them: a price, and markup in a field of its own.
    case prebid

    /// The shape of a document; nil for one that is no answer known here.
    package init?(_ json: AdJSON) {
        if json["seatbid"] != nil || json["nbr"] != nil {
            self = .openRTB
        } else if json["bids"]?.array != nil || (json["cpm"] != nil && json["type"] == nil && PrebidMarkup.isBid(json))
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

    /// Whether it consists of cards, which have no click trackers.
    package var isCards: Bool { self == .activeAds || self == .ceedAds || self == .attentionMarket }
}

/// A markup in a bid of Prebid.js.
package struct PrebidMarkup: Hashable, Sendable {
    /// The field and the bid, for people: `vastXml of bid 1`.
    package let name: String
    /// The field.
    package let field: String
    /// The markup.
    package let text: String

    /// The fields of a bid that hold markup.
    private static let fields = ["ad", "adm", "vastXml", "vast"]
    /// How many bids are read.
    private static let most = 20

    static func isBid(_ json: AdJSON) -> Bool { self.fields.contains { json[$0]?.string != nil } }

    /// The markups of a list of bids, or of one.
    package static func all(in json: AdJSON) -> [PrebidMarkup] {
        let bids = json["bids"]?.array ?? [json]
        return bids.prefix(self.most).enumerated().flatMap { index, bid in
            self.fields.compactMap { field in
                guard let text = bid[field]?.string, !text.trimmed.isEmpty else { return nil }
                return PrebidMarkup(name: "\(field) of bid \(index + 1)", field: field, text: text)
            }
        }
    }
}
