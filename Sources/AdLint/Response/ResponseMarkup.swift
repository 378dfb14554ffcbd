package import AdCore
import AdMarkup

/// Markup in a string of a JSON ad response.
package struct ResponseMarkup: Hashable, Sendable {
    /// A name for messages, as in `adm of bid 1`.
    package let name: String
    /// The name of the field.
    package let field: String
    /// The markup.
    package let text: String

    /// The fields of a Prebid.js bid that contain markup.
    private static let prebidFields = ["ad", "adm", "vastXml", "vast"]
    /// The maximum number of bids that are read.
    private static let bidLimit = 20

    static func isBid(_ json: AdJSON) -> Bool { self.prebidFields.contains { json[$0]?.string != nil } }

    /// The markup in the bytes of a document: that of a known response, or else the document itself, without a name.
    package static func documents(in bytes: [UInt8]) -> [(name: String?, bytes: [UInt8])] {
        guard MarkupKind(sniffing: bytes) == .json, let json = try? AdJSON.reading(bytes).json,
            let format = AdResponseFormat(json)
        else { return [(nil, bytes)] }
        return self.all(in: json, format).map { ($0.name, Array($0.text.utf8)) }
    }

    /// The markup in a response of a format, in the order of the response.
    package static func all(in json: AdJSON, _ format: AdResponseFormat) -> [ResponseMarkup] {
        switch format {
        case .yabbi:
            return self.texts(of: json, ["adm"]).map { ResponseMarkup(name: $0.field, field: $0.field, text: $0.text) }
        case .openRTB:
            let bids = json["seatbid"]?.array?.flatMap { $0["bid"]?.array ?? [] } ?? []
            return self.all(inBids: bids, ["adm"])
        case .prebid: return self.all(inBids: json["bids"]?.array ?? [json], self.prebidFields)
        case .activeAds, .ceedAds, .attentionMarket, .smarticoMessage: return []
        }
    }

    private static func all(inBids bids: [AdJSON], _ fields: [String]) -> [ResponseMarkup] {
        bids.prefix(self.bidLimit).enumerated().flatMap { index, bid in
            self.texts(of: bid, fields).map { field, text in
                ResponseMarkup(name: "\(field) of bid \(index + 1)", field: field, text: text)
            }
        }
    }

    private static func texts(of json: AdJSON, _ fields: [String]) -> [(field: String, text: String)] {
        fields.compactMap { field in
            json[field]?.string.flatMap { $0.trimmed.isEmpty ? nil : (field, $0) }
        }
    }
}
