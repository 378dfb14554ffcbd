import AdCore
import AdProviders
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Auctions of loaders", .timeLimit(.minutes(5)))
struct AuctionTests {
    /// A bid response; the notices go to `t.example`, by the bidder's name.
    private static func bid(_ name: String, _ price: String, currency: String = "USD") -> ScriptedTransport.Outcome {
        .json(
            #"""
            {"id": "r", "cur": "\#(currency)", "seatbid": [{"seat": "\#(name)", "bid": [{
            "id": "b", "impid": "1", "price": \#(price), "mtype": 1, "adm": "<a href='https://shop.example/'>Buy</a>",
            "nurl": "http://t.example/\#(name)/win?p=${AUCTION_PRICE}",
            "lurl": "http://t.example/\#(name)/loss?r=${AUCTION_LOSS}",
            "burl": "http://t.example/\#(name)/bill?p=${AUCTION_PRICE}"}]}]}
            """#
        )
    }

    /// A world in which each bidder, by its host, answers in its way.
    private static func world(_ answers: [String: ScriptedTransport.Outcome]) -> World {
        World { request in answers[request.url.host] ?? .status(200) }
    }

    private static func bidder(_ name: String, in world: World) -> AdAuction.Participant {
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let provider = YabbiRTBProvider(endpoint: url("http://\(name).example/bid"), app: app)
        return .bidder(AdLoader(provider, services: world.services), .interstitial(unit: "u"), name: name)
    }

    private static func load(_ names: String..., floor: AdPrice? = nil, in world: World) async throws -> Ad {
        let auctions = AdLoader<AdAuction>.auction(services: world.services)
        return try await auctions.load(AdAuction(names.map { self.bidder($0, in: world) }, floor: floor))
    }

    private static func bids(in world: World) -> [String] {
        world.observer.records.compactMap { record in
            if case .bid(let bid) = record.event { "\(bid.participant) \(bid.outcome.rawValue)" } else { nil }
        }
    }

    @Test("the highest bid wins when it is on screen; each bidder is told once, and the impression is billed once")
    func life() async throws {
        let world = Self.world(["a": Self.bid("a", "1.5"), "b": Self.bid("b", "2.5")].hosts)
        let ad = try await Self.load("a", "b", in: world)
        await world.clock.settle()
        #expect(world.beacons == [], "nothing is won before the ad is on screen")
        #expect(Self.bids(in: world) == ["b won", "a lost"])
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        #expect(world.beacons.sorted() == ["/a/loss?r=102", "/b/bill?p=2.5", "/b/win?p=2.5"])
        ad.close()
        ad.destroy()
        await world.clock.settle()
        #expect(world.beacons.count == 3)
        let paid = world.observer.records.compactMap { if case .paid(let revenue) = $0.event { revenue } else { nil } }
        #expect(paid == [AdRevenue(amount: 0.0025, currency: .usd, precision: .exact)])
        #expect(world.clock.alarms == 0)
    }

    @Test("an ad that is never shown has no winner: both bidders are told that their time is over")
    func abandoned() async throws {
        let world = Self.world(["a": Self.bid("a", "1.5"), "b": Self.bid("b", "2.5")].hosts)
        try await Self.load("a", "b", in: world).destroy()
        await world.clock.settle()
        #expect(world.beacons.sorted() == ["/a/loss?r=2", "/b/loss?r=2"])
        #expect(world.clock.alarms == 0)
    }

    @Test("if an offer can't be shown, the next one is shown and wins in the same show")
    func successor() async throws {
        let world = Self.world(["a": Self.bid("a", "1.5"), "b": Self.bid("b", "2.5")].hosts)
        let ad = try await Self.load("a", "b", in: world)
        try await ad.show(on: FirstFailingPresenter())
        await world.clock.settle()
        #expect(world.beacons.sorted() == ["/a/bill?p=1.5", "/a/win?p=1.5", "/b/loss?r=1"])
        #expect(Self.bids(in: world) == ["b won", "a lost", "a won"])
        #expect(world.observer.names.filter { $0 == "offerFailed" || $0 == "shown" } == ["offerFailed", "shown"])
        ad.close()
        await world.clock.settle()
    }

    @Test("a bidder that does not answer costs the time for bids, and its late bid is told that it came too late")
    func late() async throws {
        let world = Self.world(
            ["a": Self.bid("a", "1.5"), "b": .after(.seconds(3), Self.bid("b", "9")), "c": .silence].hosts
        )
        let loading = Task { try await Self.load("a", "b", "c", in: world) }
        await world.transport.waitForRequests(3)
        await world.clock.advance(by: .milliseconds(1_999))
        #expect(Self.bids(in: world).isEmpty)
        await world.clock.advance(by: .milliseconds(1))
        let ad = try await loading.value
        #expect(Self.bids(in: world) == ["a won", "b timeout", "c timeout"])
        await world.clock.advance(by: .seconds(2))
        ad.destroy()
        await world.clock.settle()
        #expect(world.beacons.filter { $0.hasPrefix("/a") } == ["/a/loss?r=2"])
        #expect(world.clock.alarms == 0)
    }

    @Test(
        "a bid that can't be compared takes no part",
        arguments: [("-1", "invalid"), ("1e308", "invalid"), ("\"x\"", "invalid"), ("0.5", "belowFloor")]
    )
    func prices(price: String, outcome: String) async throws {
        let world = Self.world(["a": Self.bid("a", "1.5"), "b": Self.bid("b", price)].hosts)
        let ad = try await Self.load("a", "b", floor: AdPrice(1), in: world)
        let bids = Self.bids(in: world)
        #expect(bids.first == "a won" && bids.count == 2, "\(bids)")
        #expect(bids.last == "b \(outcome)" || bids.last == "b noBid", "\(bids)")
        ad.destroy()
        await world.clock.settle()
    }

    @Test("a cancelled load leaves no request, and tells the bids that came")
    func cancelled() async throws {
        let world = Self.world(["a": Self.bid("a", "1.5"), "b": .silence].hosts)
        let loading = Task { try await Self.load("a", "b", in: world) }
        await world.transport.waitForRequests(2)
        await world.clock.settle()
        loading.cancel()
        await #expect(throws: AdError.self) { try await loading.value }
        await world.clock.settle()
        #expect(world.beacons == ["/a/loss?r=2"])
        #expect(world.clock.alarms == 0 && world.transport.cancellations == 1)
    }
}

extension [String: ScriptedTransport.Outcome] {
    /// The answers by host instead of name.
    fileprivate var hosts: Self { Self(uniqueKeysWithValues: self.map { ("\($0.key).example", $0.value) }) }
}

/// A presenter whose first stage can't be created.
private final class FirstFailingPresenter: Presenter {
    private let isFirst = Locked(true)
    private let base = RecordingPresenter()

    func container(for kind: ShowRules.Kind) async -> AdContainer { await self.base.container(for: kind) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        let fails = self.isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if fails { throw StageError("no stage, for the test") }
        return try await self.base.present(creative, options, report: report)
    }
}
