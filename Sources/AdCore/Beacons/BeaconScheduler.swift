/// Decides which beacons go when: so many at once, fewer to one origin, none to one that is in trouble, and none at all
/// without a network or a ledger that answers.
///
/// It holds only what is in hand; everything that waits is the ledger's. Whoever drives it carries out each action and
/// puts in what came of it, in any order.
package struct BeaconScheduler: Sendable {
    /// How much is done at once.
    package struct Limits: Hashable, Sendable {
        /// How many requests are on their way that have begun just now.
        package var onTheWay = 32
        /// After how long a request is a slow one, which keeps its own origin waiting and nobody else.
        package var slowness = Duration.seconds(1)
        /// How many slow requests there may be besides: as many hosts as may hang at a time.
        package var slow = 64
        /// How many beacons are in hand: on their way, or answered and not yet written down.
        package var inHand = 64
        /// How many of them go to one origin: at first, and where it has answered well.
        package var perOrigin = 2...4
        /// How long one attempt may take.
        package var patience = Beacon.patience
        /// How long a claimed beacon is ours: longer than any attempt takes.
        package var lease = Duration.seconds(60)
        /// The longest that an origin in trouble is left in peace where it has not asked for more.
        package var longestPause = Duration.seconds(300)
        /// Whether everything that was due at the beginning is tried once, origins in trouble or not, and nothing else.
        package var triesOnce = false
        /// How many origins are remembered.
        package var origins = 512

        /// The usual limits.
        package init() {}
    }

    /// What happened.
    package enum Input: Sendable {
        /// Something was recorded, or a moment has come.
        case wake
        /// The ledger gave this; where it failed, why.
        case claimed(BeaconClaim, failure: LedgerError?)
        /// An attempt ended; the bits are random.
        case answered(ClaimedBeacon, Result<AdHTTPResponse, TransportError>, bits: UInt64)
        /// An outcome was written down.
        case settled(ClaimedBeacon, DeliveryOutcome)
        /// An outcome could not be written down.
        case settleFailed(ClaimedBeacon, DeliveryOutcome, LedgerError)
        /// There is a network of this kind, or none.
        case network(NetworkKind)
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        /// Ask for beacons: of the ledger and the reserve, or of the reserve alone.
        case claim(ClaimRequest, sparesLedger: Bool)
        /// Send one.
        case send(ClaimedBeacon)
        /// Write down what became of it.
        case settle(ClaimedBeacon, DeliveryOutcome)
        /// The same once more, after it could not be written down; whoever had to be told was told.
        case settleAgain(ClaimedBeacon, DeliveryOutcome)
        /// Wake the courier then, and not before.
        case setAlarm(Moment)
        /// Take the alarm back.
        case cancelAlarm
    }

    /// The present by both clocks.
    package struct Present: Hashable, Sendable {
        /// By the clock that never jumps.
        package let moment: Moment
        /// By the ledger's calendar.
        package let wallTime: WallTime

        /// The present.
        package init(_ moment: Moment, _ wallTime: WallTime) {
            self.moment = moment
            self.wallTime = wallTime
        }

        func moment(of time: WallTime) -> Moment { self.moment + max(.zero, time - self.wallTime) }
    }

    /// Whether the ledger is being asked.
    private enum Asking {
        case no
        /// It is, for so many, or the reserve alone; and once more when it has answered, where something happened
        /// meanwhile.
        case yes(limit: Int, sparesLedger: Bool, again: Bool)
        /// Outcomes that could not be written down are written down first.
        case settlingFirst(left: Set<BeaconKey>, lastFailure: LedgerError?)
    }

    private let limits: Limits
    private var asking = Asking.no
    private var origins: OriginLimiter
    private var inHand = 0
    /// When each request on its way has begun.
    private var begun: [BeaconKey: Moment] = [:]
    /// Whether there may be more to claim, and there was no room for it.
    private var isWanting = false
    /// When the first claim was made.
    private var first: Present?
    private var isOffline = false
    /// When the ledger said that something is due next.
    private var next: Moment?
    /// How often in a row the ledger has failed, until when it is left in peace, and whether it is worth asking then.
    private var trouble: (count: Int, until: Moment, isFinal: Bool)?
    /// Outcomes that could not be written down, oldest first.
    private var unwritten: [(beacon: ClaimedBeacon, outcome: DeliveryOutcome)] = []
    private var alarm: Moment?

    /// More outcomes than these are left to the end of their leases.
    private static let mostUnwritten = 1_000
    /// A ledger that says there is something due and gives nothing is not asked again sooner.
    private static let leastRest = Duration.milliseconds(50)

    /// A courier with nothing in hand.
    package init(_ limits: Limits = Limits()) {
        self.limits = limits
        self.origins = OriginLimiter(limits)
    }

    /// Whether something is in hand or being asked for, or an outcome waits to be written down.
    package var isBusy: Bool {
        if self.inHand > 0 || !self.unwritten.isEmpty { return true }
        if case .no = self.asking { return false }
        return true
    }

    /// Whether nothing can be done now: nothing is in hand, and what is due waits for an origin in trouble.
    package func isAtRest(at now: Present) -> Bool {
        guard case .no = self.asking, self.inHand == 0 else { return false }
        return self.isOffline || self.trouble != nil || self.next.map { $0 > now.moment } ?? true
    }

    /// Takes what happened and says what to do.
    package mutating func handle(_ input: Input, at now: Present) -> [Action] {
        var actions: [Action] = []
        switch input {
        case .wake:
            if let alarm, alarm <= now.moment { self.alarm = nil }
            self.ask(at: now, &actions)
        case .claimed(let claim, let failure): self.take(claim, failure, at: now, &actions)
        case .answered(let claimed, let outcome, let bits):
            self.origins.note(outcome, of: claimed.origin, at: now, bits: bits)
            let delivery = DeliveryOutcome.judged(
                outcome,
                of: claimed.beacon.call,
                attempt: claimed.attempt,
                recorded: claimed.recorded,
                now: now.wallTime,
                bits: bits
            )
            self.begun[claimed.beacon.key] = nil
            self.origins.give(claimed.origin)
            actions.append(.settle(claimed, delivery))
            // What became of this one and what comes next are written down together.
            self.ask(at: now, &actions)
        case .settled(let claimed, let outcome): self.settled(claimed, outcome, nil, at: now, &actions)
        case .settleFailed(let claimed, let outcome, let failure):
            self.settled(claimed, outcome, failure, at: now, &actions)
        case .network(let kind): self.network(kind, at: now, &actions)
        }
        self.setAlarm(at: now, &actions)
        return actions
    }
}

extension BeaconScheduler {
    /// How many more may be taken in hand: what is slow keeps nobody waiting, up to a bound.
    private func room(at now: Moment) -> Int {
        let slow = self.begun.values.count { $0 + self.limits.slowness <= now }
        return min(
            self.limits.onTheWay - (self.begun.count - slow),
            self.limits.inHand + slow - self.inHand,
            self.limits.onTheWay + self.limits.slow - self.begun.count
        )
    }

    private mutating func ask(at now: Present, _ actions: inout [Action]) {
        guard case .no = self.asking else {
            if case .yes(let limit, let spares, _) = self.asking {
                self.asking = .yes(limit: limit, sparesLedger: spares, again: true)
            }
            return
        }
        let isInTrouble = self.trouble.map { now.moment < $0.until } ?? false
        if !isInTrouble, !self.unwritten.isEmpty {
            // Before anything is claimed: a lease that is over would hand out what is known to have arrived.
            self.asking = .settlingFirst(left: Set(self.unwritten.map(\.beacon.beacon.key)), lastFailure: nil)
            actions += self.unwritten.map { .settleAgain($0.beacon, $0.outcome) }
            return
        }
        let room = self.room(at: now.moment)
        self.isWanting = room <= 0
        guard !self.isOffline, room > 0 else { return }
        self.asking = .yes(limit: room, sparesLedger: isInTrouble, again: false)
        self.first = self.first ?? now
        // What is tried once is what was due then: a second attempt is due later.
        let due = self.limits.triesOnce ? self.first ?? now : now
        let terms = ClaimRequest(
            limit: room,
            each: self.limits.perOrigin.lowerBound,
            room: self.origins.room(at: now.moment),
            at: due.wallTime,
            lease: self.limits.lease + (now.moment - due.moment)
        )
        actions.append(.claim(terms, sparesLedger: isInTrouble))
    }

    private mutating func take(
        _ claim: BeaconClaim,
        _ failure: LedgerError?,
        at now: Present,
        _ actions: inout [Action]
    ) {
        guard case .yes(let limit, let sparesLedger, let again) = self.asking else {
            preconditionFailure("Nobody asked for beacons.")
        }
        self.asking = .no
        if let failure {
            self.ledgerFailed(failure, at: now)
        } else if !sparesLedger {
            self.trouble = nil
        }
        self.next = claim.next.map { now.moment(of: $0) }
        if claim.beacons.isEmpty, let next { self.next = max(next, now.moment + BeaconScheduler.leastRest) }
        if claim.beacons.isEmpty, self.limits.triesOnce { self.next = nil }
        for claimed in claim.beacons {
            self.inHand += 1
            if claimed.isOnlyJudged {
                actions.append(.settle(claimed, .unconfirmed(reason: ClaimedBeacon.leaseOver)))
            } else {
                self.begun[claimed.beacon.key] = now.moment
                self.origins.take(claimed.origin)
                actions.append(.send(claimed))
            }
        }
        // There may be more than was asked for, and what is in doubt is not on its way.
        if again || claim.beacons.count >= limit { self.ask(at: now, &actions) }
    }

    private mutating func settled(
        _ claimed: ClaimedBeacon,
        _ outcome: DeliveryOutcome,
        _ failure: LedgerError?,
        at now: Present,
        _ actions: inout [Action]
    ) {
        let key = claimed.beacon.key
        // What was in doubt was never on its way: nobody asked for more of its origin when it was done.
        let wasUnasked = self.room(at: now.moment) <= 0 || claimed.isInDoubt
        if case .settlingFirst(var left, let lastFailure) = self.asking, left.remove(key) != nil {
            if failure == nil { self.unwritten.removeAll { $0.beacon.beacon.key == key } }
            self.asking = .settlingFirst(left: left, lastFailure: failure ?? lastFailure)
            guard left.isEmpty else { return }
            self.asking = .no
            if let failure = failure ?? lastFailure { self.ledgerFailed(failure, at: now) } else { self.trouble = nil }
            return self.ask(at: now, &actions)
        }
        self.inHand -= 1
        if let failure {
            self.keep(claimed, outcome)
            self.ledgerFailed(failure, at: now)
        } else if case .retry(let time, _) = outcome, !self.limits.triesOnce {
            // Whoever was asked meanwhile may not have known.
            let moment = now.moment(of: time)
            self.next = min(self.next ?? moment, moment)
        }
        // Otherwise it was asked when the answer came, and the ledger has said when to ask again.
        if wasUnasked || self.inHand == 0 || failure != nil { self.ask(at: now, &actions) }
    }

    /// Keeps an outcome that could not be written down; of two for one beacon the one that says that it arrived.
    private mutating func keep(_ claimed: ClaimedBeacon, _ outcome: DeliveryOutcome) {
        let key = claimed.beacon.key
        if let index = self.unwritten.firstIndex(where: { $0.beacon.beacon.key == key }) {
            if self.unwritten[index].outcome != .delivered { self.unwritten[index] = (claimed, outcome) }
        } else if self.unwritten.count < BeaconScheduler.mostUnwritten {
            self.unwritten.append((claimed, outcome))
        }
    }

    /// A ledger that fails is left in peace for a while, longer each time.
    private mutating func ledgerFailed(_ failure: LedgerError, at now: Present) {
        // What can't be written down any more is nobody's concern here.
        if failure.isFinal { self.unwritten = [] }
        if let trouble, now.moment < trouble.until, trouble.isFinal == failure.isFinal { return }
        let count = (self.trouble?.count ?? 0) + 1
        self.trouble = (count, now.moment + .seconds(min(60, 1 << min(count - 1, 6))), failure.isFinal)
    }

    private mutating func network(_ kind: NetworkKind, at now: Present, _ actions: inout [Action]) {
        self.isOffline = kind == .offline
        guard !self.isOffline else { return }
        // Whoever could not be reached may be reached over another network.
        self.origins.forgetUnreachable()
        self.ask(at: now, &actions)
    }

    /// One alarm, for whatever comes first: something due, an origin's or the ledger's rest that is over.
    private mutating func setAlarm(at now: Present, _ actions: inout [Action]) {
        var moment: Moment?
        // Who is asked will say more; without room nothing can be done; and without a network neither.
        if case .no = self.asking {
            let trouble = self.trouble.flatMap { $0.isFinal ? nil : $0.until }
            let next = [self.next, self.origins.nextEnd(after: now.moment), trouble].compactMap { $0 }.min()
            if self.isOffline {
                // What is known is written down without a network too.
                if !self.unwritten.isEmpty { moment = trouble }
            } else if self.room(at: now.moment) > 0 {
                moment = next
            } else if let freed = self.nextSlow(after: now.moment) {
                moment = self.isWanting ? freed : next.map { max($0, freed) }
            }
        }
        guard moment != self.alarm else { return }
        self.alarm = moment
        actions.append(moment.map { .setAlarm($0) } ?? .cancelAlarm)
    }

    /// When the next of those on their way becomes a slow one and makes room; nil where none does.
    private func nextSlow(after now: Moment) -> Moment? {
        guard self.begun.count < self.limits.onTheWay + self.limits.slow else { return nil }
        return self.begun.values.lazy.map { $0 + self.limits.slowness }.filter { $0 > now }.min()
    }
}
