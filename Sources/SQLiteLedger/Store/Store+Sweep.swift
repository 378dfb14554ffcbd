import AdCore

/// The limits beyond which a stored time comes from a wrong clock.
enum Sweep {
    /// A beacon waits at most six hours for its next attempt; one hour is tolerance.
    static func latestDue(_ now: WallTime) -> WallTime { now + .seconds(7 * 3600) }
    /// A claim lasts at most an hour.
    static func latestLease(_ now: WallTime) -> WallTime { now + .seconds(3600) }

    static let interval = Duration.seconds(60)
    /// The maximum number of rows that one sweep corrects; the next operation corrects the rest.
    static let maxRows = 1_000
    /// The maximum number of queues that one sweep checks.
    static let maxQueues = 256
}

extension Store {
    /// Corrects stored times from a wrong clock, once a minute; to be called in a transaction.
    func sweep(at now: WallTime) throws(StoreError) {
        // Callers can have slightly different clocks: a time just before the last sweep doesn't start a new one.
        if let lastSweep, max(now - lastSweep, lastSweep - now) < Sweep.interval { return }
        self.cachedQueues.removeAll(keepingCapacity: true)
        let leases = try self.rows(.futureLeases, Sweep.latestLease(now))
        for row in leases { try self.release(row, at: now) }
        let limit = Sweep.maxQueues
        let first = self.sweptQueue
        let swept = try self.pullForward(after: first, limit: limit, ahead: Sweep.latestDue(now), to: now)
        guard try self.adoptOrphans(between: [first == 0 ? .min : first] + swept, isLast: swept.count < limit, at: now)
        else {
            return
        }
        // With many origins, the next operations continue with the rest.
        self.sweptQueue = swept.last ?? 0
        guard leases.count < Sweep.maxRows, swept.count < limit else { return }
        self.sweptQueue = 0
        try self.dropEmptyQueues()
        try self.recountIfChanged()
        self.lastSweep = now
    }

    /// Makes beacons that are due after `latest` due now, in the next few queues after an ID.
    ///
    /// Returns the checked queues; fewer than the limit means that there are no more.
    func pullForward(
        after number: Int64,
        limit: Int,
        ahead latest: WallTime,
        to now: WallTime
    ) throws(StoreError) -> [Int64] {
        let after = try self[.queuesAfter]
        after.bind(number, at: 1)
        after.bind(limit, at: 2)
        var checked: [Int64] = []
        var late: [Int64] = []
        var wrong: [Int64] = []
        while try after.step() {
            guard let queue = after.int(0) else { continue }
            checked.append(queue)
            // The ledger never leaves a wrong due time, but another tool may, and the beacon would never be sent.
            if after.int(1) != after.int(2) { wrong.append(queue) }
            if let moment = after.int(3), moment > latest.milliseconds { late.append(queue) }
        }
        for queue in wrong { try self.refresh(queue) }
        for queue in late {
            while true {
                let later = try self[.rowsDueAfter]
                later.bind(queue, at: 1)
                later.bind(latest.milliseconds, at: 2)
                later.bind(Sweep.maxRows, at: 3)
                var rows: [Int64] = []
                while try later.step() {
                    if let row = later.int(0) { rows.append(row) }
                }
                for row in rows { try self.pull(row, to: now) }
                if rows.count < Sweep.maxRows { break }
            }
            try self.lowerDue(of: queue, to: now)
        }
        return checked
    }

    /// Returns claimed beacons whose lease ended to their queues, as interrupted.
    func endExpiredLeases(at now: WallTime) throws(StoreError) {
        while true {
            let over = try self.rows(.expiredLeases, now)
            for row in over { try self.release(row, at: now) }
            if over.count < Sweep.maxRows { return }
        }
    }

    /// Ends all leases, because the processes that held them ended; each beacon is due since it was recorded.
    func endAllLeases() throws(StoreError) {
        while true {
            let held = try self.rows(.expiredLeases, WallTime(milliseconds: .max))
            for row in held {
                try self.release(row, at: nil)
                try self.refresh(row.queue)
            }
            if held.count < Sweep.maxRows { return }
        }
    }

    private typealias Row = (number: Int64, queue: Int64)

    private func rows(_ sql: SQL, _ moment: WallTime) throws(StoreError) -> [Row] {
        let statement = try self[sql]
        statement.bind(moment.milliseconds, at: 1)
        statement.bind(Sweep.maxRows, at: 2)
        var rows: [Row] = []
        while try statement.step() {
            if let number = statement.int(0), let queue = statement.int(1) { rows.append((number, queue)) }
        }
        return rows
    }

    private func release(_ row: Row, at now: WallTime?) throws(StoreError) {
        let release = try self[.release]
        release.bind(row.number, at: 1)
        if let now { release.bind(now.milliseconds, at: 2) } else { release.bindNull(at: 2) }
        release.bind(ClaimedBeacon.leaseExpiredReason, at: 3)
        release.bind(now.map { Sweep.latestDue($0).milliseconds } ?? .max, at: 4)
        try release.run()
        if let now { try self.lowerDue(of: row.queue, to: now) }
    }

    private func pull(_ number: Int64, to now: WallTime) throws(StoreError) {
        let pull = try self[.pullDue]
        pull.bind(number, at: 1)
        pull.bind(now.milliseconds, at: 2)
        pull.bind(Sweep.latestDue(now).milliseconds, at: 3)
        try pull.run()
    }

    /// Deletes queues without pending or claimed beacons.
    private func dropEmptyQueues() throws(StoreError) {
        let empty = try self[.emptyQueues]
        empty.bind(Sweep.maxRows, at: 1)
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
