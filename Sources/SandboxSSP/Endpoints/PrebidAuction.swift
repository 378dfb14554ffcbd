import AdCore
import LoopbackServer

/// The auction of a Prebid Server among bidders of the sandbox.
///
/// The bidders are the members of `imp.ext.prebid.bidder`, or those of a stored impression or request. Each bid says in its
/// `ext.prebid` what a Prebid Server says: type, advertiser, targeting keys, and the URLs of its own events in place of
/// `nurl` and `burl`. The errors of bidders are in the response's `ext`.
struct PrebidAuction {
    /// The bidders of stored impressions and requests, by their ids.
    static let stored: [(id: String, bidders: [SandboxBidder])] = [
        (Sandbox.storedBanner, [.low, .high, .noBid]), (Sandbox.storedVideo, [.video, .failing]),
        ("stored-empty", [.noBid]),
    ]

    private let auction: AuctionRequest
    private let bidders: [String]

    init(_ auction: AuctionRequest) throws(FieldError) {
        self.auction = auction
        var bidders: [String] = []
        let sources = auction.impressions.map(\.prebid) + [auction.prebid]
        for source in sources {
            if case .object(let members)? = source?["bidder"] { bidders += members.map(\.name) }
            guard let id = source?["storedrequest"]?["id"]?.string else { continue }
            guard let stored = Self.stored.first(where: { $0.id == id }) else {
                let known = Self.stored.map(\.id).joined(separator: ", ")
                throw FieldError("storedrequest.id", "is \"\(id)\", which is not stored; available: \(known)")
            }
            bidders += stored.bidders.map(\.rawValue)
        }
        guard !bidders.isEmpty else {
            throw FieldError("imp[0].ext.prebid", "names no bidder; add bidder or storedrequest")
        }
        self.bidders = bidders
    }

    func response(to request: ServerRequest, _ state: inout SandboxState) -> ServerResponse {
        var seats: [AdJSON] = []
        var errors: [AdJSON.Member] = []
        var times: [AdJSON.Member] = []
        for name in self.bidders {
            guard let bidder = SandboxBidder(rawValue: name) else {
                errors.append(.init(name, [["code": 5, "message": "there is no bidder of this name"]]))
                continue
            }
            times.append(.init(name, 1))
            let response = bidder.response(to: self.auction, of: request, &state)
            guard response.status == 200, case .bytes(let body) = response.body, let json = try? AdJSON(parsing: body)
            else {
                if response.status != 204 {
                    let text = "the bidder responded with status \(response.status)"
                    errors.append(.init(name, [["code": 3, "message": .string(text)]]))
                }
                continue
            }
            seats += (json["seatbid"]?.array ?? []).map { self.seat($0, of: name, base: state.base) }
        }
        var ext: [AdJSON.Member] = [.init("responsetimemillis", .object(times))]
        if !errors.isEmpty { ext.append(.init("errors", .object(errors))) }
        return .json([
            "id": .string(self.auction.id), "cur": "USD", "seatbid": .array(seats), "ext": .object(ext),
        ])
    }

    private func seat(_ seat: AdJSON, of bidder: String, base: String) -> AdJSON {
        let bids = (seat["bid"]?.array ?? []).map { bid -> AdJSON in
            guard case .object(var members) = bid else { return bid }
            members.removeAll { ["nurl", "burl", "lurl", "ext", "mtype", "adomain"].contains($0.name) }
            let id = bid["id"]?.string ?? ""
            let event = { (name: String) -> AdJSON in
                .string("\(base)/t/prebid/\(name)?ad=\(id.dropFirst("bid-".count))&bidder=\(bidder)")
            }
            var ext: [AdJSON.Member] = [
                .init(
                    "prebid",
                    [
                        "type": bid["mtype"] == 2 ? "video" : "banner",
                        "meta": ["advertiserDomains": bid["adomain"] ?? []],
                        "targeting": ["hb_bidder": .string(bidder), "hb_pb": .string(bid["price"]?.text() ?? "")],
                        "events": ["win": event("win"), "imp": event("imp")],
                    ]
                )
            ]
            if let reward = bid["ext"]?["rwdd"] { ext.append(.init("rwdd", reward)) }
            return .object(members + [.init("ext", .object(ext))])
        }
        return ["seat": .string(bidder), "bid": .array(bids)]
    }
}
