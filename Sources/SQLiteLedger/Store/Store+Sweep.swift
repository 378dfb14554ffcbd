import AdCore

/// How far ahead a time may lie before it was written by a calendar that was wrong.
enum Sweep {
    /// The longest that a waiting beacon may legally wait is six hours.
    static func latestDue(_ now: WallTime) -> WallTime { now + .seconds(7 * 3600) }
    /// No claim lasts longer.
    static func latestLease(_ now: WallTime) -> WallTime { now + .seconds(3600) }

    static let interval = Duration.seconds(60)
    /// The most rows that one sweep puts right; what is left is put right by the next operation.
    static let most = 1_000
    /// The most origins that are looked through at once.
    static let mostQueues = 256

}

extension Store {
    /// Puts right, once a minute, what stands in the file by a calendar that was wrong; to be called in a transaction.
    func sweep(at now: WallTime) throws(Fault) {
        // Callers are not told apart: a time a little before the last one is no reason to begin again.
        if let lastSweep, max(now - lastSweep, lastSweep - now) < Sweep.interval { return }
        self.queues.removeAll(keepingCapacity: true)
        let leases = try self.rows(.leasesAhead, Sweep.latestLease(now))
        for row in leases { try self.release(row, at: now) }
        let most = Sweep.mostQueues
        let first = self.sweptQueue
        let swept = try self.pullDues(behind: first, limit: most, ahead: Sweep.latestDue(now), to: now)
        guard try self.adoptStrays(between: [first == 0 ? .min : first] + swept, isLast: swept.count < most, at: now)
        else {
            return
        }
        // Where there are many origins, the next operations go on with the rest.
        self.sweptQueue = swept.last ?? 0
        guard leases.count < Sweep.most, swept.count < most else { return }
        self.sweptQueue = 0
        try self.dropEmptyQueues()
        try self.countAgain()
        self.lastSweep = now
    }

    /// Makes what is due after `latest` due at once, in the next few queues behind a number.
    ///
    /// It gives back the queues that were looked at; where they are fewer than the limit there are no more.
    func pullDues(
        behind number: Int64,
        limit: Int,
        ahead latest: WallTime,
        to now: WallTime
    ) throws(Fault) -> [Int64] {
        let after = try self[.queuesAfter]
        after.bind(number, at: 1)
        after.bind(limit, at: 2)
        var looked: [Int64] = []
        var late: [Int64] = []
        var wrong: [Int64] = []
        while try after.step() {
            guard let queue = after.int(0) else { continue }
            looked.append(queue)
            // Nothing of ours leaves it so; but a beacon that its queue does not know of would wait for ever.
            if after.int(1) != after.int(2) { wrong.append(queue) }
            if let moment = after.int(3), moment > latest.milliseconds { late.append(queue) }
        }
        for queue in wrong { try self.refresh(queue) }
        for queue in late {
            while true {
                let later = try self[.later]
                later.bind(queue, at: 1)
                later.bind(latest.milliseconds, at: 2)
                later.bind(Sweep.most, at: 3)
                var rows: [Int64] = []
                while try later.step() {
                    if let row = later.int(0) { rows.append(row) }
                }
                for row in rows { try self.pull(row, to: now) }
                if rows.count < Sweep.most { break }
            }
            try self.lower(queue, to: now)
        }
        return looked
    }

    /// Hands out again what was claimed and never settled.
    func endLeases(at now: WallTime) throws(Fault) {
        while true {
            let over = try self.rows(.overLeases, now)
            for row in over { try self.release(row, at: now) }
            if over.count < Sweep.most { return }
        }
    }

    /// Ends every lease, because whoever held one is dead; each beacon is due since it was recorded.
    func endAllLeases() throws(Fault) {
        while true {
            let held = try self.rows(.overLeases, WallTime(milliseconds: .max))
            for row in held {
                try self.release(row, at: nil)
                try self.refresh(row.queue)
            }
            if held.count < Sweep.most { return }
        }
    }

    private typealias Row = (number: Int64, queue: Int64)

    private func rows(_ sql: SQL, _ moment: WallTime) throws(Fault) -> [Row] {
        let statement = try self[sql]
        statement.bind(moment.milliseconds, at: 1)
        statement.bind(Sweep.most, at: 2)
        var rows: [Row] = []
        while try statement.step() {
            if let number = statement.int(0), let queue = statement.int(1) { rows.append((number, queue)) }
        }
        return rows
    }

    private func release(_ row: Row, at now: WallTime?) throws(Fault) {
        let release = try self[.release]
        release.bind(row.number, at: 1)
        if let now { release.bind(now.milliseconds, at: 2) } else { release.bindNull(at: 2) }
        release.bind(ClaimedBeacon.leaseOver, at: 3)
        release.bind(now.map { Sweep.latestDue($0).milliseconds } ?? .max, at: 4)
        try release.run()
        if let now { try self.lower(row.queue, to: now) }
    }

    private func pull(_ number: Int64, to now: WallTime) throws(Fault) {
        let pull = try self[.pullDue]
        pull.bind(number, at: 1)
        pull.bind(now.milliseconds, at: 2)
        pull.bind(Sweep.latestDue(now).milliseconds, at: 3)
        try pull.run()
    }

    /// Forgets origins for which nothing is on its way.
    private func dropEmptyQueues() throws(Fault) {
        let empty = try self[.emptyQueues]
        empty.bind(Sweep.most, at: 1)
        var ids: [Int64] = []
        while try empty.step() {
            if let id = empty.int(0) { ids.append(id) }
        }
        for id in ids {
            let delete = try self[.deleteQueue]
            delete.bind(id, at: 1)
            try delete.run()
        }
    }
}
