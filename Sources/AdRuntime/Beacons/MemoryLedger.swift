public import AdCore
import SystemLock

/// A ledger in memory: exactly-once as long as the process lives, and gone with it.
///
/// What was recorded and not yet delivered when the process ends is lost. Use a ledger on disk wherever money depends
/// on views.
public final class MemoryLedger: BeaconLedger {
    private struct Record {
        var entry: LedgerEntry
        let order: UInt64
    }

    private struct Due {
        let at: WallTime
        let order: UInt64
        let key: BeaconKey
    }

    private struct State {
        var records: [BeaconKey: Record] = [:]
        /// What waits to be sent, by host, earliest first; slices, of which the first can be taken without moving the rest.
        var queues: [String: ArraySlice<Due>] = [:]
        /// Hosts in the order in which they are served next.
        var hosts: [String] = []
        var settled: [BeaconKey] = []
        var order: UInt64 = 0

        mutating func enqueue(_ beacon: Beacon, at due: WallTime, order: UInt64) {
            let host = beacon.call.url.http.origin
            if self.queues[host] == nil { self.hosts.append(host) }
            var queue = self.queues[host] ?? []
            self.queues[host] = nil
            let place = queue.lastIndex { ($0.at, $0.order) <= (due, order) }.map { $0 + 1 } ?? queue.startIndex
            queue.insert(Due(at: due, order: order, key: beacon.key), at: place)
            self.queues[host] = queue
        }

        mutating func next(from host: String, at now: WallTime) -> BeaconKey? {
            guard let first = self.queues[host]?.first, first.at <= now else { return nil }
            self.queues[host]?.removeFirst()
            return first.key
        }
    }

    private let state = Locked(State())
    private let mostSettled: Int

    /// An empty ledger that remembers this many beacons after their end is known.
    ///
    /// - Parameter mostSettled: Where there are more, the older half is forgotten, delivered ones before all others.
    public init(mostSettled: Int = 2_000) { self.mostSettled = max(1, mostSettled) }

    /// Writes beacons down and returns the keys that were new.
    public func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> [BeaconKey] {
        self.state.withLock { state in
            var new: [BeaconKey] = []
            for beacon in beacons where state.records[beacon.key] == nil {
                state.order += 1
                let waiting = LedgerEntry.State.recorded(nextTry: now, reason: nil)
                let entry = LedgerEntry(beacon, state: waiting, attempts: 0, recorded: now)
                state.records[beacon.key] = Record(entry: entry, order: state.order)
                state.enqueue(beacon, at: now, order: state.order)
                new.append(beacon.key)
            }
            return new
        }
    }

    /// Takes beacons that are due, one of each host in turn.
    public func claim(
        _ limit: Int,
        skipping origins: Set<String>,
        at now: WallTime,
        lease: Duration
    ) async throws(LedgerError) -> [ClaimedBeacon] {
        self.state.withLock { state in
            var claimed: [ClaimedBeacon] = []
            // Each host is looked at once; who was served goes behind those who were not.
            var rest: [String] = []
            var served: [String] = []
            for host in state.hosts {
                let isTaken = claimed.count < limit && !origins.contains(host)
                guard isTaken, let key = state.next(from: host, at: now), let record = state.records[key] else {
                    rest.append(host)
                    continue
                }
                served.append(host)
                let entry = record.entry
                let attempt = entry.attempts + 1
                state.records[key]?.entry = LedgerEntry(
                    entry.beacon,
                    state: .inFlight(until: now + lease),
                    attempts: attempt,
                    recorded: entry.recorded
                )
                claimed.append(ClaimedBeacon(entry.beacon, attempt: attempt, recorded: entry.recorded))
            }
            state.hosts = (rest + served).filter { !(state.queues[$0]?.isEmpty ?? true) }
            for host in rest + served where state.queues[host]?.isEmpty ?? false { state.queues[host] = nil }
            return claimed
        }
    }

    /// Writes down what became of a claimed beacon; one that is settled already stays as it is.
    public func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {
        self.state.withLock { state in
            guard let record = state.records[key], case .inFlight = record.entry.state else { return }
            let new: LedgerEntry.State
            switch outcome {
            case .delivered: new = .delivered
            case .unconfirmed(let reason): new = .unconfirmed(reason: reason)
            case .dead(let reason): new = .dead(reason: reason)
            case .retry(let moment, let reason):
                new = .recorded(nextTry: moment, reason: reason)
                state.enqueue(record.entry.beacon, at: moment, order: record.order)
            }
            let entry = record.entry
            state.records[key]?.entry = LedgerEntry(
                entry.beacon,
                state: new,
                attempts: entry.attempts,
                recorded: entry.recorded
            )
            if case .recorded = new { return }
            state.settled.append(key)
            if state.settled.count > self.mostSettled { self.prune(&state) }
        }
    }

    /// Forgets down to half: first the oldest of what was delivered, then the oldest of all.
    private func prune(_ state: inout State) {
        var excess = state.settled.count - self.mostSettled / 2
        for isDeliveredOnly in [true, false] {
            state.settled.removeAll { key in
                guard excess > 0 else { return false }
                if isDeliveredOnly, state.records[key]?.entry.state != .delivered { return false }
                state.records[key] = nil
                excess -= 1
                return true
            }
        }
    }

    /// When the next beacon of another origin than these is due.
    public func nextDue(skipping origins: Set<String>) async throws(LedgerError) -> WallTime? {
        self.state.withLock { state in
            state.queues.lazy.compactMap { origins.contains($0.key) ? nil : $0.value.first?.at }.min()
        }
    }

    /// Everything the ledger holds, oldest first.
    public func entries() async throws(LedgerError) -> [LedgerEntry] {
        self.state.withLock { state in state.records.values.sorted { $0.order < $1.order }.map(\.entry) }
    }
}
