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

    /// Whether the response contains cards.
    package var isCards: Bool { self == .activeAds || self == .ceedAds || self == .attentionMarket }
}

/// Markup in a Prebid.js bid.
package struct PrebidMarkup: Hashable, Sendable {
    /// A name for messages, as in `vastXml of bid 1`.
    package let name: String
    /// The name of the field.
    package let field: String
    /// The markup.
    package let text: String

    /// The fields of a bid that contain markup.
    private static let fields = ["ad", "adm", "vastXml", "vast"]
    /// The maximum number of bids that are read.
    private static let bidLimit = 20

    static func isBid(_ json: AdJSON) -> Bool { self.fields.contains { json[$0]?.string != nil } }

    /// The markup in a list of bids, or in one bid.
    package static func all(in json: AdJSON) -> [PrebidMarkup] {
        let bids = json["bids"]?.array ?? [json]
        return bids.prefix(self.bidLimit).enumerated().flatMap { index, bid in
            self.fields.compactMap { field in
                guard let text = bid[field]?.string, !text.trimmed.isEmpty else { return nil }
                return PrebidMarkup(name: "\(field) of bid \(index + 1)", field: field, text: text)
            }
        }
    }
}
