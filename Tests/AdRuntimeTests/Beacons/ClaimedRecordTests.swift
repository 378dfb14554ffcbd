import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Beacons that are claimed when they are recorded", .timeLimit(.minutes(5)))
struct ClaimedRecordTests {
    private func viewed(_ world: World) async throws -> Ad {
        await world.clock.settle()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        return ad
    }

    private func beaconEvents(_ world: World) -> [String] {
        world.observer.names.filter { $0.hasPrefix("beacon") }
    }

    @Test("a view is claimed by the transaction that records it, and reported as recorded before it is sent")
    func together() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        let ad = try await self.viewed(world)
        #expect(ledger.records.withLock { $0 } == 1)
        #expect(world.beacons == ["/view"])
        #expect(self.beaconEvents(world) == ["beaconRecorded", "beaconDelivered"])
        #expect(try await ledger.inner.entries().map(\.attempts) == [1])
        #expect(!world.services.beacons.hasClaims)
        ad.destroy()
    }

    @Test("offline a view is recorded without a claim, and sent when the network is back")
    func offline() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        world.signals.post(.network(.offline))
        let ad = try await self.viewed(world)
        #expect(ledger.records.withLock { $0 } == 0)
        #expect(try await ledger.inner.stateNames() == ["recorded"])
        world.signals.post(.network(.wifi))
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
        ad.destroy()
    }

    @Test("a view that can't be recorded with its claim is sent from memory, once, and the ledger is left alone")
    func failing() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        await world.clock.settle()
        ledger.isFailing.withLock { $0 = true }
        let ad = try await self.viewed(world)
        #expect(world.beacons == ["/view"], "at once")
        #expect(ledger.refusals.withLock { $0 } == 1)
        let claims = ledger.claims.withLock { $0 }
        await world.clock.advance(by: .milliseconds(900))
        #expect(ledger.claims.withLock { $0 } == claims, "a failing ledger is left alone for a second")
        await world.clock.advance(by: .seconds(600))
        #expect(ledger.claims.withLock { $0 } > claims)
        #expect(world.beacons == ["/view"])
        #expect(self.beaconEvents(world) == ["beaconRecorded", "beaconDelivered"])
        #expect(!world.services.beacons.hasClaims)
        ad.destroy()
    }

    @Test("a record whose claim failed alone is sent by another claim")
    func unclaimed() async throws {
        let ledger = TogetherLedger()
        ledger.isClaimRefused.withLock { $0 = true }
        let world = World(ledger: ledger)
        let ad = try await self.viewed(world)
        #expect(ledger.records.withLock { $0 } == 1)
        #expect(self.beaconEvents(world) == ["beaconRecorded", "beaconDelivered"])
        #expect(!world.services.beacons.hasClaims)
        ad.destroy()
    }

    /// Starts to record a beacon of `/1`; the ledger answers when the second value is set.
    private func startRecord(in world: World, _ ledger: TogetherLedger) async -> (Task<Void, Never>, OneShot<Void>) {
        await world.clock.settle()
        let isAnswered = OneShot<Void>()
        ledger.answer.withLock { $0 = isAnswered }
        let call = BeaconCall(.get, TrackingURL(url("http://t.example/1")))
        let beacon = Beacon(BeaconKey(ad: AdID("a"), event: .view), call, of: "test")
        let recording = Task { _ = await world.services.beacons.recordAndDeliver([beacon]) }
        while ledger.records.withLock({ $0 }) == 0 { await Task.yield() }
        return (recording, isAnswered)
    }

    @Test("the end of sending waits for a record's claim under way, and sends what it claimed")
    func stopped() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        let beacons = world.services.beacons
        let (recording, isAnswered) = await self.startRecord(in: world, ledger)
        let isStopped = Locked(false)
        let stopping = Task {
            await beacons.stopSending(within: .seconds(30))
            isStopped.withLock { $0 = true }
        }
        while beacons.waiterCount == 0 { await Task.yield() }
        #expect(!isStopped.withLock { $0 } && world.beacons.isEmpty)
        isAnswered.set(())
        await stopping.value
        await recording.value
        #expect(world.beacons == ["/1"])
        #expect(try await ledger.inner.stateNames() == ["delivered"])
        #expect(!beacons.hasClaims)
    }

    @Test("a flush waits for a record under way, and sends what that could not claim")
    func flushed() async throws {
        let ledger = TogetherLedger()
        ledger.isClaimRefused.withLock { $0 = true }
        let world = World(ledger: ledger)
        let beacons = world.services.beacons
        let (recording, isAnswered) = await self.startRecord(in: world, ledger)
        let flushing = Task { try await beacons.flush(within: .seconds(30)) }
        while beacons.waiterCount == 0 { await Task.yield() }
        isAnswered.set(())
        try await flushing.value
        // Had it not waited for the record, it would have ended the sending, and nothing would have claimed this.
        #expect(world.beacons == ["/1"])
        #expect(try await ledger.inner.entries().map(\.attempts) == [1])
        await recording.value
        #expect(!beacons.hasClaims)
    }

    @Test("beacons that are recorded during a claim are sent after it")
    func during() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        await world.clock.settle()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let url = TrackingURL(url("http://t.example/\(number)"))
                    let key = BeaconKey(ad: AdID("a\(number)"), event: .view)
                    await world.services.beacons.recordAndDeliver([Beacon(key, BeaconCall(.get, url), of: "test")])
                }
            }
        }
        await world.clock.settle()
        #expect(Set(world.beacons).count == 20 && world.beacons.count == 20)
        #expect(try await ledger.inner.entries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
    }
}

/// A ledger in memory that claims when it records.
final class TogetherLedger: ClaimingLedger {
    let inner = MemoryLedger()
    /// How many records came with a claim.
    let records = Locked(0)
    /// How many records failed, and how many claims came without a record.
    let refusals = Locked(0)
    let claims = Locked(0)
    let isFailing = Locked(false)
    /// What a record with its claim waits for; nil for nothing.
    let answer = Locked<OneShot<Void>?>(nil)
    /// Whether a record, or a group of outcomes, leaves out its claim.
    let isClaimRefused = Locked(false)
    /// The groups of outcomes that were written, and how many outcomes were written alone.
    let groups = Locked<[String]>([])
    let singleOutcomes = Locked(0)

    func record(
        _ beacons: [Beacon],
        claiming request: ClaimRequest,
        at now: WallTime
    ) async throws(LedgerError) -> (RecordResult, BeaconClaim?) {
        try self.check()
        self.records.withLock { $0 += 1 }
        let result = try await self.inner.record(beacons, at: now)
        if let answer = self.answer.withLock({ $0 }) { await answer.value }
        if self.isClaimRefused.withLock({ $0 }) { return (result, nil) }
        return (result, try await self.inner.claim(request))
    }

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        try self.check()
        return try await self.inner.record(beacons, at: now)
    }

    func claim(_ request: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        self.claims.withLock { $0 += 1 }
        return try await self.inner.claim(request)
    }

    private func check() throws(LedgerError) {
        guard self.isFailing.withLock({ $0 }) else { return }
        self.refusals.withLock { $0 += 1 }
        throw LedgerError("the disk fails")
    }

    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError) {
        self.singleOutcomes.withLock { $0 += 1 }
        try await self.inner.settle(claimed, as: outcome, at: now)
    }

    func settle(
        _ outcomes: [SettledBeacon],
        claiming request: ClaimRequest?,
        at now: WallTime
    ) async throws(LedgerError) -> BeaconClaim? {
        try self.check()
        self.groups.withLock { $0.append("\(outcomes.count) outcomes" + (request == nil ? "" : " and a claim")) }
        for one in outcomes { try await self.inner.settle(one.claimed, as: one.outcome, at: now) }
        guard let request, !self.isClaimRefused.withLock({ $0 }) else { return nil }
        return try await self.inner.claim(request)
    }

    func nextDue() async throws(LedgerError) -> WallTime? { try await self.inner.nextDue() }
    func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int { try await self.inner.makeAllDue(at: now) }
    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        try await self.inner.entries(after: number, limit: limit)
    }
}

extension MemoryLedger {
    /// The names of its entries' states, in order.
    func stateNames() async throws(LedgerError) -> [String] {
        try await self.entries(after: .min, limit: 100).map(\.state.name)
    }
}
