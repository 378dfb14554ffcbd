import AdCore
import AdProviders
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Auctions of loaders", .timeLimit(.minutes(5)))
struct AuctionTests {
    @Test("the highest bid wins when it is on screen; each bidder is told once, and the impression is billed once")
    func life() async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "1.5"), "b": Bidders.bid("b", "2.5")])
        let ad = try await Bidders.load("a", "b", in: world)
        await world.clock.settle()
        #expect(world.beacons == [], "nothing is won before the ad is on screen")
        #expect(Bidders.bids(in: world) == ["b won", "a lost"])
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
        let world = Bidders.world(["a": Bidders.bid("a", "1.5"), "b": Bidders.bid("b", "2.5")])
        try await Bidders.load("a", "b", in: world).destroy()
        await world.clock.settle()
        #expect(world.beacons.sorted() == ["/a/loss?r=2", "/b/loss?r=2"])
        #expect(world.clock.alarms == 0)
    }

    @Test("if an offer can't be shown, the next one is shown and wins in the same show")
    func successor() async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "1.5"), "b": Bidders.bid("b", "2.5")])
        let ad = try await Bidders.load("a", "b", in: world)
        try await ad.show(on: FirstFailingPresenter())
        await world.clock.settle()
        #expect(world.beacons.sorted() == ["/a/bill?p=1.5", "/a/win?p=1.5", "/b/loss?r=1"])
        #expect(Bidders.bids(in: world) == ["b won", "a lost", "a won"])
        #expect(world.observer.names.filter { $0 == "offerFailed" || $0 == "shown" } == ["offerFailed", "shown"])
        ad.close()
        await world.clock.settle()
    }

    @Test("a bidder that does not respond costs the time for bids, and its request is cancelled")
    func late() async throws {
        let world = Bidders.world(
            ["a": Bidders.bid("a", "1.5"), "b": .after(.seconds(3), Bidders.bid("b", "9")), "c": .silence]
        )
        let loading = Task { try await Bidders.load("a", "b", "c", in: world) }
        await world.transport.waitForRequests(3)
        await world.clock.advance(by: .milliseconds(1_999))
        #expect(Bidders.bids(in: world).isEmpty)
        await world.clock.advance(by: .milliseconds(1))
        let ad = try await loading.value
        #expect(Bidders.bids(in: world) == ["a won", "b timeout", "c timeout"])
        await world.clock.advance(by: .seconds(2))
        ad.destroy()
        await world.clock.settle()
        #expect(world.beacons == ["/a/loss?r=2"], "a request that nobody waits for is cancelled: its bid never comes")
        #expect(world.clock.alarms == 0)
    }

    @Test(
        "a bid that can't be compared takes no part",
        arguments: [
            ("-1", "invalid", "3"), ("1e308", "invalid", "3"), ("\"x\"", "invalid", "3"), ("0.5", "belowFloor", "100"),
        ]
    )
    func prices(price: String, outcome: String, reason: String) async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "1.5"), "b": Bidders.bid("b", price)])
        let ad = try await Bidders.load("a", "b", floor: AdPrice(1), in: world)
        #expect(Bidders.bids(in: world) == ["a won", "b \(outcome)"])
        await world.clock.settle()
        #expect(world.beacons == ["/b/loss?r=\(reason)"])
        ad.destroy()
        await world.clock.settle()
    }

    @Test("a cancelled load leaves no request, and tells the bids that came")
    func cancelled() async throws {
        let world = Bidders.world(["a": Bidders.bid("a", "1.5"), "b": .silence])
        let loading = Task { try await Bidders.load("a", "b", in: world) }
        await world.transport.waitForRequests(2)
        await world.clock.settle()
        loading.cancel()
        await #expect(throws: AdError.self) { try await loading.value }
        await world.clock.settle()
        #expect(world.beacons == ["/a/loss?r=2"])
        #expect(world.clock.alarms == 0 && world.transport.cancellations == 1)
    }
}
