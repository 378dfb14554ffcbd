import AdCore
import SQLiteLedger

/// Carries the beacons of this host's files over to the server.
///
/// Each step can be interrupted and done again, also by the next process: a beacon that was being sent is carried over with
/// its outcome; one that was not is postponed, copied to the held ones, removed from where it could be sent, and then
/// recorded on the server, which records each key once.
struct CarryOver: Sendable {
    let local: LocalLedgers
    let server: ServerLedger
    /// The current time.
    let now: WallTime
    /// Called with the keys that the server has now.
    let onCarried: @Sendable ([BeaconKey]) -> Void

    /// The number of beacons in one exchange.
    private static let pageSize = 256
    /// How long beacons are postponed: longer than any retry, and less than the time after which a due time is wrong.
    private static let postponement = Duration.seconds(6 * 3_600 + 1_800)

    /// Carries over all beacons that are not being sent now.
    func run() async throws(ServerFailure) {
        try await self.onFiles { (local) throws(LedgerError) in try await local.settleHeld() }
        try await self.carryHeld()
        while try await self.onFiles({ (_) throws(LedgerError) in try await self.holdSome() }) {
            try await self.carryHeld()
        }
        try await self.carrySettled()
    }

    /// Works on the files; an error of theirs says nothing about the server.
    private func onFiles<Value: Sendable>(
        _ body: (LocalLedgers) async throws(LedgerError) -> Value
    ) async throws(ServerFailure) -> Value {
        do throws(LedgerError) {
            return try await body(self.local)
        } catch {
            throw ServerFailure(error)
        }
    }

    /// Moves some of the beacons that are delivered from here to the held ones; false if there are none.
    private func holdSome() async throws(LedgerError) -> Bool {
        let until = self.now + CarryOver.postponement
        let entries = try await self.local.own.postpone(CarryOver.pageSize, until: until)
        // A row that can't be read is dead, and is carried over with the settled ones.
        let readable = entries.filter { !$0.state.isSettled }
        try await self.hold(readable)
        // Another process may have made some due again, and may be sending them: those stay here.
        let stayed = try await self.local.own.removePostponed(readable.map(\.beacon.key), until: until)
        try await self.local.held.remove(Array(stayed))
        return !entries.isEmpty && stayed.count < entries.count
    }

    /// Records beacons among the held ones, each at its own time; those that wait together share a transaction.
    private func hold(_ entries: [LedgerEntry]) async throws(LedgerError) {
        let groups = Dictionary(grouping: entries, by: \.recorded)
        let failures = await withTaskGroup(of: LedgerError?.self) { group in
            for (recorded, entries) in groups {
                group.addTask {
                    do throws(LedgerError) {
                        _ = try await self.local.held.record(entries.map(\.beacon), at: recorded)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [LedgerError]()) { if let error = $1 { $0.append(error) } }
        }
        if let failure = failures.first { throw failure }
    }

    private func carryHeld() async throws(ServerFailure) {
        var last = Int64.min
        while true {
            let page = try await self.onFiles { [last] (local) throws(LedgerError) in
                try await local.held.entries(after: last, limit: CarryOver.pageSize)
            }
            guard let end = page.last else { return }
            last = end.number
            try await self.send(page) { entry in
                // One with an invalid address is dead from the start, here as there.
                entry.state.isSettled ? entry.state : .pending(nextTry: self.now, reason: nil)
            }
            try await self.onFiles { (local) throws(LedgerError) in try await local.held.remove(page.map(\.beacon.key))
            }
        }
    }

    /// Carries over what is known of beacons that were sent from here; those that are being sent now stay.
    private func carrySettled() async throws(ServerFailure) {
        var last = Int64.min
        while true {
            let page = try await self.onFiles { [last] (local) throws(LedgerError) in
                try await local.own.entries(after: last, limit: CarryOver.pageSize)
            }
            guard let end = page.last else { return }
            last = end.number
            // What an earlier process may have sent is unconfirmed, even before that is recorded.
            let settled = page.filter(\.standing.isSettled)
            try await self.send(settled) { $0.standing }
            try await self.onFiles { (local) throws(LedgerError) in
                try await local.own.remove(settled.map(\.beacon.key))
            }
        }
    }

    private func send(
        _ entries: [LedgerEntry],
        as state: (LedgerEntry) -> LedgerEntry.State
    ) async throws(ServerFailure) {
        guard !entries.isEmpty else { return }
        let beacons = entries.map { entry in
            CarriedBeacon(beacon: entry.beacon, state: state(entry), attempts: entry.attempts, recorded: entry.recorded)
        }
        try await self.server.perform { .carry(beacons, self.now, $0) }
        self.onCarried(entries.map(\.beacon.key))
    }
}
