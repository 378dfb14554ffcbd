package import AdCore

/// An OpenRTB 2.6 BidResponse (§4.2.1), read leniently: every repair is an issue with its field.
package struct BidResponse: Hashable, Sendable {
    /// The creative markup types of `mtype` (OpenRTB 2.6 §4.2.3).
    ///
    /// The numbers differ from those of other protocols: 2 is video here, 3 audio.
    package enum MarkupType: Int, Hashable, Sendable, CaseIterable {
        /// HTML.
        case banner = 1
        /// VAST.
        case video = 2
        /// Audio-only VAST, or DAAST.
        case audio = 3
        /// JSON of the OpenRTB Native specification.
        case native = 4
    }

    /// One bid for one impression (OpenRTB 2.6 §4.2.3).
    package struct Bid: Hashable, Sendable {
        /// The bidder's id for the bid (`id`); empty when it is missing.
        package let id: String
        /// The id of the impression that the bid is for (`impid`).
        package let impressionID: String
        /// The price as CPM (`price`); 0 is valid.
        package let price: AdDecimal
        /// The buyer seat on whose behalf the bid is made (`seatbid.seat`).
        package let seat: String?
        /// The bidder's id for the ad (`adid`).
        package let adID: String?
        /// The advertiser's domains (`adomain`).
        package let domains: [String]
        /// The campaign's id (`cid`).
        package let campaignID: String?
        /// The creative's id (`crid`).
        package let creativeID: String?
        /// The creative's content categories (`cat`).
        package let categories: [String]
        /// The ad markup, with its macros (`adm`).
        package let markup: String?
        /// The win notice, with its macros (`nurl`).
        ///
        /// A win is not an impression and must not be counted as one (OpenRTB 2.6 §7.8).
        package let winNotice: URLTemplate?
        /// The billing notice, with its macros (`burl`).
        package let billingNotice: URLTemplate?
        /// The loss notice, with its macros (`lurl`).
        package let lossNotice: URLTemplate?
        /// The creative's width in device-independent pixels (`w`).
        package let width: Double?
        /// The creative's height in device-independent pixels (`h`).
        package let height: Double?
        /// How long the bid is valid (`exp`).
        package let lifetime: Duration?
        /// The markup type; nil when `mtype` is missing or unknown.
        package let type: MarkupType?
        /// `mtype` as it was sent.
        package let rawType: Int?
        /// What a Prebid Server adds.
        package let prebid: PrebidBid
        /// What the system needs to attribute an install (`ext.skadn`, `ext.adattributionkit`).
        package let attribution: InstallAttribution?
    }

    /// A bid that takes no part, because it can't be understood.
    package struct InvalidBid: Hashable, Sendable {
        package let impressionID: String?
        package let seat: String?
        /// The loss notice, with its macros (`lurl`).
        package let lossNotice: URLTemplate?
        /// What is wrong with it.
        package let reason: String
    }

    /// The id of the bid request (`id`).
    package let id: String?
    /// The bidder's id for the response (`bidid`).
    package let bidID: String?
    /// The currency of the prices (`cur`); USD when it is missing (§4.2.1).
    package let currency: String
    /// Why there is no bid (`nbr`).
    package let noBidReason: NoBidReason?
    /// The valid bids, in the order of the response.
    package let bids: [Bid]
    /// The bids that can't be understood, in the order of the response.
    package let invalidBids: [InvalidBid]
    /// The repairs, and the reason for no bid.
    package let issues: [AdIssue]

    /// The number of bids that are read at most.
    package static let maxBids = 2000
    /// The number of issues after which the rest of a broken response is not read.
    private static let maxIssues = 1000

    /// Reads the response to a request; an empty `requestID` matches every response.
    ///
    /// An empty object is a no-bid (OpenRTB 2.6 §4.2.1). An object without any member of a BidResponse is an error.
    package init(parsing json: AdJSON, to requestID: String = "") throws(AdError) {
        guard case .object = json else {
            throw AdError(.unreadableResponse, "expected a BidResponse object, got \(json.kind)")
        }
        if let error = AdError.foreign(json, hasNoneOf: "id", "seatbid", "nbr") { throw error }
        var fields = LenientFields(json)
        self.id = fields.identifier("id")
        self.bidID = fields.identifier("bidid")
        self.currency = fields.identifier("cur") ?? "USD"
        self.noBidReason = fields.integer("nbr").map(NoBidReason.init)
        var issues: [AdIssue] = []
        var invalid: [InvalidBid] = []
        self.bids = BidResponse.bids(json, &invalid, &issues)
        self.invalidBids = invalid
        if let id = self.id, !requestID.isEmpty, id != requestID {
            fields.addIssue("id.other", "id", "the response is for another request: \(id.excerpt())")
        }
        if let reason = self.noBidReason {
            let message =
                self.bids.isEmpty
                ? "no bid: \(reason)" : "a no-bid reason together with bids; the bids count: \(reason)"
            fields.addIssue(self.bids.isEmpty ? "nbr" : "nbr.contradicted", "nbr", message)
        }
        self.issues = fields.issues + issues + PrebidBid.issues(of: json["ext"])
    }

    private static func bids(_ json: AdJSON, _ invalid: inout [InvalidBid], _ issues: inout [AdIssue]) -> [Bid] {
        var bids: [Bid] = []
        var read = 0
        for (seatIndex, seat) in self.elements(json, "seatbid", at: "seatbid", &issues).enumerated() {
            let seatPath = "seatbid[\(seatIndex)]"
            guard case .object = seat else {
                let text = "expected a SeatBid object, got \(seat.kind); it was left out"
                issues.append(AdIssue("seatbid.noObject", at: .field(seatPath), text))
                guard issues.count < self.maxIssues else { return bids }
                continue
            }
            for (index, bid) in self.elements(seat, "bid", at: "\(seatPath).bid", &issues).enumerated() {
                guard read < self.maxBids else {
                    issues.append(
                        AdIssue("bids.many", at: .field(seatPath), "only the first \(self.maxBids) bids were read")
                    )
                    return bids
                }
                read += 1
                let path = "\(seatPath).bid[\(index)]"
                switch Bid.read(bid, seat: seat["seat"]?.string, at: path, &issues) {
                case .valid(let bid): bids.append(bid)
                case .invalid(let bid): invalid.append(bid)
                }
            }
            guard issues.count < self.maxIssues else { return bids }
        }
        return bids
    }

    private static func elements(_ json: AdJSON, _ name: String, at path: String, _ issues: inout [AdIssue]) -> [AdJSON]
    {
        switch json[name] {
        case .array(let elements): return elements
        case nil, .null: return []
        case let other?:
            let text = "expected an array, got \(other.kind); it was left out"
            issues.append(AdIssue("\(name).noArray", at: .field(path), text))
            return []
        }
    }

    /// The highest bid for an impression; the first one of equal bids.
    package func best(for impressionID: String) -> Bid? { self.ranked(for: impressionID).first }

    /// The bids for an impression, the highest first; equal bids in the order of the response.
    package func ranked(for impressionID: String) -> [Bid] {
        let bids = self.bids.enumerated().filter { $0.element.impressionID == impressionID }
        let ranked = bids.sorted { ($1.element.price, $0.offset) < ($0.element.price, $1.offset) }
        return ranked.map(\.element)
    }
}

extension BidResponse.Bid {
    fileprivate enum Reading {
        case valid(BidResponse.Bid)
        case invalid(BidResponse.InvalidBid)
    }

    fileprivate static func read(_ json: AdJSON, seat: String?, at path: String, _ issues: inout [AdIssue]) -> Reading {
        var fields = LenientFields(json)
        defer { issues += fields.issues.map { AdIssue($0.code, at: .field("\(path).\($0.place)"), $0.message) } }
        let impressionID = fields.identifier("impid")
        func invalid(_ code: String, _ reason: String) -> Reading {
            issues.append(AdIssue(code, at: .field(path), "\(reason); it was left out"))
            let notice = fields.text("lurl").flatMap(URLTemplate.init)
            return .invalid(.init(impressionID: impressionID, seat: seat, lossNotice: notice, reason: reason))
        }
        guard let impressionID else { return invalid("bid.impid", "the bid has no impid") }
        guard let price = fields.exact("price"), (.zero...BidResponse.Bid.highestPrice).contains(price) else {
            let range = "a number from 0 to \(BidResponse.Bid.highestPrice)"
            return invalid(
                "bid.price",
                fields.has("price") ? "the bid's price is not \(range)" : "the bid has no price"
            )
        }
        return .valid(BidResponse.Bid(&fields, json, impressionID, price, seat: seat, at: path, &issues))
    }

    private init(
        _ fields: inout LenientFields,
        _ json: AdJSON,
        _ impressionID: String,
        _ price: AdDecimal,
        seat: String?,
        at path: String,
        _ issues: inout [AdIssue]
    ) {
        self.id = fields.identifier("id") ?? ""
        self.impressionID = impressionID
        self.price = price
        self.seat = seat
        self.adID = fields.identifier("adid")
        var extensionIssues: [AdIssue] = []
        self.prebid = PrebidBid(json["ext"], &extensionIssues)
        let attribution = BidAttribution(json["ext"])
        self.attribution = attribution.attribution
        extensionIssues += attribution.issues
        issues += extensionIssues.map { AdIssue($0.code, at: .field("\(path).ext.\($0.place)"), $0.message) }
        let domains = fields.texts("adomain")
        self.domains = domains.isEmpty ? self.prebid.advertiserDomains : domains
        self.campaignID = fields.identifier("cid")
        self.creativeID = fields.identifier("crid")
        self.categories = fields.texts("cat")
        self.markup = fields.text("adm")
        self.winNotice = fields.text("nurl").flatMap(URLTemplate.init)
        self.billingNotice = fields.text("burl").flatMap(URLTemplate.init)
        self.lossNotice = fields.text("lurl").flatMap(URLTemplate.init)
        self.width = fields.length("w")
        self.height = fields.length("h")
        self.lifetime = BidResponse.Bid.lifetime(&fields)
        self.rawType = fields.integer("mtype")
        self.type = self.rawType == nil ? self.prebid.type : self.rawType.flatMap(BidResponse.MarkupType.init)
    }

    /// The highest CPM that is accepted: a higher one is an error in any currency, and must not win.
    private static let highestPrice: AdDecimal = 1_000_000_000
    /// One week, in seconds.
    private static let maximumLifetime = 604_800.0

    private static func lifetime(_ fields: inout LenientFields) -> Duration? {
        guard let seconds = fields.number("exp") else { return nil }
        guard seconds > 0 else {
            fields.addIssue("exp.impossible", "exp", "an expiry of \(seconds) s is invalid; it was left out")
            return nil
        }
        guard seconds <= self.maximumLifetime else {
            fields.addIssue(
                "exp.huge",
                "exp",
                "an expiry of \(seconds) s is longer than a week; it was reduced to a week"
            )
            return .seconds(Int64(self.maximumLifetime))
        }
        return .milliseconds(max(1, Int64(seconds * 1000)))
    }
}
