import AdCore
import AdRuntime
import SystemLock
import Testing
import YabbiTesting

@Suite("Beacons on their way")
struct BeaconDispatcherTests {
    private func viewed(_ world: World) async throws -> Ad {
        let ad = try await world.loader.load(.sample(closeTimeout: .zero))
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        return ad
    }

    private static func tracker(_ answers: [ScriptedTransport.Answer])
        -> @Sendable (HTTPRequest) -> ScriptedTransport.Answer
    {
        let rest = Locked(answers)
        return { request in
            guard request.url.host == "t.example" else { return .status(200) }
            return rest.withLock { $0.isEmpty ? .status(200) : $0.removeFirst() }
        }
    }

    @Test("a beacon that was surely not sent is sent again until it arrives, and then no more")
    func retried() async throws {
        let refused = ScriptedTransport.Answer.failure(TransportError(.notSent(.refused), "refused"))
        let world = World(Self.tracker([refused, .status(503), .status(200)]))
        let ad = try await self.viewed(world)
        await world.clock.advance(by: .seconds(60))
        #expect(world.beacons == ["/view", "/view", "/view"])
        let entries = try await world.services.beacons.entries()
        #expect(entries.map(\.state) == [.delivered])
        #expect(entries.map(\.attempts) == [3])
        ad.destroy()
    }

    @Test("a beacon in doubt is never sent again and stays listed")
    func ambiguous() async throws {
        let world = World(Self.tracker([.failure(TransportError(.ambiguous(.connectionLost), "no answer came"))]))
        let ad = try await self.viewed(world)
        await world.clock.advance(by: .seconds(100_000))
        #expect(world.beacons == ["/view"])
        #expect(try await world.services.beacons.entries().map(\.state) == [.unconfirmed(reason: "no answer came")])
        #expect(world.observer.names.contains("beaconUnconfirmed"))
        ad.destroy()
    }

    @Test("a refusal for good kills the beacon and keeps the reason")
    func dead() async throws {
        let world = World(Self.tracker([.status(410)]))
        let ad = try await self.viewed(world)
        await world.clock.advance(by: .seconds(100_000))
        #expect(world.beacons == ["/view"])
        #expect(try await world.services.beacons.entries().map(\.state) == [.dead(reason: "status 410")])
        ad.destroy()
    }

    @Test("a click's link waits for its record, and no longer than a tenth of a second")
    func slowLedger() async throws {
        let ledger = SilentLedger()
        let world = World(ledger: ledger)
        let presenter = RecordingPresenter()
        let ad = try await world.loader.load(.sample(closeTimeout: .zero))
        try await ad.show(on: presenter)
        ledger.clock.withLock { $0 = world.clock }
        presenter.report(.click(landing, byUser: true))
        await world.clock.advance(by: .milliseconds(99))
        #expect(world.opener.opened.isEmpty)
        await world.clock.advance(by: .milliseconds(1))
        #expect(world.opener.opened == [landing])
        ad.destroy()
    }

    @Test("a ledger that can't write costs durability, not the beacon, and says so")
    func brokenLedger() async throws {
        let world = World(ledger: BrokenLedger())
        let ad = try await self.viewed(world)
        #expect(world.beacons == ["/view"])
        let issues = world.observer.records.compactMap { record -> String? in
            guard case .issue(let issue) = record.event else { return nil }
            return issue.code
        }
        #expect(issues == ["ledger.failed"])
        ad.destroy()
    }

    @Test("destroy does not stop a beacon that was recorded")
    func afterDestroy() async throws {
        let world = World(Self.tracker([.after(.seconds(2), .status(503)), .status(200)]))
        let ad = try await self.viewed(world)
        ad.destroy()
        await world.clock.advance(by: .seconds(10))
        #expect(world.beacons == ["/view", "/view"])
        #expect(try await world.services.beacons.entries().map(\.state) == [.delivered])
    }

    @Test("settle waits for what is on its way, and not beyond its patience")
    func settling() async throws {
        let world = World(Self.tracker([.after(.seconds(5), .status(200))]))
        let ad = try await self.viewed(world)
        ad.destroy()
        let waiting = Task { await world.services.beacons.settle(within: .seconds(30)) }
        await world.clock.advance(by: .seconds(6))
        await waiting.value
        #expect(world.clock.now < Moment(.seconds(7)))
    }
}

@Suite("The ledger in memory")
struct MemoryLedgerTests {
    private func beacon(_ name: String, host: String = "a.example") -> Beacon {
        let call = BeaconCall(.get, TrackingURL(url("http://\(host)/\(name)")))
        return Beacon(BeaconKey(ad: AdID("ad"), event: BeaconEvent(name)), call)
    }
    private let now = WallTime(milliseconds: 0)

    @Test("a key is taken once, for ever")
    func once() async throws {
        let ledger = MemoryLedger()
        #expect(try await ledger.record([self.beacon("view"), self.beacon("view")], at: self.now).count == 1)
        #expect(try await ledger.record([self.beacon("view")], at: self.now).isEmpty)
        let claimed = try await ledger.claim(9, at: self.now, lease: .seconds(60))
        try await ledger.settle(claimed[0].beacon.key, as: .delivered, at: self.now)
        #expect(try await ledger.record([self.beacon("view")], at: self.now).isEmpty)
        #expect(try await ledger.claim(9, at: self.now, lease: .seconds(60)).isEmpty)
    }

    @Test("hosts take turns: a hundred beacons of one host do not hold up another's")
    func fair() async throws {
        let ledger = MemoryLedger()
        for number in 0..<100 { _ = try await ledger.record([self.beacon("a\(number)")], at: self.now) }
        _ = try await ledger.record([self.beacon("b", host: "b.example")], at: self.now)
        let claimed = try await ledger.claim(2, at: self.now, lease: .seconds(60))
        #expect(Set(claimed.map(\.beacon.call.url.http.host)) == ["a.example", "b.example"])
    }

    @Test("a retry waits for its time, and nextDue tells it")
    func due() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([self.beacon("view")], at: self.now)
        let claimed = try await ledger.claim(1, at: self.now, lease: .seconds(60))
        let later = WallTime(milliseconds: 5000)
        try await ledger.settle(claimed[0].beacon.key, as: .retry(at: later, reason: "busy"), at: self.now)
        #expect(try await ledger.nextDue() == later)
        #expect(try await ledger.claim(1, at: WallTime(milliseconds: 4999), lease: .seconds(60)).isEmpty)
        #expect(try await ledger.claim(1, at: later, lease: .seconds(60)).first?.attempt == 2)
    }

    @Test("what was delivered long ago is forgotten, what was not stays listed")
    func pruning() async throws {
        let ledger = MemoryLedger(mostSettled: 10)
        for number in 0..<100 {
            _ = try await ledger.record([self.beacon("v\(number)")], at: self.now)
            let claimed = try await ledger.claim(1, at: self.now, lease: .seconds(60))
            let outcome: Delivery = number < 5 ? .unconfirmed(reason: "doubt") : .delivered
            try await ledger.settle(claimed[0].beacon.key, as: outcome, at: self.now)
        }
        let entries = try await ledger.entries()
        #expect(entries.count <= 16)
        #expect(entries.filter { $0.state.name == "unconfirmed" }.count == 5)
    }
}

/// Writes nothing down, and says so.
private struct BrokenLedger: BeaconLedger {
    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> [BeaconKey] {
        throw LedgerError("the disk is full")
    }
    func claim(_ limit: Int, at now: WallTime, lease: Duration) async throws(LedgerError) -> [ClaimedBeacon] {
        throw LedgerError("the disk is full")
    }
    func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {}
    func nextDue() async throws(LedgerError) -> WallTime? { nil }
    func entries() async throws(LedgerError) -> [LedgerEntry] { [] }
}

/// Takes for ever to write anything down, once it has a clock to wait by.
private final class SilentLedger: BeaconLedger {
    let clock = Locked<ManualClock?>(nil)
    private let inner = MemoryLedger()

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> [BeaconKey] {
        if let clock = self.clock.withLock({ $0 }) { await clock.rest(until: nil) }
        return try await self.inner.record(beacons, at: now)
    }
    func claim(_ limit: Int, at now: WallTime, lease: Duration) async throws(LedgerError) -> [ClaimedBeacon] {
        try await self.inner.claim(limit, at: now, lease: lease)
    }
    func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {
        try await self.inner.settle(key, as: outcome, at: now)
    }
    func nextDue() async throws(LedgerError) -> WallTime? { try await self.inner.nextDue() }
    func entries() async throws(LedgerError) -> [LedgerEntry] { try await self.inner.entries() }
}
