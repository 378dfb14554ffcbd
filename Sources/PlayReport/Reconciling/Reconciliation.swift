import AdCore

/// The ledger held against what the server saw: every beacon once, none lost, none doubled.
package struct Reconciliation: Hashable, Sendable {
    /// A verdict on each beacon in the ledger's order, then on requests without one.
    let outcomes: [BeaconOutcome]
    private(set) var recorded = 0
    private(set) var delivered = 0
    private(set) var unconfirmed = 0
    private(set) var dead = 0
    /// Recorded, and neither sent to its end nor given up.
    private(set) var pending = 0
    /// Delivered by the ledger, and never counted by the server.
    private(set) var lost = 0
    /// Delivered by the ledger, to a server whose hits are not known here.
    private(set) var elsewhere = 0
    /// Counted beyond the first time.
    private(set) var duplicates = 0
    /// Seen by the server, and in no ledger.
    private(set) var unknown = 0
    /// Delivered, counted once and in time.
    private(set) var matched = 0
    /// Delivered and counted once, long after it was recorded.
    private(set) var late = 0
    /// How many hits the server gave up: with any of these, what is lost may be none, and what is matched doubled.
    let dropped: Int
    /// How many hits were of creatives that ran, and told of something by themselves.
    let creatives: Int
    /// How many ads could not be loaded or shown, and had no beacon to send.
    let failedAds: Int

    /// Holds the lines of a ledger against hits.
    ///
    /// `lateAfter` is how long after it was recorded a beacon is late; nil where ledger and server live in two times.
    package init(_ lines: [LedgerLine], against list: ArrivalList, lateAfter: Duration?, failedAds: Int = 0) {
        let judge = BeaconAssessment(
            lateAfter: lateAfter,
            dropped: list.dropped,
            hosts: Set(list.arrivals.compactMap(\.host))
        )
        var arrivals: [String: [Arrival]] = [:]
        for arrival in list.arrivals { if let key = arrival.key { arrivals[key, default: []].append(arrival) } }
        self.dropped = list.dropped
        self.creatives = list.creatives
        self.failedAds = failedAds
        var outcomes: [BeaconOutcome] = []
        for line in lines {
            let own = arrivals.removeValue(forKey: line.key) ?? []
            let outcome = judge.outcome(line, own)
            if outcome.verdict == .doubled { self.duplicates += max(0, own.count(where: \.isCounted) - 1) }
            outcomes.append(outcome)
        }
        // In the order of their first hits: what is left over has none of its own.
        for arrival in list.arrivals {
            if let key = arrival.key {
                guard let own = arrivals.removeValue(forKey: key) else { continue }
                outcomes.append(judge.unknown(key, own))
            } else {
                outcomes.append(judge.unknown(nil, [arrival]))
            }
        }
        self.outcomes = outcomes
        self.count(lines)
    }

    private mutating func count(_ lines: [LedgerLine]) {
        self.recorded = lines.count
        for line in lines {
            switch line.state {
            case .delivered: self.delivered += 1
            case .unconfirmed: self.unconfirmed += 1
            case .dead: self.dead += 1
            case .pending: self.pending += 1
            }
        }
        for outcome in self.outcomes {
            switch outcome.verdict {
            case .lost: self.lost += 1
            case .late: self.late += 1
            case .elsewhere: self.elsewhere += 1
            // Billed once each.
            case .matched, .repeated: self.matched += 1
            case .unknown: self.unknown += outcome.hits.count
            // Counted by what the ledger says of them, or by how often they were counted.
            case .doubled, .unconfirmed, .dead, .pending: break
            }
        }
    }

    /// Whether each beacon arrived once and no other did, as far as the server could see it.
    ///
    /// Of what went elsewhere nobody knows here; where money depends on it, that is not clean.
    package var isClean: Bool {
        let isAnyUnseen = self.outcomes.contains { $0.verdict == .elsewhere && $0.isBilling }
        return self.recorded == self.delivered && self.lost + self.duplicates + self.unknown == 0 && !isAnyUnseen
    }

    package var json: String {
        AdJSON.object([
            .init("event", "reconciled"), .init("recorded", .int(self.recorded)),
            .init("delivered", .int(self.delivered)), .init("unconfirmed", .int(self.unconfirmed)),
            .init("dead", .int(self.dead)), .init("pending", .int(self.pending)), .init("lost", .int(self.lost)),
            .init("duplicates", .int(self.duplicates)), .init("unknown", .int(self.unknown)),
            .init("failed", .int(self.failedAds)), .init("matched", .int(self.matched)),
            .init("late", .int(self.late)), .init("elsewhere", .int(self.elsewhere)),
            .init("dropped", .int(self.dropped)), .init("creatives", .int(self.creatives)),
        ]).text()
    }
}
