import AdCore

extension Store {
    /// Writes down what became of a claimed beacon; to be called in a transaction.
    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) throws(Fault) {
        self.queues.removeAll(keepingCapacity: true)
        let find = try self[.findBeacon]
        find.bind(claimed.beacon.key.text, at: 1)
        guard try find.step() else { return }
        let (number, code, attempts, queue) = (find.int(0), find.int(1), find.int(2), find.int(3))
        let isInDoubt = find.int(4) == 1
        find.reset()
        guard let number else { return }
        let state = code.flatMap { StateCode(rawValue: $0) }

        // Where its lease is over and nobody has claimed it since, it is still whose it was.
        let isHeld =
            (state == .inFlight || state == .waiting && isInDoubt) && attempts == Int64(claimed.attempt)
        // Too late; but what arrived has arrived, whatever was thought of it meanwhile.
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
            settle.bind(StateCode.waiting.rawValue, at: 2)
            settle.bind(moment.milliseconds, at: 3)
            settle.bind(queue ?? 0, at: 4)
            settle.bind(reason, at: 5)
        }
        try settle.run()

        if case .retry(let moment, _) = outcome, state != .waiting {
            try self.lower(queue ?? 0, to: moment)
        } else {
            // What its queue was due for may have been this one.
            if state == .waiting { try self.refresh(queue ?? 0) }
            if case .retry = outcome { return }
            if state == .waiting || state == .inFlight { self.counts.settled += 1 }
        }
    }

    /// Notes that something in a queue is due at a time.
    func lower(_ queue: Int64, to moment: WallTime) throws(Fault) {
        let lower = try self[.lowerQueue]
        lower.bind(queue, at: 1)
        lower.bind(moment.milliseconds, at: 2)
        try lower.run()
    }

    /// Makes everything that waits due at once; to be called in a transaction.
    func hasten(at now: WallTime) throws(Fault) -> Int {
        self.queues.removeAll(keepingCapacity: true)
        try self.sweep(at: now)
        var queue: Int64 = 0
        while let last = try self.pullDues(behind: queue, limit: Sweep.most, ahead: now, to: now).last { queue = last }
        return Int(try self[.waitingCount].number() ?? 0)
    }

    /// When a beacon is due, or a lease is over.
    func nextDue() throws(Fault) -> WallTime? {
        let moments = [try self[.nextQueue].number(), try self[.nextLease].number()]
        return moments.compactMap { $0 }.min().map { WallTime(milliseconds: $0) }
    }

    /// What stands behind a number, oldest first.
    func entries(after number: Int64, limit: Int) throws(Fault) -> [LedgerEntry] {
        guard limit > 0 else { return [] }
        let statement = try self[.entries]
        statement.bind(number, at: 1)
        statement.bind(limit, at: 2)
        var entries: [LedgerEntry] = []
        while try statement.step() { entries.append(BeaconRow(statement).entry) }
        if let last = entries.last { self.noteNumber(last.number) }
        return entries
    }

    /// How much there is of each kind.
    func summary() throws(Fault) -> LedgerSummary {
        var counts: [StateCode: Int] = [:]
        let statement = try self[.counts]
        while try statement.step() {
            // What no state is known for is listed as dead.
            let state = statement.int(0).flatMap { StateCode(rawValue: $0) } ?? .dead
            counts[state, default: 0] += Int(statement.int(1) ?? 0)
        }
        let inDoubt = Int(try self[.inDoubt].number() ?? 0)
        return LedgerSummary(
            waiting: (counts[.waiting] ?? 0) - inDoubt,
            inFlight: counts[.inFlight] ?? 0,
            delivered: counts[.delivered] ?? 0,
            unconfirmed: (counts[.unconfirmed] ?? 0) + inDoubt,
            dead: counts[.dead] ?? 0,
            dropped: try self.tally("dropped"),
            unlisted: try self.tally("unlisted")
        )
    }

    private func tally(_ name: StaticString) throws(Fault) -> Int {
        let tally = try self[.tally]
        tally.bind("\(name)", at: 1)
        return Int(try tally.number() ?? 0)
    }
}
