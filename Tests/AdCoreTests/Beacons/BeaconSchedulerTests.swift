import LifeSupport
import Testing

@testable import AdCore

/// A courier, the clocks it is given, and what it said last.
private struct CourierScene {
    var courier: BeaconScheduler
    var seconds = 0.0
    private(set) var alarm: Moment?
    private(set) var actions: [BeaconScheduler.Action] = []

    init(_ change: (inout BeaconScheduler.Limits) -> Void = { _ in }) {
        var limits = BeaconScheduler.Limits()
        change(&limits)
        self.courier = BeaconScheduler(limits)
    }

    var now: BeaconScheduler.Present {
        let passed = Duration.milliseconds(Int64(self.seconds * 1000))
        return BeaconScheduler.Present(Moment(passed), WallTime(milliseconds: 1_000_000) + passed)
    }

    mutating func put(_ input: BeaconScheduler.Input) {
        if let alarm, alarm <= self.now.moment { self.alarm = nil }
        self.actions = self.courier.handle(input, at: self.now)
        for action in self.actions {
            switch action {
            case .setAlarm(let moment): self.alarm = moment
            case .cancelAlarm: self.alarm = nil
            case .claim(let terms, _): self.terms = terms
            case .send, .settle, .settleAgain: break
            }
        }
    }

    /// The terms of the claim that was asked for and not answered yet.
    private(set) var terms: ClaimRequest?

    var sent: [ClaimedBeacon] {
        self.actions.compactMap { if case .send(let claimed) = $0 { claimed } else { nil } }
    }

    var settled: [DeliveryOutcome] {
        self.actions.compactMap { if case .settle(_, let outcome) = $0 { outcome } else { nil } }
    }

    /// Says that there is nothing, as often as it is asked.
    mutating func giveNothing(nextIn seconds: Double? = nil) {
        while self.terms != nil { self.give([], nextIn: seconds) }
    }

    mutating func give(_ beacons: [ClaimedBeacon], nextIn seconds: Double? = nil, failure: String? = nil) {
        let next = seconds.map { self.now.wallTime + .milliseconds(Int64($0 * 1000)) }
        self.terms = nil
        self.put(.claimed(BeaconClaim(beacons, next: next), failure: failure.map { LedgerError($0) }))
    }

    mutating func answer(_ claimed: ClaimedBeacon, _ outcome: Result<AdHTTPResponse, TransportError>) {
        self.put(.answered(claimed, outcome, bits: .max))
    }

    mutating func finish(_ claimed: ClaimedBeacon, _ outcome: Result<AdHTTPResponse, TransportError> = .status(200)) {
        self.answer(claimed, outcome)
        self.settle(claimed, outcome)
    }

    mutating func settle(
        _ claimed: ClaimedBeacon,
        _ outcome: Result<AdHTTPResponse, TransportError> = .status(200)
    ) {
        // What a beacon's answer means is asked of the same hand that judged it.
        let delivery = DeliveryOutcome.judged(
            outcome,
            of: claimed.beacon.call,
            attempt: claimed.attempt,
            recorded: claimed.recorded,
            now: self.now.wallTime,
            bits: .max
        )
        self.put(.settled(claimed, delivery))
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
    inDoubt: Bool = false
) -> ClaimedBeacon {
    guard let url = HTTPURL("http://\(host)/\(name)") else { preconditionFailure("A literal is no address.") }
    let call = BeaconCall(.get, TrackingURL(url), guarantee: guarantee, isBilling: true)
    return ClaimedBeacon(
        Beacon(BeaconKey(ad: AdID(name), event: .view), call, of: "test"),
        attempt: 1,
        recorded: WallTime(milliseconds: 1_000_000),
        isInDoubt: inDoubt
    )
}

private let a = "http://a.example:80"
private let b = "http://b.example:80"

@Suite("Which beacons go when")
struct CourierTests {
    @Test("whoever wakes it has it ask the ledger, and once more where that happened while it was asking")
    func asking() {
        var scene = CourierScene()
        scene.put(.wake)
        #expect(scene.terms == ClaimRequest(limit: 32, each: 2, at: scene.now.wallTime))
        scene.put(.wake)
        #expect(scene.actions.isEmpty)
        scene.give([])
        #expect(scene.terms != nil, "what was recorded meanwhile may not have been seen")
        scene.give([])
        #expect(scene.terms == nil)
        #expect(!scene.courier.isBusy)
    }

    @Test("what was claimed is sent, judged, and settled, and then more is asked for")
    func through() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1")])
        #expect(scene.sent == [beacon("1")])
        scene.answer(beacon("1"), .status(200))
        #expect(scene.settled == [.delivered])
        #expect(scene.terms?.limit == 32, "both are written down together")
        scene.settle(beacon("1"))
        #expect(scene.courier.isBusy)
        scene.giveNothing()
        #expect(!scene.courier.isBusy)
    }

    @Test("no more than so many are in hand, and nobody is asked while there is no room")
    func room() {
        var scene = CourierScene { $0.onTheWay = 3 }
        scene.put(.wake)
        scene.give([beacon("1", at: "a.example"), beacon("2", at: "b.example"), beacon("3", at: "c.example")])
        scene.put(.wake)
        #expect(scene.terms == nil && scene.sent.isEmpty)
        #expect(scene.alarm == Moment(.seconds(1)), "then they are slow")
        scene.finish(beacon("2", at: "b.example"))
        #expect(scene.terms?.limit == 1)
    }

    @Test("an origin gets two at a time, and up to four while it answers well")
    func width() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1"), beacon("2")])
        scene.put(.wake)
        #expect(scene.terms?.room == [a: 0])
        scene.giveNothing()
        scene.finish(beacon("1"))
        #expect(scene.terms?.room.isEmpty == true, "three in all, one of them on its way: two more, as for anybody")
        scene.giveNothing()
        scene.finish(beacon("2"))
        #expect(scene.terms?.room == [a: 4])
        scene.giveNothing()
        for number in 3..<9 {
            scene.put(.wake)
            scene.give([beacon("\(number)")])
            scene.finish(beacon("\(number)"))
            scene.giveNothing()
        }
        scene.put(.wake)
        #expect(scene.terms?.room == [a: 4])
    }

    @Test("an origin that can't be reached is left in peace, longer each time, and then tried with one")
    func unreachable() throws {
        var scene = CourierScene()
        var pauses: [Double] = []
        scene.put(.wake)
        for round in 0..<12 {
            scene.give([beacon("\(round)")])
            scene.finish(beacon("\(round)"), .refused)
            #expect(scene.terms?.room == [a: 0])
            scene.giveNothing()
            let end = try #require(scene.alarm)
            pauses.append((end - scene.now.moment).inSeconds)
            scene.seconds = end.sinceOrigin.inSeconds
            scene.put(.wake)
            #expect(scene.terms?.room == [a: 1])
        }
        #expect(pauses.first.map { $0 <= 1 } ?? false)
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(pauses.last == 300)
        scene.give([beacon("last")])
        scene.finish(beacon("last"))
        #expect(scene.terms?.room.isEmpty == true, "all is forgiven: two, as at first")
    }

    @Test("one that is in trouble does not hold up another")
    func others() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1"), beacon("2", at: "b.example")])
        scene.finish(beacon("1"), .refused)
        #expect(scene.terms?.room == [a: 0, b: 1])
        #expect(scene.terms?.limit == 31)
    }

    @Test(
        "one bad answer says little of its origin, two in a row do",
        arguments: [Result<AdHTTPResponse, TransportError>.status(500), .status(429), .status(408), .silent]
    )
    func troubled(outcome: Result<AdHTTPResponse, TransportError>) {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1")])
        scene.finish(beacon("1"), outcome)
        #expect(scene.terms?.room == [a: 1])
        scene.give([beacon("2")])
        scene.finish(beacon("2"), outcome)
        #expect(scene.terms?.room == [a: 0])
    }

    @Test(
        "an origin that says how long is left in peace so long, an hour at most",
        arguments: [(90, 90), (9999, 3600)]
    )
    func retryAfter(wish: Int, seconds: Int) throws {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1")])
        scene.finish(beacon("1"), .status(503, ["Retry-After": "\(wish)"]))
        scene.giveNothing()
        #expect(try #require(scene.alarm) == Moment(.seconds(seconds)))
        scene.seconds = Double(seconds) - 0.01
        scene.put(.wake)
        #expect(scene.terms?.room == [a: 0])
    }

    @Test("what was on its way when its origin got into trouble does not count as trouble again")
    func together() throws {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1"), beacon("2")])
        scene.finish(beacon("1"), .refused)
        scene.giveNothing()
        let end = try #require(scene.alarm)
        scene.finish(beacon("2"), .refused)
        scene.giveNothing()
        #expect(scene.alarm == end)
    }

    @Test(
        "an answer for good says that the origin is well",
        arguments: [Result<AdHTTPResponse, TransportError>.status(404), .status(204), .status(301)]
    )
    func well(outcome: Result<AdHTTPResponse, TransportError>) {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1")])
        scene.finish(beacon("1"), outcome)
        #expect(scene.terms?.room == [a: 3])
    }

    @Test("a secret that is not there is no fault of the origin")
    func missingSecret() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1")])
        scene.finish(beacon("1"), .failure(TransportError(.notSent(.missingCredential), "no key")))
        #expect(scene.terms?.room.isEmpty == true)
    }

    @Test("the alarm is set for what is due next, and taken back when nothing is")
    func alarm() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.giveNothing(nextIn: 12)
        #expect(scene.alarm == Moment(.seconds(12)))
        scene.seconds = 12
        scene.put(.wake)
        scene.giveNothing()
        #expect(scene.alarm == nil)
    }

    @Test("a ledger that says something is due and gives nothing is not asked without a rest")
    func noSpin() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.giveNothing(nextIn: -5)
        #expect(scene.alarm == Moment(.milliseconds(50)))
    }

    @Test("a beacon in doubt is not sent again, unless its server takes each key once", arguments: [true, false])
    func guarantee(resends: Bool) {
        var scene = CourierScene()
        scene.put(.wake)
        let claimed = beacon("1", guarantee: resends ? .atLeastOnce : .atMostOnce, inDoubt: true)
        scene.give([claimed])
        #expect(scene.sent == (resends ? [claimed] : []))
        #expect(scene.settled.count == (resends ? 0 : 1))
        if case .unconfirmed = scene.settled.first { return }
        #expect(resends)
    }

    @Test("without a network nothing is asked for, and whoever could not be reached is tried when it is back")
    func offline() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1"), beacon("2", at: "b.example")])
        scene.finish(beacon("1"), .refused)
        scene.giveNothing()
        scene.put(.network(.offline))
        #expect(scene.alarm == nil)
        scene.put(.wake)
        #expect(scene.actions.isEmpty)
        scene.finish(beacon("2", at: "b.example"), .status(503, ["Retry-After": "100"]))
        #expect(scene.terms == nil)
        scene.put(.network(.wifi))
        #expect(scene.terms?.room == [a: 1, b: 0], "who asked for a rest keeps it")
    }

    @Test("a ledger that fails is left in peace, longer each time up to a minute, and the reserve is not")
    func ledgerTrouble() throws {
        var scene = CourierScene()
        var rests: [Double] = []
        scene.put(.wake)
        for _ in 0..<9 {
            scene.give([], failure: "locked")
            let end = try #require(scene.alarm)
            rests.append((end - scene.now.moment).inSeconds)
            scene.put(.wake)
            guard case .claim(_, sparesLedger: true) = scene.actions.first else {
                Testing.Issue.record("the ledger is asked too early: \(scene.actions)")
                return
            }
            scene.giveNothing()
            scene.seconds = end.sinceOrigin.inSeconds
            scene.put(.wake)
            guard case .claim(_, sparesLedger: false) = scene.actions.first else {
                Testing.Issue.record("the ledger is not asked again: \(scene.actions)")
                return
            }
        }
        #expect(rests == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    }

    @Test("a reserve that answers after the ledger's rest is over does not hide that the ledger is to be asked")
    func reserveAnswersLate() throws {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([], failure: "locked")
        let end = try #require(scene.alarm)
        scene.put(.wake)
        // The reserve was asked just before the end, and answers just behind it.
        scene.seconds = end.sinceOrigin.inSeconds + 0.01
        scene.give([])
        #expect(scene.alarm != nil || scene.terms != nil, "nobody would ever ask again")
        scene.put(.wake)
        guard case .claim(_, sparesLedger: false) = scene.actions.first else {
            Testing.Issue.record("the ledger is not asked again: \(scene.actions)")
            return
        }
    }

    @Test("what was in doubt does not hold up what waits behind it")
    func behindDoubt() {
        var scene = CourierScene()
        scene.put(.wake)
        let doubtful = beacon("1", inDoubt: true)
        scene.give([doubtful, beacon("2", at: "slow.example")])
        scene.put(.settled(doubtful, .unconfirmed(reason: "doubt")))
        #expect(scene.terms != nil, "its origin had no room while it was in hand")
    }

    @Test("two outcomes of one beacon that could not be written down are one, and what arrived has arrived")
    func twiceUnwritten() throws {
        var scene = CourierScene()
        let full = LedgerError("full")
        scene.put(.wake)
        // Its lease had run out meanwhile, and it was handed out again.
        scene.give([beacon("1"), beacon("1")])
        scene.answer(beacon("1"), .status(200))
        scene.answer(beacon("1"), .status(404))
        scene.put(.settleFailed(beacon("1"), .delivered, full))
        scene.put(.settleFailed(beacon("1"), .dead(reason: "404"), full))
        scene.give([], failure: "full")
        scene.giveNothing()
        scene.seconds = try #require(scene.alarm).sinceOrigin.inSeconds
        scene.put(.wake)
        #expect(scene.actions == [.settleAgain(beacon("1"), .delivered)])
        scene.put(.settled(beacon("1"), .delivered))
        scene.giveNothing()
        #expect(scene.courier.isAtRest(at: scene.now) && !scene.courier.isBusy)
    }

    @Test("a ledger that is closed for good is not asked by itself again")
    func closedLedger() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1")])
        scene.answer(beacon("1"), .status(200))
        let closed = LedgerError("closed", isFinal: true)
        scene.put(.settleFailed(beacon("1"), .delivered, closed))
        scene.put(.claimed(BeaconClaim([], next: nil), failure: closed))
        scene.giveNothing()
        #expect(scene.alarm == nil)
        #expect(!scene.courier.isBusy)
    }

    @Test("an outcome that could not be written down is kept, and written down before anything else is asked for")
    func unwritten() throws {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1")])
        scene.answer(beacon("1"), .status(200))
        scene.put(.settleFailed(beacon("1"), .delivered, LedgerError("full")))
        #expect(scene.courier.isBusy)
        // It had been asked for more when the answer came, and can give: so it is worth trying at once.
        scene.give([])
        #expect(scene.actions == [.settleAgain(beacon("1"), .delivered)])
        scene.put(.settleFailed(beacon("1"), .delivered, LedgerError("full")))
        guard case .claim(_, sparesLedger: true) = scene.actions.first else {
            Testing.Issue.record("only the reserve may be asked: \(scene.actions)")
            return
        }
        scene.giveNothing()
        scene.seconds = try #require(scene.alarm).sinceOrigin.inSeconds
        scene.put(.wake)
        #expect(scene.actions == [.settleAgain(beacon("1"), .delivered)])
        scene.settle(beacon("1"))
        guard case .claim(_, sparesLedger: false) = scene.actions.first else {
            Testing.Issue.record("the ledger is well: \(scene.actions)")
            return
        }
        scene.giveNothing()
        #expect(!scene.courier.isBusy)
    }

    @Test("thousands of origins that can't be reached are not all remembered")
    func manyOrigins() {
        var scene = CourierScene { $0.origins = 16 }
        scene.put(.wake)
        for number in 0..<1_000 {
            let claimed = beacon("x", at: "h\(number).example")
            scene.give([claimed])
            scene.finish(claimed, .refused)
        }
        #expect((scene.terms?.room.count ?? 99) <= 16)
    }

    @Test("hosts that hang keep nobody else waiting: what is slow makes room for others, up to a bound")
    func hanging() {
        var scene = CourierScene { $0.slow = 40 }
        scene.put(.wake)
        #expect(scene.terms?.limit == 32)
        scene.give((0..<32).map { beacon("b\($0)", at: "h\($0).example") }, nextIn: 0)
        #expect(scene.terms == nil && scene.sent.count == 32)
        #expect(scene.alarm == Moment(.seconds(1)), "what is due now can go when the others are slow")
        scene.seconds = 1
        scene.put(.wake)
        #expect(scene.terms?.limit == 32)
        scene.give((32..<64).map { beacon("b\($0)", at: "h\($0).example") }, nextIn: 0)
        scene.seconds = 2
        scene.put(.wake)
        #expect(scene.terms?.limit == 8)
        scene.give((64..<72).map { beacon("b\($0)", at: "h\($0).example") }, nextIn: 0)
        scene.seconds = 4
        scene.put(.wake)
        #expect(scene.terms == nil && scene.alarm == nil, "no more than that hang at a time")
        // One that comes back makes room.
        scene.answer(beacon("b0", at: "h0.example"), .status(200))
        #expect(scene.terms?.limit == 1)
    }

    @Test("what is to be tried once is not tried a second time while others are waited for")
    func once() {
        var scene = CourierScene { $0.triesOnce = true }
        scene.put(.wake)
        let began = scene.now.wallTime
        scene.give([beacon("slow", at: "slow.example"), beacon("busy", at: "busy.example")])
        scene.seconds = 5
        scene.finish(beacon("busy", at: "busy.example"), .status(503))
        #expect(scene.terms?.now == began, "what is due later was tried already")
        #expect(scene.terms?.lease == .seconds(65), "and yet it is ours as long as ever")
        scene.giveNothing(nextIn: 1)
        #expect(scene.alarm == nil)
        scene.finish(beacon("slow", at: "slow.example"))
        scene.giveNothing(nextIn: 1)
        #expect(scene.courier.isAtRest(at: scene.now) && scene.alarm == nil)
    }

    @Test("what became of a beacon is written down without a network too")
    func offlineOutcome() {
        var scene = CourierScene()
        scene.put(.wake)
        scene.give([beacon("1")])
        scene.put(.network(.offline))
        scene.answer(beacon("1"), .status(200))
        scene.put(.settleFailed(beacon("1"), .delivered, LedgerError("the file is locked")))
        guard let alarm = scene.alarm else { return #expect(Bool(false), "nobody tries again") }
        scene.seconds = alarm.sinceOrigin.inSeconds
        scene.put(.wake)
        #expect(scene.actions == [.settleAgain(beacon("1"), .delivered)])
        scene.put(.settled(beacon("1"), .delivered))
        #expect(!scene.courier.isBusy && scene.terms == nil)
    }

    @Test("where everything is to be tried once, no origin is spared")
    func flush() {
        var scene = CourierScene { $0.triesOnce = true }
        scene.put(.wake)
        scene.give([beacon("1")])
        scene.finish(beacon("1"), .refused)
        #expect(scene.terms?.room.isEmpty == true)
        scene.giveNothing(nextIn: 5)
        #expect(scene.courier.isAtRest(at: scene.now))
    }

    @Test("it is at rest when all that is due waits for an origin in trouble")
    func rest() {
        var scene = CourierScene()
        scene.put(.wake)
        #expect(!scene.courier.isAtRest(at: scene.now))
        scene.give([beacon("1")])
        #expect(!scene.courier.isAtRest(at: scene.now))
        scene.finish(beacon("1"), .refused)
        scene.giveNothing()
        #expect(scene.courier.isAtRest(at: scene.now))
    }
}
