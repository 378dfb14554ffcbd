import AdCore
import AdProviders
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("AttentionMarket in its own words")
struct AttentionMarketDoorTests {
    private typealias Keys = Sandbox.TestKeys

    private let world: CardWorld
    private let market: AttentionMarket

    init() throws {
        self.world = try CardWorld()
        self.market = try Self.door(in: self.world)
    }

    private static func door(
        apiKey: String = Keys.attentionMarketAPIKey,
        agentId: String = Keys.attentionMarketAgentID,
        anonKey: String = Keys.attentionMarketAnonKey,
        in world: CardWorld
    ) throws -> AttentionMarket {
        AttentionMarket(
            apiKey: apiKey,
            agentId: agentId,
            supabaseAnonKey: anonKey,
            baseURL: try world.url("/functions/v1"),
            services: world.services
        )
    }

    @Test("what arrives at the server is the source's request, and nothing of the user")
    func request() async throws {
        let ad = try #require(
            try await self.market.getAd(
                userMessage: "Which fern/pot should I buy?",
                conversationHistory: ["Hello", "Which fern/pot should I buy?"]
            )
        )
        let hit = try #require(self.world.sandbox.requests().first)
        #expect(self.world.sandbox.hits().count == 1)
        #expect(hit.method == "POST" && hit.path == "/functions/v1/decide" && hit.query.isEmpty)
        #expect(
            hit.text
                == #"{"conversation_history":["Hello","Which fern/pot should I buy?"],"placement":"sponsored_suggestion","#
                + #""session_context":{"device_type":"mobile","platform":"ios"},"user_message":"Which fern/pot should I buy?"}"#
        )
        let own = [
            "authorization": "Bearer am_test_abc123xyz", "apikey": "anon_test_sandbox", "cache-control": "max-age=60",
        ]
        #expect(hit.fields == hit.neutral(own, on: self.world.sandbox))
        for secret in CardWorld.secrets { #expect(!hit.all.contains(secret)) }
        #expect(ad.card?.disclosure.description == "Sponsored · Frondolo")
        #expect(ad.card?.promoCode == "FERN10" && ad.card?.teaser == "Somebody on your windowsill is thirsty")
        #expect(ad.detail("id") == "am-frondolo")
        #expect(ad.offer?.issues.isEmpty == true)
    }

    @Test("there is no ad, in either of its shapes", arguments: ["what is the meaning of life?", "nofill", "null"])
    func noAd(message: String) async throws {
        #expect(try await self.market.getAd(userMessage: message) == nil)
        #expect(self.world.sandbox.requests().count == 1)
    }

    @Test("a view is told to nobody, and a click once, before the link opens, with the key in its header")
    func click() async throws {
        let ad = try #require(try await self.market.getAd(userMessage: "fern"))
        var (place, ear) = try await self.world.show(ad)
        #expect(await self.world.arrived(at: "/functions/v1/track/click").isEmpty)
        for _ in 0..<3 {
            place.recordClick()
            #expect(await ear.hears("linkOpened"))
        }
        let hits = await self.world.arrived(at: "/functions/v1/track/click")
        let hit = try #require(hits.first)
        #expect(hits.count == 1 && hit.method == "POST" && hit.query.isEmpty)
        #expect(hit.text == #"{"tracking_token":"am-token-1"}"#)
        let own = [
            "x-api-key": "am_test_abc123xyz", "x-agent-id": "agt_test_demo",
            "idempotency-key": "attentionmarket/click/am-token-1",
        ]
        #expect(hit.fields == hit.neutral(own, on: self.world.sandbox))
        for secret in CardWorld.secrets { #expect(!hit.all.contains(secret)) }
        let bill = self.world.sandbox.bill()
        #expect(bill.clicks == 1 && bill.views == 0 && bill.repeats == 0 && bill.refused == 0 && bill.unkeyed == 0)
        #expect(bill.lines.map(\.ad) == ["am-token-1"])
        let links = Set(self.world.opener.opened.map(\.text))
        #expect(links == [self.world.sandbox.baseURL.text + "landing?from=attentionmarket-frondolo&ad=1"])
        let names = self.world.observer.names
        #expect(names.firstIndex(of: "beaconRecorded") ?? .max < names.firstIndex(of: "linkOpened") ?? 0)
        place.remove()
        #expect(await ear.hears("closed"))
    }

    @Test("a click that the app tells of by itself is told once for each token, and is the ad's own")
    func trackClick() async throws {
        let ad = try #require(try await self.market.getAd(userMessage: "fern"))
        for _ in 0..<3 { try await self.market.trackClick(trackingToken: "am-token-1") }
        var (place, ear) = try await self.world.show(ad)
        place.recordClick()
        #expect(await ear.hears("linkOpened"))
        #expect(await self.world.arrived(at: "/functions/v1/track/click").count == 1)
        #expect(self.world.sandbox.bill().clicks == 1)
        ad.destroy()
    }

    @Test("a token that the server does not know is listed as dead with its status")
    func unknownToken() async throws {
        try await self.market.trackClick(trackingToken: "of/nobody")
        let state = try await self.world.state(of: "attentionmarket/click/of%2Fnobody")
        #expect(state == .dead(reason: "status 404"))
        #expect(self.world.sandbox.bill().refused == 1)
    }

    @Test("cards for several moments come in their order, each with its own, and what failed says why")
    func several() async throws {
        let words = ["fern", "tickets to the sea", "html", "why?", "soup", "fern"]
        let results = await self.market.getAds(words.map { AttentionMarketPlacement(userMessage: $0) })
        let ads = results.map { try? $0.get() }
        #expect(
            ads.map { $0?.detail("id") } == ["am-frondolo", "am-nattela", nil, nil, "am-zuppidoo", "am-frondolo"]
        )
        #expect(ads[0]?.card?.link != ads[5]?.card?.link, "nobody gets another's ad")
        for (index, result) in results.enumerated() {
            guard case .failure(let error) = result else { continue }
            #expect(index == 2 && error.code == .unreadableAnswer)
        }
        #expect(self.world.sandbox.requests().count == 6)
        #expect(await self.market.getAds([]).isEmpty)
    }

    @Test("more moments than go out at a time all get their answer")
    func many() async throws {
        let moments = (0..<40).map { AttentionMarketPlacement(userMessage: "fern \($0)") }
        let results = await self.market.getAds(moments)
        #expect(results.count == 40 && results.allSatisfy { (try? $0.get())?.isLoaded == true })
        #expect(self.world.sandbox.requests().count == 40)
    }

    @Test("a card that nobody took waits a minute for the same question, and one that was shown does not come back")
    func kept() async throws {
        self.world.board.post(.network(.wifi))
        for _ in 0..<2 { #expect(try await self.market.prefetch(userMessage: "fern")) }
        let first = try #require(try await self.market.getAd(userMessage: "fern"))
        #expect(self.world.sandbox.requests().count == 1)
        let other = try #require(
            try await self.market.getAd(userMessage: "fern", conversationHistory: ["hello", "fern"])
        )
        #expect(self.world.sandbox.requests().count == 2, "another history is another question")
        _ = try await self.world.show(first)
        let third = try #require(try await self.market.getAd(userMessage: "fern"))
        #expect(self.world.sandbox.requests().count == 3)
        #expect(third.card?.link != first.card?.link, "and another ad")
        #expect(other.isLoaded)
    }

    @Test("nothing is asked ahead but on Wi-Fi", arguments: [nil, .cellular, .offline, .wifi] as [NetworkKind?])
    func prefetch(network: NetworkKind?) async throws {
        if let network { self.world.board.post(.network(network)) }
        #expect(try await self.market.prefetch(userMessage: "fern") == (network == .wifi))
        #expect(self.world.sandbox.requests().count == (network == .wifi ? 1 : 0))
        #expect(try await self.market.getAd(userMessage: "fern") != nil)
        #expect(self.world.sandbox.requests().count == 1)
    }

    @Test("asking ahead for what has no card says that none waits")
    func prefetchNothing() async throws {
        self.world.board.post(.network(.wifi))
        #expect(try await self.market.prefetch(userMessage: "why?") == false)
    }

    @Test(
        "keys that the server does not take are an error that names the headers, and no other request is made",
        arguments: ["apiKey", "anonKey"]
    )
    func wrongKeys(which: String) async throws {
        let market =
            which == "apiKey"
            ? try Self.door(apiKey: "am_test_other", in: self.world)
            : try Self.door(anonKey: "anon_other", in: self.world)
        let error = try #require(
            await failure { () async throws(AdError) in try await market.getAd(userMessage: "fern") }
        )
        #expect(error.code == .unauthorized && error.place.provider == "attentionmarket")
        #expect(error.place.url == self.world.sandbox.baseURL.text + "functions/v1/decide")
        for name in ["401", "Authorization", "X-Agent-ID", "apikey"] { #expect(error.message.contains(name)) }
        #expect(!error.description.contains("am_test_other") && !error.description.contains("anon_other"))
        #expect(self.world.sandbox.requests().count == 1, "and it is not asked again")
        guard case .failure(let same)? = await market.getAds([AttentionMarketPlacement(userMessage: "fern")]).first
        else {
            Issue.record("a refusal is no card, and not the want of one")
            return
        }
        #expect(same.code == .unauthorized)
    }

    @Test("an agent that the server does not know is told at the click, which is listed as dead")
    func wrongAgent() async throws {
        let market = try Self.door(agentId: "agt_other", in: self.world)
        let ad = try #require(try await market.getAd(userMessage: "fern"))
        var (place, ear) = try await self.world.show(ad)
        place.recordClick()
        #expect(await ear.hears("linkOpened"))
        #expect(try await self.world.state(of: "attentionmarket/click/am-token-1") == .dead(reason: "status 401"))
        #expect(self.world.sandbox.bill().clicks == 0)
        ad.destroy()
    }

    @Test("a server that has a fault of its own for a moment is asked once more")
    func again() async throws {
        try self.world.sandbox.setFaults(["/functions/v1/decide": [Sandbox.Fault(.status(503))]])
        let ad = try #require(try await self.market.getAd(userMessage: "fern"))
        #expect(self.world.sandbox.requests().count == 2)
        #expect(ad.offer?.issues.map(\.code) == ["load.again"])
    }

    @Test(
        "bad answers are errors, and odd ones are cards with issues",
        arguments: [
            ("html", .unreadableAnswer, []), ("broken", .unreadableAnswer, []),
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

    @Test("keys that can't be sent are refused before anything is")
    func emptyKeys() async throws {
        let market = try Self.door(apiKey: "", in: self.world)
        let load = await failure { () async throws(AdError) in try await market.getAd(userMessage: "fern") }
        #expect(load?.code == .invalidRequest)
        #expect(self.world.sandbox.hits().isEmpty)
    }
}
