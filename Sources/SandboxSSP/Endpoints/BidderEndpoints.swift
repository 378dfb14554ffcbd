import AdCore
import LoopbackServer

/// Several bidders, each at its own URL, and a Prebid Server in front of some of them.
enum BidderEndpoints {
    static let markupPath = "/openrtb2/markup"

    static let all = [
        Endpoint(
            path: .prefix(Sandbox.bidderPath),
            methods: ["POST"],
            about: "one OpenRTB 2.6 bidder, by its name",
            isAdRequest: true
        ) { request, state in
            let name = String(request.path.dropFirst(Sandbox.bidderPath.count))
            guard let bidder = SandboxBidder(rawValue: name) else {
                let known = SandboxBidder.allCases.map(\.rawValue).joined(separator: ", ")
                return .failure(404, "there is no bidder \"\(name)\"; available: \(known)")
            }
            return BidderEndpoints.answering(request) { (auction) throws(FieldError) in
                bidder.response(to: auction, of: request, &state)
            }
        },
        Endpoint(
            path: .exact(Sandbox.prebidPath),
            methods: ["POST"],
            about: "a Prebid Server: imp.ext.prebid names bidders, or a stored impression",
            isAdRequest: true
        ) { request, state in
            BidderEndpoints.answering(request) { (auction) throws(FieldError) in
                try PrebidAuction(auction).response(to: request, &state)
            }
        },
        // The call is the win notice of the bid. It is no beacon, so the bill does not have it.
        Endpoint(path: .exact(markupPath), methods: ["GET"], about: "the markup of a bid, as its win notice") {
            _,
            state in
            .text(state.expanded(CreativeEntry.sample.markup), type: "text/html; charset=utf-8")
        },
        RewardBook.endpoint,
    ]

    private static func answering(
        _ request: ServerRequest,
        _ respond: (AuctionRequest) throws(FieldError) -> ServerResponse
    ) -> ServerResponse {
        var response: ServerResponse
        do throws(FieldError) {
            response = try respond(AuctionRequest(parsing: request.body))
        } catch {
            response = .failure(error)
        }
        response.headers["X-OpenRTB-Version"] = "2.6"
        return response
    }
}

extension Sandbox {
    /// The path of bidders, before their names.
    package static let bidderPath = "/openrtb2/bidders/"
    /// The names of the bidders.
    package static let bidderNames = SandboxBidder.allCases.map(\.rawValue)
    /// The path of the Prebid Server.
    package static let prebidPath = "/prebid/openrtb2/auction"
    /// The name of the Prebid Server among the bidders.
    package static let prebidName = "prebid"
    /// The stored impressions of a banner and of a video.
    package static let storedBanner = "stored-banner"
    package static let storedVideo = "stored-video"
}
