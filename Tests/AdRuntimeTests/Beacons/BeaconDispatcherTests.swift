import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Beacon delivery", .timeLimit(.minutes(5)))
struct BeaconDispatcherTests {
    private func viewed(_ world: World) async throws -> Ad {
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        return ad
    }

    private static func tracker(_ answers: [ScriptedTransport.Outcome])
        -> @Sendable (AdHTTPRequest) -> ScriptedTransport.Outcome
    {
        let rest = Locked(answers)
        return { request in
            guard request.url.host == "t.example" else { return .status(200) }
            return rest.withLock { $0.isEmpty ? .status(200) : $0.removeFirst() }
        }
    }

    @Test("a beacon that certainly did not arrive is sent again until it arrives")
    func retried() async throws {
        let refused = ScriptedTransport.Outcome.failure(TransportError(.notSent(.refused), "refused"))
        let world = World(Self.tracker([refused, .status(503), .status(200)]))
        let ad = try await self.viewed(world)
        await world.clock.advance(by: .seconds(60))
        #expect(world.beacons == ["/view", "/view", "/view"])
        let entries = try await world.services.beacons.entries()
        #expect(entries.map(\.state) == [.delivered])
        #expect(entries.map(\.attempts) == [3])
        ad.destroy()
    }

    @Test("an unconfirmed beacon is not sent again and stays listed")
    func ambiguous() async throws {
        let world = World(Self.tracker([.failure(TransportError(.ambiguous(.connectionLost), "no answer came"))]))
        let ad = try await self.viewed(world)
        await world.clock.advance(by: .seconds(100_000))
        #expect(world.beacons == ["/view"])
        #expect(try await world.services.beacons.entries().map(\.state) == [.unconfirmed(reason: "no answer came")])
        #expect(world.observer.names.contains("beaconUnconfirmed"))
        ad.destroy()
    }

    @Test("a tracker that redirects to a file counts as delivered, with an issue before it")
    func redirectedToFile() async throws {
        let answer = TransportError(.ambiguous(.badRedirect), "t.example redirects to 'file:///x'")
        let world = World(Self.tracker([.failure(answer)]))
        let ad = try await self.viewed(world)
        await world.clock.advance(by: .seconds(100_000))
        #expect(world.beacons == ["/view"])
        #expect(try await world.services.beacons.entries().map(\.state) == [.delivered])
        let names = world.observer.names.filter { $0 == "issue" || $0 == "beaconDelivered" }
        #expect(names == ["issue", "beaconDelivered"])
        ad.destroy()
    }

    @Test("a permanent error makes the beacon dead and keeps the reason")
    func dead() async throws {
        let world = World(Self.tracker([.status(410)]))
        let ad = try await self.viewed(world)
        await world.clock.advance(by: .seconds(100_000))
        #expect(world.beacons == ["/view"])
        #expect(try await world.services.beacons.entries().map(\.state) == [.dead(reason: "status 410")])
        ad.destroy()
    }

    @Test("a click's link waits at most 100 ms until the click is recorded")
    func slowLedger() async throws {
        let ledger = SilentLedger()
        let world = World(ledger: ledger)
        let presenter = RecordingPresenter()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: presenter)
        ledger.clock.withLock { $0 = world.clock }
        presenter.report(.click(landing, byUser: true))
        await world.clock.advance(by: .milliseconds(99))
        #expect(world.opener.opened.isEmpty)
        await world.clock.advance(by: .milliseconds(1))
        #expect(world.opener.opened == [landing])
        ad.destroy()
    }

    @Test("when the ledger fails, the beacon is sent from memory, and an issue is reported")
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

    @Test("a server that hangs delays its own beacons only, and two at a time")
    func hangingHost() async throws {
        let world = World { request in request.url.host == "slow.example" ? .silence : .status(200) }
        await world.record((0..<100).map { .sample("s\($0)", at: "http://slow.example/\($0)") })
        await world.record([.sample("b", at: "http://t.example/view")])
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
        #expect(world.transport.requests.filter { $0.url.host == "slow.example" }.count == 2)
    }

    @Test("when many servers hang, the others' beacons are sent meanwhile, and the ledger is not polled")
    func manyHang() async throws {
        let ledger = CountingLedger()
        let world = World(ledger: ledger) { _ in .after(.seconds(15), .status(200)) }
        let limits = BeaconScheduler.Limits()
        let most = limits.onTheWay
        let origins = most + 4
        await world.record((0..<origins * 3).map { .sample("s\($0)", at: "http://h\($0 % origins).example/\($0)") })
        await world.clock.settle()
        #expect(world.transport.requests.count == most)
        await world.clock.advance(by: .seconds(4))
        #expect(world.transport.requests.count == origins * 2, "two of each")
        let claims = ledger.claims.withLock { $0 }
        await world.clock.advance(by: .seconds(10))
        #expect(ledger.claims.withLock { $0 } == claims)
        await world.clock.advance(by: .seconds(60))
        #expect(world.transport.requests.count == origins * 3)
    }

    @Test("waitUntilDelivered leaves no waiter behind if there are no beacons")
    func idleWait() async {
        let world = World()
        for _ in 0..<100 { await world.services.beacons.waitUntilDelivered(within: .seconds(1)) }
        #expect(world.services.beacons.waiterCount == 0)
    }

    @Test("a new dispatcher sends the beacons of an earlier process")
    func leftovers() async throws {
        let ledger = MemoryLedger()
        _ = try await ledger.record([.sample("old")], at: ManualClock().wallTime)
        let world = World(ledger: ledger)
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
    }

    @Test("a claim that another process did not settle is unconfirmed after its lease", arguments: [true, false])
    func handedOutAgain(resends: Bool) async throws {
        let ledger = MemoryLedger()
        let beacon = Beacon.sample("a", guarantee: resends ? .atLeastOnce : .atMostOnce)
        let start = ManualClock().wallTime
        _ = try await ledger.record([beacon], at: start)
        // Another process claims the beacon and never settles it.
        #expect(try await ledger.claim(ClaimRequest(limit: 1, at: start)).beacons.count == 1)
        let world = World(ledger: ledger)
        await world.clock.advance(by: .seconds(59))
        #expect(world.beacons.isEmpty, "it is still claimed")
        await world.clock.advance(by: .seconds(2))
        #expect(world.beacons == (resends ? ["/view"] : []))
        let state = try await ledger.entries().first?.state
        #expect(state?.name == (resends ? "delivered" : "unconfirmed"))
    }

    @Test("an outcome that can't be recorded is recorded later, and no beacon is sent twice")
    func outcomeLater() async throws {
        let ledger = FullLedger()
        let world = World(ledger: ledger)
        ledger.isFull.withLock { $0 = true }
        await world.record([.sample("a"), .sample("b")])
        await world.clock.advance(by: .seconds(600))
        #expect(world.beacons == ["/view", "/view"])
        #expect((4...40).contains(ledger.refusals.withLock { $0 }), "attempts are repeated after growing pauses")
        ledger.isFull.withLock { $0 = false }
        await world.clock.advance(by: .seconds(61))
        #expect(world.beacons == ["/view", "/view"])
        #expect(try await ledger.entries().map(\.state) == [.delivered, .delivered])
        #expect(world.observer.names.count { $0 == "beaconDelivered" } == 2, "each outcome is reported once")
    }

    @Test("a key that the ledger has is not recorded in memory while the ledger fails")
    func knownToLedger() async throws {
        let ledger = RefusingLedger()
        let world = World(ledger: ledger)
        await world.record([.sample("a")])
        await world.clock.settle()
        ledger.refuses.withLock { $0 = true }
        await world.record([.sample("a"), .sample("b")])
        await world.clock.settle()
        #expect(world.beacons.count == 2)
    }

    @Test("no beacon is sent while offline, and all are when the network is back")
    func offline() async throws {
        let world = World()
        world.signals.post(.network(.offline))
        await world.clock.settle()
        await world.record((0..<10).map { .sample("s\($0)") })
        await world.clock.advance(by: .seconds(86_000))
        #expect(world.beacons.isEmpty)
        world.signals.post(.network(.cellular))
        await world.clock.settle()
        #expect(world.beacons.count == 10)
        #expect(try await world.services.beacons.entries().allSatisfy { $0.attempts == 1 })
    }

    @Test("a secret is looked up when the beacon is sent, and a missing one delays the beacon")
    func secrets() async throws {
        let world = World()
        let header = try #require(SecretHeader("X-Key", "cards.key", prefix: "Token "))
        let call = BeaconCall(.post, TrackingURL(url("http://t.example/view")), secrets: [header], body: [0x7B, 0x7D])
        await world.record([Beacon(BeaconKey(ad: AdID("a"), event: .view), call, of: "test")])
        await world.clock.settle()
        #expect(world.beacons.isEmpty)
        let state = try await world.services.beacons.entries().first?.state
        guard case .pending(_, let reason) = state else {
            Testing.Issue.record("it is \(String(describing: state))")
            return
        }
        #expect(reason?.contains("cards.key") == true)
        world.services.credentials["cards.key"] = "s3cret"
        await world.clock.advance(by: .seconds(2))
        let sent = try #require(world.transport.requests.last)
        #expect(sent.headers["X-Key"] == "Token s3cret")
        #expect(sent.secretHeaders == ["X-Key"])
        #expect(sent.body == [0x7B, 0x7D])
    }

    @Test("a flush sends every pending beacon once")
    func flush() async throws {
        let refused = ScriptedTransport.Outcome.failure(TransportError(.notSent(.refused), "refused"))
        let ledger = MemoryLedger()
        let clock = ManualClock()
        let transport = ScriptedTransport(clock: clock) { _ in refused }
        _ = try await ledger.record((0..<50).map { .sample("s\($0)") }, at: clock.wallTime)
        let claim = try await ledger.claim(ClaimRequest(limit: 50, each: 50, at: clock.wallTime))
        for claimed in claim.beacons {
            let later = DeliveryOutcome.retry(at: clock.wallTime + .seconds(3000), reason: "busy")
            try await ledger.settle(claimed, as: later, at: clock.wallTime)
        }
        var limits = BeaconScheduler.Limits()
        limits.triesOnce = true
        let beacons = BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: clock,
            limits: limits,
            random: { .max },
            observer: nil
        )
        try await beacons.flush(within: .seconds(30))
        #expect(transport.requests.count == 50)
        #expect(try await ledger.entries().allSatisfy { $0.attempts == 2 })
    }

    @Test(
        "a beacon that a failing ledger recorded nevertheless is sent once, and settled in the ledger too",
        arguments: [0, 2]
    )
    func maybeRecorded(worksAgainAfter seconds: Int) async throws {
        let ledger = MaybeRecordingLedger()
        let world = World(ledger: ledger)
        ledger.isFailing.withLock { $0 = true }
        await world.record([.sample("a")])
        // The disk works again before or after the copy in memory is sent.
        if seconds > 0 { await world.clock.advance(by: .seconds(Int64(seconds))) }
        ledger.isFailing.withLock { $0 = false }
        await world.clock.advance(by: .seconds(200))
        await world.record([.sample("b", at: "http://t.example/other")])
        await world.clock.advance(by: .seconds(200))
        #expect(world.beacons.sorted() == ["/other", "/view"])
        #expect(try await ledger.inner.entries().map(\.state) == [.delivered, .delivered])
    }

    @Test("beacons that the full fallback drops are reported")
    func fullFallback() async throws {
        let ledger = RefusingLedger()
        ledger.refuses.withLock { $0 = true }
        let world = World(ledger: ledger)
        world.signals.post(.network(.offline))
        let beacons = (0..<20_100).map { Beacon.sample("s\($0)") }
        world.services.beacons.announce()
        let recording = await world.services.beacons.record(beacons)
        #expect(recording.issues.map(\.code) == ["ledger.failed", "ledger.dropped"])
    }

    @Test("claims from a failing ledger are repeated after growing pauses, until it works")
    func failingClaims() async throws {
        let ledger = UnclaimableLedger()
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

    @Test("a beacon in memory is retried as well")
    func fallbackRetries() async throws {
        let refused = ScriptedTransport.Outcome.failure(TransportError(.notSent(.refused), "refused"))
        let world = World(ledger: BrokenLedger(), Self.tracker([refused]))
        let ad = try await self.viewed(world)
        #expect(world.beacons == ["/view"])
        await world.clock.advance(by: .seconds(3))
        #expect(world.beacons == ["/view", "/view"])
        ad.destroy()
    }

    @Test("a key that the ledger has already is not reported as recorded")
    func knownKey() async throws {
        let ledger = DuplicateLedger()
        let world = World(ledger: ledger)
        let ad = try await self.viewed(world)
        #expect(!world.observer.names.contains("beaconRecorded"))
        #expect(world.beacons.isEmpty)
        ad.destroy()
    }

    @Test("a jump of the wall clock changes nothing", arguments: [-365, 365])
    func calendar(days: Int) async throws {
        let refused = ScriptedTransport.Outcome.failure(TransportError(.notSent(.refused), "refused"))
        let world = World(Self.tracker([refused, refused]))
        await world.record([.sample("a")])
        await world.clock.settle()
        world.clock.moveWallTime(by: .seconds(days * 86_400))
        await world.clock.advance(by: .seconds(10))
        #expect(world.beacons == ["/view", "/view", "/view"])
        #expect(try await world.services.beacons.entries().map(\.state) == [.delivered])
    }

    @Test("a retry is sent although the services were released")
    func abandoned() async throws {
        let clock = ManualClock()
        let answers = Locked([ScriptedTransport.Outcome.status(503)])
        let transport = ScriptedTransport(clock: clock) { _ in
            answers.withLock { $0.isEmpty ? .status(200) : $0.removeFirst() }
        }
        do {
            let services = AdServices(transport: transport, opener: NoOpener(), clock: clock)
            services.beacons.announce()
            _ = await services.beacons.record([.sample("a")])
            services.beacons.deliver()
            await clock.settle()
        }
        await clock.advance(by: .seconds(5))
        #expect(transport.requests.count == 2)
        #expect(clock.alarms == 0, "no alarm remains afterwards")
    }

    @Test("a beacon that is recorded during a slow claim is sent as well")
    func slowAnswer() async throws {
        let ledger = SlowClaimLedger()
        let refused = ScriptedTransport.Outcome.failure(TransportError(.notSent(.refused), "refused"))
        let world = World(ledger: ledger) { request in
            guard request.url.target == "/second" else { return .status(200) }
            return ledger.refusals.withLock { count in
                defer { count -= 1 }
                return count > 0 ? refused : .status(200)
            }
        }
        await world.clock.settle()
        // The ledger delays its claim until the second beacon is recorded.
        ledger.isHeld.withLock { $0 = true }
        await world.record([.sample("a", at: "http://t.example/first")])
        while ledger.held.withLock({ $0 }) == nil { await Task.yield() }
        ledger.isHeld.withLock { $0 = false }
        await world.record([.sample("b", at: "http://t.example/second")])
        for _ in 0..<100 { await Task.yield() }
        ledger.held.withLock { $0 }?.set(())
        await world.clock.advance(by: .seconds(10))
        #expect(world.beacons == ["/first", "/second", "/second"])
    }

    @Test("waitUntilDelivered returns when the beacons are sent, or after its timeout")
    func settling() async throws {
        let world = World(Self.tracker([.after(.seconds(5), .status(200))]))
        let ad = try await self.viewed(world)
        ad.destroy()
        let waiting = Task { await world.services.beacons.waitUntilDelivered(within: .seconds(30)) }
        await world.clock.advance(by: .seconds(6))
        await waiting.value
        #expect(world.clock.now < Moment(.seconds(7)))
    }
}

extension Beacon {
    fileprivate static func sample(
        _ name: String,
        at address: String = "http://t.example/view",
        guarantee: DeliveryGuarantee = .atMostOnce
    ) -> Beacon {
        let call = BeaconCall(.get, TrackingURL(url(address)), guarantee: guarantee, isBilling: true)
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

/// A ledger that forwards to a ledger in memory, except where a test overrides it.
private class PassingLedger: BeaconLedger, @unchecked Sendable {
    let inner = MemoryLedger()

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        try await self.inner.record(beacons, at: now)
    }
    func claim(_ rules: ClaimRequest) async throws(LedgerError) -> BeaconClaim { try await self.inner.claim(rules) }
    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError) {
        try await self.inner.settle(claimed, as: outcome, at: now)
    }
    func nextDue() async throws(LedgerError) -> WallTime? { try await self.inner.nextDue() }
    func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int { try await self.inner.makeAllDue(at: now) }
    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        try await self.inner.entries(after: number, limit: limit)
    }
}

/// A ledger whose `record` fails while `refuses` is set.
private final class RefusingLedger: PassingLedger, @unchecked Sendable {
    let refuses = Locked(false)

    override func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        if self.refuses.withLock({ $0 }) { throw LedgerError("the file is locked") }
        return try await super.record(beacons, at: now)
    }
}

/// A ledger whose `record` succeeds and still throws while `isFailing` is set; `claim` throws too.
private final class MaybeRecordingLedger: PassingLedger, @unchecked Sendable {
    let isFailing = Locked(false)

    override func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        let recording = try await super.record(beacons, at: now)
        if self.isFailing.withLock({ $0 }) { throw LedgerError("the disk fails") }
        return recording
    }

    override func claim(_ rules: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        if self.isFailing.withLock({ $0 }) { throw LedgerError("the disk fails") }
        return try await super.claim(rules)
    }
}

/// A ledger whose `settle` fails while it is full.
private final class FullLedger: PassingLedger, @unchecked Sendable {
    let isFull = Locked(false)
    let refusals = Locked(0)

    override func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime)
        async throws(LedgerError)
    {
        if self.isFull.withLock({ $0 }) {
            self.refusals.withLock { $0 += 1 }
            throw LedgerError("the disk is full")
        }
        try await super.settle(claimed, as: outcome, at: now)
    }
}

/// A ledger whose `claim` fails while it is broken.
private final class UnclaimableLedger: PassingLedger, @unchecked Sendable {
    let isBroken = Locked(false)
    let claims = Locked(0)

    override func claim(_ rules: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        if self.isBroken.withLock({ $0 }) {
            self.claims.withLock { $0 += 1 }
            throw LedgerError("the file is locked")
        }
        return try await super.claim(rules)
    }
}

/// A ledger that counts its claims.
private final class CountingLedger: PassingLedger, @unchecked Sendable {
    let claims = Locked(0)

    override func claim(_ rules: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        self.claims.withLock { $0 += 1 }
        return try await super.claim(rules)
    }
}

/// A ledger that has every key already.
private final class DuplicateLedger: PassingLedger, @unchecked Sendable {
    override func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        RecordResult(new: [])
    }
}

/// A ledger whose `claim` waits while it is held.
private final class SlowClaimLedger: PassingLedger, @unchecked Sendable {
    let isHeld = Locked(false)
    let held = Locked<OneShot<Void>?>(nil)
    let refusals = Locked(1)

    override func claim(_ rules: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        let claim = try await super.claim(rules)
        guard self.isHeld.withLock({ $0 }), self.held.withLock({ $0 }) == nil else { return claim }
        let hold = OneShot<Void>()
        self.held.withLock { $0 = hold }
        await hold.value
        return claim
    }
}

/// A ledger whose calls all fail.
private struct BrokenLedger: BeaconLedger {
    private let error = LedgerError("the disk is full")

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult { throw self.error }
    func claim(_ rules: ClaimRequest) async throws(LedgerError) -> BeaconClaim { throw self.error }
    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError) {}
    func nextDue() async throws(LedgerError) -> WallTime? { nil }
    func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int { throw self.error }
    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] { [] }
}

/// A ledger whose `record` never returns once it has a clock.
private final class SilentLedger: PassingLedger, @unchecked Sendable {
    let clock = Locked<ManualClock?>(nil)

    override func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        if let clock = self.clock.withLock({ $0 }) { await clock.rest(until: nil) }
        return try await super.record(beacons, at: now)
    }
}
