import AdCore
import SystemLock
import Testing
import YabbiTesting

@testable import AdRuntime

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

    @Test("a server that hangs holds up its own beacons only, and few at a time")
    func hangingHost() async throws {
        let world = World { request in request.url.host == "slow.example" ? .silence : .status(200) }
        await world.record((0..<100).map { .sample("s\($0)", at: "http://slow.example/\($0)") })
        await world.record([.sample("b", at: "http://t.example/view")])
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
        #expect(world.transport.requests.filter { $0.url.host == "slow.example" }.count == 2)
    }

    @Test("where many servers hang, nothing is asked again until one of them ends")
    func manyHang() async throws {
        let ledger = CountingLedger()
        let world = World(ledger: ledger) { _ in .after(.seconds(15), .status(200)) }
        let origins = BeaconDispatcher.mostInFlight / 2 + 4
        await world.record((0..<origins * 3).map { .sample("s\($0)", at: "http://h\($0 % origins).example/\($0)") })
        await world.clock.settle()
        #expect(world.transport.requests.count == BeaconDispatcher.mostInFlight)
        let asked = ledger.asked.withLock { $0 }
        await world.clock.advance(by: .seconds(14))
        #expect(ledger.asked.withLock { $0 } == asked)
        await world.clock.advance(by: .seconds(60))
        #expect(world.transport.requests.count == origins * 3)
    }

    @Test("whoever waits and finds nothing to wait for leaves nothing behind")
    func idleSettle() async {
        let world = World()
        for _ in 0..<100 { await world.services.beacons.settle(within: .seconds(1)) }
        #expect(await world.services.beacons.waiters == 0)
    }

    @Test("what the last process left behind is sent when the next one begins")
    func leftovers() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([.sample("old")], at: ManualClock().wallTime)
        let world = World(ledger: ledger)
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
    }

    @Test("a beacon that somebody was sending and never settled is in doubt", arguments: [true, false])
    func handedOutAgain(resends: Bool) async throws {
        let ledger = ForgetfulLedger()
        let world = World(ledger: ledger)
        await world.record([.sample("a", doubt: resends ? .resend : .assumeDelivered)])
        await world.clock.settle()
        await world.record([.sample("b", at: "http://t.example/other")])
        await world.clock.settle()
        #expect(world.beacons == (resends ? ["/view", "/view", "/other"] : ["/view", "/other"]))
    }

    @Test("a ledger that fails is asked again later each time, and its beacons are sent when it works")
    func troubledLedger() async throws {
        let ledger = TroubledLedger()
        let world = World(ledger: ledger)
        ledger.isBroken.withLock { $0 = true }
        await world.record([.sample("a")])
        await world.clock.advance(by: .seconds(300))
        #expect((5...15).contains(ledger.claims.withLock { $0 }))
        #expect(world.beacons.isEmpty)
        ledger.isBroken.withLock { $0 = false }
        await world.clock.advance(by: .seconds(61))
        #expect(world.beacons == ["/view"])
    }

    @Test("what the ledger refused is sent from memory, at its time")
    func reserveRetries() async throws {
        let refused = ScriptedTransport.Answer.failure(TransportError(.notSent(.refused), "refused"))
        let world = World(ledger: BrokenLedger(), Self.tracker([refused]))
        let ad = try await self.viewed(world)
        #expect(world.beacons == ["/view"])
        await world.clock.advance(by: .seconds(3))
        #expect(world.beacons == ["/view", "/view"])
        ad.destroy()
    }

    @Test("a key that the ledger has already is not reported as recorded again")
    func knownKey() async throws {
        let ledger = KnowingLedger()
        let world = World(ledger: ledger)
        let ad = try await self.viewed(world)
        #expect(!world.observer.names.contains("beaconRecorded"))
        #expect(world.beacons.isEmpty)
        ad.destroy()
    }

    @Test("a calendar that jumps changes nothing", arguments: [-365, 365])
    func calendar(days: Int) async throws {
        let refused = ScriptedTransport.Answer.failure(TransportError(.notSent(.refused), "refused"))
        let world = World(Self.tracker([refused, refused]))
        await world.record([.sample("a")])
        await world.clock.settle()
        world.clock.jumpCalendar(by: .seconds(days * 86_400))
        await world.clock.advance(by: .seconds(10))
        #expect(world.beacons == ["/view", "/view", "/view"])
        #expect(try await world.services.beacons.entries().map(\.state) == [.delivered])
    }

    @Test("a retry comes although everybody has let go of the services")
    func abandoned() async throws {
        let clock = ManualClock()
        let answers = Locked([ScriptedTransport.Answer.status(503)])
        let transport = ScriptedTransport(clock: clock) { _ in
            answers.withLock { $0.isEmpty ? .status(200) : $0.removeFirst() }
        }
        do {
            let services = AdServices(transport: transport, clock: clock)
            services.beacons.announce()
            _ = await services.beacons.record([.sample("a")])
            services.beacons.deliver()
            await clock.settle()
        }
        await clock.advance(by: .seconds(5))
        #expect(transport.requests.count == 2)
        #expect(clock.alarms == 0, "and then nothing is kept")
    }

    @Test("an alarm that was set while the ledger was slow to answer is not lost")
    func slowAnswer() async throws {
        let ledger = SlowToTellLedger()
        let refused = ScriptedTransport.Answer.failure(TransportError(.notSent(.refused), "refused"))
        let world = World(ledger: ledger) { request in
            guard request.url.target == "/second" else { return .status(200) }
            return ledger.refusals.withLock { count in
                defer { count -= 1 }
                return count > 0 ? refused : .status(200)
            }
        }
        await world.clock.settle()
        // The first answer of `nextDue` is held back until the second beacon waits for its retry.
        ledger.isHeld.withLock { $0 = true }
        await world.record([.sample("a", at: "http://t.example/first")])
        while ledger.held.withLock({ $0 }) == nil { await Task.yield() }
        ledger.isHeld.withLock { $0 = false }
        await world.record([.sample("b", at: "http://t.example/second")])
        while world.beacons.count < 2 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        ledger.held.withLock { $0 }?.resolve(())
        await world.clock.advance(by: .seconds(10))
        #expect(world.beacons == ["/first", "/second", "/second"])
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
        return Beacon(BeaconKey(ad: AdID("ad"), event: BeaconEvent(name)), call, of: "test")
    }
    private let now = WallTime(milliseconds: 0)

    @Test("a key is taken once, for ever")
    func once() async throws {
        let ledger = MemoryLedger()
        #expect(try await ledger.record([self.beacon("view"), self.beacon("view")], at: self.now).count == 1)
        #expect(try await ledger.record([self.beacon("view")], at: self.now).isEmpty)
        let claimed = try await ledger.claim(9, skipping: [], at: self.now, lease: .seconds(60))
        try await ledger.settle(claimed[0].beacon.key, as: .delivered, at: self.now)
        #expect(try await ledger.record([self.beacon("view")], at: self.now).isEmpty)
        #expect(try await ledger.claim(9, skipping: [], at: self.now, lease: .seconds(60)).isEmpty)
    }

    @Test("hosts take turns: a hundred beacons of one host do not hold up another's")
    func fair() async throws {
        let ledger = MemoryLedger()
        for number in 0..<100 { _ = try await ledger.record([self.beacon("a\(number)")], at: self.now) }
        _ = try await ledger.record([self.beacon("b", host: "b.example")], at: self.now)
        let claimed = try await ledger.claim(2, skipping: [], at: self.now, lease: .seconds(60))
        #expect(Set(claimed.map(\.beacon.call.url.http.host)) == ["a.example", "b.example"])
    }

    @Test("a retry waits for its time, and nextDue tells it")
    func due() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([self.beacon("view")], at: self.now)
        let claimed = try await ledger.claim(1, skipping: [], at: self.now, lease: .seconds(60))
        let later = WallTime(milliseconds: 5000)
        try await ledger.settle(claimed[0].beacon.key, as: .retry(at: later, reason: "busy"), at: self.now)
        #expect(try await ledger.nextDue(skipping: []) == later)
        #expect(try await ledger.claim(1, skipping: [], at: WallTime(milliseconds: 4999), lease: .seconds(60)).isEmpty)
        #expect(try await ledger.claim(1, skipping: [], at: later, lease: .seconds(60)).first?.attempt == 2)
    }

    @Test("what was delivered long ago is forgotten, what was not stays listed")
    func pruning() async throws {
        let ledger = MemoryLedger(mostSettled: 10)
        for number in 0..<100 {
            _ = try await ledger.record([self.beacon("v\(number)")], at: self.now)
            let claimed = try await ledger.claim(1, skipping: [], at: self.now, lease: .seconds(60))
            let outcome: Delivery = number < 5 ? .unconfirmed(reason: "doubt") : .delivered
            try await ledger.settle(claimed[0].beacon.key, as: outcome, at: self.now)
        }
        let entries = try await ledger.entries()
        #expect(entries.count <= 16)
        #expect(entries.filter { $0.state.name == "unconfirmed" }.count == 5)
    }

    @Test("it is bounded also where nothing is ever delivered, and keeps the youngest")
    func bounded() async throws {
        let ledger = MemoryLedger(mostSettled: 10)
        for number in 0..<1000 {
            _ = try await ledger.record([self.beacon("v\(number)")], at: self.now)
            let claimed = try await ledger.claim(1, skipping: [], at: self.now, lease: .seconds(60))
            try await ledger.settle(claimed[0].beacon.key, as: .dead(reason: "404"), at: self.now)
        }
        let entries = try await ledger.entries()
        #expect(entries.count <= 10)
        #expect(entries.last?.beacon.key.event == "v999")
    }

    @Test("origins that are to be skipped are, and each claim takes one of an origin")
    func skipping() async throws {
        let ledger = MemoryLedger()
        for name in ["a1", "a2"] { _ = try await ledger.record([self.beacon(name)], at: self.now) }
        _ = try await ledger.record([self.beacon("b", host: "b.example")], at: self.now)
        let skipped: Set = ["http://b.example:80"]
        #expect(try await ledger.nextDue(skipping: ["http://a.example:80", "http://b.example:80"]) == nil)
        let first = try await ledger.claim(9, skipping: skipped, at: self.now, lease: .seconds(60))
        #expect(first.map(\.beacon.key.event) == ["a1"])
        let second = try await ledger.claim(9, skipping: [], at: self.now, lease: .seconds(60))
        #expect(Set(second.map(\.beacon.key.event)) == ["a2", "b"])
        #expect(try await ledger.claim(9, skipping: [], at: self.now, lease: .seconds(60)).isEmpty)
    }
}

extension Beacon {
    fileprivate static func sample(
        _ name: String,
        at address: String = "http://t.example/view",
        doubt: BeaconCall.Doubt = .assumeDelivered
    ) -> Beacon {
        let call = BeaconCall(.get, TrackingURL(url(address)), doubt: doubt, isBilling: true)
        return Beacon(BeaconKey(ad: AdID(name), event: .view), call, of: "test")
    }
}

extension World {
    /// Records beacons as an ad does.
    fileprivate func record(_ beacons: [Beacon]) async {
        self.services.beacons.announce()
        _ = await self.services.beacons.record(beacons)
        self.services.beacons.deliver()
    }
}

/// Passes everything on to a ledger in memory, but for what a test changes.
private class PassingLedger: BeaconLedger, @unchecked Sendable {
    let inner = MemoryLedger()

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> [BeaconKey] {
        try await self.inner.record(beacons, at: now)
    }
    func claim(
        _ limit: Int,
        skipping origins: Set<String>,
        at now: WallTime,
        lease: Duration
    ) async throws(LedgerError) -> [ClaimedBeacon] {
        try await self.inner.claim(limit, skipping: origins, at: now, lease: lease)
    }
    func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {
        try await self.inner.settle(key, as: outcome, at: now)
    }
    func nextDue(skipping origins: Set<String>) async throws(LedgerError) -> WallTime? {
        try await self.inner.nextDue(skipping: origins)
    }
    func entries() async throws(LedgerError) -> [LedgerEntry] { try await self.inner.entries() }
}

/// Can't write down what became of the first beacon, and hands it out again in doubt.
private final class ForgetfulLedger: PassingLedger, @unchecked Sendable {
    private let lost = Locked<ClaimedBeacon?>(nil)
    private let first = Locked<BeaconKey?>(nil)

    override func claim(
        _ limit: Int,
        skipping origins: Set<String>,
        at now: WallTime,
        lease: Duration
    ) async throws(LedgerError) -> [ClaimedBeacon] {
        if let lost = self.lost.withLock({ $0 }), !origins.contains("http://t.example:80") {
            self.lost.withLock { $0 = nil }
            let attempt = lost.attempt + 1
            return [ClaimedBeacon(lost.beacon, attempt: attempt, recorded: lost.recorded, isInDoubt: true)]
        }
        return try await super.claim(limit, skipping: origins, at: now, lease: lease)
    }

    override func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {
        let isFirst = self.first.withLock { first in
            defer { first = first ?? key }
            return first == nil
        }
        guard isFirst else { return try await super.settle(key, as: outcome, at: now) }
        let entry = try await self.inner.entries().first { $0.beacon.key == key }
        if let entry {
            self.lost.withLock { $0 = ClaimedBeacon(entry.beacon, attempt: 1, recorded: entry.recorded) }
        }
        throw LedgerError("the disk is full")
    }
}

/// Hands nothing out while it is broken.
private final class TroubledLedger: PassingLedger, @unchecked Sendable {
    let isBroken = Locked(false)
    let claims = Locked(0)

    override func claim(
        _ limit: Int,
        skipping origins: Set<String>,
        at now: WallTime,
        lease: Duration
    ) async throws(LedgerError) -> [ClaimedBeacon] {
        if self.isBroken.withLock({ $0 }) {
            self.claims.withLock { $0 += 1 }
            throw LedgerError("the file is locked")
        }
        return try await super.claim(limit, skipping: origins, at: now, lease: lease)
    }
}

/// Counts how often it is asked what is due.
private final class CountingLedger: PassingLedger, @unchecked Sendable {
    let asked = Locked(0)

    override func nextDue(skipping origins: Set<String>) async throws(LedgerError) -> WallTime? {
        self.asked.withLock { $0 += 1 }
        return try await super.nextDue(skipping: origins)
    }
}

/// Has every key already.
private final class KnowingLedger: PassingLedger, @unchecked Sendable {
    override func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> [BeaconKey] { [] }
}

/// Takes its time to tell what is due, while it is held.
private final class SlowToTellLedger: PassingLedger, @unchecked Sendable {
    let isHeld = Locked(false)
    let held = Locked<OneShot<Void>?>(nil)
    let refusals = Locked(1)

    override func nextDue(skipping origins: Set<String>) async throws(LedgerError) -> WallTime? {
        let due = try await super.nextDue(skipping: origins)
        guard self.isHeld.withLock({ $0 }), self.held.withLock({ $0 }) == nil else { return due }
        let hold = OneShot<Void>()
        self.held.withLock { $0 = hold }
        await hold.value
        return due
    }
}

/// Writes nothing down, and says so.
private struct BrokenLedger: BeaconLedger {
    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> [BeaconKey] {
        throw LedgerError("the disk is full")
    }
    func claim(
        _ limit: Int,
        skipping origins: Set<String>,
        at now: WallTime,
        lease: Duration
    ) async throws(LedgerError) -> [ClaimedBeacon] {
        throw LedgerError("the disk is full")
    }
    func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {}
    func nextDue(skipping origins: Set<String>) async throws(LedgerError) -> WallTime? { nil }
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
    func claim(
        _ limit: Int,
        skipping origins: Set<String>,
        at now: WallTime,
        lease: Duration
    ) async throws(LedgerError) -> [ClaimedBeacon] {
        try await self.inner.claim(limit, skipping: origins, at: now, lease: lease)
    }
    func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {
        try await self.inner.settle(key, as: outcome, at: now)
    }
    func nextDue(skipping origins: Set<String>) async throws(LedgerError) -> WallTime? {
        try await self.inner.nextDue(skipping: origins)
    }
    func entries() async throws(LedgerError) -> [LedgerEntry] { try await self.inner.entries() }
}
