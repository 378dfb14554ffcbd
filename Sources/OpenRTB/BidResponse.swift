public import AdCore

/// What we read of an OpenRTB 2.6 BidResponse, leniently: every repair is an issue with its field.
public struct BidResponse: Hashable, Sendable {
    /// The kinds of markup as OpenRTB numbers them.
    ///
    /// Other numbers that look alike mean other things elsewhere.
    public enum MarkupType: Int, Hashable, Sendable, CaseIterable {
        /// HTML.
        case banner = 1
        /// VAST.
        case video = 2
        /// VAST or DAAST with sound alone.
        case audio = 3
        /// JSON of the native specification.
        case native = 4
    }

    /// One bid.
    public struct Bid: Hashable, Sendable {
        /// The bidder's name for the bid.
        public let id: String
        /// The impression it is for.
        public let impressionID: String
        /// The price per thousand views; 0 is a price.
        public let price: Double
        /// The seat that bids.
        public let seat: String?
        /// The ad's id at the bidder.
        public let adID: String?
        /// The markup, macros still in it.
        public let markup: String?
        /// Called when the bid has won, macros still in it.
        ///
        /// It never counts a view.
        public let winNotice: URLTemplate?
        /// Called when the ad is to be billed, macros still in it.
        public let billingNotice: URLTemplate?
        /// The width, where it is told.
        public let width: Double?
        /// The height, where it is told.
        public let height: Double?
        /// How long the bid may be shown.
        public let lifetime: Duration?
        /// What kind of markup it is, where it is told in a number that is known.
        public let type: MarkupType?
        /// The number that was told.
        public let rawType: Int?
    }

    /// The auction's id.
    public let id: String?
    /// The bidder's id for the answer.
    public let bidID: String?
    /// The currency of the prices.
    public let currency: String
    /// Why there is no bid, where that is told.
    public let noBidReason: Int?
    /// The bids, as they came.
    public let bids: [Bid]
    /// What was repaired.
    public let issues: [Issue]

    /// The most bids that are read.
    public static let mostBids = 100

    /// Reads an answer.
    public init(reading json: JSON) throws(AdError) {
        guard case .object = json else {
            throw AdError(.unreadableAnswer, "the answer is \(json.kind) where a BidResponse should be")
        }
        var fields = LenientFields(json)
        var issues: [Issue] = []
        self.id = fields.text("id")
        self.bidID = fields.text("bidid")
        self.currency = fields.text("cur") ?? "USD"
        self.noBidReason = fields.number("nbr").flatMap { Int(exactly: $0) }
        var bids: [Bid] = []
        for (seatIndex, seat) in (json["seatbid"]?.array ?? []).enumerated() {
            for (index, bid) in (seat["bid"]?.array ?? []).enumerated() {
                guard bids.count < BidResponse.mostBids else { break }
                let path = "seatbid[\(seatIndex)].bid[\(index)]"
                if let bid = Bid(reading: bid, seat: seat["seat"]?.string, at: path, &issues) { bids.append(bid) }
            }
        }
        self.bids = bids
        self.issues = fields.issues + issues
    }

    /// The best bid for an impression; of equal ones the first.
    public func best(for impressionID: String) -> Bid? {
        var best: Bid?
        for bid in self.bids where bid.impressionID == impressionID && bid.price > best?.price ?? -1 { best = bid }
        return best
    }
}

extension BidResponse.Bid {
    fileprivate init?(reading json: JSON, seat: String?, at path: String, _ issues: inout [Issue]) {
        var fields = LenientFields(json)
        defer { issues += fields.issues.map { Issue($0.code, at: .field("\(path).\($0.place)"), $0.message) } }
        guard let impressionID = fields.text("impid") else {
            issues.append(
                Issue(
                    "bid.impid",
                    at: .field(path),
                    "the bid does not say which impression it is for, and was left out"
                )
            )
            return nil
        }
        guard let price = fields.number("price"), price >= 0 else {
            issues.append(Issue("bid.price", at: .field(path), "the bid has no usable price, and was left out"))
            return nil
        }
        self.id = fields.text("id") ?? ""
        self.impressionID = impressionID
        self.price = price
        self.seat = seat
        self.adID = fields.text("adid")
        self.markup = fields.text("adm")
        self.winNotice = fields.text("nurl").flatMap(URLTemplate.init)
        self.billingNotice = fields.text("burl").flatMap(URLTemplate.init)
        self.width = fields.side("w")
        self.height = fields.side("h")
        let lifetime = fields.number("exp").flatMap {
            $0 > 0 && $0 <= 604_800 ? Duration.milliseconds(Int64($0 * 1000)) : nil
        }
        self.lifetime = lifetime
        self.rawType = fields.number("mtype").flatMap { Int(exactly: $0) }
        self.type = self.rawType.flatMap(BidResponse.MarkupType.init)
    }
}
