import AdCore
import AdProviders
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("A place where the app draws a card by itself")
struct CardPlaceTests {
    private let world: CardWorld
    private let loader: AdLoader<CeedAdsPlacement>

    init() throws {
        self.world = try CardWorld()
        let app = CeedAdsApp(appID: Sandbox.TestKeys.ceedAdsAppID)
        let provider = CeedAdsProvider(app: app, base: self.world.sandbox.baseURL)
        self.loader = AdLoader(provider, services: self.world.services)
    }

    private func load(_ conversation: String = "c") async throws(AdError) -> Ad {
        try await self.loader.load(
            CeedAdsPlacement(conversationID: conversation, messageID: "m", contextText: "fern")
        )
    }

    @Test("it is told what to draw while the ad is on screen, and neither before nor after")
    func card() async throws {
        let ad = try await self.load()
        let place = CardPlace()
        var ear = AdEar(ad)
        #expect(place.card == nil)
        try await ad.show(on: place)
        #expect(place.card == ad.card && place.card?.headline == "A fern with an opinion")
        #expect(ad.isShowing)
        ad.close()
        #expect(await ear.hears("closed"))
        let isFree = await Self.comesTrue { place.card == nil }
        #expect(isFree)
    }

    @Test("nobody has seen a card until the app says that some of it is on screen, and then it counts once")
    func view() async throws {
        let ad = try await self.load()
        let place = CardPlace()
        var ear = AdEar(ad)
        try await ad.show(on: place)
        place.setVisibleRatio(0)
        #expect(await self.world.arrived(at: "/api/events").isEmpty)
        for ratio in [0.1, 0, 1, 0.5] { place.setVisibleRatio(ratio) }
        #expect(await ear.hears("view"))
        #expect(await self.world.arrived(at: "/api/events").count == 1)
        ad.destroy()
    }

    @Test("the app's taking it away ends the ad, and what is reported after that changes nothing")
    func removed() async throws {
        let ad = try await self.load()
        let (place, before) = try await self.world.show(ad)
        var ear = before
        place.remove()
        #expect(await ear.hears("closed"))
        place.recordClick()
        place.setVisibleRatio(1)
        place.remove()
        #expect(await self.world.arrived(at: "/api/events").count == 1)
        #expect(!ad.isShowing && self.world.sandbox.bill().clicks == 0)
    }

    @Test("a place that shows a card takes no other, and is free again behind it")
    func occupied() async throws {
        let (first, second, third) = (try await self.load("a"), try await self.load("b"), try await self.load("c"))
        let (place, before) = try await self.world.show(first)
        var ear = before
        let error = await failure { () async throws(AdError) in try await second.show(on: place) }
        #expect(error?.code == .stageFailed && error?.message.contains("a CardPlace per card") == true)
        #expect(place.card == first.card && first.isShowing, "the first one does not notice")
        place.remove()
        #expect(await ear.hears("closed"))
        let isFree = await Self.comesTrue { place.card == nil }
        #expect(isFree)
        try await third.show(on: place)
        #expect(third.isShowing && place.card == third.card)
        third.destroy()
    }

    @Test("what is no card can't be drawn there")
    func banner() async throws {
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let loader = AdLoader.yabbi(try self.world.url("/yabbi/load"), app: app, services: self.world.services)
        let ad = try await loader.load(.banner(unit: "banner"))
        let place = CardPlace()
        let error = await failure { () async throws(AdError) in try await ad.show(on: place) }
        #expect(error?.code == .stageFailed && error?.message.contains("shows cards only") == true)
        #expect(place.card == nil)
    }

    @Test("reports to a place that shows nothing are nobody's")
    func idle() async throws {
        let place = CardPlace()
        place.setVisibleRatio(1)
        place.recordClick()
        place.remove()
        #expect(place.card == nil)
        #expect(await place.container(for: .card).screen == Size(width: 390, height: 844))
    }

    /// Whether something comes true soon: stages are told on tasks of their own.
    private static func comesTrue(_ condition: () -> Bool) async -> Bool {
        let start = ContinuousClock.now
        while !condition(), ContinuousClock.now - start < .seconds(10) { await Task.yield() }
        return condition()
    }
}
