import AdCore

/// What is dropped for want of room, first things first; what is in flight never is.
enum PruneClass: CaseIterable {
    case delivered
    case dead, unconfirmed
    case waiting
    case deadBilling, unconfirmedBilling
    case waitingBilling

    /// Whether its end is known.
    var isSettled: Bool { self != .waiting && self != .waitingBilling }

    /// Whether somebody may want to ask for its money.
    var isListed: Bool { self == .deadBilling || self == .unconfirmedBilling }
}

extension Store {
    /// The most rows of one transaction: it shall take a few milliseconds at most.
    static let piece = 250
    /// How many numbers are looked through for waiting rows in one piece.
    private static let window: Int64 = 4_000

    /// Whether there is more than there may be, so that it is time to prune.
    var isOverfull: Bool {
        self.counts.rows > self.limits.rows || self.counts.settled > self.limits.settled || self.isNearlyFull
    }

    /// Looks, now and then, how many pages are used.
    func watchPages() throws(Fault) {
        guard self.writtenSinceCount > self.limits.bytes / 64 else { return }
        self.writtenSinceCount = 0
        try self.measure()
    }

    private func measure() throws(Fault) {
        // Once it is nearly full, so much goes that it is not so again at once.
        let share: Int64 = self.isNearlyFull ? 8 : 16
        self.isNearlyFull = try self.usedPages() > self.mostPages - self.mostPages / share
    }

    /// About how many rows have to go before so many pages are free, at least one and at most a piece.
    private func rows(toFree pages: Int64) throws(Fault) -> Int {
        let used = max(1, try self.usedPages())
        return min(Store.piece, max(1, Int(Int64(self.counts.rows) * pages / used)))
    }

    /// Drops a piece of what is too much: down to a sixteenth below the limit, so that it is not done at every record.
    ///
    /// - Returns: Whether there may be more to do.
    func prune() throws(Fault) -> Bool {
        let rows = self.counts.rows - (self.limits.rows - self.limits.rows / 16)
        let settled = self.counts.settled - (self.limits.settled - self.limits.settled / 16)
        if self.limits.rows < self.counts.rows || self.isPruningRows && rows > 0 {
            self.isPruningRows = true
            return try self.drop(min(rows, Store.piece), onlySettled: false)
        }
        self.isPruningRows = false
        if self.limits.settled < self.counts.settled || self.isPruningSettled && settled > 0 {
            self.isPruningSettled = true
            return try self.drop(min(settled, Store.piece), onlySettled: true)
        }
        self.isPruningSettled = false
        guard self.isNearlyFull else { return false }
        let excess = try self.usedPages() - (self.mostPages - self.mostPages / 8)
        let isMore = try self.drop(self.rows(toFree: excess), onlySettled: false)
        try self.measure()
        return isMore && self.isNearlyFull
    }

    /// Drops rows until a thirty-second of the file is free; false where none of it could be dropped.
    func makeRoom() throws(Fault) -> Bool {
        // Taking rows out of a tree may need a page for a moment.
        try self.limitPages(to: self.mostPages + 64)
        defer { try? self.limitPages(to: self.mostPages) }
        var isDropped = false
        let enough = max(16, self.mostPages / 32)
        while try self.mostPages - self.usedPages() < enough {
            let before = self.counts.rows
            let isMore = try self.drop(self.rows(toFree: enough), onlySettled: false)
            if self.counts.rows < before { isDropped = true }
            if !isMore { break }
        }
        return isDropped
    }

    /// Drops at most so many rows, in a transaction of its own.
    ///
    /// - Returns: Whether there is anything left that could be dropped.
    private func drop(_ most: Int, onlySettled: Bool) throws(Fault) -> Bool {
        try self.transaction { () throws(Fault) in
            try self.countAgain()
            var left = most
            for kind in PruneClass.allCases where kind.isSettled || !onlySettled {
                let rows = try self.oldest(kind, most: left)
                guard let rows else { return true }
                try self.delete(rows)
                left -= rows.count
                if kind.isListed { try self.note("unlisted", rows.count, \.unlisted) }
                if kind.isSettled {
                    self.counts.settled -= rows.count
                } else {
                    try self.note("dropped", rows.count, \.lost)
                }
                // What waits is found piece by piece: the next class has its turn when none of this one is left.
                if left <= 0 || !kind.isSettled && !rows.isEmpty { return true }
            }
            return false
        }
    }

    /// Adds to what was ever given up, in the file and for whoever is told next.
    private func note(_ name: StaticString, _ count: Int, _ told: WritableKeyPath<Counts, Int>) throws(Fault) {
        guard count > 0 else { return }
        self.counts[keyPath: told] += count
        let add = try self[.addToTally]
        add.bind("\(name)", at: 1)
        add.bind(count, at: 2)
        try add.run()
    }

    private typealias Row = (number: Int64, queue: Int64)

    /// The oldest rows of a class; nil where there are some, but they were not found yet.
    private func oldest(_ kind: PruneClass, most: Int) throws(Fault) -> [Row]? {
        switch kind {
        case .delivered:
            let statement = try self[.oldestDelivered]
            statement.bind(most, at: 1)
            return try self.rows(statement)
        case .dead: return try self.settled(.dead, billing: 0, most)
        case .unconfirmed: return try self.settled(.unconfirmed, billing: 0, most)
        case .deadBilling: return try self.settled(.dead, billing: 1, most)
        case .unconfirmedBilling: return try self.settled(.unconfirmed, billing: 1, most)
        case .waiting: return try self.waiting(billing: 0, most)
        case .waitingBilling: return try self.waiting(billing: 1, most)
        }
    }

    private func settled(_ state: StateCode, billing: Int, _ most: Int) throws(Fault) -> [Row] {
        let statement = try self[.oldestSettled]
        statement.bind(state.rawValue, at: 1)
        statement.bind(billing, at: 2)
        statement.bind(most, at: 3)
        return try self.rows(statement)
    }

    /// What waits is looked for from where the last search ended, some numbers at a time.
    private func waiting(billing: Int, _ most: Int) throws(Fault) -> [Row]? {
        let any = try self[.anyWaiting]
        any.bind(billing, at: 1)
        guard try any.number() != nil else { return [] }
        let next = try self[.nextRow]
        next.bind(self.cursors[billing], at: 1)
        guard let first = try next.number() else {
            self.cursors[billing] = 0
            return nil
        }
        let last = first + Store.window
        let statement = try self[.waitingRows]
        statement.bind(first, at: 1)
        statement.bind(last, at: 2)
        statement.bind(billing, at: 3)
        statement.bind(most, at: 4)
        let rows = try self.rows(statement)
        self.cursors[billing] = rows.count == most ? rows.last?.number ?? last : last
        return rows.isEmpty ? nil : rows
    }

    private func rows(_ statement: Statement) throws(Fault) -> [Row] {
        var rows: [Row] = []
        while try statement.step() {
            if let number = statement.int(0), let queue = statement.int(1) { rows.append((number, queue)) }
        }
        return rows
    }

    private func delete(_ rows: [Row]) throws(Fault) {
        guard !rows.isEmpty else { return }
        self.queues.removeAll(keepingCapacity: true)
        // No number is ever given twice, even where the last row goes.
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

    /// Drops a piece of what was settled before a time, in a transaction of its own, and says how much that was.
    func forget(_ state: StateCode, before moment: WallTime?) throws(Fault) -> Int {
        try self.transaction { () throws(Fault) in
            let statement = try self[.forgettable]
            statement.bind(state.rawValue, at: 1)
            statement.bind(moment?.milliseconds ?? .max, at: 2)
            statement.bind(Store.piece, at: 3)
            let rows = try self.rows(statement)
            try self.delete(rows)
            self.counts.settled -= rows.count
            return rows.count
        }
    }
}
