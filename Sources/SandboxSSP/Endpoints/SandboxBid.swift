import AdCore

/// One bid (OpenRTB 2.6 §4.2.3); scenarios and bidders change some of its fields.
struct SandboxBid {
    let impression: AuctionRequest.Impression
    let creative: CreativeEntry
    let number: Int
    var price: AdJSON
    var markup: String?
    var type: Int
    var width: AdJSON
    var height: AdJSON
    var winNotice: String?
    var billingNotice: String?
    var lossNotice: String?
    /// After how many seconds it can't be shown any more.
    var expiry: Int
    var ext: [AdJSON.Member] = []

    /// Creates a bid of a bidder; without a name, of the sandbox as the only bidder.
    init(
        _ creative: CreativeEntry,
        price: AdJSON,
        for impression: AuctionRequest.Impression,
        of bidder: String? = nil,
        _ state: inout SandboxState
    ) {
        let number = state.nextAdNumber()
        self.impression = impression
        self.creative = creative
        self.number = number
        self.price = price
        let tracker = { [base = state.base] (name: String) in
            SandboxBid.tracker(name, of: bidder, ad: number, impression.tag, base: base)
        }
        self.type = creative.kind == .banner ? 1 : 2
        self.markup = state.expanded(creative.priced(pixel: tracker("impression")))
        self.width = .int(creative.width)
        self.height = .int(creative.height)
        self.winNotice = tracker("win")
        self.billingNotice = tracker("bill")
        self.lossNotice = bidder.map { _ in tracker("loss") + "&reason=${AUCTION_LOSS}&minimum=${AUCTION_MIN_TO_WIN}" }
        self.expiry = creative.format == .banner ? 300 : 1800
    }

    private static func tracker(_ name: String, of bidder: String?, ad: Int, _ unit: String, base: String) -> String {
        let bidder = bidder.map { "&bidder=\(PercentEncoding.component($0))" } ?? ""
        let unit = PercentEncoding.component(unit)
        return "\(base)/t/openrtb/\(name)?ad=\(ad)&unit=\(unit)\(bidder)&price=${AUCTION_PRICE}"
    }

    var json: AdJSON {
        var members: [AdJSON.Member] = [
            .init("id", .string("bid-\(self.number)")),
            .init("impid", .string(self.impression.id)),
            .init("price", self.price),
            .init("crid", .string(self.creative.name)),
            .init("adomain", ["example.com"]),
            .init("mtype", .int(self.type)),
            .init("exp", .int(self.expiry)),
        ]
        let texts = [
            ("adm", self.markup), ("nurl", self.winNotice), ("burl", self.billingNotice), ("lurl", self.lossNotice),
        ]
        members += texts.compactMap { name, text in text.map { .init(name, .string($0)) } }
        // An adaptive creative has no size.
        if self.width != 0, self.height != 0 { members += [.init("w", self.width), .init("h", self.height)] }
        if !self.ext.isEmpty { members.append(.init("ext", .object(self.ext))) }
        return .object(members)
    }
}

extension CreativeEntry {
    /// The markup with `${AUCTION_PRICE}` macros, in the landing page links and in a pixel, or for a video in an
    /// `<Impression>`.
    fileprivate func priced(pixel: String) -> String {
        switch self.kind {
        case .banner:
            let links = self.markup.replacing("${SANDBOX}/landing?", by: "${SANDBOX}/landing?price=${AUCTION_PRICE}&")
            let image = #"<img src="\#(pixel)" width="1" height="1" alt="" style="position:absolute">"#
            // The last occurrence: a script may have the first one in a string.
            return links.inserting(image, before: "</body>", lastOne: true) ?? links + image
        case .video, .rewarded:
            let impression = "<Impression><![CDATA[\(pixel)]]></Impression>"
            return self.markup.inserting(impression, before: "<Impression")
                ?? self.markup.inserting(impression, before: "<Creatives") ?? self.markup
        }
    }
}

extension String {
    /// The text with another inserted before the first or last occurrence of a mark; nil without an occurrence.
    func inserting(_ text: String, before mark: String, lastOne: Bool = false) -> String? {
        let bytes = Array(self.utf8)
        let wanted = Array(mark.utf8)
        let isMark = { (index: Int) in bytes[index...].starts(with: wanted) }
        guard let index = lastOne ? bytes.indices.last(where: isMark) : bytes.indices.first(where: isMark) else {
            return nil
        }
        return String(decoding: bytes[..<index] + Array(text.utf8) + bytes[index...], as: UTF8.self)
    }
}
