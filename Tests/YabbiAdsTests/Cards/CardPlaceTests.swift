import AdCore
import AdProviders
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("CardPlace")
struct CardPlaceTests {
    private let fixture: CardFixture
    private let loader: AdLoader<CeedAdsPlacement>

    init() throws {
        self.fixture = try CardFixture()
        let app = CeedAdsApp(appID: Sandbox.TestKeys.ceedAdsAppID)
        let provider = CeedAdsProvider(app: app, base: self.fixture.sandbox.baseURL)
        self.loader = AdLoader(provider, services: self.fixture.services)
    }

    private func load(_ conversation: String = "c") async throws(AdError) -> Ad {
        try await self.loader.load(
            CeedAdsPlacement(conversationID: conversation, messageID: "m", contextText: "fern")
        )
    }

    @Test("a place has its card while the ad is on screen, and neither before nor after")
    func card() async throws {
        let ad = try await self.load()
        let place = CardPlace()
        var adEvents = AdEventWaiter(ad)
        #expect(place.card == nil)
        try await ad.show(on: place)
        #expect(place.card == ad.card && place.card?.headline == "A fern with an opinion")
        #expect(ad.isShowing)
        ad.close()
        #expect(await adEvents.waitFor("closed"))
        let isFree = await Self.becomesTrue { place.card == nil }
        #expect(isFree)
    }

    @Test("the impression is recorded once, when the app reports a visible ratio above 0")
    func view() async throws {
        let ad = try await self.load()
        let place = CardPlace()
        var adEvents = AdEventWaiter(ad)
        try await ad.show(on: place)
        place.setVisibleRatio(0)
        #expect(await self.fixture.deliveredHits(at: "/api/events").isEmpty)
        for ratio in [0.1, 0, 1, 0.5] { place.setVisibleRatio(ratio) }
        #expect(await adEvents.waitFor("view"))
        #expect(await self.fixture.deliveredHits(at: "/api/events").count == 1)
        ad.destroy()
    }

    @Test("remove() ends the ad, and later reports change nothing")
    func removed() async throws {
        let ad = try await self.load()
        var (place, adEvents) = try await self.fixture.show(ad)
        place.remove()
        #expect(await adEvents.waitFor("closed"))
        place.recordClick()
        place.setVisibleRatio(1)
        place.remove()
        #expect(await self.fixture.deliveredHits(at: "/api/events").count == 1)
        #expect(!ad.isShowing && self.fixture.sandbox.bill().clicks == 0)
    }

    @Test("a place with a card refuses another one, and accepts one after the first has ended")
    func occupied() async throws {
        let (first, second, third) = (try await self.load("a"), try await self.load("b"), try await self.load("c"))
        var (place, adEvents) = try await self.fixture.show(first)
        let error = await failure { () async throws(AdError) in try await second.show(on: place) }
        #expect(error?.code == .stageFailed && error?.message.contains("a CardPlace per card") == true)
        #expect(place.card == first.card && first.isShowing, "the first ad is not affected")
        place.remove()
        #expect(await adEvents.waitFor("closed"))
        let isFree = await Self.becomesTrue { place.card == nil }
        #expect(isFree)
        try await third.show(on: place)
        #expect(third.isShowing && place.card == third.card)
        third.destroy()
    }

    @Test("a place refuses creatives that are not cards")
    func banner() async throws {
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let loader = AdLoader.yabbi(try self.fixture.url("/yabbi/load"), app: app, services: self.fixture.services)
        let ad = try await loader.load(.banner(unit: "banner"))
        let place = CardPlace()
        let error = await failure { () async throws(AdError) in try await ad.show(on: place) }
        #expect(error?.code == .stageFailed && error?.message.contains("shows cards only") == true)
        #expect(place.card == nil)
    }

    @Test("reports to an empty place change nothing")
    func idle() async throws {
        let place = CardPlace()
        place.setVisibleRatio(1)
        place.recordClick()
        place.remove()
        #expect(place.card == nil)
        #expect(await place.container(for: .card).screen == Size(width: 390, height: 844))
    }

    /// Waits until a condition is true; stages run in tasks of their own.
    private static func becomesTrue(_ condition: () -> Bool) async -> Bool {
        let start = ContinuousClock.now
        while !condition(), ContinuousClock.now - start < .seconds(10) { await Task.yield() }
        return condition()
    }
}
