import AdCore

/// Compares a ledger with a server's hits: each beacon must be counted exactly once.
package struct Reconciliation: Hashable, Sendable {
    /// The verdicts on the beacons in the ledger's order, then on hits without a beacon.
    ///
    /// Of a comparison with logs only as many as a text lists.
    private(set) var outcomes: [ReconciledBeacon]
    /// How many beacons have a verdict, and how many of these are billable.
    private(set) var tallies: [BeaconVerdict: Tally] = [:]
    private(set) var recorded = 0
    private(set) var delivered = 0
    private(set) var unconfirmed = 0
    private(set) var dead = 0
    /// Recorded, but not delivered yet.
    private(set) var pending = 0
    /// Delivered according to the ledger, but not counted by the server.
    private(set) var lost = 0
    /// Delivered according to the ledger, to a server whose hits are not known.
    private(set) var elsewhere = 0
    /// Hits that were counted beyond the first one of a beacon.
    private(set) var duplicates = 0
    /// Hits that the ledger does not have.
    private(set) var unknown = 0
    /// Delivered and counted once, in time.
    private(set) var matched = 0
    /// Delivered and counted once, but late.
    private(set) var late = 0
    /// How many hits the server dropped: lost beacons and duplicates can be among them.
    private(set) var dropped: Int
    /// How many hits were sent by creatives.
    private(set) var creatives: Int
    /// How many ads could not be loaded or shown.
    let failedAds: Int

    /// A number of beacons.
    struct Tally: Hashable, Sendable {
        var count = 0
        var billing = 0
    }

    /// A comparison of nothing.
    init() { self.init([], against: HitList([], dropped: 0), lateAfter: nil) }

    /// Compares the lines of a ledger with hits.
    ///
    /// - Parameters:
    ///   - lines: The ledger's beacons.
    ///   - list: The server's hits.
    ///   - lateAfter: How long after its record a beacon is late; nil if ledger and server use different clocks.
    ///   - failedAds: How many ads could not be loaded or shown.
    package init(_ lines: [LedgerLine], against list: HitList, lateAfter: Duration?, failedAds: Int = 0) {
        let assessment = BeaconAssessment(
            lateAfter: lateAfter,
            dropped: list.dropped,
            hosts: Set(list.arrivals.compactMap(\.host))
        )
        var arrivals: [String: [ReceivedHit]] = [:]
        for arrival in list.arrivals { if let key = arrival.key { arrivals[key, default: []].append(arrival) } }
        self.dropped = list.dropped
        self.creatives = list.creatives
        self.failedAds = failedAds
        var outcomes: [ReconciledBeacon] = []
        for line in lines {
            let own = Arrivals(arrivals.removeValue(forKey: line.key) ?? [])
            let outcome = assessment.outcome(line, own)
            if outcome.verdict == .doubled { self.duplicates += max(0, own.counted - 1) }
            outcomes.append(outcome)
        }
        // The hits that are left have no beacon; the order is that of their first hits.
        for arrival in list.arrivals {
            if let key = arrival.key {
                guard let own = arrivals.removeValue(forKey: key) else { continue }
                outcomes.append(assessment.unknown(key, Arrivals(own)))
            } else {
                outcomes.append(assessment.unknown(nil, Arrivals([arrival])))
            }
        }
        self.outcomes = outcomes
        self.count(lines)
    }

    /// Creates a comparison from verdicts.
    init(_ outcomes: [ReconciledBeacon], of lines: [LedgerLine], duplicates: Int) {
        self.init()
        self.outcomes = outcomes
        self.duplicates = duplicates
        self.count(lines)
    }

    /// Adds the numbers of another part of the comparison, and as many of its verdicts as a text lists.
    mutating func add(_ part: Reconciliation, listed limit: Int) {
        for outcome in part.outcomes {
            let listed = self.tallies[outcome.verdict]?.count ?? 0
            self.tallies[outcome.verdict, default: Tally()].count += 1
            self.tallies[outcome.verdict]?.billing += outcome.isBilling ? 1 : 0
            if listed < limit { self.outcomes.append(outcome) }
        }
        self.recorded += part.recorded
        self.delivered += part.delivered
        self.unconfirmed += part.unconfirmed
        self.dead += part.dead
        self.pending += part.pending
        self.lost += part.lost
        self.elsewhere += part.elsewhere
        self.duplicates += part.duplicates
        self.unknown += part.unknown
        self.matched += part.matched
        self.late += part.late
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
            self.tallies[outcome.verdict, default: Tally()].count += 1
            self.tallies[outcome.verdict]?.billing += outcome.isBilling ? 1 : 0
            switch outcome.verdict {
            case .lost: self.lost += 1
            case .late: self.late += 1
            case .elsewhere: self.elsewhere += 1
            // Billed once each.
            case .matched, .repeated: self.matched += 1
            case .unknown: self.unknown += outcome.hitCount
            // Counted by the ledger's state, or by the number of hits.
            case .doubled, .unconfirmed, .dead, .pending: break
            }
        }
    }

    /// Whether each beacon was delivered and counted once, without other hits.
    ///
    /// Beacons that were sent to another server are accepted, unless they are billable.
    package var isClean: Bool {
        let isBillingUnknown = self.tallies[.elsewhere]?.billing ?? 0 > 0
        return self.recorded == self.delivered && self.lost + self.duplicates + self.unknown == 0 && !isBillingUnknown
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
