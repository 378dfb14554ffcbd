/// What a worker does next: claim, renew its leases, wait, or end.
///
/// A creative that was in progress when a worker ended, or again and again when workers were told to end, is a
/// *suspect*: it is scanned alone, so that it can't take others with it, and so that a worker that ends again tells which
/// creative it was. A worker takes a suspect when nothing else waits, or when the queue says that it is one of those that
/// are to take one.
package struct WorkerPlan: Sendable {
    package enum Action: Hashable, Sendable {
        case claim(Int, suspects: Bool)
        case renew
        case wait(until: ContinuousClock.Instant)
        /// Give back what is in progress, and end.
        case end
    }

    private struct Held {
        let claim: Int64
        let isSuspect: Bool
        let since: ContinuousClock.Instant
    }

    private let lanes: Int
    private let lease: Duration
    private let endsWhenEmpty: Bool

    private var held: [Int64: Held] = [:]
    private var isStopping = false
    /// Whether it is to take a suspect, as the queue said last.
    private var takesSuspects = false
    /// Whether others than suspects wait, as far as is known.
    private var othersWait = true
    /// Whether nothing waits, and no other worker has anything in progress.
    private var isEmpty = false
    private var nextClaim: ContinuousClock.Instant
    private var nextRenewal: ContinuousClock.Instant
    private var failures = 0
    /// How many attempts in a row failed for a reason of this computer, and the end of the pause after the last one.
    private var inabilities = (count: 0, pauseEnd: ContinuousClock.Instant?.none)

    /// How long a worker is silent at most: others count it as present for a minute (`QueueSQL.signs`).
    static let longestSilence = Duration.seconds(15)
    /// How often an empty queue is asked.
    static let pollInterval = Duration.milliseconds(500)
    private static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(10)
    /// How long a scan may take: then its lease is not renewed, and its end counts as that of a worker.
    static let longestScan = Duration.seconds(1_800)
    /// After how many attempts in a row that failed for a reason of this computer it ends.
    static let maximumInabilities = 4

    /// Creates the plan of a worker.
    ///
    /// - Parameters:
    ///   - lanes: How many creatives it scans at the same time.
    ///   - lease: How long a claim holds.
    ///   - endsWhenEmpty: Whether it ends when the queue has nothing left for any worker.
    ///   - now: The current time.
    package init(lanes: Int, lease: Duration, endsWhenEmpty: Bool, at now: ContinuousClock.Instant) {
        self.lanes = lanes
        self.lease = lease
        self.endsWhenEmpty = endsWhenEmpty
        self.nextClaim = now
        self.nextRenewal = now
    }

    /// What is in progress, with the claims.
    package var claims: [(id: Int64, claim: Int64)] {
        self.held.map { ($0.key, $0.value.claim) }.sorted { $0.0 < $1.0 }
    }

    /// How often leases are renewed, which also is a sign that the worker is there.
    private var renewalInterval: Duration { min(self.lease / 4, WorkerPlan.longestSilence) }

    // MARK: Actions

    package mutating func next(at now: ContinuousClock.Instant) -> Action {
        if self.isStopping { return .end }
        if now >= self.nextRenewal { return .renew }
        let free = self.lanes - self.held.count
        // A suspect is alone: those in progress end before it is claimed, and others wait for its end.
        let isAlone = self.held.values.contains(where: \.isSuspect) || self.takesSuspects && !self.held.isEmpty
        guard !isAlone, free > 0 else { return .wait(until: self.nextRenewal) }
        if now >= self.nextClaim {
            let takesSuspect = self.held.isEmpty && (self.takesSuspects || !self.othersWait)
            return .claim(takesSuspect ? 1 : free, suspects: takesSuspect)
        }
        if self.endsWhenEmpty, self.isEmpty, self.held.isEmpty { return .end }
        return .wait(until: min(self.nextRenewal, self.nextClaim))
    }

    // MARK: What has happened

    /// A claim was answered.
    package mutating func claimed(
        _ creatives: [(id: Int64, claim: Int64)],
        of count: Int,
        suspects: Bool,
        at now: ContinuousClock.Instant
    ) {
        self.failures = 0
        for creative in creatives {
            self.held[creative.id] = Held(claim: creative.claim, isSuspect: suspects, since: now)
        }
        if !creatives.isEmpty { self.isEmpty = false }
        if suspects {
            self.takesSuspects = false
            self.othersWait = true
            if creatives.isEmpty { self.nextClaim = now + WorkerPlan.pollInterval }
        } else if creatives.count < count {
            // With nothing in progress the suspects are next, at once; otherwise the queue is asked again in a while.
            self.othersWait = false
            if !self.held.isEmpty { self.nextClaim = now + WorkerPlan.pollInterval }
        }
    }

    /// Drops the creatives whose scans take too long, before leases are renewed; returns them.
    package mutating func dropOverdue(at now: ContinuousClock.Instant) -> [Int64] {
        let overdue = self.held.filter { now - $0.value.since > WorkerPlan.longestScan }.keys.sorted()
        for id in overdue { self.held[id] = nil }
        return overdue
    }

    /// The leases were renewed; returns the creatives that the worker no longer holds.
    package mutating func renewed(
        held: Set<Int64>,
        _ signs: QueueSigns,
        at now: ContinuousClock.Instant
    ) -> [Int64] {
        self.failures = 0
        let lost = self.held.keys.filter { !held.contains($0) }
        for id in lost { self.held[id] = nil }
        self.takesSuspects = signs.takesSuspects
        self.isEmpty = signs.isEmpty
        // A worker that waits for the end of others wants to know soon.
        let waitsForOthers = self.endsWhenEmpty && self.held.isEmpty
        self.nextRenewal = now + (waitsForOthers ? min(self.renewalInterval, .seconds(1)) : self.renewalInterval)
        return lost.sorted()
    }

    /// The scan of a creative has ended; of an older claim it changes nothing.
    package mutating func ended(_ id: Int64, claim: Int64, at now: ContinuousClock.Instant) {
        guard self.held[id]?.claim == claim else { return }
        self.held[id] = nil
        self.inabilities = (0, nil)
        // It is worth asking at once, unless nothing was there a moment ago.
        if self.othersWait { self.nextClaim = min(self.nextClaim, now) }
        // The count of what is left was made before.
        if self.endsWhenEmpty, self.held.isEmpty { self.nextRenewal = now }
    }

    /// A creative was given back, because this computer can't scan now, for example as it has no browser.
    package mutating func gaveBack(_ id: Int64, claim: Int64, at now: ContinuousClock.Instant) {
        guard self.held[id]?.claim == claim else { return }
        self.held[id] = nil
        // Its lanes fail together, which is one attempt.
        if let end = self.inabilities.pauseEnd, now < end { return }
        let end = now + min(WorkerPlan.firstPause * (1 << min(self.inabilities.count, 10)), WorkerPlan.longestPause)
        self.inabilities = (self.inabilities.count + 1, end)
        self.nextClaim = max(self.nextClaim, end)
    }

    /// Whether this computer fails again and again.
    package var isUnable: Bool { self.inabilities.count >= WorkerPlan.maximumInabilities }

    /// The database is away.
    package mutating func failed(at now: ContinuousClock.Instant) {
        let pause = min(WorkerPlan.firstPause * (1 << min(self.failures, 10)), WorkerPlan.longestPause)
        self.failures += 1
        self.nextClaim = now + pause
        self.nextRenewal = now + min(pause, self.renewalInterval)
    }

    /// The worker is to end.
    package mutating func stop() { self.isStopping = true }
}
