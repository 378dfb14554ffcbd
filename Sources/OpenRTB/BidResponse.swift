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
    public let noBidReason: NoBidReason?
    /// The bids, as they came.
    public let bids: [Bid]
    /// What was repaired, and why there is no bid.
    public let issues: [AdIssue]

    /// The most bids that are read.
    public static let mostBids = 100
    /// Where an answer is so broken that reading on would only pile up issues.
    private static let mostIssues = 1000

    /// Reads the answer to a request; an empty `requestID` fits every answer.
    ///
    /// An empty object bids nothing; one that has nothing of a BidResponse is an error.
    public init(reading json: AdJSON, to requestID: String = "") throws(AdError) {
        guard case .object = json else {
            throw AdError(.unreadableAnswer, "the answer is \(json.kind) where a BidResponse should be")
        }
        if let error = AdError.foreign(json, hasNoneOf: "id", "seatbid", "nbr") { throw error }
        var fields = LenientFields(json)
        self.id = fields.identifier("id")
        self.bidID = fields.identifier("bidid")
        self.currency = fields.identifier("cur") ?? "USD"
        self.noBidReason = fields.whole("nbr").map(NoBidReason.init)
        var issues: [AdIssue] = []
        self.bids = BidResponse.bids(json, &issues)
        if let id = self.id, !requestID.isEmpty, id != requestID {
            fields.note("id.other", "id", "the answer names another request: \(id.excerpt())")
        }
        if let reason = self.noBidReason {
            let what =
                self.bids.isEmpty
                ? "the exchange bids nothing: \(reason)" : "there are bids all the same, and they count: \(reason)"
            fields.note(self.bids.isEmpty ? "nbr" : "nbr.contradicted", "nbr", what)
        }
        self.issues = fields.issues + issues
    }

    private static func bids(_ json: AdJSON, _ issues: inout [AdIssue]) -> [Bid] {
        var bids: [Bid] = []
        var read = 0
        for (seatIndex, seat) in self.elements(json, "seatbid", at: "seatbid", &issues).enumerated() {
            let seatPath = "seatbid[\(seatIndex)]"
            guard case .object = seat else {
                let text = "it is \(seat.kind) where a seat should be, and was left out"
                issues.append(AdIssue("seatbid.noObject", at: .field(seatPath), text))
                guard issues.count < self.mostIssues else { return bids }
                continue
            }
            for (index, bid) in self.elements(seat, "bid", at: "\(seatPath).bid", &issues).enumerated() {
                guard read < self.mostBids else {
                    issues.append(
                        AdIssue("bids.many", at: .field(seatPath), "only the first \(self.mostBids) bids were read")
                    )
                    return bids
                }
                read += 1
                let path = "\(seatPath).bid[\(index)]"
                if let bid = Bid(reading: bid, seat: seat["seat"]?.string, at: path, &issues) { bids.append(bid) }
            }
            guard issues.count < self.mostIssues else { return bids }
        }
        return bids
    }

    private static func elements(_ json: AdJSON, _ name: String, at path: String, _ issues: inout [AdIssue]) -> [AdJSON]
    {
        switch json[name] {
        case .array(let elements): return elements
        case nil, .null: return []
        case let other?:
            let text = "it is \(other.kind) where an array should be, and was left out"
            issues.append(AdIssue("\(name).noArray", at: .field(path), text))
            return []
        }
    }

    /// The best bid for an impression; of equal ones the first.
    public func best(for impressionID: String) -> Bid? { self.ranked(for: impressionID).first }

    /// The bids for an impression, the best first; equal ones in their own order.
    public func ranked(for impressionID: String) -> [Bid] {
        let bids = self.bids.enumerated().filter { $0.element.impressionID == impressionID }
        let ranked = bids.sorted { ($1.element.price, $0.offset) < ($0.element.price, $1.offset) }
        return ranked.map(\.element)
    }
}

extension BidResponse.Bid {
    fileprivate init?(reading json: AdJSON, seat: String?, at path: String, _ issues: inout [AdIssue]) {
        var fields = LenientFields(json)
        defer { issues += fields.issues.map { AdIssue($0.code, at: .field("\(path).\($0.place)"), $0.message) } }
        guard let impressionID = fields.identifier("impid") else {
            issues.append(
                AdIssue(
                    "bid.impid",
                    at: .field(path),
                    "the bid does not say which impression it is for, and was left out"
                )
            )
            return nil
        }
        guard let price = fields.number("price"), (0...BidResponse.Bid.highestPrice).contains(price) else {
            issues.append(AdIssue("bid.price", at: .field(path), "the bid has no usable price, and was left out"))
            return nil
        }
        self.id = fields.identifier("id") ?? ""
        self.impressionID = impressionID
        self.price = price
        self.seat = seat
        self.adID = fields.identifier("adid")
        self.markup = fields.text("adm")
        self.winNotice = fields.text("nurl").flatMap(URLTemplate.init)
        self.billingNotice = fields.text("burl").flatMap(URLTemplate.init)
        self.width = fields.side("w")
        self.height = fields.side("h")
        self.lifetime = BidResponse.Bid.lifetime(&fields)
        self.rawType = fields.whole("mtype")
        self.type = self.rawType.flatMap(BidResponse.MarkupType.init)
    }

    /// No price per thousand is higher than this in any currency, and a bid that says so must not win.
    private static let highestPrice = 1e9
    private static let longestLifetime = 604_800.0

    private static func lifetime(_ fields: inout LenientFields) -> Duration? {
        guard let seconds = fields.number("exp") else { return nil }
        guard seconds > 0 else {
            fields.note("exp.impossible", "exp", "\(seconds) s is no time to show an ad in, and was left out")
            return nil
        }
        guard seconds <= self.longestLifetime else {
            fields.note("exp.huge", "exp", "\(seconds) s is longer than a week, and a week was taken")
            return .seconds(Int64(self.longestLifetime))
        }
        return .milliseconds(max(1, Int64(seconds * 1000)))
    }
}
