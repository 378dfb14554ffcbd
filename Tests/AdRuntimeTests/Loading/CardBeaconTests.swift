import AdCore
import AdProviders
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Beacons of cards")
struct CardBeaconTests {
    /// The bodies of all requests to a path.
    private func sent(_ path: String, in world: World) -> [String] {
        world.transport.requests.filter { $0.url.target == path }.map { String(decoding: $0.body ?? [], as: UTF8.self) }
    }

    private func world() throws -> World {
        let (decide, ceed) = (try #require(CardExamples.decide.answer), try #require(CardExamples.ceedRequest.answer))
        return World { request in
            switch request.url.target {
            case "/decide": .json(decide)
            case "/api/requests": .json(ceed)
            default: .status(200)
            }
        }
    }

    private func recorded(in world: World) -> [String] {
        world.observer.records.compactMap { record in
            guard case .beaconRecorded(let key, _) = record.event else { return nil }
            return key.text
        }
    }

    @Test("an impression with the key of an earlier one is neither recorded nor sent again")
    func dedupe() async throws {
        let world = try self.world()
        let provider = CeedAdsProvider(app: CeedAdsApp(appID: "app_test_demo"), base: url("http://ceed.example"))
        let loader = AdLoader(provider, services: world.services)
        // The same ad under the same request id, in two conversations.
        for conversation in ["chat-1", "chat-2"] {
            let ad = try await loader.load(
                CeedAdsPlacement(conversationID: conversation, messageID: "m", contextText: "fern")
            )
            let presenter = RecordingPresenter()
            try await ad.show(on: presenter)
            await world.clock.settle()
            presenter.report(.click(nil, byUser: true))
            await world.clock.settle()
            ad.destroy()
        }
        await world.clock.settle()
        #expect(world.observer.names.count { $0 == "view" } == 2, "each ad has a view")
        let keys = ["ceedads/impression/ceed-ad-3/request-19", "ceedads/click/ceed-ad-3/request-19"]
        #expect(self.recorded(in: world) == keys)
        let events = self.sent("/api/events", in: world)
        #expect(events.count == 2 && events.allSatisfy { $0.contains(#""conversationId":"chat-1""#) })
        #expect(world.opener.opened.map(\.text) == Array(repeating: "https://frondolo.example/listen", count: 2))
        #expect(
            world.transport.requests.filter { $0.url.target == "/api/events" }.map { $0.headers["Idempotency-Key"] }
                == keys
        )
    }

    @Test("a click is recorded before its link opens, and sent with the loader's API key")
    func credentials() async throws {
        let world = try self.world()
        let keys = AttentionMarketKeys(apiKey: "am_test_abc123xyz", agentID: "agt_test_demo", anonKey: "anon")
        let provider = AttentionMarketProvider(keys: keys, base: url("http://market.example"))
        #expect(world.services.credentials["attentionmarket.agt_test_demo.apiKey"] == nil)
        let loader = AdLoader(provider, services: world.services)
        #expect(world.services.credentials["attentionmarket.agt_test_demo.apiKey"] == "am_test_abc123xyz")
        let ad = try await loader.load(AttentionMarketPlacement(userMessage: "which fern?"))
        let presenter = RecordingPresenter()
        try await ad.show(on: presenter)
        await world.clock.settle()
        #expect(self.sent("/track/click", in: world).isEmpty, "a view has no tracker")
        presenter.report(.click(nil, byUser: true))
        await world.clock.settle()
        let click = try #require(world.transport.requests.last { $0.url.target == "/track/click" })
        #expect(click.headers["X-API-Key"] == "am_test_abc123xyz" && click.headers["X-Agent-ID"] == "agt_test_demo")
        #expect(click.secretHeaders == ["X-API-Key"])
        let names = world.observer.names
        let written = try #require(names.firstIndex(of: "beaconRecorded"))
        #expect(written < (try #require(names.firstIndex(of: "linkOpened"))))
        #expect(world.opener.opened.map(\.text) == ["https://go.market.example/c/7f3?to=frondolo"])
        let entries = try await world.services.beacons.entries()
        var ledger = ""
        dump(entries, to: &ledger)
        #expect(entries.map(\.state) == [.delivered] && !ledger.contains("am_test_abc123xyz"))
    }

    @Test("a click is delivered by status 200 only", arguments: [200, 201, 204, 401, 404])
    func successRule(status: Int) async throws {
        let answer = try #require(CardExamples.decide.answer)
        let world = World { $0.url.target == "/decide" ? .json(answer) : .status(status) }
        let keys = AttentionMarketKeys(apiKey: "k", agentID: "a", anonKey: "n")
        let provider = AttentionMarketProvider(keys: keys, base: url("http://market.example"))
        let ad = try await AdLoader(provider, services: world.services).load(
            AttentionMarketPlacement(userMessage: "which fern?")
        )
        let presenter = RecordingPresenter()
        try await ad.show(on: presenter)
        presenter.report(.click(nil, byUser: true))
        await world.clock.settle()
        let states = try await world.services.beacons.entries().map(\.state.name)
        #expect(states == [status == 200 ? "delivered" : "dead"])
        ad.destroy()
    }
}
