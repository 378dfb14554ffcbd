import AdCore
import PostgresClient

/// A claim that is committed, and is returned when it is known what is due next.
struct PendingClaim {
    let request: ClaimRequest
    let present: CallerClock.Present
    let reply: ServerOperation.Reply<BeaconClaim>
    var beacons: [ClaimedBeacon] = []
    /// Claimed rows that can't be read.
    var unreadable: [(number: Int64, reason: String)] = []

    /// The statement that tells what is due next; nil if there may be more right now.
    var waiting: PostgresStatement? {
        guard self.unreadable.isEmpty, self.beacons.count < self.request.limit else { return nil }
        let clock = PostgresValue(self.present.override?.milliseconds)
        return PostgresStatement("waiting", LedgerSQL.waiting, [clock])
    }

    /// Returns the claim with the time at which the next one can return a beacon.
    ///
    /// - Parameter rows: The result of `waiting`; nil if it failed, or was not needed.
    func finish(_ rows: PostgresRows?) {
        self.reply.resume(returning: .success(BeaconClaim(self.beacons, next: self.next(rows))))
    }

    private func next(_ waiting: PostgresRows?) -> WallTime? {
        // Unreadable rows leave room for others; and without an answer the next claim finds out.
        guard self.unreadable.isEmpty else { return self.request.now }
        guard self.beacons.count < self.request.limit else { return nil }
        guard let waiting else { return self.request.now }
        let counts = Dictionary(grouping: self.beacons, by: \.origin).mapValues(\.count)
        var next: Int64?
        for row in waiting.rows {
            guard let distance = row.int(1) else { continue }
            if let origin = row.text(0), self.request.limit(for: origin) <= counts[origin] ?? 0 { continue }
            next = min(next ?? distance, distance)
        }
        // There are more origins than one claim looks at.
        if waiting.count > LedgerSQL.maximumOrigins { next = min(next ?? 0, 0) }
        return next.map(self.present.time)
    }
}
