import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Outcomes that are written together with the next claim", .timeLimit(.minutes(5)))
struct ClaimedOutcomeTests {
    private static let start = WallTime(milliseconds: 0)

    /// Beacons of one server.
    private func beacons(_ count: Int) -> [Beacon] {
        (1...count).map { number in
            let call = BeaconCall(.get, TrackingURL(url("http://t.example/\(number)")))
            return Beacon(BeaconKey(ad: AdID("a\(number)"), event: .view), call, of: "test")
        }
    }

    /// A world whose network goes offline with the first response; then something else may happen, too.
    private func worldGoingOffline(_ ledger: TogetherLedger, then body: @escaping @Sendable () -> Void = {}) -> World {
        let signals = Locked<HostSignalSource?>(nil)
        let world = World(ledger: ledger) { _ in
            signals.withLock { $0 }?.post(.network(.offline))
            body()
            return .status(200)
        }
        signals.withLock { $0 = world.signals }
        return world
    }

    /// Records beacons, and delivers them.
    private func deliver(_ count: Int, in world: World) async {
        await world.services.beacons.recordAndDeliver(self.beacons(count))
        await world.clock.settle()
    }

    @Test("each outcome is written with the claim that follows it")
    func together() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        await world.clock.settle()
        await self.deliver(6, in: world)
        #expect(Set(world.beacons).count == 6 && world.beacons.count == 6)
        #expect(try await ledger.inner.stateNames() == Array(repeating: "delivered", count: 6))
        #expect(ledger.singleOutcomes.withLock { $0 } == 0)
        let groups = ledger.groups.withLock { $0 }
        #expect(!groups.isEmpty && groups.allSatisfy { $0.hasSuffix("and a claim") })
        #expect(world.observer.names.count { $0 == "beaconDelivered" } == 6)
        #expect(!world.services.beacons.hasClaims)
    }

    @Test("offline outcomes are written without a claim")
    func offline() async throws {
        let ledger = TogetherLedger()
        let world = self.worldGoingOffline(ledger)
        await world.clock.settle()
        await self.deliver(1, in: world)
        #expect(ledger.groups.withLock { $0 } == ["1 outcomes"])
        #expect(try await ledger.inner.stateNames() == ["delivered"])
        #expect(!world.services.beacons.hasClaims)
    }

    @Test("outcomes whose claim failed alone are not written again, and the next beacon is sent by another claim")
    func refused() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        await world.clock.settle()
        ledger.isClaimRefused.withLock { $0 = true }
        await self.deliver(3, in: world)
        #expect(Set(world.beacons).count == 3 && world.beacons.count == 3)
        #expect(try await ledger.inner.entries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
        #expect(ledger.singleOutcomes.withLock { $0 } == 0)
    }

    @Test("a ledger that can't do both, or has failed, is asked for each on its own")
    func apart() async throws {
        let outcome = SettledBeacon(ClaimedBeacon(self.beacons(1)[0], attempt: 1, recorded: Self.start), .delivered)
        #expect(await FallbackLedger(MemoryLedger()).settle([outcome], claiming: nil, at: Self.start) == nil)
        let ledger = TogetherLedger()
        let fallback = FallbackLedger(ledger)
        #expect(await fallback.settle([outcome], claiming: nil, at: Self.start) != nil)
        ledger.isFailing.withLock { $0 = true }
        _ = await fallback.record(self.beacons(1), at: Self.start)
        #expect(await fallback.settle([outcome], claiming: nil, at: Self.start) == nil)
        #expect(ledger.groups.withLock { $0.count } == 1)
    }

    @Test("an outcome that can't be written offline is written when the ledger works again")
    func failingOffline() async throws {
        let ledger = TogetherLedger()
        let world = self.worldGoingOffline(ledger) { ledger.isFailing.withLock { $0 = true } }
        await world.clock.settle()
        await self.deliver(1, in: world)
        #expect(try await ledger.inner.stateNames() == ["inFlight"])
        ledger.isFailing.withLock { $0 = false }
        await world.clock.advance(by: .seconds(2))
        #expect(try await ledger.inner.stateNames() == ["delivered"])
        #expect(world.observer.names.count { $0 == "beaconDelivered" } == 1)
        #expect(!world.services.beacons.hasClaims)
    }

    @Test("outcomes that can't be written are reported once, and written when the ledger works again")
    func failing() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger) { _ in
            ledger.isFailing.withLock { $0 = true }
            return .status(200)
        }
        await world.clock.settle()
        await self.deliver(1, in: world)
        #expect(try await ledger.inner.stateNames() == ["inFlight"])
        #expect(world.observer.names.count { $0 == "beaconDelivered" } == 1)
        ledger.isFailing.withLock { $0 = false }
        await world.clock.advance(by: .seconds(2))
        #expect(try await ledger.inner.stateNames() == ["delivered"])
        #expect(ledger.singleOutcomes.withLock { $0 } == 1)
        #expect(world.beacons == ["/1"])
        #expect(world.observer.names.count { $0 == "beaconDelivered" } == 1)
        #expect(!world.services.beacons.hasClaims)
    }
}
