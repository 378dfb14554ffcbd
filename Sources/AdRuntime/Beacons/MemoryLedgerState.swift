import AdCore

/// The state of a ledger in memory.
struct MemoryLedgerState {
    private struct Record {
        let number: Int64
        let beacon: Beacon
        let recorded: WallTime
        var state: LedgerEntry.State
        var attempts = 0
        var wasInterrupted = false

        var entry: LedgerEntry {
            LedgerEntry(
                self.beacon,
                number: self.number,
                state: self.state,
                attempts: self.attempts,
                recorded: self.recorded,
                wasInterrupted: self.wasInterrupted
            )
        }
    }

    private struct Due {
        let at: WallTime
        let number: Int64
        let key: BeaconKey
    }

    private var records: [BeaconKey: Record] = [:]
    /// All keys in the order of their numbers; some records may have been dropped.
    private var order: [(number: Int64, key: BeaconKey)] = []
    private var last: Int64 = 0
    /// The pending beacons by origin, earliest first; slices, so that removing the first does not move the rest.
    private var queues: [String: ArraySlice<Due>] = [:]
    /// The origins with pending beacons, in the order of the next claims.
    private var origins: [String] = []
    /// The claimed beacons, and when their claims expire.
    private var leases: [BeaconKey: WallTime] = [:]
    private var settled: [BeaconKey] = []

    private var pending: Int { self.records.count - self.leases.count - self.settled.count }

    func holds(_ key: BeaconKey) -> Bool { self.records[key] != nil }

    func outcome(of key: BeaconKey) -> DeliveryOutcome? {
        switch self.records[key]?.state {
        case .pending, .inFlight: nil
        case .delivered: .delivered
        case .unconfirmed(let reason): .unconfirmed(reason: reason)
        case .dead(let reason): .dead(reason: reason)
        case nil: .unconfirmed(reason: "it was sent from memory, and its outcome is no longer known")
        }
    }

    mutating func record(_ beacons: [Beacon], at now: WallTime, maximumSettled: Int) -> [BeaconKey] {
        var new: [BeaconKey] = []
        for beacon in beacons where self.records[beacon.key] == nil {
            self.last += 1
            new.append(beacon.key)
            self.order.append((self.last, beacon.key))
            if let problem = beacon.call.address.uncallableReason {
                let dead = LedgerEntry.State.dead(reason: problem)
                self.records[beacon.key] = Record(number: self.last, beacon: beacon, recorded: now, state: dead)
                self.settled.append(beacon.key)
                if self.settled.count > maximumSettled { self.prune(to: maximumSettled / 2) }
            } else {
                let pending = LedgerEntry.State.pending(nextTry: now, reason: nil)
                self.records[beacon.key] = Record(number: self.last, beacon: beacon, recorded: now, state: pending)
                self.enqueue(beacon, at: now, number: self.last)
            }
        }
        return new
    }

    /// Drops the oldest pending beacons above the limit, and a sixteenth of the limit more; returns how many.
    mutating func makeRoom(forPending limit: Int) -> Int {
        guard self.pending > limit else { return 0 }
        var excess = self.pending - (limit - limit / 16)
        let dropped = excess
        var droppedNumbers: Set<Int64> = []
        for isBilling in [false, true] {
            let pending = self.queues.values.joined().filter {
                self.records[$0.key]?.beacon.call.isBilling == isBilling
            }
            let oldest = pending.map(\.number).sorted().prefix(excess)
            droppedNumbers.formUnion(oldest)
            excess -= oldest.count
        }
        for (origin, queue) in self.queues {
            for due in queue where droppedNumbers.contains(due.number) { self.records[due.key] = nil }
            let rest = queue.filter { !droppedNumbers.contains($0.number) }
            self.queues[origin] = rest.isEmpty ? nil : ArraySlice(rest)
        }
        self.origins.removeAll { self.queues[$0] == nil }
        self.order.removeAll { droppedNumbers.contains($0.number) }
        return dropped
    }

    private mutating func enqueue(_ beacon: Beacon, at due: WallTime, number: Int64) {
        let origin = beacon.call.address.origin
        if self.queues[origin] == nil { self.origins.append(origin) }
        var queue = self.queues[origin] ?? []
        self.queues[origin] = nil
        let place = queue.lastIndex { ($0.at, $0.number) <= (due, number) }.map { $0 + 1 } ?? queue.startIndex
        queue.insert(Due(at: due, number: number, key: beacon.key), at: place)
        self.queues[origin] = queue
    }

    mutating func claim(_ request: ClaimRequest) -> BeaconClaim {
        self.endLeases(at: request.now)
        var claimed: [ClaimedBeacon] = []
        var claimedCounts: [String: Int] = [:]
        // One beacon of each origin, then a second of each, until no origin has a due beacon.
        var round = 0
        while claimed.count < request.limit {
            round += 1
            let before = claimed.count
            for origin in self.origins where claimed.count < request.limit && request.limit(for: origin) >= round {
                guard let beacon = self.claimFirst(of: origin, request) else { continue }
                claimedCounts[origin, default: 0] += 1
                claimed.append(beacon)
            }
            if claimed.count == before { break }
        }
        // Origins with a claimed beacon come after the others in the next claim.
        let served = self.origins.filter { claimedCounts[$0] != nil }
        self.origins = (self.origins.filter { claimedCounts[$0] == nil } + served).filter {
            !(self.queues[$0]?.isEmpty ?? true)
        }
        for origin in served where self.queues[origin]?.isEmpty ?? false { self.queues[origin] = nil }

        guard claimed.count < request.limit else { return BeaconClaim(claimed, next: nil) }
        let pending = self.queues.lazy.filter { request.limit(for: $0.key) > claimedCounts[$0.key] ?? 0 }
            .compactMap { $0.value.first?.at }.min()
        return BeaconClaim(claimed, next: [pending, self.leases.values.min()].compactMap { $0 }.min())
    }

    private mutating func claimFirst(of origin: String, _ request: ClaimRequest) -> ClaimedBeacon? {
        guard let first = self.queues[origin]?.first, first.at <= request.now, var record = self.records[first.key]
        else { return nil }
        self.queues[origin]?.removeFirst()
        let end = request.now + request.lease
        record.attempts += 1
        record.state = .inFlight(until: end)
        self.leases[first.key] = end
        self.records[first.key] = record
        return ClaimedBeacon(
            record.beacon,
            attempt: record.attempts,
            recorded: record.recorded,
            wasInterrupted: record.wasInterrupted
        )
    }

    private mutating func endLeases(at now: WallTime) {
        for (key, end) in self.leases where end <= now {
            self.leases[key] = nil
            guard var record = self.records[key] else { continue }
            record.wasInterrupted = true
            record.state = .pending(nextTry: now, reason: ClaimedBeacon.leaseExpiredReason)
            self.records[key] = record
            self.enqueue(record.beacon, at: now, number: record.number)
        }
    }

    mutating func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, maximumSettled: Int) {
        let key = claimed.beacon.key
        guard var record = self.records[key] else { return }
        let isHeld =
            switch record.state {
            case .inFlight: record.attempts == claimed.attempt
            // The claim has expired, and there is no newer one.
            case .pending: record.wasInterrupted && record.attempts == claimed.attempt
            case .delivered, .unconfirmed, .dead: false
            }
        if isHeld {
            if case .pending = record.state { self.dequeue(record) }
        } else {
            // A late outcome counts only if the beacon was delivered.
            guard outcome == .delivered, record.state != .delivered else { return }
            if case .pending = record.state { self.dequeue(record) }
        }
        let wasSettled = record.state.isSettled
        self.leases[key] = nil
        record.wasInterrupted = false
        if isHeld { record.attempts = claimed.attempts(after: outcome) }
        switch outcome {
        case .delivered: record.state = .delivered
        case .unconfirmed(let reason): record.state = .unconfirmed(reason: reason)
        case .dead(let reason): record.state = .dead(reason: reason)
        case .retry(let moment, let reason):
            record.state = .pending(nextTry: moment, reason: reason)
            self.enqueue(record.beacon, at: moment, number: record.number)
        }
        self.records[key] = record
        guard record.state.isSettled, !wasSettled else { return }
        self.settled.append(key)
        if self.settled.count > maximumSettled { self.prune(to: maximumSettled / 2) }
    }

    private mutating func dequeue(_ record: Record) {
        let origin = record.beacon.call.address.origin
        self.queues[origin]?.removeAll { $0.number == record.number }
        guard self.queues[origin]?.isEmpty ?? false else { return }
        self.queues[origin] = nil
        self.origins.removeAll { $0 == origin }
    }

    /// Drops settled records: first the oldest delivered ones, then the oldest of all.
    private mutating func prune(to most: Int) {
        var excess = self.settled.count - most
        for isDeliveredOnly in [true, false] {
            self.settled.removeAll { key in
                guard excess > 0 else { return false }
                if isDeliveredOnly, self.records[key]?.state != .delivered { return false }
                self.records[key] = nil
                excess -= 1
                return true
            }
        }
        self.order.removeAll { self.records[$0.key]?.number != $0.number }
    }

    /// When the next beacon is due or the next claim expires.
    var nextDue: WallTime? {
        let pending = self.queues.values.lazy.compactMap { $0.first?.at }.min()
        return [pending, self.leases.values.min()].compactMap { $0 }.min()
    }

    mutating func makeAllDue(at now: WallTime) -> Int {
        var count = 0
        for (origin, queue) in self.queues {
            count += queue.count
            self.queues[origin] = ArraySlice(
                queue.map { Due(at: min($0.at, now), number: $0.number, key: $0.key) }
                    .sorted { ($0.at, $0.number) < ($1.at, $1.number) }
            )
            for due in queue {
                guard case .pending(let moment, let reason) = self.records[due.key]?.state, moment > now else {
                    continue
                }
                self.records[due.key]?.state = .pending(nextTry: now, reason: reason)
            }
        }
        return count
    }

    func entries(of keys: Set<BeaconKey>) -> [LedgerEntry] { keys.compactMap { self.records[$0]?.entry } }

    func entries(after number: Int64, limit: Int) -> [LedgerEntry] {
        var low = 0
        var high = self.order.count
        while low < high {
            let middle = (low + high) / 2
            if self.order[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        return self.order[low...].prefix(max(0, limit)).compactMap { self.records[$0.key]?.entry }
    }
}
