public import AdCore
import SystemLock

/// Writes beacons down and sees to it that each is delivered: recorded once, sent until its end is known.
///
/// A ledger that fails (a full disk, a broken file) costs durability, not the beacon: what it does not take is kept in
/// memory, and an issue says so.
public actor BeaconDispatcher {
    private let ledger: any BeaconLedger
    private let reserve = MemoryLedger()
    private let transport: any Transport
    private let clock: any AdClock
    private let random: @Sendable () -> UInt64
    private let observer: (any AdObserver)?
    private let mostInFlight = 8
    private let lease = Duration.seconds(60)

    /// Records that ads have begun and the ledger has not been asked for yet.
    private let announced = Locked(0)

    private var inFlight = 0
    private var isReserveUsed = false
    private var providers: [AdID: ProviderName] = [:]
    private var wakeUp: AlarmID?
    private var isClaiming = false
    private var wantsClaim = false
    private var waiting: [ClockRest] = []

    init(
        ledger: any BeaconLedger,
        transport: any Transport,
        clock: any AdClock,
        random: @escaping @Sendable () -> UInt64,
        observer: (any AdObserver)?
    ) {
        self.ledger = ledger
        self.transport = transport
        self.clock = clock
        self.random = random
        self.observer = observer
    }

    /// Everything the ledger holds, and what it could not take.
    public func entries() async throws(LedgerError) -> [LedgerEntry] {
        let kept = try await self.reserve.entries()
        return try await self.ledger.entries() + kept
    }

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
        let deadline = self.clock.now + patience
        while self.clock.now < deadline, !Task.isCancelled {
            let change = ClockRest(self.clock)
            // In the list before anybody is asked: what changes while the ledger answers is asked about again.
            self.waiting.append(change)
            if await self.isBusy() {
                await change.wait(until: deadline)
            } else if change.abandon() {
                return
            }
        }
    }

    private func isBusy() async -> Bool {
        let due = (try? await self.ledger.nextDue()) ?? nil
        let reserve = (try? await self.reserve.nextDue()) ?? nil
        // What was claimed while the ledgers answered is no longer due there, but on its way.
        let isSending = self.inFlight > 0 || self.isClaiming || self.announced.withLock { $0 } > 0
        return isSending || due != nil || reserve != nil
    }

    /// Says that `record` is about to be called: whoever waits for beacons waits for these too.
    nonisolated func announce() { self.announced.withLock { $0 += 1 } }

    /// Writes beacons down.
    ///
    /// Returns the keys that were new, and what stood in the way of writing them durably.
    func record(_ beacons: [Beacon], of provider: ProviderName) async -> (new: [BeaconKey], issue: Issue?) {
        defer {
            self.announced.withLock { $0 -= 1 }
            self.tellWaiting()
        }
        for beacon in beacons { self.providers[beacon.key.ad] = provider }
        let now = self.clock.wallTime
        do throws(LedgerError) {
            return (try await self.ledger.record(beacons, at: now), nil)
        } catch {
            self.isReserveUsed = true
            let new = (try? await self.reserve.record(beacons, at: now)) ?? []
            let text = "\(error.message); the beacons are kept in memory and are lost if the process ends"
            return (new, Issue("ledger.failed", at: .whole, text))
        }
    }

    /// Starts sending what is due.
    nonisolated func deliver() { self.clock.work { await self.claim() } }

    private func claim() async {
        guard !self.isClaiming else {
            self.wantsClaim = true
            return
        }
        self.isClaiming = true
        repeat {
            self.wantsClaim = false
            await self.claim(from: self.ledger)
            if self.isReserveUsed { await self.claim(from: self.reserve) }
        } while self.wantsClaim
        self.isClaiming = false
        await self.setWakeUp()
        if await !self.isBusy() { self.providers.removeAll() }
        self.tellWaiting()
    }

    private func claim(from ledger: any BeaconLedger) async {
        while self.inFlight < self.mostInFlight {
            let room = self.mostInFlight - self.inFlight
            let claimed = (try? await ledger.claim(room, at: self.clock.wallTime, lease: self.lease)) ?? []
            guard !claimed.isEmpty else { return }
            for beacon in claimed {
                self.inFlight += 1
                self.clock.work { await self.send(beacon, of: ledger) }
            }
        }
    }

    private func send(_ claimed: ClaimedBeacon, of ledger: any BeaconLedger) async {
        let outcome: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            outcome = .success(try await self.transport.send(claimed.beacon.request))
        } catch {
            outcome = .failure(error)
        }
        let delivery = Delivery.judged(
            outcome,
            of: claimed.beacon.call,
            attempt: claimed.attempt,
            recorded: claimed.recorded,
            now: self.clock.wallTime,
            bits: self.random()
        )
        // A ledger that can't write the outcome down hands the beacon out again when the lease has run out, in doubt.
        try? await ledger.settle(claimed.beacon.key, as: delivery, at: self.clock.wallTime)
        self.report(delivery, of: claimed)
        self.inFlight -= 1
        await self.claim()
    }

    private func report(_ delivery: Delivery, of claimed: ClaimedBeacon) {
        let key = claimed.beacon.key
        let event: AdEvent
        switch delivery {
        case .delivered: event = .beaconDelivered(key, attempts: claimed.attempt)
        case .unconfirmed(let reason): event = .beaconUnconfirmed(key, reason: reason)
        case .dead(let reason): event = .beaconDead(key, reason: reason)
        case .retry: return
        }
        let provider = self.providers[key.ad] ?? ProviderName("unknown")
        self.observer?.observe(AdRecord(at: self.clock.now, ad: key.ad, provider: provider, event: event))
    }

    private func setWakeUp() async {
        let due = (try? await self.ledger.nextDue()) ?? nil
        let reserve = self.isReserveUsed ? (try? await self.reserve.nextDue()) ?? nil : nil
        if let wakeUp = self.wakeUp { self.clock.cancel(wakeUp) }
        self.wakeUp = nil
        guard self.inFlight < self.mostInFlight, let next = [due, reserve].compactMap({ $0 }).min() else { return }
        let moment = self.clock.now + max(.zero, next - self.clock.wallTime)
        self.wakeUp = self.clock.schedule(at: moment) { [weak self] in self?.deliver() }
    }

    private func tellWaiting() {
        for one in self.waiting { one.end() }
        self.waiting = []
    }
}
