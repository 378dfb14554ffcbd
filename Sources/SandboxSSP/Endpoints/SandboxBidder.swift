import AdCore
import LoopbackServer

/// A bidder of the sandbox, by its name in `/openrtb2/bidders/NAME`: an exchange that behaves in one particular way.
enum SandboxBidder: String, CaseIterable, Sendable {
    case high, fair, low
    case euro
    case yen
    case floor
    case underFloor = "under-floor"
    case several
    case crowd
    case video
    case winMarkup = "win-markup"
    case winLoop = "win-loop"
    case brief
    case unplayable
    case slow
    case silent
    case noBid = "no-bid"
    case noBidReason = "no-bid-reason"
    case free
    case notANumber = "nan"
    case negative
    case huge
    case broken
    case failing

    /// The description on the index page.
    var about: String {
        switch self {
        case .high: "bids 2.40 USD"
        case .fair: "bids 1.50 USD"
        case .low: "bids 0.90 USD"
        case .euro: "bids 2 EUR"
        case .yen: "bids 300 JPY"
        case .floor: "bids the floor of the request exactly, or 1.25 USD without one"
        case .underFloor: "bids half of the floor of the request, or 0.10 USD without one"
        case .several: "two seats with two bids each: 1.10, 0.80, 1.00 and 0.70 USD"
        case .crowd: "a thousand seats with one bid each, from 0.001 to 1 USD"
        case .video: "bids 1.80 USD for a video, where videos are accepted"
        case .winMarkup: "bids 2 USD without markup; the win notice brings it"
        case .winLoop: "bids 3 USD without markup; the win notice redirects to itself"
        case .brief: "bids 2.20 USD for an ad that expires after a second"
        case .unplayable: "bids 3.50 USD for a VAST wrapper that leads to nothing, where videos are accepted"
        case .slow: "bids 5 USD, too late"
        case .silent: "never responds"
        case .noBid: "no bid: status 204"
        case .noBidReason: "no bid, with the reason of an unsupported device (nbr 6)"
        case .free: "a bid without a price"
        case .notANumber: "a price of \"NaN\""
        case .negative: "a price of -1"
        case .huge: "a price of 1e308"
        case .broken: "truncated JSON"
        case .failing: "status 500"
        }
    }

    /// How long the connection of a bidder that never responds stays open.
    private static let silence = Duration.seconds(600)

    func response(
        to auction: AuctionRequest,
        of request: ServerRequest,
        _ state: inout SandboxState
    ) -> ServerResponse {
        switch self {
        case .noBid: return ServerResponse(status: 204)
        case .noBidReason: return .json(["id": .string(auction.id), "nbr": 6])
        case .failing: return .failure(500, "this bidder always fails")
        case .silent: return ServerResponse(status: 204, delay: Self.silence)
        default: break
        }
        let seats = self.seats(for: auction, of: request, &state)
        guard !seats.isEmpty else { return ServerResponse(status: 204) }
        var response = ServerResponse.json([
            "id": .string(auction.id), "cur": .string(self.currency(of: auction)), "seatbid": .array(seats),
        ])
        if self == .slow { response.delay = state.slowDelay }
        return self == .broken ? Scenario.broken(response) : response
    }

    private func currency(of auction: AuctionRequest) -> String {
        switch self {
        case .euro: "EUR"
        case .yen: "JPY"
        case .floor, .underFloor: auction.floorCurrency
        default: "USD"
        }
    }

    /// The prices of the bids, by seat.
    private func prices(_ impression: AuctionRequest.Impression) -> [[AdJSON]] {
        switch self {
        case .high: [[.double(2.4)]]
        case .fair, .broken: [[.double(1.5)]]
        case .low: [[.double(0.9)]]
        case .euro, .winMarkup: [[2]]
        case .yen: [[300]]
        case .floor: [[impression.floor > 0 ? .double(impression.floor) : .double(1.25)]]
        case .underFloor: [[impression.floor > 0 ? .double(impression.floor / 2) : .double(0.1)]]
        case .several: [[.double(1.1), .double(0.8)], [1, .double(0.7)]]
        case .crowd: (1...1000).map { [.double(Double($0) / 1000)] }
        case .video: [[.double(1.8)]]
        case .winLoop: [[3]]
        case .brief: [[.double(2.2)]]
        case .unplayable: [[.double(3.5)]]
        case .slow: [[5]]
        case .free: [[.null]]
        case .notANumber: [["NaN"]]
        case .negative: [[-1]]
        case .huge: [[.double(1e308)]]
        case .silent, .noBid, .noBidReason, .failing: []
        }
    }

    private func seats(
        for auction: AuctionRequest,
        of request: ServerRequest,
        _ state: inout SandboxState
    ) -> [AdJSON] {
        var seats: [AdJSON] = []
        for impression in auction.impressions {
            for (index, prices) in self.prices(impression).enumerated() {
                let bids = prices.compactMap { self.bid($0, for: impression, of: request, &state)?.json }
                let name = index == 0 ? self.rawValue : "\(self.rawValue)-\(index + 1)"
                if !bids.isEmpty { seats.append(["seat": .string(name), "bid": .array(bids)]) }
            }
        }
        return seats
    }

    /// A bid for an impression; nil if this bidder has nothing of its format.
    private func bid(
        _ price: AdJSON,
        for impression: AuctionRequest.Impression,
        of request: ServerRequest,
        _ state: inout SandboxState
    ) -> SandboxBid? {
        guard let creative = self.creative(for: impression, of: request, state) else { return nil }
        var bid = SandboxBid(creative, price: price, for: impression, of: self.rawValue, &state)
        switch self {
        case .brief: bid.expiry = 1
        // The markup comes with the win notice (OpenRTB 2.6 §4.3.1).
        case .winMarkup:
            bid.markup = nil
            bid.winNotice = "\(state.base)\(BidderEndpoints.markupPath)?ad=\(bid.number)&price=${AUCTION_PRICE}"
        case .winLoop:
            bid.markup = nil
            bid.winNotice = "\(state.base)/loop?ad=\(bid.number)"
        default: break
        }
        if impression.isRewarded {
            bid.ext.append(.init("rwdd", ["reward": ["type": "coins", "count": 10]]))
        }
        return bid
    }

    private func creative(
        for impression: AuctionRequest.Impression,
        of request: ServerRequest,
        _ state: SandboxState
    ) -> CreativeEntry? {
        let vast = GeneratedVAST(request, defaultUnit: impression.tag, state)
        switch self {
        case .unplayable: return .generated(vast.wrapper(1, to: "/vast/missing.xml"))
        case .video: return .generated(vast.inline)
        default: return impression.acceptsBanners ? state.catalogue[impression.tag] ?? .sample : .generated(vast.inline)
        }
    }
}

extension CreativeEntry {
    /// A video with generated VAST.
    fileprivate static func generated(_ markup: [UInt8]) -> CreativeEntry {
        CreativeEntry(
            name: "generated",
            kind: .video,
            format: .interstitial,
            markup: String(decoding: markup, as: UTF8.self)
        )
    }
}
