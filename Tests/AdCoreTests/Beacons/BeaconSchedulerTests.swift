import LifecycleSupport
import Testing

@testable import AdCore

/// A scheduler with its clocks and its last actions.
private struct SchedulerScene {
    var scheduler: BeaconScheduler
    var seconds = 0.0
    private(set) var alarm: Moment?
    private(set) var actions: [BeaconScheduler.Action] = []

    init(_ change: (inout BeaconScheduler.Limits) -> Void = { _ in }) {
        var limits = BeaconScheduler.Limits()
        change(&limits)
        self.scheduler = BeaconScheduler(limits)
    }

    var now: BeaconScheduler.Present {
        let passed = Duration.milliseconds(Int64(self.seconds * 1000))
        return BeaconScheduler.Present(Moment(passed), WallTime(milliseconds: 1_000_000) + passed)
    }

    mutating func handle(_ input: BeaconScheduler.Input) {
        if let alarm, alarm <= self.now.moment { self.alarm = nil }
        self.actions = self.scheduler.handle(input, at: self.now)
        for action in self.actions {
            switch action {
            case .setAlarm(let moment): self.alarm = moment
            case .cancelAlarm: self.alarm = nil
            case .claim(let request, _), .settle(_, let request?): self.request = request
            case .send, .settle, .settleAgain: break
            }
        }
    }

    /// The claim request that is not answered yet.
    private(set) var request: ClaimRequest?

    var sent: [ClaimedBeacon] {
        self.actions.compactMap { if case .send(let claimed) = $0 { claimed } else { nil } }
    }

    var settled: [DeliveryOutcome] {
        self.actions.flatMap { action -> [DeliveryOutcome] in
            if case .settle(let outcomes, _) = action { outcomes.map(\.outcome) } else { [] }
        }
    }

    /// Answers claims without beacons until none is pending.
    mutating func answerClaimsEmpty(nextIn seconds: Double? = nil) {
        while self.request != nil { self.answerClaim([], nextIn: seconds) }
    }

    mutating func answerClaim(_ beacons: [ClaimedBeacon], nextIn seconds: Double? = nil, failure: String? = nil) {
        let next = seconds.map { self.now.wallTime + .milliseconds(Int64($0 * 1000)) }
        self.request = nil
        self.handle(.claimed(BeaconClaim(beacons, next: next), failure: failure.map { LedgerError($0) }))
    }

    mutating func answer(_ claimed: ClaimedBeacon, _ outcome: Result<AdHTTPResponse, TransportError>) {
        self.handle(.answered(claimed, outcome, bits: .max))
    }

    mutating func finish(_ claimed: ClaimedBeacon, _ outcome: Result<AdHTTPResponse, TransportError> = .status(200)) {
        self.answer(claimed, outcome)
        self.settle(claimed, outcome)
    }

    mutating func settle(
        _ claimed: ClaimedBeacon,
        _ outcome: Result<AdHTTPResponse, TransportError> = .status(200)
    ) {
        // The same outcome that the scheduler settles.
        let delivery = DeliveryOutcome.decided(
            outcome,
            of: claimed.beacon.call,
            attempt: claimed.attempt,
            recorded: claimed.recorded,
            now: self.now.wallTime,
            bits: .max
        )
        self.handle(.settled(claimed, delivery))
    }
}

extension Result<AdHTTPResponse, TransportError> {
    fileprivate static func status(_ status: Int, _ headers: AdHTTPHeaders = [:]) -> Self {
        .success(AdHTTPResponse(status: status, headers: headers, url: DeliveryTests.url))
    }

    fileprivate static var refused: Self { .failure(TransportError(.notSent(.refused), "refused")) }
    fileprivate static var silent: Self { .failure(TransportError(.ambiguous(.timedOut), "no answer")) }
}

private func beacon(
    _ name: String,
    at host: String = "a.example",
    guarantee: DeliveryGuarantee = .atMostOnce,
    attempt: Int = 1,
    interrupted: Bool = false
) -> ClaimedBeacon {
    guard let url = HTTPURL("http://\(host)/\(name)") else { preconditionFailure("A literal is not a valid URL.") }
    let call = BeaconCall(.get, TrackingURL(url), guarantee: guarantee, isBilling: true)
    return ClaimedBeacon(
        Beacon(BeaconKey(ad: AdID(name), event: .view), call, of: "test"),
        attempt: attempt,
        recorded: WallTime(milliseconds: 1_000_000),
        wasInterrupted: interrupted
    )
}

private let a = "http://a.example:80"
private let b = "http://b.example:80"

@Suite("Scheduling beacons")
struct BeaconSchedulerTests {
    @Test("a wake claims beacons, and a wake during a claim claims once more")
    func wake() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        #expect(scene.request == ClaimRequest(limit: 32, each: 2, at: scene.now.wallTime))
        scene.handle(.wake)
        #expect(scene.actions.isEmpty)
        scene.answerClaim([])
        #expect(scene.request != nil, "the claim may not include what was recorded meanwhile")
        scene.answerClaim([])
        #expect(scene.request == nil)
        #expect(!scene.scheduler.isBusy)
    }

    @Test("a claimed beacon is sent and settled, and then more are claimed")
    func through() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        #expect(scene.sent == [beacon("1")])
        scene.answer(beacon("1"), .status(200))
        #expect(scene.settled == [.delivered])
        #expect(scene.request?.limit == 32, "the ledger records both together")
        scene.settle(beacon("1"))
        #expect(scene.scheduler.isBusy)
        scene.answerClaimsEmpty()
        #expect(!scene.scheduler.isBusy)
    }

    @Test(
        "outcomes that come during a claim are recorded together with the next claim, and before its beacons are sent"
    )
    func outcomesDuringClaim() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1"), beacon("2"), beacon("3", at: "b.example")])
        scene.answer(beacon("1"), .status(200))
        #expect(scene.settled == [.delivered] && scene.request != nil)
        scene.answer(beacon("2"), .status(200))
        scene.answer(beacon("3", at: "b.example"), .status(410))
        #expect(scene.actions.isEmpty, "the ledger is busy with the claim")
        scene.answerClaim([beacon("4")])
        #expect(scene.settled == [.delivered, .dead(reason: "status 410")])
        guard case .settle(_, _?) = scene.actions.first, case .send = scene.actions.dropFirst().first else {
            Testing.Issue.record("first the ledger writes all at once, then beacons are sent: \(scene.actions)")
            return
        }
        #expect(scene.scheduler.isBusy)
        for name in ["1", "2", "4"] { scene.handle(.settled(beacon(name), .delivered)) }
        scene.handle(.settled(beacon("3", at: "b.example"), .dead(reason: "status 410")))
        scene.answerClaimsEmpty()
        #expect(scene.scheduler.isAtRest(at: scene.now))
    }

    @Test("outcomes that come during a claim that fails are recorded as well")
    func outcomesDuringFailingClaim() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1"), beacon("2")])
        scene.answer(beacon("1"), .status(200))
        scene.handle(.network(.offline))
        scene.answer(beacon("2"), .status(200))
        scene.answerClaim([], failure: "locked")
        #expect(scene.settled == [.delivered])
        #expect(scene.request == nil, "there is no network")
    }

    @Test("an outcome that no claim follows is recorded before beacons are sent")
    func outcomeWithoutClaim() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1"), beacon("2", interrupted: true)])
        #expect(scene.settled == [.unconfirmed(reason: ClaimedBeacon.leaseExpiredReason)])
        #expect(scene.actions.dropFirst() == [.send(beacon("1"))] && scene.request == nil)
    }

    @Test("that a beacon has expired is recorded before the late outcome of its earlier claim")
    func expiredBeforeLate() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.handle(.wake)
        scene.answer(beacon("1"), .status(200))
        scene.answerClaim([beacon("1", attempt: 2, interrupted: true)])
        #expect(scene.settled == [.unconfirmed(reason: ClaimedBeacon.leaseExpiredReason), .delivered])
        #expect(scene.actions.count == 1 && scene.request != nil, "both are recorded with the next claim")
    }

    @Test("while the ledger is paused, outcomes are recorded apart from the claim of the fallback ledger")
    func outcomeWhilePaused() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.handle(.wake)
        scene.answerClaim([], failure: "locked")
        scene.answer(beacon("1"), .status(200))
        let delivered = SettledBeacon(beacon("1"), .delivered)
        #expect(scene.actions.first == .settle([delivered], claiming: nil))
        guard case .claim(_, sparesLedger: true) = scene.actions.dropFirst().first else {
            Testing.Issue.record("the fallback ledger is not asked: \(scene.actions)")
            return
        }
    }

    @Test("what is recorded is claimed by the same transaction, unless nothing may be claimed then")
    func claimWithRecord() {
        var scene = SchedulerScene { $0.onTheWay = 1 }
        let request = scene.scheduler.claimWithRecord(at: scene.now)
        #expect(request == ClaimRequest(limit: 1, each: 2, at: scene.now.wallTime))
        #expect(scene.scheduler.isBusy)
        #expect(scene.scheduler.claimWithRecord(at: scene.now) == nil, "a claim is under way")
        scene.answerClaim([beacon("1")])
        #expect(scene.sent == [beacon("1")])
        #expect(scene.scheduler.claimWithRecord(at: scene.now) == nil, "the limit is reached")
        scene.finish(beacon("1"))
        scene.answerClaimsEmpty()
        scene.handle(.network(.offline))
        #expect(scene.scheduler.claimWithRecord(at: scene.now) == nil, "there is no network")
        scene.handle(.network(.wifi))
        scene.answerClaim([], failure: "locked")
        scene.answerClaimsEmpty()
        #expect(scene.scheduler.claimWithRecord(at: scene.now) == nil, "the ledger fails")
    }

    @Test("what comes during the claim of a record is handled after it")
    func duringClaimWithRecord() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        #expect(scene.scheduler.claimWithRecord(at: scene.now) != nil)
        scene.answer(beacon("1"), .status(200))
        scene.handle(.wake)
        #expect(scene.actions.isEmpty && scene.request == nil, "one claim at a time")
        scene.answerClaim([beacon("2")])
        #expect(scene.settled == [.delivered] && scene.sent == [beacon("2")])
        #expect(scene.request != nil, "the record's claim may not include what was recorded meanwhile")
        scene.settle(beacon("1"))
        scene.finish(beacon("2"))
        scene.answerClaimsEmpty()
        #expect(scene.scheduler.isAtRest(at: scene.now) && !scene.scheduler.isBusy)
    }

    @Test("no record claims while an outcome could not be recorded")
    func claimWithRecordUnsettled() throws {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.answer(beacon("1"), .status(200))
        scene.handle(.settleFailed(beacon("1"), .delivered, LedgerError("full")))
        #expect(scene.scheduler.claimWithRecord(at: scene.now) == nil, "a claim is under way")
        scene.answerClaim([], failure: "full")
        scene.answerClaimsEmpty()
        #expect(scene.scheduler.claimWithRecord(at: scene.now) == nil)
        scene.seconds = try #require(scene.alarm).sinceOrigin.inSeconds
        #expect(scene.scheduler.claimWithRecord(at: scene.now) == nil, "the outcome is recorded first")
        scene.handle(.wake)
        scene.settle(beacon("1"))
        scene.answerClaimsEmpty()
        #expect(scene.scheduler.claimWithRecord(at: scene.now) != nil)
    }

    @Test("nothing is claimed while the limit of requests is reached")
    func room() {
        var scene = SchedulerScene { $0.onTheWay = 3 }
        scene.handle(.wake)
        scene.answerClaim([beacon("1", at: "a.example"), beacon("2", at: "b.example"), beacon("3", at: "c.example")])
        scene.handle(.wake)
        #expect(scene.request == nil && scene.sent.isEmpty)
        #expect(scene.alarm == Moment(.seconds(1)), "then they are slow")
        scene.finish(beacon("2", at: "b.example"))
        #expect(scene.request?.limit == 1)
    }

    @Test("an origin gets two requests at a time, and up to four while it succeeds")
    func originLimit() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1"), beacon("2")])
        scene.handle(.wake)
        #expect(scene.request?.limits == [a: 0])
        scene.answerClaimsEmpty()
        scene.finish(beacon("1"))
        #expect(
            scene.request?.limits.isEmpty == true,
            "three with one in flight leaves two, the default"
        )
        scene.answerClaimsEmpty()
        scene.finish(beacon("2"))
        #expect(scene.request?.limits == [a: 4])
        scene.answerClaimsEmpty()
        for number in 3..<9 {
            scene.handle(.wake)
            scene.answerClaim([beacon("\(number)")])
            scene.finish(beacon("\(number)"))
            scene.answerClaimsEmpty()
        }
        scene.handle(.wake)
        #expect(scene.request?.limits == [a: 4])
    }

    @Test("an unreachable origin is paused, longer each time, and then tried with one request")
    func unreachable() throws {
        var scene = SchedulerScene()
        var pauses: [Double] = []
        scene.handle(.wake)
        for round in 0..<12 {
            scene.answerClaim([beacon("\(round)")])
            scene.finish(beacon("\(round)"), .refused)
            #expect(scene.request?.limits == [a: 0])
            scene.answerClaimsEmpty()
            let end = try #require(scene.alarm)
            pauses.append((end - scene.now.moment).inSeconds)
            scene.seconds = end.sinceOrigin.inSeconds
            scene.handle(.wake)
            #expect(scene.request?.limits == [a: 1])
        }
        #expect(pauses.first.map { $0 <= 1 } ?? false)
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(pauses.last == 300)
        scene.answerClaim([beacon("last")])
        scene.finish(beacon("last"))
        #expect(scene.request?.limits.isEmpty == true, "a success resets the limit to two")
    }

    @Test("a failing origin does not delay another")
    func others() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1"), beacon("2", at: "b.example")])
        scene.finish(beacon("1"), .refused)
        #expect(scene.request?.limits == [a: 0, b: 1])
        #expect(scene.request?.limit == 31)
    }

    @Test(
        "one bad response does not pause its origin, two in a row do",
        arguments: [Result<AdHTTPResponse, TransportError>.status(500), .status(429), .status(408), .silent]
    )
    func troubled(outcome: Result<AdHTTPResponse, TransportError>) {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.finish(beacon("1"), outcome)
        #expect(scene.request?.limits == [a: 1])
        scene.answerClaim([beacon("2")])
        scene.finish(beacon("2"), outcome)
        #expect(scene.request?.limits == [a: 0])
    }

    @Test(
        "an origin is paused for its Retry-After, up to an hour",
        arguments: [(90, 90), (9999, 3600)]
    )
    func retryAfter(value: Int, seconds: Int) throws {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.finish(beacon("1"), .status(503, ["Retry-After": "\(value)"]))
        scene.answerClaimsEmpty()
        #expect(try #require(scene.alarm) == Moment(.seconds(seconds)))
        scene.seconds = Double(seconds) - 0.01
        scene.handle(.wake)
        #expect(scene.request?.limits == [a: 0])
    }

    @Test("a request sent before the pause does not extend it when it fails")
    func together() throws {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1"), beacon("2")])
        scene.finish(beacon("1"), .refused)
        scene.answerClaimsEmpty()
        let end = try #require(scene.alarm)
        scene.finish(beacon("2"), .refused)
        scene.answerClaimsEmpty()
        #expect(scene.alarm == end)
    }

    @Test(
        "a final response counts as a success of the origin",
        arguments: [Result<AdHTTPResponse, TransportError>.status(404), .status(204), .status(301)]
    )
    func well(outcome: Result<AdHTTPResponse, TransportError>) {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.finish(beacon("1"), outcome)
        #expect(scene.request?.limits == [a: 3])
    }

    @Test("a missing credential is not a failure of the origin")
    func missingSecret() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.finish(beacon("1"), .failure(TransportError(.notSent(.missingCredential), "no key")))
        #expect(scene.request?.limits.isEmpty == true)
    }

    @Test("the alarm is set for the next due beacon, and cancelled when there is none")
    func alarm() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaimsEmpty(nextIn: 12)
        #expect(scene.alarm == Moment(.seconds(12)))
        scene.seconds = 12
        scene.handle(.wake)
        scene.answerClaimsEmpty()
        #expect(scene.alarm == nil)
    }

    @Test("a ledger that reports due beacons but returns none is not queried without a pause")
    func noSpin() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaimsEmpty(nextIn: -5)
        #expect(scene.alarm == Moment(.milliseconds(50)))
    }

    @Test("an interrupted beacon is sent again only with atLeastOnce", arguments: [true, false])
    func guarantee(resends: Bool) {
        var scene = SchedulerScene()
        scene.handle(.wake)
        let claimed = beacon("1", guarantee: resends ? .atLeastOnce : .atMostOnce, interrupted: true)
        scene.answerClaim([claimed])
        #expect(scene.sent == (resends ? [claimed] : []))
        #expect(scene.settled.count == (resends ? 0 : 1))
        if case .unconfirmed = scene.settled.first { return }
        #expect(resends)
    }

    @Test("nothing is claimed offline, and unreachable origins are tried once the network is back")
    func offline() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1"), beacon("2", at: "b.example")])
        scene.finish(beacon("1"), .refused)
        scene.answerClaimsEmpty()
        scene.handle(.network(.offline))
        #expect(scene.alarm == nil)
        scene.handle(.wake)
        #expect(scene.actions.isEmpty)
        scene.finish(beacon("2", at: "b.example"), .status(503, ["Retry-After": "100"]))
        #expect(scene.request == nil)
        scene.handle(.network(.wifi))
        #expect(scene.request?.limits == [a: 1, b: 0], "a pause by Retry-After stays")
    }

    @Test("a failing ledger is paused, longer each time up to a minute, and the fallback ledger is not")
    func ledgerPause() throws {
        var scene = SchedulerScene()
        var pauses: [Double] = []
        scene.handle(.wake)
        for _ in 0..<9 {
            scene.answerClaim([], failure: "locked")
            let end = try #require(scene.alarm)
            pauses.append((end - scene.now.moment).inSeconds)
            scene.handle(.wake)
            guard case .claim(_, sparesLedger: true) = scene.actions.first else {
                Testing.Issue.record("the claim is too early: \(scene.actions)")
                return
            }
            scene.answerClaimsEmpty()
            scene.seconds = end.sinceOrigin.inSeconds
            scene.handle(.wake)
            guard case .claim(_, sparesLedger: false) = scene.actions.first else {
                Testing.Issue.record("there is no further claim: \(scene.actions)")
                return
            }
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    }

    @Test("a late answer of the fallback ledger does not prevent the claim after the ledger's pause")
    func fallbackAnswersLate() throws {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([], failure: "locked")
        let end = try #require(scene.alarm)
        scene.handle(.wake)
        // The fallback ledger was asked just before the end of the pause and answers just after it.
        scene.seconds = end.sinceOrigin.inSeconds + 0.01
        scene.answerClaim([])
        #expect(scene.alarm != nil || scene.request != nil, "a claim or an alarm must follow")
        scene.handle(.wake)
        guard case .claim(_, sparesLedger: false) = scene.actions.first else {
            Testing.Issue.record("there is no further claim: \(scene.actions)")
            return
        }
    }

    @Test("an interrupted beacon does not delay the beacons after it")
    func afterDoubt() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        let interrupted = beacon("1", interrupted: true)
        scene.answerClaim([interrupted, beacon("2", at: "slow.example")])
        scene.handle(.settled(interrupted, .unconfirmed(reason: "doubt")))
        #expect(scene.request != nil, "its origin had no room while it was claimed")
    }

    @Test("of two outcomes that could not be recorded for one beacon, delivered wins")
    func twiceUnsettled() throws {
        var scene = SchedulerScene()
        let full = LedgerError("full")
        scene.handle(.wake)
        // Its lease had ended meanwhile, and it was claimed again.
        scene.answerClaim([beacon("1"), beacon("1")])
        scene.answer(beacon("1"), .status(200))
        scene.answer(beacon("1"), .status(404))
        scene.handle(.settleFailed(beacon("1"), .delivered, full))
        scene.handle(.settleFailed(beacon("1"), .dead(reason: "404"), full))
        scene.answerClaim([], failure: "full")
        scene.answerClaimsEmpty()
        scene.seconds = try #require(scene.alarm).sinceOrigin.inSeconds
        scene.handle(.wake)
        #expect(scene.actions == [.settleAgain(SettledBeacon(beacon("1"), .delivered))])
        scene.handle(.settled(beacon("1"), .delivered))
        scene.answerClaimsEmpty()
        #expect(scene.scheduler.isAtRest(at: scene.now) && !scene.scheduler.isBusy)
    }

    @Test("of two claims of one beacon, the outcome of each is recorded on its own")
    func twoClaims() throws {
        var scene = SchedulerScene()
        let full = LedgerError("full")
        let first = SettledBeacon(beacon("1", guarantee: .atLeastOnce), .dead(reason: "status 404"))
        let second = SettledBeacon(beacon("1", guarantee: .atLeastOnce, attempt: 2, interrupted: true), .delivered)
        scene.handle(.wake)
        scene.answerClaim([first.claimed, second.claimed])
        scene.answer(first.claimed, .status(404))
        scene.handle(.settleFailed(first.claimed, first.outcome, full))
        scene.answerClaim([], failure: "full")
        scene.answerClaimsEmpty()
        scene.seconds = try #require(scene.alarm).sinceOrigin.inSeconds
        scene.handle(.wake)
        #expect(scene.actions.first == .settleAgain(first))
        scene.answer(second.claimed, .status(200))
        #expect(scene.actions.first == .settle([second], claiming: nil))
        #expect(scene.request == nil, "first the earlier outcome is recorded")
        scene.handle(.settleFailed(second.claimed, second.outcome, full))
        #expect(scene.actions.isEmpty, "it is not that of the earlier claim")
        scene.handle(.settled(first.claimed, first.outcome))
        #expect(scene.actions.first == .settleAgain(second))
        scene.handle(.settled(second.claimed, second.outcome))
        scene.answerClaimsEmpty()
        #expect(scene.scheduler.isAtRest(at: scene.now) && !scene.scheduler.isBusy)
    }

    @Test("no alarm is set for a ledger that is closed for good")
    func closedLedger() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.answer(beacon("1"), .status(200))
        let closed = LedgerError("closed", isFinal: true)
        scene.handle(.settleFailed(beacon("1"), .delivered, closed))
        scene.handle(.claimed(BeaconClaim([], next: nil), failure: closed))
        scene.answerClaimsEmpty()
        #expect(scene.alarm == nil)
        #expect(!scene.scheduler.isBusy)
    }

    @Test("an outcome that could not be recorded is recorded before the next claim")
    func unsettled() throws {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.answer(beacon("1"), .status(200))
        scene.handle(.settleFailed(beacon("1"), .delivered, LedgerError("full")))
        #expect(scene.scheduler.isBusy)
        // The claim that followed the answer succeeds, so recording is tried again at once.
        scene.answerClaim([])
        #expect(scene.actions == [.settleAgain(SettledBeacon(beacon("1"), .delivered))])
        scene.handle(.settleFailed(beacon("1"), .delivered, LedgerError("full")))
        guard case .claim(_, sparesLedger: true) = scene.actions.first else {
            Testing.Issue.record("only the fallback ledger may be claimed from: \(scene.actions)")
            return
        }
        scene.answerClaimsEmpty()
        scene.seconds = try #require(scene.alarm).sinceOrigin.inSeconds
        scene.handle(.wake)
        #expect(scene.actions == [.settleAgain(SettledBeacon(beacon("1"), .delivered))])
        scene.settle(beacon("1"))
        guard case .claim(_, sparesLedger: false) = scene.actions.first else {
            Testing.Issue.record("the ledger must be claimed from: \(scene.actions)")
            return
        }
        scene.answerClaimsEmpty()
        #expect(!scene.scheduler.isBusy)
    }

    @Test("the number of remembered origins is limited")
    func manyOrigins() {
        var scene = SchedulerScene { $0.origins = 16 }
        scene.handle(.wake)
        for number in 0..<1_000 {
            let claimed = beacon("x", at: "h\(number).example")
            scene.answerClaim([claimed])
            scene.finish(claimed, .refused)
        }
        #expect((scene.request?.limits.count ?? 99) <= 16)
    }

    @Test("slow requests make room for others, up to a limit")
    func hanging() {
        var scene = SchedulerScene { $0.slow = 40 }
        scene.handle(.wake)
        #expect(scene.request?.limit == 32)
        scene.answerClaim((0..<32).map { beacon("b\($0)", at: "h\($0).example") }, nextIn: 0)
        #expect(scene.request == nil && scene.sent.count == 32)
        #expect(scene.alarm == Moment(.seconds(1)), "due beacons are sent once the others are slow")
        scene.seconds = 1
        scene.handle(.wake)
        #expect(scene.request?.limit == 32)
        scene.answerClaim((32..<64).map { beacon("b\($0)", at: "h\($0).example") }, nextIn: 0)
        scene.seconds = 2
        scene.handle(.wake)
        #expect(scene.request?.limit == 8)
        scene.answerClaim((64..<72).map { beacon("b\($0)", at: "h\($0).example") }, nextIn: 0)
        scene.seconds = 4
        scene.handle(.wake)
        #expect(scene.request == nil && scene.alarm == nil, "the limit of slow requests is reached")
        // An answered request makes room.
        scene.answer(beacon("b0", at: "h0.example"), .status(200))
        #expect(scene.request?.limit == 1)
    }

    @Test("with triesOnce, no beacon is tried a second time while others are in flight")
    func once() {
        var scene = SchedulerScene { $0.triesOnce = true }
        scene.handle(.wake)
        let start = scene.now.wallTime
        scene.answerClaim([beacon("slow", at: "slow.example"), beacon("busy", at: "busy.example")])
        scene.seconds = 5
        scene.finish(beacon("busy", at: "busy.example"), .status(503))
        #expect(scene.request?.now == start, "what is due later was tried already")
        #expect(scene.request?.lease == .seconds(65), "the lease is extended by the time passed")
        scene.answerClaimsEmpty(nextIn: 1)
        #expect(scene.alarm == nil)
        scene.finish(beacon("slow", at: "slow.example"))
        scene.answerClaimsEmpty(nextIn: 1)
        #expect(scene.scheduler.isAtRest(at: scene.now) && scene.alarm == nil)
    }

    @Test("outcomes are recorded offline, too")
    func offlineOutcome() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.handle(.network(.offline))
        scene.answer(beacon("1"), .status(200))
        scene.handle(.settleFailed(beacon("1"), .delivered, LedgerError("the file is locked")))
        guard let alarm = scene.alarm else { return #expect(Bool(false), "recording must be tried again") }
        scene.seconds = alarm.sinceOrigin.inSeconds
        scene.handle(.wake)
        #expect(scene.actions == [.settleAgain(SettledBeacon(beacon("1"), .delivered))])
        scene.handle(.settled(beacon("1"), .delivered))
        #expect(!scene.scheduler.isBusy && scene.request == nil)
    }

    @Test("with triesOnce, no origin is paused")
    func flush() {
        var scene = SchedulerScene { $0.triesOnce = true }
        scene.handle(.wake)
        scene.answerClaim([beacon("1")])
        scene.finish(beacon("1"), .refused)
        #expect(scene.request?.limits.isEmpty == true)
        scene.answerClaimsEmpty(nextIn: 5)
        #expect(scene.scheduler.isAtRest(at: scene.now))
    }

    @Test("the scheduler is at rest when all due beacons wait for a paused origin")
    func rest() {
        var scene = SchedulerScene()
        scene.handle(.wake)
        #expect(!scene.scheduler.isAtRest(at: scene.now))
        scene.answerClaim([beacon("1")])
        #expect(!scene.scheduler.isAtRest(at: scene.now))
        scene.finish(beacon("1"), .refused)
        scene.answerClaimsEmpty()
        #expect(scene.scheduler.isAtRest(at: scene.now))
    }
}
