import AdCore

extension Store {
    /// One queue while beacons are taken from it.
    private struct Place {
        let id: Int64
        let origin: String
        let room: Int
        var taken = 0
        var isEmpty = false
    }

    /// The most queues that enter the line at once: where thousands become due together, they do so over some claims.
    private static let mostEntering = 1_024
    /// The most unreadable rows that one claim clears away.
    private static let mostUnreadable = 256

    /// Takes beacons that are due, origins in turn; to be called in a transaction.
    func claim(_ terms: ClaimRequest) throws(Fault) -> BeaconClaim {
        self.queues.removeAll(keepingCapacity: true)
        try self.sweep(at: terms.now)
        try self.endLeases(at: terms.now)
        guard terms.limit > 0 else { return BeaconClaim([], next: nil) }

        var places = try self.places(terms)
        var claimed: [ClaimedBeacon] = []
        var unreadable = 0
        // One of each origin, then the second of each, until nobody has anything more.
        var round = 0
        while claimed.count < terms.limit {
            round += 1
            let before = claimed.count
            for index in places.indices where claimed.count < terms.limit {
                guard places[index].room >= round, !places[index].isEmpty else { continue }
                guard let beacon = try self.take(from: places[index].id, terms, &unreadable) else {
                    places[index].isEmpty = true
                    continue
                }
                places[index].taken += 1
                claimed.append(beacon)
            }
            if claimed.count == before { break }
        }
        try self.leaveLine(places, at: terms.now)
        guard claimed.count < terms.limit else { return BeaconClaim(claimed, next: nil) }
        return BeaconClaim(claimed, next: try self.next(terms, places))
    }

    /// The queues whose turn it is, at most as many as can be served.
    private func places(_ terms: ClaimRequest) throws(Fault) -> [Place] {
        guard terms.each > 0 else { return try self.listed(terms) }
        try self.enterLine(at: terms.now)
        var places: [Place] = []
        var early: [Int64] = []
        let line = try self[.line]
        defer { line.reset() }
        while places.count < terms.limit, try line.step() {
            guard let id = line.int(0), let origin = line.text(1) else { continue }
            guard let due = line.int(2), due <= terms.now.milliseconds else {
                early.append(id)
                continue
            }
            let room = terms.room(of: origin)
            if room > 0 { places.append(Place(id: id, origin: origin, room: room)) }
        }
        line.reset()
        // What it stood in line for was delivered by somebody late, or it came there by another calendar.
        for id in early {
            let leave = try self[.takeFromLine]
            leave.bind(id, at: 1)
            try leave.run()
        }
        return places
    }

    /// The same where only the origins that are named have any room: nobody else is looked at.
    private func listed(_ terms: ClaimRequest) throws(Fault) -> [Place] {
        var found: [(turn: Int64, due: Int64, place: Place)] = []
        for (origin, room) in terms.room where room > 0 {
            guard let queue = try self.findQueue(origin), let due = queue.due, due <= terms.now.milliseconds else {
                continue
            }
            found.append((queue.turn ?? .max, due, Place(id: queue.id, origin: origin, room: room)))
        }
        found.sort { ($0.turn, $0.due, $0.place.id) < ($1.turn, $1.due, $1.place.id) }
        return found.prefix(terms.limit).map(\.place)
    }

    private func enterLine(at now: WallTime) throws(Fault) {
        let due = try self[.newlyDue]
        due.bind(now.milliseconds, at: 1)
        due.bind(Store.mostEntering, at: 2)
        var entering: [Int64] = []
        while try due.step() {
            if let id = due.int(0) { entering.append(id) }
        }
        guard !entering.isEmpty else { return }
        var turn = try self.lastTurn()
        for id in entering {
            turn += 1
            let enter = try self[.enterLine]
            enter.bind(id, at: 1)
            enter.bind(turn, at: 2)
            try enter.run()
        }
    }

    private func lastTurn() throws(Fault) -> Int64 { try self[.lastTurn].number() ?? 0 }

    /// Takes the first beacon that is due from a queue.
    private func take(
        from queue: Int64,
        _ terms: ClaimRequest,
        _ unreadable: inout Int
    ) throws(Fault) -> ClaimedBeacon? {
        while unreadable < Store.mostUnreadable {
            let first = try self[.firstDue]
            first.bind(queue, at: 1)
            first.bind(terms.now.milliseconds, at: 2)
            guard try first.step() else { return nil }
            let row = BeaconRow(first)
            first.reset()
            if let fault = row.fault {
                unreadable += 1
                try self.kill(row.number, fault, at: terms.now)
                continue
            }
            // Who recorded it had a calendar that was far ahead, and its deadline would be as far.
            let recorded = row.recorded > Sweep.latestDue(terms.now) ? terms.now : row.recorded
            let take = try self[.take]
            take.bind(row.number, at: 1)
            take.bind((terms.now + terms.lease).milliseconds, at: 2)
            take.bind(row.attempts + 1, at: 3)
            take.bind(recorded.milliseconds, at: 4)
            try take.run()
            return ClaimedBeacon(
                row.beacon,
                attempt: row.attempts + 1,
                recorded: recorded,
                isInDoubt: row.isInDoubt
            )
        }
        return nil
    }

    /// Ends a beacon that can't be sent.
    func kill(_ number: Int64, _ reason: String, at now: WallTime) throws(Fault) {
        let kill = try self[.kill]
        kill.bind(number, at: 1)
        kill.bind(now.milliseconds, at: 2)
        kill.bind(reason, at: 3)
        try kill.run()
        self.counts.settled += 1
    }

    /// Puts who was served behind those who were not, and lets those go for whom nothing more is due.
    private func leaveLine(_ places: [Place], at now: WallTime) throws(Fault) {
        guard !places.isEmpty else { return }
        var turn = try self.lastTurn()
        for place in places where place.taken > 0 || place.isEmpty {
            try self.refresh(place.id)
            let due = try self.due(of: place.id)
            let set = try self[.setQueue]
            set.bind(place.id, at: 1)
            if let due { set.bind(due, at: 2) } else { set.bindNull(at: 2) }
            if let due, due <= now.milliseconds {
                turn += 1
                set.bind(turn, at: 3)
            } else {
                set.bindNull(at: 3)
            }
            try set.run()
        }
    }

    private func due(of queue: Int64) throws(Fault) -> Int64? {
        let statement = try self[.queue]
        statement.bind(queue, at: 1)
        return try statement.number()
    }

    /// Finds out anew when the first beacon of a queue is due.
    func refresh(_ queue: Int64) throws(Fault) {
        let refresh = try self[.refreshQueue]
        refresh.bind(queue, at: 1)
        try refresh.run()
    }

    /// When it is worth asking again.
    private func next(_ terms: ClaimRequest, _ places: [Place]) throws(Fault) -> WallTime? {
        var taken: [String: Int] = [:]
        for place in places { taken[place.origin] = place.taken }
        var first: Int64?
        if terms.each > 0 {
            // Those that have no room are the ones just served, and those listed as busy: few are passed over.
            let due = try self[.dueQueues]
            defer { due.reset() }
            while first == nil, try due.step() {
                guard let origin = due.text(0) else { continue }
                if terms.room(of: origin) > taken[origin] ?? 0 { first = due.int(1) }
            }
        } else {
            for (origin, room) in terms.room where room > taken[origin] ?? 0 {
                if let due = try self.findQueue(origin)?.due { first = min(first ?? due, due) }
            }
        }
        let lease = try self[.nextLease].number()
        return [first, lease].compactMap { $0 }.min().map { WallTime(milliseconds: $0) }
    }
}
