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
    /// How many are on their way at once: in all, and to one origin.
    ///
    /// A server that hangs holds up its own beacons only, and leaves connections free for loads: of the transport's six
    /// to its origin, and of the 64 in all.
    package static let mostInFlight = 32
    private static let mostPerOrigin = 2
    private static let lease = Duration.seconds(60)

    /// Records that ads have begun and the ledger has not been asked for yet.
    private let announced = Locked(0)
    /// When the dispatcher began, by both clocks.
    private let began: (moment: Moment, wallTime: WallTime)

    private var inFlight: [String: Int] = [:]
    private var isReserveUsed = false
    private var trouble = Trouble()
    private var wakeUp: AlarmID?
    private var wakeUps = 0
    private var isClaiming = false
    private var wantsClaim = false
    private var waiting: [UInt64: ClockRest] = [:]
    private var waits: UInt64 = 0

    /// A ledger that fails is left in peace for a while, longer each time.
    private struct Trouble {
        var count = 0
        var isOverAt: Moment?

        mutating func happened(at now: Moment) {
            self.count += 1
            self.isOverAt = now + .seconds(min(60, 1 << min(self.count - 1, 6)))
        }
    }

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
        self.began = (clock.now, clock.wallTime)
    }

    /// The calendar's time without its jumps: somebody may set the device's clock while beacons wait.
    private var wallTime: WallTime { self.began.wallTime + (self.clock.now - self.began.moment) }

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
            self.waits += 1
            let number = self.waits
            // In the list before anybody is asked: what changes while the ledger answers is asked about again.
            self.waiting[number] = change
            defer { self.waiting[number] = nil }
            if await self.isBusy() {
                await change.wait(until: deadline)
            } else if change.abandon() {
                return
            }
        }
    }

    private func isBusy() async -> Bool {
        let due = (try? await self.ledger.nextDue(skipping: [])) ?? nil
        let reserve = (try? await self.reserve.nextDue(skipping: [])) ?? nil
        // What was claimed while the ledgers answered is no longer due there, but on its way.
        let isSending = !self.inFlight.isEmpty || self.isClaiming || self.announced.withLock { $0 } > 0
        return isSending || due != nil || reserve != nil
    }

    /// Says that `record` is about to be called: whoever waits for beacons waits for these too.
    nonisolated func announce() { self.announced.withLock { $0 += 1 } }

    /// Writes beacons down.
    ///
    /// Returns the keys that were new, and what stood in the way of writing them durably.
    func record(_ beacons: [Beacon]) async -> (new: [BeaconKey], issue: Issue?) {
        defer {
            self.announced.withLock { $0 -= 1 }
            self.tellWaiting()
        }
        let now = self.wallTime
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
    ///
    /// The dispatcher lives as long as something is due, even where everybody else has let go of it.
    nonisolated func deliver() { self.clock.work { await self.claim() } }

    private func claim() async {
        guard !self.isClaiming else {
            self.wantsClaim = true
            return
        }
        self.isClaiming = true
        repeat {
            self.wantsClaim = false
            await self.claimFromLedger()
            if self.isReserveUsed { try? await self.claim(from: self.reserve) }
        } while self.wantsClaim
        self.isClaiming = false
        await self.setWakeUp()
        self.tellWaiting()
    }

    private func claimFromLedger() async {
        if let end = self.trouble.isOverAt, self.clock.now < end { return }
        do throws(LedgerError) {
            try await self.claim(from: self.ledger)
            self.trouble = Trouble()
        } catch {
            self.trouble.happened(at: self.clock.now)
        }
    }

    private func claim(from ledger: any BeaconLedger) async throws(LedgerError) {
        while true {
            let room = self.room
            guard room > 0 else { return }
            let claimed = try await ledger.claim(
                room,
                skipping: self.fullOrigins,
                at: self.wallTime,
                lease: BeaconDispatcher.lease
            )
            guard !claimed.isEmpty else { return }
            for beacon in claimed {
                self.inFlight[beacon.origin, default: 0] += 1
                self.clock.work { await self.send(beacon, of: ledger) }
            }
        }
    }

    private var room: Int { BeaconDispatcher.mostInFlight - self.inFlight.values.reduce(0, +) }

    private var fullOrigins: Set<String> {
        Set(self.inFlight.lazy.filter { $0.value >= BeaconDispatcher.mostPerOrigin }.map(\.key))
    }

    private func send(_ claimed: ClaimedBeacon, of ledger: any BeaconLedger) async {
        let delivery = await self.delivery(of: claimed)
        // A ledger that can't write the outcome down hands the beacon out again when the lease has run out, in doubt.
        try? await ledger.settle(claimed.beacon.key, as: delivery, at: self.wallTime)
        self.report(delivery, of: claimed)
        let left = (self.inFlight[claimed.origin] ?? 1) - 1
        self.inFlight[claimed.origin] = left > 0 ? left : nil
        await self.claim()
    }

    private func delivery(of claimed: ClaimedBeacon) async -> Delivery {
        if claimed.isInDoubt, claimed.beacon.call.doubt == .assumeDelivered {
            return .unconfirmed(reason: "it was being sent before, and nobody wrote down what became of it")
        }
        let outcome: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            outcome = .success(try await self.transport.send(claimed.beacon.request))
        } catch {
            outcome = .failure(error)
        }
        return Delivery.judged(
            outcome,
            of: claimed.beacon.call,
            attempt: claimed.attempt,
            recorded: claimed.recorded,
            now: self.wallTime,
            bits: self.random()
        )
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
        let provider = claimed.beacon.provider
        self.observer?.observe(AdRecord(at: self.clock.now, ad: key.ad, provider: provider, event: event))
    }

    /// Sets the one alarm for what is due next.
    private func setWakeUp() async {
        self.wakeUps += 1
        let number = self.wakeUps
        let full = self.fullOrigins
        var moments: [Moment] = []
        do throws(LedgerError) {
            if let due = try await self.ledger.nextDue(skipping: full) {
                let moment = self.moment(of: due)
                moments.append(max(moment, self.trouble.isOverAt ?? moment))
            }
        } catch {
            if self.trouble.isOverAt == nil { self.trouble.happened(at: self.clock.now) }
            moments.append(self.trouble.isOverAt ?? self.clock.now)
        }
        if self.isReserveUsed, let due = (try? await self.reserve.nextDue(skipping: full)) ?? nil {
            moments.append(self.moment(of: due))
        }
        // Whoever came later knows better.
        guard number == self.wakeUps else { return }
        if let wakeUp = self.wakeUp { self.clock.cancel(wakeUp) }
        self.wakeUp = nil
        // Without room nothing can be done about what is due; whoever ends makes room, and claims.
        guard self.room > 0, let next = moments.min() else { return }
        self.wakeUp = self.clock.schedule(at: next) { self.deliver() }
    }

    private func moment(of due: WallTime) -> Moment { self.clock.now + max(.zero, due - self.wallTime) }

    /// How many wait for it to settle.
    var waiters: Int { self.waiting.count }

    private func tellWaiting() {
        for one in self.waiting.values { one.end() }
        self.waiting = [:]
    }
}

extension ClaimedBeacon {
    /// Whom the beacon goes to.
    fileprivate var origin: String { self.beacon.call.url.http.origin }
}
