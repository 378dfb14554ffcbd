import AdCore
import AdProviders
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("AttentionMarket client")
struct AttentionMarketClientTests {
    private typealias Keys = Sandbox.TestKeys

    private let fixture: CardFixture
    private let market: AttentionMarket

    init() throws {
        self.fixture = try CardFixture()
        self.market = try Self.client(in: self.fixture)
    }

    private static func client(
        apiKey: String = Keys.attentionMarketAPIKey,
        agentId: String = Keys.attentionMarketAgentID,
        anonKey: String = Keys.attentionMarketAnonKey,
        in fixture: CardFixture
    ) throws -> AttentionMarket {
        AttentionMarket(
            apiKey: apiKey,
            agentId: agentId,
            supabaseAnonKey: anonKey,
            baseURL: try fixture.url("/functions/v1"),
            services: fixture.services
        )
    }

    @Test("the request is the documented one, without anything about the user")
    func request() async throws {
        let ad = try #require(
            try await self.market.getAd(
                userMessage: "Which fern/pot should I buy?",
                conversationHistory: ["Hello", "Which fern/pot should I buy?"]
            )
        )
        let hit = try #require(self.fixture.sandbox.requests().first)
        #expect(self.fixture.sandbox.hits().count == 1)
        #expect(hit.method == "POST" && hit.path == "/functions/v1/decide" && hit.query.isEmpty)
        #expect(
            hit.text
                == #"{"conversation_history":["Hello","Which fern/pot should I buy?"],"placement":"sponsored_suggestion","#
                + #""session_context":{"device_type":"mobile","platform":"ios"},"user_message":"Which fern/pot should I buy?"}"#
        )
        let own = [
            "authorization": "Bearer am_test_abc123xyz", "apikey": "anon_test_sandbox", "cache-control": "max-age=60",
        ]
        #expect(hit.headersToCompare == hit.expectedHeaders(own, on: self.fixture.sandbox))
        for secret in CardFixture.secrets { #expect(!hit.allText.contains(secret)) }
        #expect(ad.card?.disclosure.description == "Sponsored · Frondolo")
        #expect(ad.card?.promoCode == "FERN10" && ad.card?.teaser == "Somebody on your windowsill is thirsty")
        #expect(ad.detail("id") == "am-frondolo")
        #expect(ad.offer?.issues.isEmpty == true)
    }

    @Test("each form of no fill returns nil", arguments: ["what is the meaning of life?", "nofill", "null"])
    func noAd(message: String) async throws {
        #expect(try await self.market.getAd(userMessage: message) == nil)
        #expect(self.fixture.sandbox.requests().count == 1)
    }

    @Test("a click is sent once, before its link opens, with the key in its header; an impression is not sent")
    func click() async throws {
        let ad = try #require(try await self.market.getAd(userMessage: "fern"))
        var (place, adEvents) = try await self.fixture.show(ad)
        #expect(await self.fixture.deliveredHits(at: "/functions/v1/track/click").isEmpty)
        for _ in 0..<3 {
            place.recordClick()
            #expect(await adEvents.waitFor("linkOpened"))
        }
        let hits = await self.fixture.deliveredHits(at: "/functions/v1/track/click")
        let hit = try #require(hits.first)
        #expect(hits.count == 1 && hit.method == "POST" && hit.query.isEmpty)
        #expect(hit.text == #"{"tracking_token":"am-token-1"}"#)
        let own = [
            "x-api-key": "am_test_abc123xyz", "x-agent-id": "agt_test_demo",
            "idempotency-key": "attentionmarket/click/am-token-1",
        ]
        #expect(hit.headersToCompare == hit.expectedHeaders(own, on: self.fixture.sandbox))
        for secret in CardFixture.secrets { #expect(!hit.allText.contains(secret)) }
        let bill = self.fixture.sandbox.bill()
        #expect(bill.clicks == 1 && bill.views == 0 && bill.repeats == 0 && bill.refused == 0 && bill.unkeyed == 0)
        #expect(bill.lines.map(\.ad) == ["am-token-1"])
        let links = Set(self.fixture.opener.opened.map(\.text))
        #expect(links == [self.fixture.sandbox.baseURL.text + "landing?from=attentionmarket-frondolo&ad=1"])
        let names = self.fixture.observer.names
        #expect(names.firstIndex(of: "beaconRecorded") ?? .max < names.firstIndex(of: "linkOpened") ?? 0)
        place.remove()
        #expect(await adEvents.waitFor("closed"))
    }

    @Test("trackClick sends a click once for each token, together with the ad's own click")
    func trackClick() async throws {
        let ad = try #require(try await self.market.getAd(userMessage: "fern"))
        for _ in 0..<3 { try await self.market.trackClick(trackingToken: "am-token-1") }
        var (place, adEvents) = try await self.fixture.show(ad)
        place.recordClick()
        #expect(await adEvents.waitFor("linkOpened"))
        #expect(await self.fixture.deliveredHits(at: "/functions/v1/track/click").count == 1)
        #expect(self.fixture.sandbox.bill().clicks == 1)
        ad.destroy()
    }

    @Test("the click of an unknown token is dead, with the status")
    func unknownToken() async throws {
        try await self.market.trackClick(trackingToken: "of/nobody")
        let state = try await self.fixture.state(of: "attentionmarket/click/of%2Fnobody")
        #expect(state == .dead(reason: "status 404"))
        #expect(self.fixture.sandbox.bill().refused == 1)
    }

    @Test("getAds returns a result for each placement, in order")
    func several() async throws {
        let words = ["fern", "tickets to the sea", "html", "why?", "soup", "fern"]
        let results = await self.market.getAds(words.map { AttentionMarketPlacement(userMessage: $0) })
        let ads = results.map { try? $0.get() }
        #expect(
            ads.map { $0?.detail("id") } == ["am-frondolo", "am-nattela", nil, nil, "am-zuppidoo", "am-frondolo"]
        )
        #expect(ads[0]?.card?.link != ads[5]?.card?.link, "equal placements get separate ads")
        let errors = results.map { result -> AdError.Code? in
            if case .failure(let error) = result { error.code } else { nil }
        }
        #expect(errors == [nil, nil, .unreadableResponse, nil, nil, nil])
        #expect(self.fixture.sandbox.requests().count == 6)
        #expect(await self.market.getAds([]).isEmpty)
    }

    @Test("getAds handles more placements than it requests at a time")
    func many() async throws {
        let placements = (0..<40).map { AttentionMarketPlacement(userMessage: "fern \($0)") }
        let results = await self.market.getAds(placements)
        #expect(results.count == 40 && results.allSatisfy { (try? $0.get())?.isLoaded == true })
        #expect(self.fixture.sandbox.requests().count == 40)
    }

    @Test("a prefetched card serves the same question for a minute, and is not served again after it was shown")
    func kept() async throws {
        self.fixture.hostSignals.post(.network(.wifi))
        for _ in 0..<2 { #expect(try await self.market.prefetch(userMessage: "fern")) }
        let first = try #require(try await self.market.getAd(userMessage: "fern"))
        #expect(self.fixture.sandbox.requests().count == 1)
        let other = try #require(
            try await self.market.getAd(userMessage: "fern", conversationHistory: ["hello", "fern"])
        )
        #expect(self.fixture.sandbox.requests().count == 2, "another history is another question, so another request")
        _ = try await self.fixture.show(first)
        let third = try #require(try await self.market.getAd(userMessage: "fern"))
        #expect(self.fixture.sandbox.requests().count == 3)
        #expect(third.card?.link != first.card?.link, "and the ad is another one")
        #expect(other.isLoaded)
    }

    @Test("prefetch sends a request on Wi-Fi only", arguments: [nil, .cellular, .offline, .wifi] as [NetworkKind?])
    func prefetch(network: NetworkKind?) async throws {
        if let network { self.fixture.hostSignals.post(.network(network)) }
        #expect(try await self.market.prefetch(userMessage: "fern") == (network == .wifi))
        #expect(self.fixture.sandbox.requests().count == (network == .wifi ? 1 : 0))
        #expect(try await self.market.getAd(userMessage: "fern") != nil)
        #expect(self.fixture.sandbox.requests().count == 1)
    }

    @Test("prefetch returns false if there is no card")
    func prefetchNothing() async throws {
        self.fixture.hostSignals.post(.network(.wifi))
        #expect(try await self.market.prefetch(userMessage: "why?") == false)
    }

    @Test(
        "keys that the server refuses are an error that names the headers, without a retry",
        arguments: ["apiKey", "anonKey"]
    )
    func wrongKeys(which: String) async throws {
        let market =
            which == "apiKey"
            ? try Self.client(apiKey: "am_test_other", in: self.fixture)
            : try Self.client(anonKey: "anon_other", in: self.fixture)
        let error = try #require(
            await failure { () async throws(AdError) in try await market.getAd(userMessage: "fern") }
        )
        #expect(error.code == .unauthorized && error.place.provider == "attentionmarket")
        #expect(error.place.url == self.fixture.sandbox.baseURL.text + "functions/v1/decide")
        for name in ["401", "Authorization", "X-Agent-ID", "apikey"] { #expect(error.message.contains(name)) }
        #expect(!error.description.contains("am_test_other") && !error.description.contains("anon_other"))
        #expect(self.fixture.sandbox.requests().count == 1, "the request is not retried")
        guard case .failure(let same)? = await market.getAds([AttentionMarketPlacement(userMessage: "fern")]).first
        else {
            Issue.record("refused keys are not no fill")
            return
        }
        #expect(same.code == .unauthorized)
    }

    @Test("the click of an unknown agent is dead")
    func wrongAgent() async throws {
        let market = try Self.client(agentId: "agt_other", in: self.fixture)
        let ad = try #require(try await market.getAd(userMessage: "fern"))
        var (place, adEvents) = try await self.fixture.show(ad)
        place.recordClick()
        #expect(await adEvents.waitFor("linkOpened"))
        #expect(try await self.fixture.state(of: "attentionmarket/click/am-token-1") == .dead(reason: "status 401"))
        #expect(self.fixture.sandbox.bill().clicks == 0)
        ad.destroy()
    }

    @Test("a request that fails with a server error is retried")
    func again() async throws {
        try self.fixture.sandbox.setFaults(["/functions/v1/decide": [Sandbox.Fault(.status(503))]])
        let ad = try #require(try await self.market.getAd(userMessage: "fern"))
        #expect(self.fixture.sandbox.requests().count == 2)
        #expect(ad.offer?.issues.map(\.code) == ["load.again"])
    }

    @Test(
        "bad responses are errors, and repaired ones are cards with issues",
        arguments: [
            ("html", .unreadableResponse, []), ("broken", .unreadableResponse, []),
            ("evil", .incompleteOffer, ["direct_url.noURL", "click_url.noURL"]), ("minimal", nil, []),
            ("odd", nil, ["payout.text", "is_sponsored.false"]),
        ] as [(String, AdError.Code?, [String])]
    )
    func answers(word: String, code: AdError.Code?, issues: [String]) async throws {
        guard let code else {
            let ad = try #require(try await self.market.getAd(userMessage: word))
            #expect(ad.offer?.issues.map(\.code) == issues)
            #expect(ad.card?.fragment.contains(">Sponsored</strong>") == true)
            return
        }
        let error = await failure { () async throws(AdError) in try await self.market.getAd(userMessage: word) }
        #expect(error?.code == code && error?.issues.map(\.code) == issues)
    }

    @Test("empty keys are refused before anything is sent")
    func emptyKeys() async throws {
        let market = try Self.client(apiKey: "", in: self.fixture)
        let load = await failure { () async throws(AdError) in try await market.getAd(userMessage: "fern") }
        #expect(load?.code == .invalidRequest)
        #expect(self.fixture.sandbox.hits().isEmpty)
    }
}
