import AdCore
import LedgerSupport
import SQLiteLedger
import TestSupport
import Testing

/// A simple model of a ledger, to compare the real one with.
struct LedgerModel {
    struct Row {
        let number: Int
        let beacon: Beacon
        let recorded: WallTime
        var state: LedgerEntry.State
        var attempts = 0
        var wasInterrupted = false

        var origin: String { self.beacon.call.address.origin }

        var due: WallTime? {
            if case .pending(let due, _) = self.state { due } else { nil }
        }

        var leaseEnd: WallTime? {
            if case .inFlight(let end) = self.state { end } else { nil }
        }
    }

    var rows: [Row] = []
    /// The number of consecutive claims that skipped an origin with due beacons and room.
    var skippedMessage: [String: Int] = [:]

    mutating func record(_ beacons: [Beacon], at now: WallTime) -> [BeaconKey] {
        var new: [BeaconKey] = []
        for beacon in beacons where !self.rows.contains(where: { $0.beacon.key == beacon.key }) {
            let number = (self.rows.last?.number ?? 0) + 1
            let state = LedgerEntry.State.pending(nextTry: now, reason: nil)
            self.rows.append(Row(number: number, beacon: beacon, recorded: now, state: state))
            new.append(beacon.key)
        }
        return new
    }

    mutating func endExpiredLeases(at now: WallTime) {
        for index in self.rows.indices {
            guard let end = self.rows[index].leaseEnd, end <= now else { continue }
            self.release(index, due: now)
        }
    }

    mutating func endAllLeases() {
        for index in self.rows.indices where self.rows[index].leaseEnd != nil {
            self.release(index, due: self.rows[index].recorded)
        }
    }

    private mutating func release(_ index: Int, due: WallTime) {
        self.rows[index].state = .pending(nextTry: due, reason: ClaimedBeacon.leaseExpiredReason)
        self.rows[index].wasInterrupted = true
    }

    /// Checks a claim against the model, and applies it.
    mutating func check(_ claim: BeaconClaim, _ request: ClaimRequest) -> String? {
        self.endExpiredLeases(at: request.now)
        let due = Dictionary(grouping: self.rows.filter { $0.due.map { $0 <= request.now } ?? false }, by: \.origin)
            .mapValues { rows in rows.sorted { ($0.due ?? request.now, $0.number) < ($1.due ?? request.now, $1.number) }
            }
        let byOrigin = Dictionary(grouping: claim.beacons, by: \.origin)
        if claim.beacons.count > max(0, request.limit) { return "more than the limit" }
        for (origin, beacons) in byOrigin {
            if beacons.count > request.limit(for: origin) { return "no room at \(origin)" }
            let first = (due[origin] ?? []).prefix(beacons.count)
            if first.map(\.beacon) != beacons.map(\.beacon) { return "not the first ones of \(origin)" }
            for (row, beacon) in zip(first, beacons) {
                let expected = ClaimedBeacon(
                    row.beacon,
                    attempt: row.attempts + 1,
                    recorded: row.recorded,
                    wasInterrupted: row.wasInterrupted
                )
                if beacon != expected { return "\(beacon) is not \(expected)" }
            }
        }
        let most = byOrigin.values.map(\.count).max() ?? 0
        for (origin, rows) in due {
            let count = byOrigin[origin]?.count ?? 0
            guard count < min(rows.count, request.limit(for: origin)) else { continue }
            if claim.beacons.count < request.limit { return "\(origin) was left out with room for it" }
            if count < most - 1 { return "\(origin) had \(count) where another had \(most)" }
        }
        if request.limit > 0 {
            for origin in due.keys where request.limit(for: origin) > 0 {
                self.skippedMessage[origin, default: 0] += 1
                if byOrigin[origin] != nil { self.skippedMessage[origin] = 0 }
                if self.skippedMessage[origin] ?? 0 > 12 { return "\(origin) starves" }
            }
        }

        for beacon in claim.beacons {
            guard let index = self.rows.firstIndex(where: { $0.beacon.key == beacon.beacon.key }) else {
                return "unknown"
            }
            self.rows[index].attempts += 1
            self.rows[index].state = .inFlight(until: request.now + request.lease)
        }
        var next: WallTime?
        if claim.beacons.count < request.limit {
            let open = self.rows.filter { request.limit(for: $0.origin) > byOrigin[$0.origin]?.count ?? 0 }
            let pending = open.compactMap(\.due)
            next = (pending + self.rows.compactMap(\.leaseEnd)).min()
        }
        return claim.next == next ? nil : "next is \(String(describing: claim.next)), not \(String(describing: next))"
    }

    mutating func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome) {
        guard let index = self.rows.firstIndex(where: { $0.beacon.key == claimed.beacon.key }) else { return }
        let row = self.rows[index]
        // An expired lease is still valid as long as the beacon was not claimed again.
        let isHeld = (row.leaseEnd != nil || row.due != nil && row.wasInterrupted) && row.attempts == claimed.attempt
        if !isHeld, outcome != .delivered || row.state == .delivered { return }
        self.rows[index].wasInterrupted = false
        // A beacon that was already interrupted was not sent this time.
        if isHeld, claimed.wasInterrupted, case .unconfirmed = outcome { self.rows[index].attempts -= 1 }
        switch outcome {
        case .delivered: self.rows[index].state = .delivered
        case .dead(let reason): self.rows[index].state = .dead(reason: reason)
        case .unconfirmed(let reason): self.rows[index].state = .unconfirmed(reason: reason)
        case .retry(let moment, let reason): self.rows[index].state = .pending(nextTry: moment, reason: reason)
        }
    }

    mutating func makeAllDue(at now: WallTime) -> Int {
        var count = 0
        for index in self.rows.indices {
            guard case .pending(let due, let reason) = self.rows[index].state else { continue }
            count += 1
            if due > now { self.rows[index].state = .pending(nextTry: now, reason: reason) }
        }
        return count
    }

    var nextDue: WallTime? { (self.rows.compactMap(\.due) + self.rows.compactMap(\.leaseEnd)).min() }

    var entries: [LedgerEntry] {
        self.rows.map {
            LedgerEntry(
                $0.beacon,
                number: Int64($0.number),
                state: $0.state,
                attempts: $0.attempts,
                recorded: $0.recorded,
                wasInterrupted: $0.wasInterrupted
            )
        }
    }
}

@Suite("A ledger compared with its model")
struct LedgerLifeTests {
    @Test("after any sequence of operations the ledger equals its model", arguments: LedgerKind.available, 0..<4)
    func life(_ kind: LedgerKind, _ number: Int) async throws {
        let seed = (TestSeed.chosen ?? UInt64.random(in: 0...UInt64.max)) &+ UInt64(number)
        print("LedgerLifeTests: YABBI_SEED=\(seed)", kind)
        var random = TestRandom(seed: seed)
        try await ContractLedger.with(kind) { test in
            var ledgers = [test.ledger, try test.another()]
            for ledger in ledgers { _ = try await ledger.open() }
            var model = LedgerModel()
            var held: [ClaimedBeacon] = []
            var now = ContractLedger.at(0)
            for step in 0..<400 {
                let ledger = try #require(ledgers.randomElement(using: &random))
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<6:
                    let beacons = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                        ContractLedger.beacon(
                            "k\(Int.random(in: 0..<300, using: &random))",
                            to: "h\(Int.random(in: 0..<5, using: &random)).example",
                            isBilling: Bool.random(using: &random)
                        )
                    }
                    let new = try await ledger.record(beacons, at: now).new
                    #expect(new == model.record(beacons, at: now), "seed \(seed), step \(step)")
                case 6..<11:
                    var limits: [String: Int] = [:]
                    for host in 0..<Int.random(in: 0...5, using: &random) {
                        limits["https://h\(host).example:443"] = Int.random(in: 0...3, using: &random)
                    }
                    let request = ClaimRequest(
                        limit: Int.random(in: 0...8, using: &random),
                        each: Int.random(in: 0...2, using: &random),
                        limits: limits,
                        at: now,
                        lease: .seconds(Int.random(in: 1...90, using: &random))
                    )
                    let claim = try await ledger.claim(request)
                    let problem = model.check(claim, request)
                    #expect(problem == nil, "seed \(seed), step \(step): \(request)")
                    held += claim.beacons
                case 11..<16:
                    guard let index = held.indices.randomElement(using: &random) else { break }
                    let claimed = Bool.random(using: &random) ? held.remove(at: index) : held[index]
                    let outcome: DeliveryOutcome =
                        switch Int.random(in: 0..<6, using: &random) {
                        case 0, 1: .delivered
                        case 2: .dead(reason: "dead \(step)")
                        case 3: .unconfirmed(reason: "unconfirmed \(step)")
                        default:
                            .retry(at: now + .seconds(Int.random(in: 0...200, using: &random)), reason: "retry \(step)")
                        }
                    try await ledger.settle(claimed, as: outcome, at: now)
                    model.settle(claimed, as: outcome)
                case 16, 17:
                    now = now + .milliseconds(Int.random(in: 0...60_000, using: &random))
                case 18 where step % 7 == 0:
                    #expect(
                        try await ledger.makeAllDue(at: now) == model.makeAllDue(at: now),
                        "seed \(seed), step \(step)"
                    )
                case 19 where step % 5 == 0:
                    for ledger in ledgers { await ledger.close() }
                    ledgers = [try test.another(), try test.another()]
                    for ledger in ledgers { _ = try await ledger.open() }
                    // The processes that have a file open are known, the hosts of a server are not.
                    if kind == .sqlite { model.endAllLeases() }
                default:
                    let due = try await ledger.nextDue()
                    #expect(due == model.nextDue, "seed \(seed), step \(step)")
                }
                if step % 10 == 0 {
                    let entries = Self.renumbered(try await ledgers[0].entries())
                    #expect(entries == model.entries, "seed \(seed), step \(step)")
                    guard entries == model.entries else { break }
                }
            }
            let entries = Self.renumbered(try await ledgers[0].entries())
            #expect(entries == model.entries, "seed \(seed)")
            for ledger in ledgers { await ledger.close() }
        }
    }

    /// The entries with numbers without gaps: a server uses one up for a known key, too.
    private static func renumbered(_ entries: [LedgerEntry]) -> [LedgerEntry] {
        zip(entries, 1...).map { entry, number in
            LedgerEntry(
                entry.beacon,
                number: number,
                state: entry.state,
                attempts: entry.attempts,
                recorded: entry.recorded,
                wasInterrupted: entry.wasInterrupted
            )
        }
    }
}
