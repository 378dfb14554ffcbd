import AdCore
import LoopbackServer

/// An OpenRTB 2.6 auction with the sandbox as the only bidder.
enum OpenRTBEndpoint {
    static let all = [
        Endpoint(
            path: .exact("/openrtb2/auction"),
            methods: ["POST"],
            about: "an OpenRTB 2.6 auction; imp.tagid selects the placement",
            isAdRequest: true
        ) { request, state in
            var response: ServerResponse
            do throws(FieldError) {
                response = try OpenRTBEndpoint.response(to: request, &state)
            } catch {
                response = .failure(error)
            }
            // OpenRTB 2.6 §2.5 defines the header for requests; the sandbox sends it with responses, too.
            response.headers["X-OpenRTB-Version"] = "2.6"
            return response
        }
    ]

    /// The bid price as CPM in USD, unless the floor is higher.
    private static let defaultPrice = 1.25

    private static func response(to request: ServerRequest, _ state: inout SandboxState) throws(FieldError)
        -> ServerResponse
    {
        let auction = try AuctionRequest(parsing: request.body)
        var placements: [(AuctionRequest.Impression, Placement)] = []
        for impression in auction.impressions {
            do throws(FieldError) {
                placements.append(
                    (impression, try Placement(impression.tag, of: .openRTB, at: impression.tagPath, in: state))
                )
            } catch {
                return .failure(404, error.message, field: error.field)
            }
        }
        // The first impression with a scenario decides about the whole response.
        for case (let impression, .scenario(let scenario)) in placements where scenario != .noFill {
            return self.response(scenario, for: impression, of: auction.id, &state)
        }
        var bids: [AdJSON] = []
        for case (let impression, .creative(let creative)) in placements {
            bids.append(self.bid(creative, for: impression, &state).json)
        }
        // A no-bid is status 204 (OpenRTB 2.6 §4.2.1).
        return bids.isEmpty ? ServerResponse(status: 204) : .json(self.response(to: auction.id, bids: bids))
    }

    private static func response(
        _ scenario: Scenario,
        for impression: AuctionRequest.Impression,
        of auction: String,
        _ state: inout SandboxState
    ) -> ServerResponse {
        if let response = scenario.commonResponse { return response }
        if scenario == .noFillReason { return .json(["id": .string(auction), "nbr": 2]) }
        var bid = self.bid(.sample, for: impression, &state)
        switch scenario {
        // With a win notice the markup could be returned there (OpenRTB 2.6 §4.3.1).
        case .noFillMarkup: (bid.markup, bid.winNotice) = ("", nil)
        case .badHuge: bid.markup = ""
        case .badType: bid.type = 9
        case .badMarkup: bid.type = 2
        case .badSize: (bid.width, bid.height) = ("320", "NaN")
        case .badTracker: (bid.winNotice, bid.billingNotice) = ("", "")
        default: break
        }
        var response = ServerResponse.json(self.response(to: auction, bids: [bid.json]))
        if scenario == .slow { response.delay = state.slowDelay }
        if scenario == .broken { return Scenario.broken(response) }
        return scenario == .badHuge ? Scenario.huge(response) : response
    }

    private static func bid(
        _ creative: CreativeEntry,
        for impression: AuctionRequest.Impression,
        _ state: inout SandboxState
    ) -> SandboxBid {
        SandboxBid(creative, price: .double(max(self.defaultPrice, impression.floor)), for: impression, &state)
    }

    private static func response(to auction: String, bids: [AdJSON]) -> AdJSON {
        ["id": .string(auction), "cur": "USD", "seatbid": [["seat": "sandbox", "bid": .array(bids)]]]
    }
}
