import AdCore

extension Store {
    /// Writes the outcome of a claimed beacon; to be called in a transaction.
    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) throws(StoreError) {
        self.cachedQueues.removeAll(keepingCapacity: true)
        let find = try self[.findBeacon]
        find.bind(claimed.beacon.key.text, at: 1)
        guard try find.step() else { return }
        let (number, code, attempts, queue) = (find.int(0), find.int(1), find.int(2), find.int(3))
        let wasInterrupted = find.int(4) == 1
        find.reset()
        guard let number else { return }
        let state = code.flatMap { StateCode(rawValue: $0) }

        // An expired lease is still valid as long as no other process has claimed the beacon.
        let isHeld =
            (state == .inFlight || state == .pending && wasInterrupted) && attempts == Int64(claimed.attempt)
        // A late outcome is ignored, except that the beacon was delivered.
        if !isHeld, outcome != .delivered || state == .delivered { return }

        let settle = try self[.settle]
        settle.bind(number, at: 1)
        settle.bind(now.milliseconds, at: 3)
        settle.bind(0, at: 4)
        settle.bind(isHeld ? Int64(claimed.attempts(after: outcome)) : attempts ?? 0, at: 6)
        switch outcome {
        case .delivered:
            settle.bind(StateCode.delivered.rawValue, at: 2)
            settle.bindNull(at: 5)
        case .unconfirmed(let reason):
            settle.bind(StateCode.unconfirmed.rawValue, at: 2)
            settle.bind(reason, at: 5)
        case .dead(let reason):
            settle.bind(StateCode.dead.rawValue, at: 2)
            settle.bind(reason, at: 5)
        case .retry(let moment, let reason):
            settle.bind(StateCode.pending.rawValue, at: 2)
            settle.bind(moment.milliseconds, at: 3)
            settle.bind(queue ?? 0, at: 4)
            settle.bind(reason, at: 5)
        }
        try settle.run()

        if case .retry(let moment, _) = outcome, state != .pending {
            try self.lowerDue(of: queue ?? 0, to: moment)
        } else {
            // The queue's due time may have been this beacon's.
            if state == .pending { try self.refresh(queue ?? 0) }
            if case .retry = outcome { return }
            if state == .pending || state == .inFlight { self.counts.settled += 1 }
        }
    }

    /// Lowers a queue's due time to a time.
    func lowerDue(of queue: Int64, to moment: WallTime) throws(StoreError) {
        let lower = try self[.lowerQueueDue]
        lower.bind(queue, at: 1)
        lower.bind(moment.milliseconds, at: 2)
        try lower.run()
    }

    /// Makes all pending beacons due now, and returns their number; to be called in a transaction.
    func makeAllDue(at now: WallTime) throws(StoreError) -> Int {
        self.cachedQueues.removeAll(keepingCapacity: true)
        try self.sweep(at: now)
        var queue: Int64 = 0
        while let last = try self.pullForward(after: queue, limit: Sweep.maxRows, ahead: now, to: now).last {
            queue = last
        }
        return Int(try self[.pendingCount].number() ?? 0)
    }

    /// The time at which the next beacon is due or the next lease ends.
    func nextDue() throws(StoreError) -> WallTime? {
        let moments = [try self[.nextQueue].number(), try self[.nextLease].number()]
        return moments.compactMap { $0 }.min().map { WallTime(milliseconds: $0) }
    }

    /// The beacons with a number greater than the given one, in ascending order.
    func entries(after number: Int64, limit: Int) throws(StoreError) -> [LedgerEntry] {
        guard limit > 0 else { return [] }
        let statement = try self[.entries]
        statement.bind(number, at: 1)
        statement.bind(limit, at: 2)
        var entries: [LedgerEntry] = []
        while try statement.step() { entries.append(BeaconRow(statement).entry) }
        if let last = entries.last { self.updateHighestNumber(last.number) }
        return entries
    }

    /// The beacons with some keys.
    func entries(of keys: Set<BeaconKey>) throws(StoreError) -> [LedgerEntry] {
        var entries: [LedgerEntry] = []
        for key in keys {
            let statement = try self[.entryOf]
            statement.bind(key.text, at: 1)
            if try statement.step() { entries.append(BeaconRow(statement).entry) }
            statement.reset()
        }
        return entries
    }

    /// Makes beacons that would be sent before a time due then, and returns them; to be called in a transaction.
    func postpone(_ limit: Int, until moment: WallTime) throws(StoreError) -> [LedgerEntry] {
        self.cachedQueues.removeAll(keepingCapacity: true)
        let sendable = try self[.sendable]
        sendable.bind(moment.milliseconds, at: 1)
        sendable.bind(limit, at: 2)
        var entries: [LedgerEntry] = []
        while try sendable.step() { entries.append(BeaconRow(sendable).entry) }
        var queues: Set<Int64> = []
        for entry in entries {
            let postpone = try self[.postpone]
            postpone.bind(entry.number, at: 1)
            postpone.bind(moment.milliseconds, at: 2)
            try postpone.run()
            let queue = try self[.queueOf]
            queue.bind(entry.number, at: 1)
            if let number = try queue.number() { queues.insert(number) }
        }
        for queue in queues { try self.refresh(queue) }
        return entries
    }

    /// The number of beacons by state.
    func summary() throws(StoreError) -> LedgerSummary {
        var counts: [StateCode: Int] = [:]
        let statement = try self[.counts]
        while try statement.step() {
            // Rows with an unknown state are listed as dead.
            let state = statement.int(0).flatMap { StateCode(rawValue: $0) } ?? .dead
            counts[state, default: 0] += Int(statement.int(1) ?? 0)
        }
        let interrupted = Int(try self[.interrupted].number() ?? 0)
        return LedgerSummary(
            pending: (counts[.pending] ?? 0) - interrupted,
            inFlight: counts[.inFlight] ?? 0,
            delivered: counts[.delivered] ?? 0,
            unconfirmed: (counts[.unconfirmed] ?? 0) + interrupted,
            dead: counts[.dead] ?? 0,
            dropped: try self.tally("dropped"),
            unlisted: try self.tally("unlisted")
        )
    }

    private func tally(_ name: StaticString) throws(StoreError) -> Int {
        let tally = try self[.tally]
        tally.bind("\(name)", at: 1)
        return Int(try tally.number() ?? 0)
    }
}
