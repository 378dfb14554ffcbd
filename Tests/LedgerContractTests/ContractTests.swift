import AdCore
import LedgerSupport
import PostgresSupport
import SQLiteLedger
import Testing

@Suite("The contract of a ledger, which each implementation keeps")
struct LedgerContractTests {
    private static let lease = ClaimedBeacon.leaseExpiredReason

    @Test(
        "the contract is tested with PostgreSQL, too",
        .enabled(if: PostgresServer.missing == nil, "\(PostgresServer.missing ?? "")")
    )
    func everywhere() { #expect(LedgerKind.available == LedgerKind.allCases) }

    @Test("a key is recorded once, and the new keys are returned in order", arguments: LedgerKind.available)
    func once(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            let first = try await ledger.record(ContractLedger.beacons(["a", "b", "a"]), at: ContractLedger.at(0))
            #expect(first.new.map(\.text) == ["a", "b"])
            let second = try await ledger.record(
                ContractLedger.beacons(["b", "c"], to: "other.example"),
                at: ContractLedger.at(1)
            )
            #expect(second.new.map(\.text) == ["c"])
            let entries = try await ledger.entries()
            #expect(entries.map(\.beacon.key.text) == ["a", "b", "c"])
            #expect(entries.map(\.beacon.call.address.url?.http.host) == ["t.example", "t.example", "other.example"])
            #expect(entries.map(\.recorded) == [ContractLedger.at(0), ContractLedger.at(0), ContractLedger.at(1)])
            #expect(entries.allSatisfy { $0.attempts == 0 })
            #expect(first.issues.isEmpty && second.issues.isEmpty)
        }
    }

    @Test("a known key with another address changes nothing", arguments: LedgerKind.available)
    func secondAddress(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            _ = try await test.ledger.record([ContractLedger.beacon("a")], at: ContractLedger.at(0))
            _ = try await test.ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(0)))
            _ = try await test.ledger.record(
                [ContractLedger.beacon("a", to: "other.example")],
                at: ContractLedger.at(1)
            )
            #expect(try await test.ledger.nextDue() == ContractLedger.at(60))
        }
    }

    @Test(
        "a claimed beacon is in flight, counts its attempts, and is not claimed twice",
        arguments: LedgerKind.available
    )
    func claimed(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record([ContractLedger.beacon("a")], at: ContractLedger.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 8, at: ContractLedger.at(5), lease: .seconds(30)))
            #expect(claim.keys == ["a"])
            #expect(claim.beacons.map(\.attempt) == [1])
            #expect(claim.beacons.map(\.recorded) == [ContractLedger.at(0)])
            #expect(claim.beacons.map(\.wasInterrupted) == [false])
            #expect(claim.next == ContractLedger.at(35))
            #expect(try await ledger.states() == ["a": .inFlight(until: ContractLedger.at(35))])
            let again = try await ledger.claim(ClaimRequest(limit: 8, at: ContractLedger.at(6)))
            #expect(again.beacons.isEmpty)
            #expect(again.next == ContractLedger.at(35))
        }
    }

    @Test(
        "a beacon with an invalid address is dead from the start, listed with its reason, and delays no other",
        arguments: LedgerKind.available,
        [
            "javascript:alert(1)", "ftp://t.example/v", "/v?id=1", "https://user:secret@t.example/",
            "http://t.example/" + String(repeating: "v", count: 1 << 20), "http://[::1/", "\u{0}", "\u{202E}http//",
        ]
    )
    func uncallable(_ kind: LedgerKind, text: String) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            let address = BeaconAddress(text)
            let dead = ContractLedger.beacon("dead", address: address)
            #expect(
                try await ledger.record([dead, ContractLedger.beacon("a"), dead], at: ContractLedger.at(0)).new.count
                    == 2
            )
            let claim = try await ledger.claim(ClaimRequest(limit: 8, at: ContractLedger.at(0)))
            #expect(claim.keys == ["a"])
            try await ledger.settle(claim.beacons[0], as: .delivered, at: ContractLedger.at(0))
            #expect(try await ledger.nextDue() == nil)
            let entry = try #require(try await ledger.entries().first)
            #expect(entry.beacon == dead)
            #expect(entry.state == .dead(reason: try #require(address.uncallableReason)))
            #expect(entry.attempts == 0 && entry.beacon.call.address.text.utf8.count < 2_100)
            #expect(try await ledger.summary().dead == 1)
            #expect(try await ledger.deleteSettled([.dead], before: nil) == 1)
        }
    }

    @Test("settling an expired claim as unconfirmed does not count as an attempt", arguments: LedgerKind.available)
    func decided(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record([ContractLedger.beacon("a")], at: ContractLedger.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(0)))
            let again = try #require(
                try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(90))).beacons.first
            )
            #expect(again.isExpiredAtMostOnce && again.attempt == 2)
            try await ledger.settle(again, as: .unconfirmed(reason: "?"), at: ContractLedger.at(90))
            #expect(try await ledger.entries().map(\.attempts) == [1])
        }
    }

    @Test(
        "settling writes the outcome of an attempt",
        arguments: LedgerKind.available,
        [
            (DeliveryOutcome.delivered, LedgerEntry.State.delivered),
            (.unconfirmed(reason: "no answer"), .unconfirmed(reason: "no answer")),
            (.dead(reason: "status 410"), .dead(reason: "status 410")),
            (.retry(at: ContractLedger.at(90), reason: "503"), .pending(nextTry: ContractLedger.at(90), reason: "503")),
        ]
    )
    func settled(_ kind: LedgerKind, _ settled: (outcome: DeliveryOutcome, state: LedgerEntry.State)) async throws {
        let (outcome, state) = settled
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record([ContractLedger.beacon("a")], at: ContractLedger.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 8, at: ContractLedger.at(0)))
            let beacon = try #require(claim.beacons.first)
            try await ledger.settle(beacon, as: outcome, at: ContractLedger.at(1))
            #expect(try await ledger.states() == ["a": state])
            #expect(try await ledger.entries().map(\.attempts) == [1])
            let isWaiting = if case .retry = outcome { true } else { false }
            #expect(try await ledger.nextDue() == (isWaiting ? ContractLedger.at(90) : nil))
            #expect(try await ledger.claim(ClaimRequest(limit: 8, at: ContractLedger.at(89))).beacons.isEmpty)
            #expect(
                try await ledger.claim(ClaimRequest(limit: 8, at: ContractLedger.at(90))).keys
                    == (isWaiting ? ["a"] : [])
            )
        }
    }

    @Test(
        "a claim that is not settled within its lease is claimed again, as interrupted",
        arguments: LedgerKind.available
    )
    func leaseExpiredReason(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record([ContractLedger.beacon("a")], at: ContractLedger.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(0), lease: .seconds(30)))
            #expect(try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(29))).beacons.isEmpty)
            #expect(
                try await ledger.claim(ClaimRequest(limit: 0, at: ContractLedger.at(30))) == BeaconClaim([], next: nil)
            )
            #expect(try await ledger.states() == ["a": .pending(nextTry: ContractLedger.at(30), reason: Self.lease)])
            let second = try #require(
                try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(31))).beacons.first
            )
            #expect(second.wasInterrupted)
            #expect(second.attempt == 2)
            try await ledger.settle(
                second,
                as: .retry(at: ContractLedger.at(40), reason: "503"),
                at: ContractLedger.at(32)
            )
            let third = try #require(
                try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(40))).beacons.first
            )
            #expect(!third.wasInterrupted)
            #expect(third.attempt == 3)
        }
    }

    @Test("a late outcome changes nothing, unless the beacon was delivered", arguments: LedgerKind.available)
    func late(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record([ContractLedger.beacon("a")], at: ContractLedger.at(0))
            let first = try #require(
                try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(0), lease: .seconds(1))).beacons
                    .first
            )
            let second = try #require(
                try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(5))).beacons.first
            )
            for outcome in [
                DeliveryOutcome.dead(reason: "x"), .unconfirmed(reason: "x"),
                .retry(at: ContractLedger.at(9), reason: "x"),
            ] {
                try await ledger.settle(first, as: outcome, at: ContractLedger.at(6))
                #expect(try await ledger.states() == ["a": .inFlight(until: ContractLedger.at(65))])
            }
            try await ledger.settle(first, as: .delivered, at: ContractLedger.at(6))
            #expect(try await ledger.states() == ["a": .delivered])
            try await ledger.settle(second, as: .dead(reason: "x"), at: ContractLedger.at(7))
            #expect(try await ledger.states() == ["a": .delivered])
            #expect(try await ledger.nextDue() == nil)
        }
    }

    @Test("a late delivery replaces any other outcome", arguments: LedgerKind.available)
    func lateDelivery(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record(ContractLedger.beacons(["a", "b", "c"]), at: ContractLedger.at(0))
            let claim = try await ledger.claim(
                ClaimRequest(limit: 3, each: 3, at: ContractLedger.at(0), lease: .seconds(1))
            )
            #expect(claim.keys == ["a", "b", "c"])
            try await ledger.settle(claim.beacons[0], as: .dead(reason: "x"), at: ContractLedger.at(0))
            try await ledger.settle(claim.beacons[1], as: .unconfirmed(reason: "x"), at: ContractLedger.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 0, at: ContractLedger.at(5)))
            for beacon in claim.beacons { try await ledger.settle(beacon, as: .delivered, at: ContractLedger.at(6)) }
            #expect(try await ledger.states() == ["a": .delivered, "b": .delivered, "c": .delivered])
            #expect(try await ledger.nextDue() == nil)
            #expect(try await ledger.claim(ClaimRequest(limit: 3, at: ContractLedger.at(99))).beacons.isEmpty)
            // Settling an unknown beacon is not an error.
            try await ledger.settle(
                ClaimedBeacon(ContractLedger.beacon("z"), attempt: 1, recorded: ContractLedger.at(0)),
                as: .delivered,
                at: ContractLedger.at(6)
            )
        }
    }

    @Test(
        "origins are served round-robin, one beacon of each before the second of any",
        arguments: LedgerKind.available
    )
    func fairness(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record(
                ContractLedger.beacons(["a1", "a2", "a3", "a4"], to: "a.example"),
                at: ContractLedger.at(0)
            )
            _ = try await ledger.record(
                ContractLedger.beacons(["b1", "b2"], to: "b.example"),
                at: ContractLedger.at(1)
            )
            _ = try await ledger.record(ContractLedger.beacons(["c1"], to: "c.example"), at: ContractLedger.at(2))
            let now = ContractLedger.at(3)
            #expect(try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: now)).keys == ["a1", "b1"])
            #expect(try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: now)).keys == ["c1", "a2"])
            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: now)).keys == ["b2", "a3", "a4"])
        }
    }

    @Test("twenty thousand beacons for one origin do not delay another origin", arguments: LedgerKind.available)
    func noStarvation(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            for part in 0..<20 {
                let names = (0..<1_000).map { "big\(part)-\($0)" }
                _ = try await ledger.record(ContractLedger.beacons(names, to: "big.example"), at: ContractLedger.at(0))
            }
            _ = try await ledger.record([ContractLedger.beacon("small", to: "small.example")], at: ContractLedger.at(1))
            let first = try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(2))).keys
            let second = try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(2))).keys
            #expect(first == ["big0-0"])
            #expect(second == ["small"])
        }
    }

    @Test("beacons of one origin are claimed in the order in which they are due", arguments: LedgerKind.available)
    func order(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record(ContractLedger.beacons(["a", "b"]), at: ContractLedger.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: ContractLedger.at(0)))
            try await ledger.settle(
                claim.beacons[0],
                as: .retry(at: ContractLedger.at(20), reason: "x"),
                at: ContractLedger.at(1)
            )
            try await ledger.settle(
                claim.beacons[1],
                as: .retry(at: ContractLedger.at(10), reason: "x"),
                at: ContractLedger.at(1)
            )
            _ = try await ledger.record([ContractLedger.beacon("c")], at: ContractLedger.at(15))
            #expect(
                try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: ContractLedger.at(20))).keys == [
                    "b", "c", "a",
                ]
            )
        }
    }

    @Test("an origin gets at most its room, and an origin without room gets none", arguments: LedgerKind.available)
    func room(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            for host in ["a", "b", "c"] {
                _ = try await ledger.record(
                    ContractLedger.beacons(["\(host)1", "\(host)2", "\(host)3"], to: "\(host).example"),
                    at: ContractLedger.at(0)
                )
            }
            let limits = ["https://a.example:443": 0, "https://b.example:443": 2]
            let claim = try await ledger.claim(
                ClaimRequest(limit: 9, limits: limits, at: ContractLedger.at(1), lease: .seconds(50))
            )
            #expect(claim.keys == ["b1", "c1", "b2"])
            // b, c: no room left; a: room 0. Only a lease can end.
            #expect(claim.next == ContractLedger.at(51))
            let only = ClaimRequest(limit: 9, each: 0, limits: ["https://c.example:443": 1], at: ContractLedger.at(1))
            #expect(try await ledger.claim(only).keys == ["c2"])
            let none = try await ledger.claim(ClaimRequest(limit: 9, each: 0, at: ContractLedger.at(1)))
            #expect(none.beacons.isEmpty)
            #expect(none.next == ContractLedger.at(51))
        }
    }

    @Test("a claim returns when the next one can return a beacon", arguments: LedgerKind.available)
    func next(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            #expect(
                try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(0))) == BeaconClaim([], next: nil)
            )
            _ = try await ledger.record(ContractLedger.beacons(["a", "b"]), at: ContractLedger.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 9, at: ContractLedger.at(1), lease: .seconds(100)))
            #expect(claim.keys == ["a"])
            #expect(claim.next == ContractLedger.at(101))
            // The next beacon is due since it was recorded.
            let idle = try await ledger.claim(ClaimRequest(limit: 9, at: ContractLedger.at(-10)))
            #expect(idle.beacons.isEmpty)
            #expect(idle.next == ContractLedger.at(0))
            // The limit was reached: there may be more beacons right now.
            #expect(try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(2))).next == nil)
        }
    }

    @Test("makeAllDue makes all pending beacons due at once, and returns their number", arguments: LedgerKind.available)
    func makeAllDue(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record(ContractLedger.beacons(["a", "b", "c"]), at: ContractLedger.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: ContractLedger.at(0)))
            try await ledger.settle(
                claim.beacons[0],
                as: .retry(at: ContractLedger.at(500), reason: "503"),
                at: ContractLedger.at(1)
            )
            #expect(try await ledger.makeAllDue(at: ContractLedger.at(2)) == 2)
            let states = try await ledger.states()
            #expect(states["a"] == .pending(nextTry: ContractLedger.at(2), reason: "503"))
            #expect(states["b"] == .inFlight(until: ContractLedger.at(60)))
            #expect(states["c"] == .pending(nextTry: ContractLedger.at(0), reason: nil))
            #expect(try await ledger.nextDue() == ContractLedger.at(0))
            #expect(
                try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: ContractLedger.at(2))).keys == ["c", "a"]
            )
        }
    }

    @Test("entries are paged in ascending order, and numbers only grow", arguments: LedgerKind.available)
    func paging(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            _ = try await ledger.record(ContractLedger.beacons((0..<25).map { "n\($0)" }), at: ContractLedger.at(0))
            let first = try await ledger.entries(after: 0, limit: 10)
            let second = try await ledger.entries(after: first.last?.number ?? 0, limit: 100)
            #expect((first + second).map(\.beacon.key.text) == (0..<25).map { "n\($0)" })
            #expect(first.count == 10)
            #expect(try await ledger.entries(after: 0, limit: 0).isEmpty)
            #expect(try await ledger.entries(after: 0, limit: -1).isEmpty)
            #expect(try await ledger.entries(after: .max, limit: 5).isEmpty)
            let last = second.last?.number ?? 0

            let claim = try await ledger.claim(ClaimRequest(limit: 99, each: 99, at: ContractLedger.at(0)))
            for beacon in claim.beacons { try await ledger.settle(beacon, as: .delivered, at: ContractLedger.at(0)) }
            #expect(try await ledger.deleteSettled([.delivered], before: nil) == 25)
            _ = try await ledger.record([ContractLedger.beacon("n3")], at: ContractLedger.at(9))
            #expect(try await ledger.entries().map(\.number) == [last + 1])
        }
    }

    @Test("the next due time is that of a beacon or of the end of a lease", arguments: LedgerKind.available)
    func nextDue(_ kind: LedgerKind) async throws {
        try await ContractLedger.with(kind) { test in
            let ledger = test.ledger
            #expect(try await ledger.nextDue() == nil)
            _ = try await ledger.record([ContractLedger.beacon("a", isBilling: true)], at: ContractLedger.at(7))
            #expect(try await ledger.nextDue() == ContractLedger.at(7))
            let claim = try await ledger.claim(ClaimRequest(limit: 1, at: ContractLedger.at(8)))
            #expect(try await ledger.nextDue() == ContractLedger.at(68))
            try await ledger.settle(
                claim.beacons[0],
                as: .retry(at: ContractLedger.at(50), reason: ""),
                at: ContractLedger.at(9)
            )
            #expect(try await ledger.nextDue() == ContractLedger.at(50))
        }
    }
}
