import AdCore
import AdProviders
import CurlTransport
import SandboxSSP
import TestSupport
import Testing
import YabbiAds

@Suite("The documents' examples against the sandbox")
struct SourceExampleTests {
    private let sandbox: Sandbox
    private let transport: CurlTransport

    init() throws {
        self.sandbox = try Sandbox.start()
        self.transport = try CurlTransport()
    }

    /// Sends an example exactly as its document has it, with its white space, and returns the response.
    private func send(_ example: CardExample, below base: String, body: String? = nil) async throws -> AdHTTPResponse {
        var headers: AdHTTPHeaders = [:]
        for header in example.headers { headers.add(header[0], header[1]) }
        let url = try #require(self.sandbox.url(base + example.path))
        let body = Array((body ?? example.request).utf8)
        let response = try await self.transport.send(AdHTTPRequest(.post, url, headers: headers, body: body))
        #expect(self.sandbox.hits().last?.body == body, "\(example.name)")
        return response
    }

    /// The path of each value, with its kind; of an array's elements a null gives way to any other kind.
    private static func shape(_ json: AdJSON, at path: String = "") -> [String: String] {
        switch json {
        case .object(let members):
            return members.reduce(into: [:]) { shape, member in
                shape.merge(self.shape(member.value, at: path + "." + member.name)) { $1 }
            }
        case .array(let elements):
            return elements.reduce(into: [:]) { shape, element in
                shape.merge(self.shape(element, at: path + "[]")) { $0 == "null" ? $1 : $0 }
            }
        case .null, .bool, .number, .string: return [path: json.kind]
        }
    }

    private func check(_ answer: [UInt8], has example: CardExample) throws {
        let documented = Self.shape(try AdJSON(parsing: try #require(example.answer)))
        let served = Self.shape(try AdJSON(parsing: answer))
        #expect(served == documented, "\(example.name)")
    }

    @Test(
        "AttentionMarket's server accepts the documented request and click, and its response has the documented fields"
    )
    func attentionMarket() async throws {
        let answer = try await self.send(CardExamples.decide, below: "/functions/v1")
        #expect(answer.status == 200)
        try self.check(answer.body, has: CardExamples.decide)
        let keys = AttentionMarketKeys(apiKey: "k", agentID: "a", anonKey: "n")
        let batch = try AttentionMarketProvider(keys: keys).offers(
            from: answer,
            for: AttentionMarketPlacement(userMessage: "fern"),
            in: AdContext()
        )
        let offer = try #require(batch.offers.first)
        #expect(offer.issues.isEmpty && batch.issues.isEmpty)
        let token = try #require(try AdJSON(parsing: answer.body)["ad"]?["tracking_token"]?.string)
        let body = CardExamples.marketClick.request.replacing("trk_91ac", with: token)
        let click = try await self.send(CardExamples.marketClick, below: "/functions/v1", body: body)
        #expect(click.status == 200)
        // The provider sends the same members.
        let own = try AdJSON(parsing: offer.beacons.first?.call.body ?? [])
        #expect(own.text(.sorted) == (try AdJSON(parsing: body)).text(.sorted))
        #expect(self.sandbox.bill().clicks == 1)
    }

    @Test("CeedAds' server accepts the documented request and events, and its response has the documented fields")
    func ceedAds() async throws {
        let answer = try await self.send(CardExamples.ceedRequest, below: "")
        #expect(answer.status == 200)
        try self.check(answer.body, has: CardExamples.ceedRequest)
        let placement = CeedAdsPlacement(conversationID: "chat-1", messageID: "m", contextText: "fern")
        let provider = CeedAdsProvider(app: CeedAdsApp(appID: Sandbox.TestKeys.ceedAdsAppID))
        let batch = try provider.offers(from: answer, for: placement, in: AdContext())
        let offer = try #require(batch.offers.first)
        #expect(offer.issues.isEmpty && batch.issues.isEmpty)
        let json = try AdJSON(parsing: answer.body)
        let names = [
            "ceed-ad-3": json["ad"]?["id"], "adv-frondolo": json["ad"]?["advertiserId"],
            "request-19": json["requestId"],
        ]
        for (type, beacon) in zip(["impression", "click"], offer.beacons) {
            var body = CardExamples.ceedEvent.request.replacing("impression", with: type)
            for (name, own) in names { body = body.replacing(name, with: try #require(own?.string)) }
            #expect(try await self.send(CardExamples.ceedEvent, below: "", body: body).status == 200)
            #expect(
                try AdJSON(parsing: beacon.call.body ?? []).text(.sorted) == (try AdJSON(parsing: body)).text(.sorted)
            )
        }
        let bill = self.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1)
    }

    @Test("ActiveAds' server accepts the documented request and click, and its response has the documented fields")
    func activeAds() async throws {
        let answer = try await self.send(CardExamples.activeAds, below: "/functions/v1")
        #expect(answer.status == 200)
        try self.check(answer.body, has: CardExamples.activeAds)
        for ad in try AdJSON(parsing: answer.body)["ads"]?.array ?? [] {
            guard case .object(let members) = ad else {
                Issue.record("\(ad)")
                continue
            }
            #expect(
                members.map(\.name) == [
                    "id", "format", "title", "description", "image_url", "cta_text", "cta_url", "daily_bid",
                ]
            )
        }
        let provider = ActiveAdsProvider(base: self.sandbox.baseURL)
        let batch = try provider.offers(from: answer, for: .feed, in: AdContext())
        #expect(batch.issues.isEmpty && batch.offers.allSatisfy(\.issues.isEmpty) && batch.offers.count == 8)
        let id = try #require(batch.offers.first?.details.first?.value.string)
        let body = "{ \"campaign_id\": \"\(id)\" }"
        #expect(try await self.send(CardExamples.activeClick, below: "/functions/v1", body: body).status == 200)
        #expect(self.sandbox.bill().clicks == 1)
        #expect(batch.offers.first?.beacons.first?.call.body == Array("{\"campaign_id\":\"\(id)\"}".utf8))
    }
}
