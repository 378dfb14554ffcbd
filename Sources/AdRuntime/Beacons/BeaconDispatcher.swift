public import AdCore
import SystemSupport

/// Writes beacons down and sees to it that each is delivered: recorded once, sent until its end is known.
///
/// What goes when is decided by `BeaconScheduler`; here it is carried out. A ledger that fails (a full disk, a broken file) costs
/// durability, not the beacon: what it does not take is kept in memory, and an issue says so.
///
/// Whatever happens goes into one mailbox: it is handled in order, and what follows from it is carried out in order.
public final class BeaconDispatcher: Sendable {
    private let ledger: FallbackLedger
    private let transport: any Transport
    private let clock: any AdClock
    private let credentials: Credentials
    private let random: @Sendable () -> UInt64
    private let observer: (any AdObserver)?

    private let mailbox = SerialMailbox<BeaconScheduler.Input>()
    /// What has begun and of which the courier knows nothing yet: records, and what is in the mailbox.
    private let announced = Locked(0)
    /// When the dispatcher began, by both clocks.
    private let began: (moment: Moment, wallTime: WallTime)
    private let observation = Locked<HostObservation?>(nil)
    private let lastNetwork = Locked<NetworkKind?>(nil)
    private let patience: Duration
    /// How often somebody who waits looks at what others are doing.
    private static let lookInterval = Duration.milliseconds(50)
    private let state: Locked<State>

    private struct State {
        var courier: BeaconScheduler
        var wakeUp: AlarmID?
        /// Whether somebody is about to wake the courier.
        var isWakeWished = false
        /// Those who wait for it to settle.
        var waiting: [UInt64: ClockWait] = [:]
        var waits: UInt64 = 0
    }

    package init(
        ledger: any BeaconLedger,
        transport: any Transport,
        clock: any AdClock,
        credentials: Credentials = Credentials(),
        limits: BeaconScheduler.Limits = BeaconScheduler.Limits(),
        random: @escaping @Sendable () -> UInt64,
        observer: (any AdObserver)?
    ) {
        self.ledger = FallbackLedger(ledger)
        self.transport = transport
        self.clock = clock
        self.credentials = credentials
        self.patience = limits.patience
        self.state = Locked(State(courier: BeaconScheduler(limits)))
        self.random = random
        self.observer = observer
        self.began = (clock.now, clock.wallTime)
    }

    deinit { self.observation.withLock { $0 }?.cancel() }

    /// The present; the calendar's without its jumps: somebody may set the device's clock while beacons wait.
    private var present: BeaconScheduler.Present {
        let now = self.clock.now
        return BeaconScheduler.Present(now, self.began.wallTime + (now - self.began.moment))
    }

    /// Everything the ledger holds behind a number, and what it could not take.
    public func entries(after number: Int64 = .min) async throws(LedgerError) -> [LedgerEntry] {
        try await self.ledger.entries(after: number)
    }

    /// The kind of network, where the host said it.
    package var network: NetworkKind? { self.lastNetwork.withLock { $0 } }

    /// Listens for the network: without one nothing is tried, and when it is back everything is.
    package func observe(_ signals: any HostSignals) {
        let observation = signals.observe { [weak self] signal in
            guard case .network(let kind) = signal, let self else { return }
            self.lastNetwork.withLock { $0 = kind }
            self.putLater(.network(kind))
        }
        self.observation.withLock { $0 = observation }
    }
}

extension BeaconDispatcher {
    /// Waits until nothing is being sent or about to be, at most until a deadline.
    ///
    /// Retries that are due later count as about to be sent.
    public func settle(within patience: Duration) async {
        self.clock.workBegan()
        await self.restUntilSettled(within: patience)
        self.clock.workEnded()
    }

    /// The same for somebody who holds work already, and finds time where the wait ended.
    package func restUntilSettled(within patience: Duration) async {
        await self.rest(within: patience) { await self.isBusy() }
    }

    /// Tries once, at once, whatever waits, and waits until nothing more can be done now.
    ///
    /// No attempt begins after the deadline; what is on its way then is waited for.
    package func flush(within patience: Duration) async throws(LedgerError) {
        self.clock.workBegan()
        defer { self.clock.workEnded() }
        try await self.ledger.hasten(at: self.present.wallTime)
        self.put(.wake)
        await self.rest(within: patience) { !self.isAtRest }
        await self.windDown(within: self.patience + .seconds(5))
    }

    /// Begins nothing more, and waits until what is on its way has come to its end and that is written down.
    ///
    /// Whatever is in hand when a process ends is in doubt for the next one.
    package func windDown(within patience: Duration) async {
        self.clock.workBegan()
        defer { self.clock.workEnded() }
        self.put(.network(.offline))
        await self.rest(within: patience) {
            self.isAnnounced || self.state.withLock { $0.courier.isBusy }
        }
    }

    /// Waits as long as something is so, at most until a deadline; it is asked again whenever anything changes here.
    package func rest(within patience: Duration, while isBusy: () async -> Bool) async {
        let deadline = self.clock.now + patience
        while self.clock.now < deadline, !Task.isCancelled {
            let change = ClockWait(self.clock)
            // In the list before anybody is asked: what changes while the ledger answers is asked about again.
            let number = self.state.withLock { state in
                state.waits += 1
                state.waiting[state.waits] = change
                return state.waits
            }
            defer { _ = self.state.withLock { $0.waiting.removeValue(forKey: number) } }
            if await isBusy() {
                // Where nothing is in hand here, it may be in the hands of another process, which tells nobody.
                let isOwn = self.isAnnounced || self.state.withLock { $0.courier.isBusy }
                await change.wait(
                    until: isOwn ? deadline : min(deadline, self.clock.now + BeaconDispatcher.lookInterval)
                )
            } else if change.abandon() {
                return
            }
        }
    }

    /// Whether anything waits or is in anybody's hands.
    package func isBusy() async -> Bool {
        let isWaiting = await self.ledger.isWaiting()
        // What was claimed while the ledgers answered is no longer due there, but in hand.
        return isWaiting || self.isAnnounced || self.state.withLock { $0.courier.isBusy }
    }

    /// Whether anything is in hand here.
    package var hasInHand: Bool { self.state.withLock { $0.courier.isBusy } }

    private var isAtRest: Bool {
        let now = self.present
        return !self.isAnnounced && self.state.withLock { $0.courier.isAtRest(at: now) }
    }

    /// Whether something is about to be written down, or to be decided.
    package var isAnnounced: Bool { self.announced.withLock { $0 } > 0 }

    /// How many wait for it to settle.
    var waiters: Int { self.state.withLock { $0.waiting.count } }

    private func tellWaiting() {
        let waiting = self.state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for one in waiting { one.end() }
    }
}

extension BeaconDispatcher {
    /// Says that `record` is about to be called: whoever waits for beacons waits for these too.
    package func announce() { self.announced.withLock { $0 += 1 } }

    /// Writes beacons down.
    ///
    /// Returns the keys that were new, and what stood in the way of writing them durably.
    package func record(_ beacons: [Beacon]) async -> RecordResult {
        defer {
            self.announced.withLock { $0 -= 1 }
            self.tellWaiting()
        }
        return await self.ledger.record(beacons, at: self.present.wallTime)
    }

    /// Writes beacons down that belong to no ad here, and starts sending them.
    @discardableResult
    package func tell(_ beacons: [Beacon]) async -> RecordResult {
        self.announce()
        let recording = await self.record(beacons)
        self.deliver()
        return recording
    }

    /// Starts sending what is due.
    ///
    /// The dispatcher lives as long as something is due, even where everybody else has let go of it.
    package func deliver() {
        // Many wishes are one.
        let isFirst = self.state.withLock { state in
            defer { state.isWakeWished = true }
            return !state.isWakeWished
        }
        if isFirst { self.putLater(.wake) }
    }

    private func put(_ input: BeaconScheduler.Input) {
        self.add(input)
        self.work()
    }

    /// The same on another thread: whoever records something, or tells of the network, may be the app's own.
    private func putLater(_ input: BeaconScheduler.Input) {
        self.add(input)
        self.clock.work { self.work() }
    }

    private func add(_ input: BeaconScheduler.Input) {
        self.clock.workBegan()
        self.announce()
        self.mailbox.enqueue(input)
    }

    private func work() {
        self.mailbox.drain { input in
            let now = self.present
            let actions = self.state.withLock { state in
                if case .wake = input { state.isWakeWished = false }
                return state.courier.handle(input, at: now)
            }
            for action in actions { self.carryOut(action) }
            self.announced.withLock { $0 -= 1 }
            self.tellWaiting()
            self.clock.workEnded()
        }
    }

    private func carryOut(_ action: BeaconScheduler.Action) {
        switch action {
        case .claim(let terms, let sparesLedger):
            self.clock.workAtOnce {
                let (claim, failure) = await self.ledger.claim(terms, sparesLedger: sparesLedger)
                self.put(.claimed(claim, failure: failure))
            }
        case .send(let claimed): self.clock.workAtOnce { await self.send(claimed) }
        case .settle(let claimed, let outcome):
            self.clock.workAtOnce { await self.settle(claimed, as: outcome, isTold: false) }
        case .settleAgain(let claimed, let outcome):
            self.clock.workAtOnce { await self.settle(claimed, as: outcome, isTold: true) }
        case .setAlarm(let moment): self.setAlarm(at: moment)
        case .cancelAlarm: self.setAlarm(at: nil)
        }
    }

    private func setAlarm(at moment: Moment?) {
        let alarm = moment.map { self.clock.schedule(at: $0) { self.deliver() } }
        let before = self.state.withLock { state in
            defer { state.wakeUp = alarm }
            return state.wakeUp
        }
        if let before { self.clock.cancel(before) }
    }

    private func send(_ claimed: ClaimedBeacon) async {
        let outcome: Result<AdHTTPResponse, TransportError>
        do throws(TransportError) {
            let request = try claimed.beacon.request(within: self.patience) { self.credentials[$0] }
            outcome = .success(try await self.transport.send(request))
        } catch {
            outcome = .failure(error)
        }
        let beacon = claimed.beacon
        if let issue = DeliveryOutcome.issue(of: outcome, of: beacon.call) {
            self.observer?.observe(
                AdRecord(at: self.clock.now, ad: beacon.key.ad, provider: beacon.provider, event: .issue(issue))
            )
        }
        self.put(.answered(claimed, outcome, bits: self.random()))
    }

    private func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, isTold: Bool) async {
        var failure: LedgerError?
        do throws(LedgerError) {
            try await self.ledger.settle(claimed, as: outcome, at: self.present.wallTime)
        } catch {
            failure = error
        }
        if !isTold { self.report(outcome, of: claimed) }
        self.put(failure.map { .settleFailed(claimed, outcome, $0) } ?? .settled(claimed, outcome))
    }

    private func report(_ delivery: DeliveryOutcome, of claimed: ClaimedBeacon) {
        let key = claimed.beacon.key
        let event: AdEvent
        switch delivery {
        case .delivered: event = .beaconDelivered(key, attempts: claimed.attempt)
        case .unconfirmed(let reason): event = .beaconUnconfirmed(key, reason: reason)
        case .dead(let reason): event = .beaconDead(key, reason: reason)
        case .retry: return
        }
        let provider = claimed.beacon.provider
        self.observer?.observe(AdRecord(at: self.clock.now, ad: key.ad, provider: provider, event: event))
    }
}
