/// The state machine of beacon delivery: which beacons are claimed, sent and settled, and when.
///
/// It limits the requests in all and to each origin, pauses origins that fail, and stops without a network. It holds
/// only claimed beacons; all others wait in the ledger. Its shell executes each action and reports the results as
/// inputs, in any order.
package struct BeaconScheduler: Sendable {
    /// The limits of parallel delivery.
    package struct Limits: Hashable, Sendable {
        /// The maximum number of requests that are not slow yet.
        package var onTheWay = 32
        /// The time after which a request is slow, so it only counts against its own origin.
        package var slowness = Duration.seconds(1)
        /// The maximum number of slow requests, in addition to `onTheWay`.
        package var slow = 64
        /// The maximum number of claimed beacons without slow ones: those being sent, and those not settled yet.
        package var inHand = 64
        /// The maximum number of requests to one origin: at first, and after successful ones.
        package var perOrigin = 2...4
        /// The time limit of one attempt.
        package var timeout = Beacon.timeout
        /// The lease of a claim; it must be longer than any attempt.
        package var lease = Duration.seconds(60)
        /// The maximum pause of a failing origin that sends no `Retry-After`.
        package var maximumPause = Duration.seconds(300)
        /// Whether only the beacons that are due at the start are tried, once each, to failing origins, too.
        package var triesOnce = false
        /// The maximum number of origins with a remembered state.
        package var origins = 512

        /// The default limits.
        package init() {}
    }

    /// An input of the scheduler.
    package enum Input: Sendable {
        /// A beacon was recorded, or the alarm has fired.
        case wake
        /// The ledger has returned a claim, or failed with an error.
        case claimed(BeaconClaim, failure: LedgerError?)
        /// An attempt has ended; the bits are random.
        case answered(ClaimedBeacon, Result<AdHTTPResponse, TransportError>, bits: UInt64)
        /// The ledger has recorded an outcome.
        case settled(ClaimedBeacon, DeliveryOutcome)
        /// The ledger could not record an outcome.
        case settleFailed(ClaimedBeacon, DeliveryOutcome, LedgerError)
        /// The kind of network changed.
        case network(NetworkKind)
    }

    /// An action of the scheduler's shell.
    package enum Action: Hashable, Sendable {
        /// Claim beacons from the ledger and the fallback ledger, or from the fallback ledger alone.
        case claim(ClaimRequest, sparesLedger: Bool)
        /// Send a beacon.
        case send(ClaimedBeacon)
        /// Record outcomes and report them; with a request claim beacons, too, in one transaction if the ledger can.
        case settle([SettledBeacon], claiming: ClaimRequest?)
        /// Record an outcome again that could not be recorded before; it was reported already.
        case settleAgain(SettledBeacon)
        /// Set the one alarm, which replaces an earlier one.
        case setAlarm(Moment)
        /// Cancel the alarm.
        case cancelAlarm
    }

    /// The current time by both clocks.
    package struct Present: Hashable, Sendable {
        /// The time of the monotonic clock.
        package let moment: Moment
        /// The calendar time of the ledger.
        package let wallTime: WallTime

        /// Creates the current time.
        package init(_ moment: Moment, _ wallTime: WallTime) {
            self.moment = moment
            self.wallTime = wallTime
        }

        func moment(of time: WallTime) -> Moment { self.moment + max(.zero, time - self.wallTime) }
    }

    /// Whether a claim is under way.
    private enum ClaimState {
        case idle
        /// A claim is under way; with `again`, another one follows because of an input meanwhile.
        case claiming(limit: Int, sparesLedger: Bool, again: Bool)
        /// Outcomes that could not be recorded are recorded before the next claim.
        case settling(left: Set<ClaimedBeacon>, lastFailure: LedgerError?)
    }

    private let limits: Limits
    private var claimState = ClaimState.idle
    private var origins: OriginLimiter
    /// The number of claimed beacons that are not settled.
    private var inHand = 0
    /// Outcomes that are not given to the ledger yet; between inputs there are some only while a claim is under way.
    private var outcomes: [SettledBeacon] = []
    /// When each running request was sent.
    private var sentAt: [BeaconKey: Moment] = [:]
    /// Whether a claim was put off because the limits were reached.
    private var isAtLimit = false
    /// The time of the first claim.
    private var firstClaim: Present?
    private var isOffline = false
    /// When the next beacon is due, as the ledger reported.
    private var nextDue: Moment?
    /// The pause after failures of the ledger: how many in a row, until when, and whether the last one is final.
    private var ledgerPause: (count: Int, until: Moment, isFinal: Bool)?
    /// Outcomes that could not be recorded, oldest first.
    private var unsettled: [SettledBeacon] = []
    private var alarm: Moment?

    /// The maximum number of kept outcomes; the beacons of further ones stay claimed until their leases end.
    private static let unsettledLimit = 1_000
    /// The minimum pause after a claim without beacons, even if the ledger reports one as due.
    private static let minimumClaimInterval = Duration.milliseconds(50)

    /// Creates a scheduler without claimed beacons.
    package init(_ limits: Limits = Limits()) {
        self.limits = limits
        self.origins = OriginLimiter(limits)
    }

    /// Whether beacons are claimed or being claimed, or an outcome is not recorded yet.
    package var isBusy: Bool {
        if self.inHand > 0 || !self.unsettled.isEmpty { return true }
        if case .idle = self.claimState { return false }
        return true
    }

    /// Whether nothing can be done now: no beacon is claimed, and those that are due wait for paused origins.
    package func isAtRest(at now: Present) -> Bool {
        guard case .idle = self.claimState, self.inHand == 0 else { return false }
        return self.isOffline || self.ledgerPause != nil || self.nextDue.map { $0 > now.moment } ?? true
    }

    /// Handles an input and returns the actions to execute.
    package mutating func handle(_ input: Input, at now: Present) -> [Action] {
        var actions: [Action] = []
        switch input {
        case .wake:
            if let alarm, alarm <= now.moment { self.alarm = nil }
            self.claim(at: now, &actions)
        case .claimed(let claim, let failure): self.claimed(claim, failure, at: now, &actions)
        case .answered(let claimed, let outcome, let bits):
            self.origins.record(outcome, of: claimed.origin, at: now, bits: bits)
            let delivery = DeliveryOutcome.decided(
                outcome,
                of: claimed.beacon.call,
                attempt: claimed.attempt,
                recorded: claimed.recorded,
                now: now.wallTime,
                bits: bits
            )
            self.sentAt[claimed.beacon.key] = nil
            self.origins.finish(claimed.origin)
            self.outcomes.append(SettledBeacon(claimed, delivery))
            self.claim(at: now, &actions)
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
    /// How many more beacons may be claimed; slow requests do not count, up to their own limit.
    private func claimLimit(at now: Moment) -> Int {
        let slow = self.sentAt.values.count { $0 + self.limits.slowness <= now }
        return min(
            self.limits.onTheWay - (self.sentAt.count - slow),
            self.limits.inHand + slow - self.inHand,
            self.limits.onTheWay + self.limits.slow - self.sentAt.count
        )
    }

    /// Records the known outcomes and claims more, or does so after the claim that is under way.
    ///
    /// The ledger can then write both in one transaction. An outcome waits for a claim under way because the ledger in a
    /// file writes one transaction at a time: sent alone it would be written no earlier, and delay the next claim. A
    /// ledger that writes several at a time could have had it earlier.
    private mutating func claim(at now: Present, _ actions: inout [Action]) {
        if case .claiming(let limit, let spares, _) = self.claimState {
            self.claimState = .claiming(limit: limit, sparesLedger: spares, again: true)
            return
        }
        guard case .idle = self.claimState else { return self.settleOutcomes(&actions) }
        let isLedgerPaused = self.ledgerPause.map { now.moment < $0.until } ?? false
        if !isLedgerPaused, !self.unsettled.isEmpty {
            // Before the next claim: after the end of its lease a delivered beacon would be claimed again.
            self.settleOutcomes(&actions)
            self.claimState = .settling(left: Set(self.unsettled.map(\.claimed)), lastFailure: nil)
            actions += self.unsettled.map { .settleAgain($0) }
            return
        }
        let request = self.startClaim(at: now, sparesLedger: isLedgerPaused)
        let isTogether = !isLedgerPaused && !self.outcomes.isEmpty
        self.settleOutcomes(claiming: isTogether ? request : nil, &actions)
        if !isTogether, let request { actions.append(.claim(request, sparesLedger: isLedgerPaused)) }
    }

    /// Records the known outcomes, if there are any.
    private mutating func settleOutcomes(claiming request: ClaimRequest? = nil, _ actions: inout [Action]) {
        if !self.outcomes.isEmpty { actions.append(.settle(self.outcomes, claiming: request)) }
        self.outcomes = []
    }

    /// The request of a claim that the ledger makes together with a record; nil if none may be made now.
    ///
    /// Its result follows as `claimed`.
    package mutating func claimWithRecord(at now: Present) -> ClaimRequest? {
        guard case .idle = self.claimState, self.ledgerPause == nil, self.unsettled.isEmpty else { return nil }
        return self.startClaim(at: now, sparesLedger: false)
    }

    /// The request of the next claim; nil while there is no network or the limits are reached.
    private mutating func startClaim(at now: Present, sparesLedger: Bool) -> ClaimRequest? {
        let limit = self.claimLimit(at: now.moment)
        self.isAtLimit = limit <= 0
        guard !self.isOffline, limit > 0 else { return nil }
        self.claimState = .claiming(limit: limit, sparesLedger: sparesLedger, again: false)
        self.firstClaim = self.firstClaim ?? now
        // With `triesOnce` only beacons due at the first claim are claimed; a second attempt is due later.
        let due = self.limits.triesOnce ? self.firstClaim ?? now : now
        return ClaimRequest(
            limit: limit,
            each: self.limits.perOrigin.lowerBound,
            limits: self.origins.limits(at: now.moment),
            at: due.wallTime,
            lease: self.limits.lease + (now.moment - due.moment)
        )
    }

    private mutating func claimed(
        _ claim: BeaconClaim,
        _ failure: LedgerError?,
        at now: Present,
        _ actions: inout [Action]
    ) {
        guard case .claiming(let limit, let sparesLedger, let again) = self.claimState else {
            preconditionFailure("The ledger returned beacons without a claim.")
        }
        self.claimState = .idle
        if let failure {
            self.ledgerFailed(failure, at: now)
        } else if !sparesLedger {
            self.ledgerPause = nil
        }
        self.nextDue = claim.next.map { now.moment(of: $0) }
        if claim.beacons.isEmpty, let nextDue {
            self.nextDue = max(nextDue, now.moment + BeaconScheduler.minimumClaimInterval)
        }
        if claim.beacons.isEmpty, self.limits.triesOnce { self.nextDue = nil }
        var expired: [SettledBeacon] = []
        var sends: [Action] = []
        for claimed in claim.beacons {
            self.inHand += 1
            if claimed.isExpiredAtMostOnce {
                expired.append(SettledBeacon(claimed, .unconfirmed(reason: ClaimedBeacon.leaseExpiredReason)))
            } else {
                self.sentAt[claimed.beacon.key] = now.moment
                self.origins.start(claimed.origin)
                sends.append(.send(claimed))
            }
        }
        // Expired ones first: an outcome that has waited may be the late one of an earlier claim of the same beacon.
        self.outcomes = expired + self.outcomes
        // There may be more beacons than the limit, and interrupted ones may not be sent.
        if again || claim.beacons.count >= limit {
            self.claim(at: now, &actions)
        } else {
            self.settleOutcomes(&actions)
        }
        // After the writes above, so that the ledger's thread already writes while requests are built.
        actions += sends
    }

    private mutating func settled(
        _ claimed: ClaimedBeacon,
        _ outcome: DeliveryOutcome,
        _ failure: LedgerError?,
        at now: Present,
        _ actions: inout [Action]
    ) {
        // An interrupted beacon may not have been sent; then no claim followed its response.
        let shouldClaim = self.claimLimit(at: now.moment) <= 0 || claimed.wasInterrupted
        // Of two claims of one beacon each has its own outcome.
        if case .settling(var left, let lastFailure) = self.claimState, left.remove(claimed) != nil {
            if failure == nil { self.unsettled.removeAll { $0.claimed == claimed } }
            self.claimState = .settling(left: left, lastFailure: failure ?? lastFailure)
            guard left.isEmpty else { return }
            self.claimState = .idle
            if let failure = failure ?? lastFailure {
                self.ledgerFailed(failure, at: now)
            } else {
                self.ledgerPause = nil
            }
            return self.claim(at: now, &actions)
        }
        self.inHand -= 1
        if let failure {
            self.keepUnsettled(claimed, outcome)
            self.ledgerFailed(failure, at: now)
        } else if case .retry(let time, _) = outcome, !self.limits.triesOnce {
            // The result of a claim meanwhile may not include this retry.
            let moment = now.moment(of: time)
            self.nextDue = min(self.nextDue ?? moment, moment)
        }
        // Otherwise a claim followed the beacon's response, and the ledger has reported what is due next.
        if shouldClaim || self.inHand == 0 || failure != nil { self.claim(at: now, &actions) }
    }

    /// Keeps an outcome that could not be recorded; of two for one beacon, `delivered` wins.
    private mutating func keepUnsettled(_ claimed: ClaimedBeacon, _ outcome: DeliveryOutcome) {
        let key = claimed.beacon.key
        if let index = self.unsettled.firstIndex(where: { $0.claimed.beacon.key == key }) {
            if self.unsettled[index].outcome != .delivered { self.unsettled[index] = SettledBeacon(claimed, outcome) }
        } else if self.unsettled.count < BeaconScheduler.unsettledLimit {
            self.unsettled.append(SettledBeacon(claimed, outcome))
        }
    }

    /// Pauses the claims from a failing ledger, longer with each failure, up to a minute.
    private mutating func ledgerFailed(_ failure: LedgerError, at now: Present) {
        // Outcomes can't be recorded any more.
        if failure.isFinal { self.unsettled = [] }
        if let ledgerPause, now.moment < ledgerPause.until, ledgerPause.isFinal == failure.isFinal { return }
        let count = (self.ledgerPause?.count ?? 0) + 1
        self.ledgerPause = (count, now.moment + .seconds(min(60, 1 << min(count - 1, 6))), failure.isFinal)
    }

    private mutating func network(_ kind: NetworkKind, at now: Present, _ actions: inout [Action]) {
        self.isOffline = kind == .offline
        guard !self.isOffline else { return }
        // Unreachable origins may be reachable over another network.
        self.origins.resumeUnreachable()
        self.claim(at: now, &actions)
    }

    /// Sets the alarm for what comes first: a due beacon, or the end of an origin's or the ledger's pause.
    private mutating func setAlarm(at now: Present, _ actions: inout [Action]) {
        var moment: Moment?
        // A running claim will report what is due next.
        if case .idle = self.claimState {
            let ledgerPauseEnd = self.ledgerPause.flatMap { $0.isFinal ? nil : $0.until }
            let next = [self.nextDue, self.origins.nextPauseEnd(after: now.moment), ledgerPauseEnd]
                .compactMap { $0 }.min()
            if self.isOffline {
                // Outcomes are recorded without a network, too.
                if !self.unsettled.isEmpty { moment = ledgerPauseEnd }
            } else if self.claimLimit(at: now.moment) > 0 {
                moment = next
            } else if let freed = self.nextSlow(after: now.moment) {
                moment = self.isAtLimit ? freed : next.map { max($0, freed) }
            }
        }
        guard moment != self.alarm else { return }
        self.alarm = moment
        actions.append(moment.map { .setAlarm($0) } ?? .cancelAlarm)
    }

    /// When the next running request becomes slow and so allows another claim; nil if none does.
    private func nextSlow(after now: Moment) -> Moment? {
        guard self.sentAt.count < self.limits.onTheWay + self.limits.slow else { return nil }
        return self.sentAt.values.lazy.map { $0 + self.limits.slowness }.filter { $0 > now }.min()
    }
}
