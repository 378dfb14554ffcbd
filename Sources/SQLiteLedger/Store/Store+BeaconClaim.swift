import AdCore

extension Store {
    /// A queue during a claim.
    private struct DueQueue {
        let id: Int64
        let origin: String
        /// Its due time and its turn, before it is served.
        let due: Int64
        let turn: Int64?
        let limit: Int
        var claimed = 0
        var isEmpty = false
    }

    /// The maximum number of queues that get a turn in one claim; thousands that become due together get it over
    /// several.
    private static let maxNewTurns = 1_024
    /// The maximum number of unreadable rows that one claim marks as dead.
    private static let maxUnreadable = 256

    /// Claims beacons that are due, round-robin by origin; to be called in a transaction.
    func claim(_ request: ClaimRequest) throws(StoreError) -> BeaconClaim {
        self.cachedQueues.removeAll(keepingCapacity: true)
        try self.sweep(at: request.now)
        try self.endExpiredLeases(at: request.now)
        guard request.limit > 0 else { return BeaconClaim([], next: nil) }

        var dueQueues = try self.dueQueues(request)
        var claimed: [ClaimedBeacon] = []
        var unreadable = 0
        // The first beacon of each origin, then the second of each, until none is due.
        var round = 0
        while claimed.count < request.limit {
            round += 1
            let before = claimed.count
            for index in dueQueues.indices where claimed.count < request.limit {
                guard dueQueues[index].limit >= round, !dueQueues[index].isEmpty else { continue }
                guard let beacon = try self.claimNext(of: dueQueues[index].id, request, &unreadable) else {
                    dueQueues[index].isEmpty = true
                    continue
                }
                dueQueues[index].claimed += 1
                claimed.append(beacon)
            }
            if claimed.count == before { break }
        }
        try self.updateTurns(dueQueues, at: request.now)
        guard claimed.count < request.limit else { return BeaconClaim(claimed, next: nil) }
        let counts = Dictionary(dueQueues.map { ($0.origin, $0.claimed) }) { first, _ in first }
        return BeaconClaim(claimed, next: try self.next(request, claimed: counts))
    }

    /// The due queues in the order of their turns, at most as many as beacons are requested.
    private func dueQueues(_ request: ClaimRequest) throws(StoreError) -> [DueQueue] {
        guard request.each > 0 else { return try self.listedQueues(request) }
        try self.assignTurns(at: request.now)
        var dueQueues: [DueQueue] = []
        var early: [Int64] = []
        let byTurn = try self[.queuesByTurn]
        defer { byTurn.reset() }
        while dueQueues.count < request.limit, try byTurn.step() {
            guard let id = byTurn.int(0), let origin = byTurn.text(1) else { continue }
            guard let due = byTurn.int(2), due <= request.now.milliseconds else {
                early.append(id)
                continue
            }
            let limit = request.limit(for: origin)
            if limit > 0 {
                dueQueues.append(DueQueue(id: id, origin: origin, due: due, turn: byTurn.int(3), limit: limit))
            }
        }
        byTurn.reset()
        // Its due beacon was settled after its lease ended, or its turn came from a wrong clock.
        for id in early {
            let clear = try self[.clearTurn]
            clear.bind(id, at: 1)
            try clear.run()
        }
        return dueQueues
    }

    /// The due queues of the origins listed in the request, if no other origin may get beacons.
    private func listedQueues(_ request: ClaimRequest) throws(StoreError) -> [DueQueue] {
        var found: [DueQueue] = []
        for (origin, limit) in request.limits where limit > 0 {
            guard let queue = try self.findQueue(origin), let due = queue.due, due <= request.now.milliseconds else {
                continue
            }
            found.append(DueQueue(id: queue.id, origin: origin, due: due, turn: queue.turn, limit: limit))
        }
        found.sort { ($0.turn ?? .max, $0.due, $0.id) < ($1.turn ?? .max, $1.due, $1.id) }
        return Array(found.prefix(request.limit))
    }

    /// Inserts beacons and claims what is due; to be called in a transaction.
    ///
    /// If nothing else is due, they are inserted as claimed. As pending ones they would first be added to their queues
    /// and to the index of those that wait, and be removed again: seven pages are written then, and now three.
    func record(
        _ beacons: [Beacon],
        claiming request: ClaimRequest,
        at now: WallTime
    ) throws(StoreError) -> (new: [BeaconKey], claim: BeaconClaim) {
        // A claim of what was due at an earlier time has none of them.
        guard now <= request.now, request.allowsAll(beacons), try self.isNothingDue(request) else {
            return (try self.record(beacons, at: now), try self.claim(request))
        }
        let new = try self.record(beacons, at: now, claimedUntil: request.leaseEnd)
        // Of two beacons with the same key the first was inserted.
        var keys = Set(new)
        let claimed = beacons.filter { keys.remove($0.key) != nil }
            .map { ClaimedBeacon($0, attempt: 1, recorded: now) }
        guard claimed.count < request.limit else { return (new, BeaconClaim(claimed, next: nil)) }
        let counts = claimed.reduce(into: [:]) { $0[$1.origin, default: 0] += 1 }
        return (new, BeaconClaim(claimed, next: try self.next(request, claimed: counts)))
    }

    /// Whether a claim would return nothing: no beacon is due at an origin that may get one, and no lease has ended.
    private func isNothingDue(_ request: ClaimRequest) throws(StoreError) -> Bool {
        try self.sweep(at: request.now)
        return try self.next(request, claimed: [:]).map { $0 > request.now } ?? true
    }

    private func assignTurns(at now: WallTime) throws(StoreError) {
        let due = try self[.newlyDue]
        due.bind(now.milliseconds, at: 1)
        due.bind(Store.maxNewTurns, at: 2)
        var entering: [Int64] = []
        while try due.step() {
            if let id = due.int(0) { entering.append(id) }
        }
        guard !entering.isEmpty else { return }
        var turn = try self.lastTurn()
        for id in entering {
            turn += 1
            let enter = try self[.assignTurn]
            enter.bind(id, at: 1)
            enter.bind(turn, at: 2)
            try enter.run()
        }
    }

    private func lastTurn() throws(StoreError) -> Int64 { try self[.lastTurn].number() ?? 0 }

    /// Claims the first due beacon of a queue.
    private func claimNext(
        of queue: Int64,
        _ request: ClaimRequest,
        _ unreadable: inout Int
    ) throws(StoreError) -> ClaimedBeacon? {
        while unreadable < Store.maxUnreadable {
            let first = try self[.firstDue]
            first.bind(queue, at: 1)
            first.bind(request.now.milliseconds, at: 2)
            guard try first.step() else { return nil }
            let row = BeaconRow(first)
            first.reset()
            if let reason = row.unreadableReason {
                unreadable += 1
                try self.markDead(row.number, reason, at: request.now)
                continue
            }
            // It was recorded by a clock that was far ahead; its delivery deadline would be just as far.
            let recorded = row.recorded > Sweep.latestDue(request.now) ? request.now : row.recorded
            let mark = try self[.markInFlight]
            mark.bind(row.number, at: 1)
            mark.bind(request.leaseEnd.milliseconds, at: 2)
            mark.bind(row.attempts + 1, at: 3)
            mark.bind(recorded.milliseconds, at: 4)
            try mark.run()
            return ClaimedBeacon(
                row.beacon,
                attempt: row.attempts + 1,
                recorded: recorded,
                wasInterrupted: row.wasInterrupted
            )
        }
        return nil
    }

    /// Marks a beacon as dead.
    func markDead(_ number: Int64, _ reason: String, at now: WallTime) throws(StoreError) {
        let mark = try self[.markDead]
        mark.bind(number, at: 1)
        mark.bind(now.milliseconds, at: 2)
        mark.bind(reason, at: 3)
        try mark.run()
        self.counts.settled += 1
    }

    /// Moves served queues to the end of the round-robin order, and removes those without due beacons.
    ///
    /// One that stays as it is, is not written: each change of a queue writes a page of the table and of both indexes.
    private func updateTurns(_ dueQueues: [DueQueue], at now: WallTime) throws(StoreError) {
        guard !dueQueues.isEmpty else { return }
        var turn = try self.lastTurn()
        for queue in dueQueues where queue.claimed > 0 || queue.isEmpty {
            let first = try self[.firstMoment]
            first.bind(queue.id, at: 1)
            let due = try first.number()
            let isDue = due.map { $0 <= now.milliseconds } ?? false
            // The last one is at the end already.
            if isDue, queue.turn != turn { turn += 1 }
            let newTurn = isDue ? turn : nil
            guard due != queue.due || newTurn != queue.turn else { continue }
            let set = try self[.setQueue]
            set.bind(queue.id, at: 1)
            if let due { set.bind(due, at: 2) } else { set.bindNull(at: 2) }
            if let newTurn { set.bind(newTurn, at: 3) } else { set.bindNull(at: 3) }
            try set.run()
        }
    }

    /// Recalculates when the first beacon of a queue is due.
    func refresh(_ queue: Int64) throws(StoreError) {
        let refresh = try self[.refreshQueue]
        refresh.bind(queue, at: 1)
        try refresh.run()
    }

    /// When the next claim can return a beacon, after a claim of so many from each origin.
    private func next(_ request: ClaimRequest, claimed: [String: Int]) throws(StoreError) -> WallTime? {
        var first: Int64?
        if request.each > 0 {
            // Only queues that were just served or listed as busy may get none: few rows are skipped.
            let due = try self[.dueQueues]
            defer { due.reset() }
            while first == nil, try due.step() {
                guard let origin = due.text(0) else { continue }
                if request.limit(for: origin) > claimed[origin] ?? 0 { first = due.int(1) }
            }
        } else {
            for (origin, limit) in request.limits where limit > claimed[origin] ?? 0 {
                if let due = try self.findQueue(origin)?.due { first = min(first ?? due, due) }
            }
        }
        let lease = try self[.nextLease].number()
        return [first, lease].compactMap { $0 }.min().map { WallTime(milliseconds: $0) }
    }
}

extension ClaimRequest {
    /// Whether it allows to claim all of some beacons, none of which has an address that can't be called.
    fileprivate func allowsAll(_ beacons: [Beacon]) -> Bool {
        guard beacons.count <= self.limit else { return false }
        var counts: [String: Int] = [:]
        return beacons.allSatisfy { beacon in
            guard let origin = beacon.call.address.url?.http.origin else { return false }
            counts[origin, default: 0] += 1
            return counts[origin, default: 0] <= self.limit(for: origin)
        }
    }
}
