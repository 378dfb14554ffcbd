import AdCore

/// The classes of beacons in the order in which they are pruned; claimed beacons never are.
enum PruneClass: CaseIterable {
    case delivered
    case dead, unconfirmed
    case pending
    case deadBilling, unconfirmedBilling
    case pendingBilling

    /// Whether the beacons are in a final state.
    var isSettled: Bool { self != .pending && self != .pendingBilling }

    /// Whether the beacons are billing ones that are listed as unconfirmed or dead.
    var isListed: Bool { self == .deadBilling || self == .unconfirmedBilling }
}

extension Store {
    /// The maximum number of rows per transaction: it takes a few milliseconds.
    static let batchSize = 250
    /// The range of numbers that one batch searches for pending rows.
    private static let window: Int64 = 4_000

    /// Whether a limit is exceeded, so rows must be pruned.
    var isOverfull: Bool {
        self.counts.rows > self.limits.rows || self.counts.settled > self.limits.settled || self.isNearlyFull
    }

    /// Checks the used pages after every 1/64 of the size limit that was written.
    func checkPages() throws(StoreError) {
        guard self.writtenSinceCount > self.limits.bytes / 64 else { return }
        self.writtenSinceCount = 0
        try self.updateFullness()
    }

    private func updateFullness() throws(StoreError) {
        // Hysteresis: nearly full from 15/16, until less than 7/8 is used.
        let share: Int64 = self.isNearlyFull ? 8 : 16
        self.isNearlyFull = try self.usedPages() > self.maxPages - self.maxPages / share
    }

    /// The approximate number of rows to delete to free so many pages, at least one and at most a batch.
    private func rows(toFree pages: Int64) throws(StoreError) -> Int {
        let used = max(1, try self.usedPages())
        return min(Store.batchSize, max(1, Int(Int64(self.counts.rows) * pages / used)))
    }

    /// Deletes a batch of excess rows, down to 15/16 of the limit, so that not every record prunes.
    ///
    /// - Returns: Whether more rows may have to be deleted.
    func prune() throws(StoreError) -> Bool {
        let rows = self.counts.rows - (self.limits.rows - self.limits.rows / 16)
        let settled = self.counts.settled - (self.limits.settled - self.limits.settled / 16)
        if self.limits.rows < self.counts.rows || self.isPruningRows && rows > 0 {
            self.isPruningRows = true
            return try self.deleteOldest(min(rows, Store.batchSize), onlySettled: false)
        }
        self.isPruningRows = false
        if self.limits.settled < self.counts.settled || self.isPruningSettled && settled > 0 {
            self.isPruningSettled = true
            return try self.deleteOldest(min(settled, Store.batchSize), onlySettled: true)
        }
        self.isPruningSettled = false
        guard self.isNearlyFull else { return false }
        let excess = try self.usedPages() - (self.maxPages - self.maxPages / 8)
        let isMore = try self.deleteOldest(self.rows(toFree: excess), onlySettled: false)
        try self.updateFullness()
        return isMore && self.isNearlyFull
    }

    /// Deletes rows until 1/32 of the file is free; false if none could be deleted.
    func makeRoom() throws(StoreError) -> Bool {
        // Deleting rows from a B-tree can need additional pages.
        try self.limitPages(to: self.maxPages + 64)
        defer { try? self.limitPages(to: self.maxPages) }
        var isAnyDeleted = false
        let enough = max(16, self.maxPages / 32)
        while try self.maxPages - self.usedPages() < enough {
            let before = self.counts.rows
            let isMore = try self.deleteOldest(self.rows(toFree: enough), onlySettled: false)
            if self.counts.rows < before { isAnyDeleted = true }
            if !isMore { break }
        }
        return isAnyDeleted
    }

    /// Deletes at most so many rows, in a transaction of its own.
    ///
    /// - Returns: Whether there may be more rows that can be deleted.
    private func deleteOldest(_ limit: Int, onlySettled: Bool) throws(StoreError) -> Bool {
        try self.transaction { () throws(StoreError) in
            try self.recountIfChanged()
            var left = limit
            for kind in PruneClass.allCases where kind.isSettled || !onlySettled {
                let rows = try self.oldest(kind, limit: left)
                guard let rows else { return true }
                try self.delete(rows)
                left -= rows.count
                if kind.isListed || kind == .delivered && self.limits.reportsRemovedDeliveries {
                    try self.addToTally("unlisted", rows.count, \.unlisted)
                }
                if kind.isSettled {
                    self.counts.settled -= rows.count
                } else {
                    try self.addToTally("dropped", rows.count, \.dropped)
                }
                // Waiting rows are found range by range: the next class follows when none is left.
                if left <= 0 || !kind.isSettled && !rows.isEmpty { return true }
            }
            return false
        }
    }

    /// Adds to a counter in the file, and to the one for the next report.
    private func addToTally(_ name: StaticString, _ count: Int, _ unreported: WritableKeyPath<Counts, Int>)
        throws(StoreError)
    {
        guard count > 0 else { return }
        self.counts[keyPath: unreported] += count
        let add = try self[.addToTally]
        add.bind("\(name)", at: 1)
        add.bind(count, at: 2)
        try add.run()
    }

    private typealias Row = (number: Int64, queue: Int64)

    /// The oldest rows of a class; nil if there are some that the search has not reached yet.
    private func oldest(_ kind: PruneClass, limit: Int) throws(StoreError) -> [Row]? {
        switch kind {
        case .delivered:
            let statement = try self[.oldestDelivered]
            statement.bind(limit, at: 1)
            return try self.rows(statement)
        case .dead: return try self.settled(.dead, billing: 0, limit)
        case .unconfirmed: return try self.settled(.unconfirmed, billing: 0, limit)
        case .deadBilling: return try self.settled(.dead, billing: 1, limit)
        case .unconfirmedBilling: return try self.settled(.unconfirmed, billing: 1, limit)
        case .pending: return try self.pending(billing: 0, limit)
        case .pendingBilling: return try self.pending(billing: 1, limit)
        }
    }

    private func settled(_ state: StateCode, billing: Int, _ limit: Int) throws(StoreError) -> [Row] {
        let statement = try self[.oldestSettled]
        statement.bind(state.rawValue, at: 1)
        statement.bind(billing, at: 2)
        statement.bind(limit, at: 3)
        return try self.rows(statement)
    }

    /// Searches one range of numbers for pending rows, from where the last search ended.
    private func pending(billing: Int, _ limit: Int) throws(StoreError) -> [Row]? {
        let any = try self[.anyPending]
        any.bind(billing, at: 1)
        guard try any.number() != nil else { return [] }
        let next = try self[.nextRow]
        next.bind(self.cursors[billing], at: 1)
        guard let first = try next.number() else {
            self.cursors[billing] = 0
            return nil
        }
        let last = first + Store.window
        let statement = try self[.pendingRows]
        statement.bind(first, at: 1)
        statement.bind(last, at: 2)
        statement.bind(billing, at: 3)
        statement.bind(limit, at: 4)
        let rows = try self.rows(statement)
        self.cursors[billing] = rows.count == limit ? rows.last?.number ?? last : last
        return rows.isEmpty ? nil : rows
    }

    private func rows(_ statement: Statement) throws(StoreError) -> [Row] {
        var rows: [Row] = []
        while try statement.step() {
            if let number = statement.int(0), let queue = statement.int(1) { rows.append((number, queue)) }
        }
        return rows
    }

    private func delete(_ rows: [Row]) throws(StoreError) {
        guard !rows.isEmpty else { return }
        self.cachedQueues.removeAll(keepingCapacity: true)
        // Numbers are never reused, even if the last row is deleted.
        try self[.keepLastNumber].run()
        var queues: Set<Int64> = []
        for row in rows {
            let delete = try self[.delete]
            delete.bind(row.number, at: 1)
            try delete.run()
            if row.queue != 0 { queues.insert(row.queue) }
        }
        for queue in queues { try self.refresh(queue) }
        self.counts.rows -= rows.count
    }

    /// Deletes a batch of rows settled before a time, in a transaction of its own, and returns their number.
    func deleteSettled(_ state: StateCode, before moment: WallTime?) throws(StoreError) -> Int {
        try self.transaction { () throws(StoreError) in
            let statement = try self[.forgettable]
            statement.bind(state.rawValue, at: 1)
            statement.bind(moment?.milliseconds ?? .max, at: 2)
            statement.bind(Store.batchSize, at: 3)
            let rows = try self.rows(statement)
            try self.delete(rows)
            self.counts.settled -= rows.count
            return rows.count
        }
    }
}
