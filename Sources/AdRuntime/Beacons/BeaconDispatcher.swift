public import AdCore
import SystemSupport

/// Records beacons, once each, and delivers them until their outcome is known.
///
/// This is the shell of `BeaconScheduler`, which decides what is sent and when. When the ledger fails (a full disk, a
/// broken file), beacons are kept in memory, and an issue reports it.
///
/// All inputs go through one mailbox, which handles them and executes their actions in order.
public final class BeaconDispatcher: Sendable {
    private let ledger: FallbackLedger
    private let transport: any Transport
    private let clock: any AdClock
    private let credentials: Credentials
    private let random: @Sendable () -> UInt64
    private let observer: (any AdObserver)?
    /// The identifiers that may not be sent any more.
    private let withheldIdentifiers: @Sendable () -> [String]
    private let outcomeBroadcaster = Broadcaster<AdRecord>()
    /// Reports about beacons of ads that have not reported yet that these were recorded.
    private let heldReports = Locked(HeldReports())

    private let mailbox = SerialMailbox<BeaconScheduler.Input>()
    /// The number of announced records and mailbox items that the scheduler has not handled yet.
    private let announcedCount = Locked(0)
    /// When the dispatcher was created, by both clocks.
    private let start: (moment: Moment, wallTime: WallTime)
    private let observation = Locked<HostObservation?>(nil)
    private let lastNetwork = Locked<NetworkKind?>(nil)
    private let requestTimeout: Duration
    /// How often a wait looks for changes that other processes make in the ledger.
    private static let pollInterval = Duration.milliseconds(50)
    private let state: Locked<State>

    private struct State {
        var scheduler: BeaconScheduler
        var alarm: AlarmID?
        /// Whether a `wake` is in the mailbox.
        var isWakePending = false
        /// Waits that end with the next change.
        var waiters: [UInt64: ClockWait] = [:]
        var lastWaiter: UInt64 = 0
    }

    package init(
        ledger: any BeaconLedger,
        transport: any Transport,
        clock: any AdClock,
        credentials: Credentials = Credentials(),
        limits: BeaconScheduler.Limits = BeaconScheduler.Limits(),
        random: @escaping @Sendable () -> UInt64,
        observer: (any AdObserver)?,
        withheldIdentifiers: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.withheldIdentifiers = withheldIdentifiers
        self.ledger = FallbackLedger(ledger)
        self.transport = transport
        self.clock = clock
        self.credentials = credentials
        self.requestTimeout = limits.timeout
        self.state = Locked(State(scheduler: BeaconScheduler(limits)))
        self.random = random
        self.observer = observer
        self.start = (clock.now, clock.wallTime)
    }

    deinit { self.observation.withLock { $0 }?.cancel() }

    /// The current time; the wall time does not jump when the device's clock is set.
    private var present: BeaconScheduler.Present {
        let now = self.clock.now
        return BeaconScheduler.Present(now, self.start.wallTime + (now - self.start.moment))
    }

    /// The outcomes of deliveries from now on, of all ads and of earlier processes: the events `beaconDelivered`,
    /// `beaconUnconfirmed` and `beaconDead`, which most ads do not live to see.
    ///
    /// Each use returns a new stream, which ends with the dispatcher.
    public var outcomes: AsyncStream<AdRecord> { self.outcomeBroadcaster.messages }

    /// The ledger's entries after a number, and those in memory.
    ///
    /// A ledger that can't be read counts as empty if beacons are kept in memory instead.
    public func entries(after number: Int64 = .min) async throws(LedgerError) -> [LedgerEntry] {
        try await self.ledger.entries(after: number)
    }

    /// The entries of those of some beacons that the ledger or memory has, in no order.
    package func entries(of keys: Set<BeaconKey>) async throws(LedgerError) -> [LedgerEntry] {
        try await self.ledger.entries(of: keys)
    }

    /// The network's kind; nil when the host has not reported it.
    package var network: NetworkKind? { self.lastNetwork.withLock { $0 } }

    /// Observes the network: nothing is sent while it is offline, and every pending beacon when it is back.
    package func observe(_ signals: any HostSignals) {
        let observation = signals.observe { [weak self] signal in
            guard case .network(let kind) = signal, let self else { return }
            self.lastNetwork.withLock { $0 = kind }
            self.postLater(.network(kind))
        }
        self.observation.withLock { $0 = observation }
    }
}

extension BeaconDispatcher {
    /// Waits until no beacon is pending or being sent, at most for a time.
    ///
    /// A beacon that waits for a retry counts as pending, and so does a known outcome that is not reported yet.
    public func waitUntilDelivered(within timeout: Duration) async {
        self.clock.workStarted()
        await self.waitUntilDeliveredSuspendingWork(within: timeout)
        self.clock.workEnded()
    }

    /// The same for a caller that counts as work; its work is suspended meanwhile.
    package func waitUntilDeliveredSuspendingWork(within timeout: Duration) async {
        await self.wait(within: timeout) { await self.isBusy() }
    }

    /// Sends every pending beacon once, and waits until nothing more can be done now.
    ///
    /// No attempt starts after the deadline; attempts in progress are awaited.
    package func flush(within timeout: Duration) async throws(LedgerError) {
        self.clock.workStarted()
        defer { self.clock.workEnded() }
        try await self.ledger.makeAllDue(at: self.present.wallTime)
        self.post(.wake)
        await self.wait(within: timeout) { !self.isAtRest }
        await self.stopSending(within: self.requestTimeout + .seconds(5))
    }

    /// Starts no more attempts, and waits until the outcomes of those in progress are recorded.
    ///
    /// They need not be reported: an observer may be slow to take the event before (`HeldReports`).
    ///
    /// The next process can't know the outcome of an attempt that is in progress when this one ends.
    package func stopSending(within timeout: Duration) async {
        self.clock.workStarted()
        defer { self.clock.workEnded() }
        self.post(.network(.offline))
        await self.wait(within: timeout) {
            self.hasPendingRecords || self.state.withLock { $0.scheduler.isBusy }
        }
    }

    /// Waits while a condition holds, at most for a time; it is evaluated again after every change.
    package func wait(within timeout: Duration, while isBusy: () async -> Bool) async {
        let deadline = self.clock.now + timeout
        while self.clock.now < deadline, !Task.isCancelled {
            let change = ClockWait(self.clock)
            // Registered before the condition is evaluated, so that a change meanwhile is not missed.
            let number = self.state.withLock { state in
                state.lastWaiter += 1
                state.waiters[state.lastWaiter] = change
                return state.lastWaiter
            }
            defer { _ = self.state.withLock { $0.waiters.removeValue(forKey: number) } }
            if await isBusy() {
                // The changes of another process are not reported, so the ledger is polled for them.
                let isOwn = self.hasPendingRecords || self.state.withLock { $0.scheduler.isBusy }
                await change.wait(
                    until: isOwn ? deadline : min(deadline, self.clock.now + BeaconDispatcher.pollInterval)
                )
            } else if change.abandon() {
                return
            }
        }
    }

    /// Whether any beacon is pending, claimed or announced, or its outcome not reported.
    package func isBusy() async -> Bool {
        // The ledger is asked only when nothing is under way here: a wait evaluates this after every change.
        if self.isWorking { return true }
        let isWaiting = await self.ledger.isWaiting()
        // Evaluated again after the ledger: what was claimed meanwhile no longer waits there, but the scheduler has it.
        return isWaiting || self.isWorking
    }

    /// Whether this process has a beacon claimed or announced, or its outcome not reported.
    private var isWorking: Bool {
        self.hasPendingRecords || self.hasClaims || self.heldReports.withLock { $0.hasReports }
    }

    /// Whether this process has beacons claimed or claims more.
    package var hasClaims: Bool { self.state.withLock { $0.scheduler.isBusy } }

    private var isAtRest: Bool {
        let now = self.present
        return !self.hasPendingRecords && self.state.withLock { $0.scheduler.isAtRest(at: now) }
    }

    /// Whether a record is announced, or an input not handled yet.
    package var hasPendingRecords: Bool { self.announcedCount.withLock { $0 } > 0 }

    /// How many waits are registered.
    var waiterCount: Int { self.state.withLock { $0.waiters.count } }

    private func notifyWaiters() {
        let waiters = self.state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.end() }
    }
}

extension BeaconDispatcher {
    /// Announces a call of `record`, so that waits for beacons include it.
    package func announce() { self.announcedCount.withLock { $0 += 1 } }

    /// Records announced beacons and sends none of them, for tests of what follows.
    package func record(_ beacons: [Beacon]) async -> RecordResult {
        defer { self.recordEnded() }
        return await self.ledger.record(beacons, at: self.present.wallTime)
    }

    /// Records beacons that belong to no `Ad` object, and starts delivering them.
    @discardableResult
    package func recordAndDeliver(_ beacons: [Beacon]) async -> RecordResult {
        self.announce()
        return await self.recordAndDeliver(announced: beacons)
    }

    /// Records announced beacons of an ad, and starts delivering them; what is reported about them waits.
    ///
    /// `releaseReports` must follow when the ad has reported them as recorded.
    package func recordHoldingReports(_ beacons: [Beacon]) async -> RecordResult {
        // Before the record: any later claim can have them.
        self.heldReports.withLock { $0.hold(beacons.map(\.key)) }
        return await self.recordAndDeliver(announced: beacons)
    }

    /// Reports what has become known about beacons before they were reported as recorded.
    package func releaseReports(of keys: [BeaconKey]) {
        // A wait for the beacons includes the reports.
        self.announce()
        for report in self.heldReports.withLock({ $0.release(keys) }) { self.makeReport(report) }
        self.recordEnded()
    }

    /// Records announced beacons, claims in the same transaction where the ledger can, and sends what was claimed.
    ///
    /// The requests start before the ad reports anything: what is claimed and not sent when the process ends is never
    /// sent, so an observer must not stand in between.
    @discardableResult
    package func recordAndDeliver(announced beacons: [Beacon]) async -> RecordResult {
        defer { self.recordEnded() }
        let now = self.present
        let request =
            self.ledger.claimsWithWrites ? self.state.withLock { $0.scheduler.claimWithRecord(at: now) } : nil
        guard let request else {
            let result = await self.ledger.record(beacons, at: now.wallTime)
            self.deliver()
            return result
        }
        let (result, claimed) = await self.ledger.record(beacons, claiming: request, at: now.wallTime)
        if let (claim, failure) = claimed {
            self.postBriefly(.claimed(claim, failure: failure))
        } else {
            self.execute(.claim(request, sparesLedger: false))
        }
        return result
    }

    private func recordEnded() {
        self.announcedCount.withLock { $0 -= 1 }
        self.notifyWaiters()
    }

    /// Starts delivering due beacons.
    ///
    /// The dispatcher stays alive while a beacon is due, even without other references to it.
    package func deliver() {
        // One `wake` at a time is enough.
        let isFirst = self.state.withLock { state in
            defer { state.isWakePending = true }
            return !state.isWakePending
        }
        if isFirst { self.postLater(.wake) }
    }

    private func post(_ input: BeaconScheduler.Input) {
        self.enqueue(input)
        self.drain()
    }

    /// The same in a task, because the caller may be on the app's main thread.
    private func postLater(_ input: BeaconScheduler.Input) {
        self.enqueue(input)
        self.clock.work { self.drain() }
    }

    /// The same at once for a caller that an ad waits for: a task of its own handles more than a few inputs of others.
    private func postBriefly(_ input: BeaconScheduler.Input) {
        self.clock.workStarted()
        self.announce()
        self.mailbox.post(input, rounds: 2, handle: self.handle) {
            self.clock.work { self.mailbox.resume(self.handle) }
        }
    }

    private func enqueue(_ input: BeaconScheduler.Input) {
        self.clock.workStarted()
        self.announce()
        self.mailbox.enqueue(input)
    }

    private func drain() { self.mailbox.drain(self.handle) }

    private func handle(_ input: BeaconScheduler.Input) {
        let now = self.present
        let actions = self.state.withLock { state in
            if case .wake = input { state.isWakePending = false }
            return state.scheduler.handle(input, at: now)
        }
        for action in actions { self.execute(action) }
        self.recordEnded()
        self.clock.workEnded()
    }

    private func execute(_ action: BeaconScheduler.Action) {
        switch action {
        case .claim(let request, let sparesLedger):
            self.clock.startWorkImmediately {
                let (claim, failure) = await self.ledger.claim(request, sparesLedger: sparesLedger)
                self.post(.claimed(claim, failure: failure))
            }
        case .send(let claimed): self.clock.startWorkImmediately { await self.send(claimed) }
        case .settle(let outcomes, let request):
            self.clock.startWorkImmediately { await self.settle(outcomes, claiming: request) }
        case .settleAgain(let one): self.clock.startWorkImmediately { await self.settle(one, isReported: true) }
        case .setAlarm(let moment): self.setAlarm(at: moment)
        case .cancelAlarm: self.setAlarm(at: nil)
        }
    }

    private func setAlarm(at moment: Moment?) {
        let alarm = moment.map { self.clock.schedule(at: $0) { self.deliver() } }
        let previous = self.state.withLock { state in
            defer { state.alarm = alarm }
            return state.alarm
        }
        if let previous { self.clock.cancel(previous) }
    }

    private func send(_ claimed: ClaimedBeacon) async {
        let outcome: Result<AdHTTPResponse, TransportError>
        do throws(TransportError) {
            let beacon = claimed.beacon.withholding(self.withheldIdentifiers())
            let request = try beacon.request(within: self.requestTimeout) { self.credentials[$0] }
            outcome = .success(try await self.transport.send(request))
        } catch {
            outcome = .failure(error)
        }
        let beacon = claimed.beacon
        if let issue = DeliveryOutcome.issue(of: outcome, of: beacon.call) {
            self.report(.issue(issue), of: beacon)
        }
        self.post(.answered(claimed, outcome, bits: self.random()))
    }

    /// Writes outcomes and claims more beacons, in one transaction where the ledger can.
    ///
    /// Then the claimed beacons are sent before the outcomes are reported, because an observer may be slow.
    private func settle(_ outcomes: [SettledBeacon], claiming request: ClaimRequest?) async {
        let result = await self.ledger.settle(outcomes, claiming: request, at: self.present.wallTime)
        guard let (failure, claimed) = result else {
            // Each on its own: the ledger can't do both, or beacons are kept in memory.
            for one in outcomes { self.clock.startWorkImmediately { await self.settle(one, isReported: false) } }
            if let request { self.execute(.claim(request, sparesLedger: false)) }
            return
        }
        if let (claim, failure) = claimed {
            self.post(.claimed(claim, failure: failure))
        } else if let request {
            self.execute(.claim(request, sparesLedger: false))
        }
        // Each in a task of its own: an observer that is slow with one delays no other.
        for one in outcomes.dropFirst() { self.clock.work { self.settled(one, failure, isReported: false) } }
        if let first = outcomes.first { self.settled(first, failure, isReported: false) }
    }

    private func settle(_ one: SettledBeacon, isReported: Bool) async {
        var failure: LedgerError?
        do throws(LedgerError) {
            try await self.ledger.settle(one.claimed, as: one.outcome, at: self.present.wallTime)
        } catch {
            failure = error
        }
        self.settled(one, failure, isReported: isReported)
    }

    /// Reports an outcome, and tells the scheduler whether it was written.
    private func settled(_ one: SettledBeacon, _ failure: LedgerError?, isReported: Bool) {
        if !isReported { self.report(one.outcome, of: one.claimed) }
        self.post(
            failure.map { .settleFailed(one.claimed, one.outcome, $0) } ?? .settled(one.claimed, one.outcome)
        )
    }

    private func report(_ outcome: DeliveryOutcome, of claimed: ClaimedBeacon) {
        let key = claimed.beacon.key
        let event: AdEvent
        switch outcome {
        case .delivered: event = .beaconDelivered(key, attempts: claimed.attempt)
        case .unconfirmed(let reason): event = .beaconUnconfirmed(key, reason: reason)
        case .dead(let reason): event = .beaconDead(key, reason: reason)
        case .retry: return
        }
        self.report(event, of: claimed.beacon)
    }

    /// Reports something about a beacon, or keeps it until the beacon was reported as recorded.
    private func report(_ event: AdEvent, of beacon: Beacon) {
        let report = self.heldReports.withLock { $0.add(HeldReports.Report(beacon: beacon, event: event)) }
        if let report { self.makeReport(report) }
    }

    private func makeReport(_ report: HeldReports.Report) {
        let (key, provider) = (report.beacon.key, report.beacon.provider)
        let record = AdRecord(at: self.clock.now, ad: key.ad, provider: provider, event: report.event)
        self.observer?.observe(record)
        if case .issue = report.event { return }
        self.outcomeBroadcaster.send(record)
    }
}
