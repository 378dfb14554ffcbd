import AdCore
import AdRuntime
import SandboxSSP
import Testing
import YabbiTesting

@testable import YabbiAds

@Suite("CeedAds in its own words", .serialized)
struct CeedAdsDoorTests {
    private let world: CardWorld

    init() throws {
        CeedAds.reset()
        self.world = try CardWorld()
        CeedAds.initialize(
            appId: Sandbox.TestKeys.ceedAdsAppID,
            apiBaseUrl: self.world.sandbox.baseURL,
            services: self.world.services
        )
    }

    private func request(_ text: String, in conversation: String = "chat-1") async throws(AdError) -> Ad? {
        try await CeedAds.requestAd(conversationId: conversation, messageId: "m-1", contextText: text)
    }

    private func failure(of text: String, in conversation: String = "chat-1") async -> AdError? {
        await YabbiAdsTests.failure { () async throws(AdError) in try await self.request(text, in: conversation) }
    }

    @Test("before it is initialised there is nobody to ask, and the error says what to call")
    func uninitialized() async throws {
        CeedAds.reset()
        let error = try #require(await self.failure(of: "fern"))
        #expect(error.code == .notInitialized && error.message.contains("CeedAds.initialize"))
        #expect(self.world.sandbox.hits().isEmpty)
    }

    @Test("what arrives at the server is the source's request, with a null for what is not known")
    func bare() async throws {
        let ad = try #require(try await self.request("My fern/pot looks sad"))
        let hit = try #require(self.world.sandbox.requests().first)
        #expect(self.world.sandbox.hits().count == 1)
        #expect(hit.method == "POST" && hit.path == "/api/requests" && hit.query.isEmpty)
        #expect(
            hit.text
                == #"{"appId":"app_test_demo","contextText":"My fern/pot looks sad","conversationId":"chat-1","#
                + #""language":null,"messageId":"m-1","sdkVersion":"1.0.0","userId":null}"#
        )
        #expect(hit.fields == hit.neutral(on: self.world.sandbox))
        for secret in CardWorld.secrets { #expect(!hit.all.contains(secret)) }
        #expect(ad.card?.headline == "A fern with an opinion")
        #expect(ad.card?.disclosure.description == "Sponsored · Frondolo")
        #expect(ad.offer?.issues.isEmpty == true)
    }

    @Test("language and user are said where the app says them, and Japanese is answered in Japanese")
    func full() async throws {
        let ad = try #require(
            try await CeedAds.requestAd(
                conversationId: "c/9",
                messageId: "m",
                contextText: "観葉植物の育て方",
                language: "jpn",
                userId: "user/9"
            )
        )
        #expect(
            self.world.sandbox.requests().first?.text
                == #"{"appId":"app_test_demo","contextText":"観葉植物の育て方","conversationId":"c/9","#
                + #""language":"jpn","messageId":"m","sdkVersion":"1.0.0","userId":"user/9"}"#
        )
        #expect(ad.card?.disclosure.advertiser == "フロンドロ")
        _ = try await self.world.show(ad)
        let events = await self.world.arrived(at: "/api/events")
        #expect(events.map { $0.text.hasSuffix(#""userId":"user/9"}"#) } == [true])
    }

    @Test("impression and click arrive once each, to the byte, and the click is written down before its link opens")
    func events() async throws {
        let ad = try #require(try await self.request("fern"))
        var (place, ear) = try await self.world.show(ad)
        place.setVisibleRatio(0)
        place.setVisibleRatio(1)
        for _ in 0..<3 {
            place.recordClick()
            #expect(await ear.hears("linkOpened"))
        }
        let hits = await self.world.arrived(at: "/api/events").sorted { $0.text > $1.text }
        #expect(hits.count == 2)
        for (hit, type) in zip(hits, ["impression", "click"]) {
            #expect(hit.method == "POST" && hit.query.isEmpty)
            #expect(
                hit.text
                    == #"{"adId":"ceed-frondolo","advertiserId":"adv-frondolo","appId":"app_test_demo","#
                    + #""conversationId":"chat-1","requestId":"ceed-request-1","type":"\#(type)","userId":null}"#
            )
            let key = ["idempotency-key": "ceedads/\(type)/ceed-frondolo/ceed-request-1"]
            #expect(hit.fields == hit.neutral(key, on: self.world.sandbox))
        }
        let bill = self.world.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1 && bill.repeats == 0 && bill.refused == 0 && bill.unkeyed == 0)
        #expect(Set(bill.lines.map(\.ad)) == ["ceed-frondolo"])
        let link = self.world.sandbox.baseURL.text + "landing?from=ceedads-frondolo&lang=eng&request=ceed-request-1"
        #expect(Set(self.world.opener.opened.map(\.text)) == [link])
        let names = self.world.observer.names
        let recorded = names.indices.filter { names[$0] == "beaconRecorded" }
        #expect(recorded.count == 2 && recorded[1] < names.firstIndex(of: "linkOpened") ?? 0)
        ad.destroy()
    }

    @Test("a card that nobody has seen tells nobody")
    func unseen() async throws {
        let ad = try #require(try await self.request("fern"))
        let place = CardPlace()
        try await ad.show(on: place)
        place.setVisibleRatio(0)
        place.remove()
        #expect(await self.world.arrived(at: "/api/events").isEmpty)
    }

    @Test("a conversation that has just had a card waits without a request, and no other does")
    func cooldown() async throws {
        let before = self.world.services.clock.now
        #expect(try await self.request("fern") != nil)
        for _ in 0..<3 {
            let error = try #require(await self.failure(of: "soup"))
            #expect(error.code == .coolingDown)
            let until = try #require(error.underlying as? Cooldown).until
            #expect(until >= before + .seconds(60) && until <= self.world.services.clock.now + .seconds(60))
        }
        #expect(self.world.sandbox.hits().count == 1)
        #expect(try await self.request("soup", in: "chat-2") != nil)
        #expect(self.world.sandbox.hits().count == 2)
    }

    @Test("who initialises anew begins anew, and the server's own cooldown is no fill")
    func anew() async throws {
        #expect(try await self.request("fern") != nil)
        CeedAds.initialize(
            appId: Sandbox.TestKeys.ceedAdsAppID,
            apiBaseUrl: try self.world.url("/api/"),
            services: self.world.services
        )
        #expect(try await self.request("fern") == nil)
        #expect(self.world.sandbox.requests().map(\.path) == ["/api/requests", "/api/requests"])
        self.world.sandbox.reset()
        #expect(try await self.request("fern") != nil, "no fill makes nobody wait")
    }

    @Test("no ad is nil", arguments: ["Who are you?", "", "nofill"])
    func noAd(text: String) async throws {
        #expect(try await self.request(text) == nil)
    }

    @Test("an app that the server does not know is an error that names the appId")
    func unknownApp() async throws {
        CeedAds.initialize(
            appId: "app_other",
            apiBaseUrl: self.world.sandbox.baseURL,
            services: self.world.services
        )
        let error = try #require(await self.failure(of: "fern"))
        #expect(error.code == .unauthorized && error.message.contains("appId") && error.message.contains("401"))
        #expect(error.place.provider == "ceedads")
        #expect(error.place.url == self.world.sandbox.baseURL.text + "api/requests")
        #expect(self.world.sandbox.hits().count == 1)
    }

    @Test(
        "bad answers are errors, each of its kind",
        arguments: [
            ("html", AdError.Code.unreadableAnswer, "HTML"), ("broken", .unreadableAnswer, "JSON"),
            ("error", .serverStatus, "500"), ("notok", .serverStatus, "scenario notok"),
            ("evil", .incompleteOffer, "ctaUrl"), ("balloons!", .unknownType, "hologram"),
        ]
    )
    func badAnswers(text: String, code: AdError.Code, hint: String) async throws {
        let error = try #require(await self.failure(of: text))
        #expect(error.code == code && error.message.contains(hint), "\(error)")
        #expect(self.world.sandbox.hits().count == 1, "a request goes out once")
    }

    @Test("a format that nobody knows is an error for that ad alone")
    func hologram() async throws {
        #expect(await self.failure(of: "balloons!", in: "chat-1")?.code == .unknownType)
        #expect(try await self.request("fern", in: "chat-2")?.isLoaded == true)
    }

    @Test(
        "each format of the source is shown, and tells of it",
        arguments: [
            ("Where can I study grammar?", "action_card"), ("A quote for my insurance", "lead_gen"),
            ("Will it rain?", "static"), ("a weekend at a hotel", "followup"),
        ]
    )
    func formats(text: String, format: String) async throws {
        let ad = try #require(try await self.request(text))
        #expect(ad.detail("format") == format)
        var (place, ear) = try await self.world.show(ad)
        place.recordClick()
        #expect(await ear.hears("linkOpened"))
        _ = await self.world.arrived(at: "/api/events")
        let bill = self.world.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1)
        ad.destroy()
    }

    @Test("services of its own do as well")
    func ownServices() async throws {
        try CeedAds.initialize(appId: Sandbox.TestKeys.ceedAdsAppID, apiBaseUrl: self.world.sandbox.baseURL)
        #expect(try await self.request("fern")?.isLoaded == true)
    }
}
