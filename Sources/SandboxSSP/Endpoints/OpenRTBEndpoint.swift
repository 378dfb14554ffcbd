import AdCore

/// An OpenRTB 2.6 auction with the sandbox as the only bidder.
enum OpenRTBEndpoint {
    static let all = [
        Endpoint(
            path: .exact("/openrtb2/auction"),
            methods: ["POST"],
            about: "an OpenRTB 2.6 auction; imp.tagid selects the placement",
            isAdRequest: true
        ) { request, state in
            var response: SandboxResponse
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

    private static let maxImpressions = 100
    /// The bid price as CPM in USD, unless the floor is higher.
    private static let defaultPrice = 1.25

    private static func response(to request: SandboxRequest, _ state: inout SandboxState) throws(FieldError)
        -> SandboxResponse
    {
        let auction = try self.auction(Fields(parsing: request.body))
        var placements: [(Impression, Placement)] = []
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
            bids.append(Bid(creative, for: impression, &state).json)
        }
        // A no-bid is status 204 (OpenRTB 2.6 §4.2.1).
        return bids.isEmpty ? SandboxResponse(status: 204) : .json(self.response(to: auction.id, bids: bids))
    }

    private static func response(
        _ scenario: Scenario,
        for impression: Impression,
        of auction: String,
        _ state: inout SandboxState
    ) -> SandboxResponse {
        if let response = scenario.commonResponse { return response }
        if scenario == .noFillReason { return .json(["id": .string(auction), "nbr": 2]) }
        var bid = Bid(.sample, for: impression, &state)
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
        var response = SandboxResponse.json(self.response(to: auction, bids: [bid.json]))
        if scenario == .slow { response.delay = state.slowDelay }
        if scenario == .broken { return Scenario.broken(response) }
        return scenario == .badHuge ? Scenario.huge(response) : response
    }

    private static func response(to auction: String, bids: [AdJSON]) -> AdJSON {
        ["id": .string(auction), "cur": "USD", "seatbid": [["seat": "sandbox", "bid": .array(bids)]]]
    }

    // MARK: - The request

    private struct Impression {
        let id: String
        let tag: String
        let tagPath: String
        let floor: Double
    }

    private static func auction(_ fields: Fields) throws(FieldError) -> (id: String, impressions: [Impression]) {
        let id = try fields.text("id")
        if fields["site"] != nil { throw fields.error("site", "is not allowed: the request is an app's") }
        let app = try fields.object("app")
        for name in ["name", "bundle"] { _ = try app.text(name) }

        let elements = try fields.array("imp", atMost: self.maxImpressions)
        guard !elements.isEmpty else { throw fields.error("imp", "must not be empty") }
        var impressions: [Impression] = []
        for (index, element) in elements.enumerated() {
            let imp = try Fields(element, at: "imp[\(index)]")
            impressions.append(
                Impression(
                    id: try imp.text("id"),
                    tag: try imp.text("tagid"),
                    tagPath: imp.path(of: "tagid"),
                    floor: imp["bidfloor"] == nil ? 0 : try imp.number("bidfloor", in: 0...1_000_000)
                )
            )
        }
        return (id, impressions)
    }

    // MARK: - The bid

    /// One bid (OpenRTB 2.6 §4.2.3); scenarios change some of its fields.
    private struct Bid {
        let impression: Impression
        let creative: CreativeEntry
        let number: Int
        var markup: String
        var type: Int
        var width: AdJSON
        var height: AdJSON
        var winNotice: String?
        var billingNotice: String

        init(_ creative: CreativeEntry, for impression: Impression, _ state: inout SandboxState) {
            let number = state.nextAdNumber()
            let tracker = { [base = state.base] (name: String) in
                let unit = PercentEncoding.component(impression.tag)
                return "\(base)/t/openrtb/\(name)?ad=\(number)&unit=\(unit)&price=${AUCTION_PRICE}"
            }
            self.impression = impression
            self.creative = creative
            self.number = number
            self.type = creative.kind == .banner ? 1 : 2
            self.markup = state.expanded(creative.priced(pixel: tracker("impression")))
            self.width = .int(creative.width)
            self.height = .int(creative.height)
            self.winNotice = tracker("win")
            self.billingNotice = tracker("bill")
        }

        var json: AdJSON {
            var members: [AdJSON.Member] = [
                .init("id", .string("bid-\(self.number)")),
                .init("impid", .string(self.impression.id)),
                .init("price", .double(max(OpenRTBEndpoint.defaultPrice, self.impression.floor))),
                .init("adm", .string(self.markup)),
                .init("burl", .string(self.billingNotice)),
                .init("crid", .string(self.creative.name)),
                .init("adomain", ["example.com"]),
                .init("mtype", .int(self.type)),
                .init("exp", self.creative.format == .banner ? 300 : 1800),
            ]
            if let notice = self.winNotice { members.append(.init("nurl", .string(notice))) }
            // An adaptive creative has no size.
            if self.width != 0, self.height != 0 {
                members += [.init("w", self.width), .init("h", self.height)]
            }
            return .object(members)
        }
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
