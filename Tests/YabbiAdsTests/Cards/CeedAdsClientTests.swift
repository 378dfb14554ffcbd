import AdCore
import AdRuntime
import SandboxSSP
import Testing
import YabbiTesting

@testable import YabbiAds

@Suite("CeedAds client", .serialized)
struct CeedAdsClientTests {
    private let fixture: CardFixture

    init() throws {
        CeedAds.reset()
        self.fixture = try CardFixture()
        CeedAds.initialize(
            appId: Sandbox.TestKeys.ceedAdsAppID,
            apiBaseUrl: self.fixture.sandbox.baseURL,
            services: self.fixture.services
        )
    }

    private func request(_ text: String, in conversation: String = "chat-1") async throws(AdError) -> Ad? {
        try await CeedAds.requestAd(conversationId: conversation, messageId: "m-1", contextText: text)
    }

    private func failure(of text: String, in conversation: String = "chat-1") async -> AdError? {
        await YabbiAdsTests.failure { () async throws(AdError) in try await self.request(text, in: conversation) }
    }

    @Test("a request before initialize fails, and the error names the call")
    func uninitialized() async throws {
        CeedAds.reset()
        let error = try #require(await self.failure(of: "fern"))
        #expect(error.code == .notInitialized && error.message.contains("CeedAds.initialize"))
        #expect(self.fixture.sandbox.hits().isEmpty)
    }

    @Test("the request is the documented one, with null for unknown values")
    func bare() async throws {
        let ad = try #require(try await self.request("My fern/pot looks sad"))
        let hit = try #require(self.fixture.sandbox.requests().first)
        #expect(self.fixture.sandbox.hits().count == 1)
        #expect(hit.method == "POST" && hit.path == "/api/requests" && hit.query.isEmpty)
        #expect(
            hit.text
                == #"{"appId":"app_test_demo","contextText":"My fern/pot looks sad","conversationId":"chat-1","#
                + #""language":null,"messageId":"m-1","sdkVersion":"1.0.0","userId":null}"#
        )
        #expect(hit.headersToCompare == hit.expectedHeaders(on: self.fixture.sandbox))
        for secret in CardFixture.secrets { #expect(!hit.allText.contains(secret)) }
        #expect(ad.card?.headline == "A fern with an opinion")
        #expect(ad.card?.disclosure.description == "Sponsored · Frondolo")
        #expect(ad.offer?.issues.isEmpty == true)
    }

    @Test("language and user are sent if the app provides them, and a Japanese text gets a Japanese ad")
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
            self.fixture.sandbox.requests().first?.text
                == #"{"appId":"app_test_demo","contextText":"観葉植物の育て方","conversationId":"c/9","#
                + #""language":"jpn","messageId":"m","sdkVersion":"1.0.0","userId":"user/9"}"#
        )
        #expect(ad.card?.disclosure.advertiser == "フロンドロ")
        _ = try await self.fixture.show(ad)
        let events = await self.fixture.deliveredHits(at: "/api/events")
        #expect(events.map { $0.text.hasSuffix(#""userId":"user/9"}"#) } == [true])
    }

    @Test("impression and click are sent once each, and the click is recorded before its link opens")
    func events() async throws {
        let ad = try #require(try await self.request("fern"))
        var (place, adEvents) = try await self.fixture.show(ad)
        place.setVisibleRatio(0)
        place.setVisibleRatio(1)
        for _ in 0..<3 {
            place.recordClick()
            #expect(await adEvents.waitFor("linkOpened"))
        }
        let hits = await self.fixture.deliveredHits(at: "/api/events").sorted { $0.text > $1.text }
        #expect(hits.count == 2)
        for (hit, type) in zip(hits, ["impression", "click"]) {
            #expect(hit.method == "POST" && hit.query.isEmpty)
            #expect(
                hit.text
                    == #"{"adId":"ceed-frondolo","advertiserId":"adv-frondolo","appId":"app_test_demo","#
                    + #""conversationId":"chat-1","requestId":"ceed-request-1","type":"\#(type)","userId":null}"#
            )
            let key = ["idempotency-key": "ceedads/\(type)/ceed-frondolo/ceed-request-1"]
            #expect(hit.headersToCompare == hit.expectedHeaders(key, on: self.fixture.sandbox))
        }
        let bill = self.fixture.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1 && bill.repeats == 0 && bill.refused == 0 && bill.unkeyed == 0)
        #expect(Set(bill.lines.map(\.ad)) == ["ceed-frondolo"])
        let link = self.fixture.sandbox.baseURL.text + "landing?from=ceedads-frondolo&lang=eng&request=ceed-request-1"
        #expect(Set(self.fixture.opener.opened.map(\.text)) == [link])
        let names = self.fixture.observer.names
        let recorded = names.indices.filter { names[$0] == "beaconRecorded" }
        #expect(recorded.count == 2 && recorded[1] < names.firstIndex(of: "linkOpened") ?? 0)
        ad.destroy()
    }

    @Test("a card that was never visible sends nothing")
    func unseen() async throws {
        let ad = try #require(try await self.request("fern"))
        let place = CardPlace()
        try await ad.show(on: place)
        place.setVisibleRatio(0)
        place.remove()
        #expect(await self.fixture.deliveredHits(at: "/api/events").isEmpty)
    }

    @Test("a conversation in cooldown sends no request; another one does")
    func cooldown() async throws {
        let before = self.fixture.services.clock.now
        #expect(try await self.request("fern") != nil)
        for _ in 0..<3 {
            let error = try #require(await self.failure(of: "soup"))
            #expect(error.code == .coolingDown)
            let until = try #require(error.underlying as? Cooldown).until
            #expect(until >= before + .seconds(60) && until <= self.fixture.services.clock.now + .seconds(60))
        }
        #expect(self.fixture.sandbox.hits().count == 1)
        #expect(try await self.request("soup", in: "chat-2") != nil)
        #expect(self.fixture.sandbox.hits().count == 2)
    }

    @Test("a new initialize resets the cooldown, and the server's own cooldown is no fill")
    func anew() async throws {
        #expect(try await self.request("fern") != nil)
        CeedAds.initialize(
            appId: Sandbox.TestKeys.ceedAdsAppID,
            apiBaseUrl: try self.fixture.url("/api/"),
            services: self.fixture.services
        )
        #expect(try await self.request("fern") == nil)
        #expect(self.fixture.sandbox.requests().map(\.path) == ["/api/requests", "/api/requests"])
        self.fixture.sandbox.reset()
        #expect(try await self.request("fern") != nil, "no fill starts no cooldown")
    }

    @Test("a response without an ad is nil", arguments: ["Who are you?", "", "nofill"])
    func noAd(text: String) async throws {
        #expect(try await self.request(text) == nil)
    }

    @Test("an unknown app is an error that names the appId")
    func unknownApp() async throws {
        CeedAds.initialize(
            appId: "app_other",
            apiBaseUrl: self.fixture.sandbox.baseURL,
            services: self.fixture.services
        )
        let error = try #require(await self.failure(of: "fern"))
        #expect(error.code == .unauthorized && error.message.contains("appId") && error.message.contains("401"))
        #expect(error.place.provider == "ceedads")
        #expect(error.place.url == self.fixture.sandbox.baseURL.text + "api/requests")
        #expect(self.fixture.sandbox.hits().count == 1)
    }

    @Test(
        "each kind of bad response has its error",
        arguments: [
            ("html", AdError.Code.unreadableResponse, "HTML"), ("broken", .unreadableResponse, "JSON"),
            ("error", .serverStatus, "500"), ("notok", .serverStatus, "scenario notok"),
            ("evil", .incompleteOffer, "ctaUrl"), ("balloons!", .unknownType, "hologram"),
        ]
    )
    func badAnswers(text: String, code: AdError.Code, hint: String) async throws {
        let error = try #require(await self.failure(of: text))
        #expect(error.code == code && error.message.contains(hint), "\(error)")
        #expect(self.fixture.sandbox.hits().count == 1, "a request is sent once")
    }

    @Test("an unknown format fails that ad only")
    func hologram() async throws {
        #expect(await self.failure(of: "balloons!", in: "chat-1")?.code == .unknownType)
        #expect(try await self.request("fern", in: "chat-2")?.isLoaded == true)
    }

    @Test(
        "each documented format is shown, and sends its impression and click",
        arguments: [
            ("Where can I study grammar?", "action_card"), ("A quote for my insurance", "lead_gen"),
            ("Will it rain?", "static"), ("a weekend at a hotel", "followup"),
        ]
    )
    func formats(text: String, format: String) async throws {
        let ad = try #require(try await self.request(text))
        #expect(ad.detail("format") == format)
        var (place, adEvents) = try await self.fixture.show(ad)
        place.recordClick()
        #expect(await adEvents.waitFor("linkOpened"))
        _ = await self.fixture.deliveredHits(at: "/api/events")
        let bill = self.fixture.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1)
        ad.destroy()
    }

    @Test("initialize without services creates its own")
    func ownServices() async throws {
        let base = self.fixture.sandbox.baseURL
        try CeedAds.initialize(appId: Sandbox.TestKeys.ceedAdsAppID, apiBaseUrl: base, opener: NoOpener())
        #expect(try await self.request("fern")?.isLoaded == true)
    }
}
