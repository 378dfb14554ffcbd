import AdCore
import AdRuntime
import CurlTransport
import SandboxSSP
import SystemSupport
import Testing
import YabbiAds
import YabbiTesting

/// The ads of a game.
struct GameAds {
    /// The user's consent: nothing personal is sent before the first answer.
    let consent: ConsentSource
    /// The banner, which is sold by auction.
    let banner: BannerSlot
    /// Interstitials that are ready when a level ends.
    let interstitials: AdPool
    private let videos: AdLoader<YabbiPlacement>
    private let server: String

    /// What requests contain: the identifier only if the consent allows it.
    static func context(_ consent: ConsentSource, identifier: String) -> ContextSource {
        ContextSource(known: AdContext(ifa: identifier, userAgent: "Game/1.0"), consent: consent)
    }

    /// Creates the ads; `services` are created with `context(consent, identifier:)`.
    init(server: String, consent: ConsentSource, services: AdServices, bannerPlace: any Presenter) throws {
        let app = YabbiApp(publisherID: "publisher", bundle: "com.example.game", name: "Game")
        let yabbi = AdLoader.yabbi(try HTTPURL(parsing: server + "/yabbi/load"), app: app, services: services)
        let bidders = try ["high", "fair"].map { name in
            let endpoint = try HTTPURL(parsing: "\(server)/openrtb2/bidders/\(name)")
            let exchange = AdLoader.openRTB(endpoint, app: app, services: services)
            return AdAuction.Participant.bidder(exchange, .banner(unit: "top"), name: name)
        }
        let direct = AdAuction.Participant.priced(yabbi, .banner(unit: "house"), at: AdPrice(1.2), name: "direct")
        let auction = AdAuction(bidders + [direct], floor: AdPrice(0.5))
        self.consent = consent
        self.banner = BannerSlot(
            .auction(services: services),
            auction,
            on: bannerPlace,
            refreshInterval: .seconds(30)
        )
        self.interstitials = AdPool(yabbi, for: .interstitial(unit: "pause"), size: 1)
        self.videos = yabbi
        self.server = server
    }

    /// Shows the interstitial, if one is ready.
    func levelEnded(on screen: any Presenter) async throws {
        try await self.interstitials.next()?.show(on: screen)
    }

    /// Shows a video, and returns what the user has earned when it is closed.
    func earnCoins(for user: String, on screen: any Presenter) async throws -> AdReward? {
        var coins = AdReward(10, of: "coins")
        coins.verificationURL = self.server + "/reward?transaction=${TRANSACTION_ID}&user=${USER_ID}"
        let ad = try await self.videos.load(.rewarded(unit: "coins", reward: coins))
        ad.setRewardVerification(userID: user)
        let events = ad.events
        try await ad.show(on: screen)
        var earned: AdReward?
        for await case .rewarded(let reward) in events { earned = reward }
        return earned
    }
}

@Suite("A whole app", .timeLimit(.minutes(1)))
struct WholeAppTests {
    private static let identifier = "6D92078A-8246-4BA4-AE5B-76104861E7DC"

    /// The app, the built-in server, and time that the test moves.
    private struct World {
        let clock = ManualClock()
        let signals = HostSignalSource()
        let observer = RecordingObserver()
        let consent = ConsentSource()
        let place = MultiStagePresenter()
        let screen = RecordingPresenter()
        let sandbox: Sandbox
        let services: AdServices
        let ads: GameAds

        init() throws {
            var configuration = Sandbox.Configuration()
            let video = """
                <VAST version="3.0"><Ad><InLine><AdSystem>S</AdSystem><AdTitle>T</AdTitle>
                <Impression>${SANDBOX}/t/vast/impression?unit=coins</Impression><Creatives><Creative><Linear>
                <Duration>00:00:08</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640"
                height="360">${SANDBOX}/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
                """
            configuration.catalogue = try CreativeCatalogue([
                CreativeEntry(name: "house", markup: "<p>House</p>"),
                CreativeEntry(name: "pause", format: .interstitial, markup: "<p>Pause</p>"),
                CreativeEntry(name: "coins", kind: .rewarded, format: .rewarded, markup: video),
            ])
            self.sandbox = try Sandbox.start(configuration)
            self.services = AdServices(
                transport: try CurlTransport(),
                opener: NoOpener(),
                signals: self.signals,
                context: GameAds.context(self.consent, identifier: WholeAppTests.identifier),
                clock: self.clock,
                observer: self.observer
            )
            let base = "http://127.0.0.1:\(self.sandbox.port)"
            self.ads = try GameAds(
                server: base,
                consent: self.consent,
                services: self.services,
                bannerPlace: self.place
            )
        }

        func events(_ name: String) -> Int { self.observer.records.count { $0.event.name == name } }

        /// The ad requests of a placement that contain the identifier, as true and false in their order.
        func identified(_ path: String) -> [Bool] {
            self.sandbox.requests().filter { $0.path == path }.map {
                String(decoding: $0.body, as: UTF8.self).contains(WholeAppTests.identifier)
            }
        }
    }

    @Test("two bidders, a direct placement, a banner, an interstitial, a reward and changing consent reconcile")
    func everything() async throws {
        let world = try World()
        defer { world.sandbox.stop() }
        world.consent.post(AdContext.Consent(usPrivacy: "1YNN"))
        world.ads.banner.start()
        await world.clock.settle()
        // Three banners, of which the second is hidden for ten minutes.
        await world.clock.advance(by: .seconds(30))
        world.ads.banner.setVisible(0)
        await world.clock.advance(by: .seconds(600))
        world.ads.banner.setVisible(1)
        await world.clock.advance(by: .seconds(30))
        #expect(world.place.presentCount == 3)

        try await world.ads.levelEnded(on: world.screen)
        await world.clock.settle()
        world.screen.report(.closeRequested(by: .user))
        await world.clock.settle()

        let first = try await self.coins(in: world)
        #expect(first?.amount == 10 && first?.type == "coins" && first?.transactionID != nil)
        #expect(world.identified("/yabbi/load").contains(true))

        // The user opts out: what was loaded with the identifier is dropped.
        let before = world.identified("/yabbi/load").count
        world.consent.post(AdContext.Consent(usPrivacy: "1YYN"))
        await world.clock.settle()
        #expect(world.identified("/yabbi/load").dropFirst(before) == [false], "the interstitial is requested again")
        try await world.ads.levelEnded(on: world.screen)
        await world.clock.settle()
        #expect(try await self.coins(in: world)?.amount == 10)

        world.ads.banner.close()
        world.ads.interstitials.stop()
        await world.clock.settle()
        await world.services.beacons.waitUntilDelivered(within: .seconds(10))
        let rewards = world.sandbox.hits().filter { $0.path == "/reward" }.map(\.query)
        #expect(rewards.map { $0.hasSuffix("user=player-1") } == [true, false], "\(rewards)")
        try await self.reconcile(world)
    }

    /// Watches a video to its end.
    private func coins(in world: World) async throws -> AdReward? {
        let shown = world.events("shown")
        world.clock.workStarted()
        let watching = Task {
            defer { world.clock.workEnded() }
            return try await world.ads.earnCoins(for: "player-1", on: world.screen)
        }
        while world.events("shown") == shown { await Task.yield() }
        world.screen.report(.video(.started(duration: .seconds(8))))
        world.screen.report(.video(.completed))
        world.screen.report(.closeRequested(by: .user))
        return try await watching.value
    }

    /// Every beacon of the ledger is billed once by the server, which has no others.
    private func reconcile(_ world: World) async throws {
        let bill = world.sandbox.bill()
        let entries = try await world.services.beacons.entries()
        #expect(entries.allSatisfy { $0.standing.name == "delivered" })
        #expect(Set(bill.lines.compactMap(\.key)) == Set(entries.map(\.beacon.key.text)))
        #expect(bill.repeats == 0 && bill.refused == 0 && bill.unkeyed == 0)
        let shown = world.events("shown")
        #expect(shown == 7 && world.events("view") == 7)
        // A video has an impression besides its view.
        #expect(bill.views == 7 + 2)
        #expect(bill.wins == 3 && bill.losses == 3, "of each banner one bidder won and the other lost")
        #expect(bill.rewards == 2 && world.events("rewarded") == 2)
        #expect(world.events("paid") == 3)
    }
}
