import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Limits")
struct PruneTests {
    /// Waits until the excess rows are pruned, which happens between operations.
    private func settle(_ ledger: SQLiteLedger, until isDone: (LedgerSummary) -> Bool) async throws -> LedgerSummary {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let summary = try await ledger.summary()
            if isDone(summary) || ContinuousClock.now > deadline { return summary }
        }
    }

    /// Records beacons, and settles each to the state that its name starts with.
    private func fill(_ ledger: SQLiteLedger, _ kinds: [(String, Int)], at now: WallTime = TestLedger.at(0))
        async throws
    {
        for (kind, count) in kinds {
            let isBilling = kind.hasSuffix("$")
            let beacons = (0..<count).map {
                TestLedger.beacon(
                    "\(kind)\($0)",
                    to: kind.contains("pending") ? "w.example" : "s.example",
                    isBilling: isBilling
                )
            }
            _ = try await ledger.record(beacons, at: now)
            guard !kind.contains("pending") else { continue }
            let request = ClaimRequest(limit: count, each: 0, limits: ["https://s.example:443": count], at: now)
            for claimed in try await ledger.claim(request).beacons {
                if kind.hasPrefix("delivered") { try await ledger.settle(claimed, as: .delivered, at: now) }
                if kind.hasPrefix("dead") { try await ledger.settle(claimed, as: .dead(reason: "x"), at: now) }
                if kind.hasPrefix("unconfirmed") {
                    try await ledger.settle(claimed, as: .unconfirmed(reason: "x"), at: now)
                }
            }
        }
    }

    private func kinds(_ ledger: SQLiteLedger) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for entry in try await ledger.entries() {
            counts[String(entry.beacon.key.text.prefix { !$0.isNumber }), default: 0] += 1
        }
        return counts
    }

    private static let all = [
        ("pending$", 20), ("pending", 20), ("unconfirmed$", 20), ("dead$", 20), ("unconfirmed", 20), ("dead", 20),
        ("delivered$", 10), ("delivered", 10), ("held", 20),
    ]

    @Test("rows are pruned in the order of their classes, and claimed ones stay")
    func order() async throws {
        // Each limit prunes one more class, down to 15/16 of the limit.
        let order = [
            ["delivered", "delivered$"], ["dead"], ["unconfirmed"], ["pending"], ["dead$"], ["unconfirmed$"],
            ["pending$"],
        ]
        for limit in [159, 139, 119, 99, 79, 59, 39, 21] {
            try await TestLedger.with { test in
                // The first ledger stays open and keeps the leases.
                try await self.fill(test.ledger, Self.all)
                let ledger = test.another(limits: .init(rows: limit))
                let summary = try await self.settle(ledger) { $0.total <= limit - limit / 16 }
                #expect(summary.total == limit - limit / 16)
                let kinds = try await self.kinds(ledger)
                #expect(kinds["held"] == 20)
                // A class is pruned completely before the next one.
                let left = order.map { $0.reduce(0) { $0 + (kinds[$1] ?? 0) } }
                if let first = left.firstIndex(where: { $0 > 0 }) {
                    #expect(left[(first + 1)...].allSatisfy { $0 == 20 }, "\(limit): \(kinds)")
                }
                await ledger.close()
            }
        }
    }

    @Test("beacons dropped before they were sent are counted, and reported with the next record")
    func dropped() async throws {
        try await TestLedger.with(.init(rows: 100)) { test in
            let ledger = test.ledger
            _ = try await ledger.record(TestLedger.beacons((0..<150).map { "n\($0)" }), at: TestLedger.at(0))
            let summary = try await self.settle(ledger) { $0.total <= 94 }
            #expect(summary.pending == 94)
            #expect(summary.dropped == 56)
            let recording = try await ledger.record([TestLedger.beacon("last")], at: TestLedger.at(1))
            #expect(recording.issues.map(\.code) == ["ledger.dropped"])
            #expect(recording.issues.first?.message.contains("56 unsent beacons") ?? false)
            #expect(try await ledger.entries().first?.beacon.key.text == "n56")
            await ledger.close()
            let again = test.another()
            #expect(try await again.summary().dropped == 56)
            #expect(
                try await again.claim(ClaimRequest(limit: 200, each: 200, at: TestLedger.at(2))).beacons.count == 95
            )
            await again.close()
        }
    }

    @Test("an origin whose beacons were all dropped can be recorded again")
    func droppedQueue() async throws {
        try await TestLedger.with(.init(rows: 16)) { test in
            let ledger = test.ledger
            for round in 0..<20 {
                _ = try await ledger.record([TestLedger.beacon("a\(round)", to: "a.example")], at: TestLedger.at(0))
                _ = try await ledger.record(
                    (0..<20).map { TestLedger.beacon("b\(round)-\($0)", to: "b.example", isBilling: true) },
                    at: TestLedger.at(0)
                )
                _ = try await self.settle(ledger) { $0.total <= 16 }
            }
            let claim = try await ledger.claim(ClaimRequest(limit: 99, each: 99, at: TestLedger.at(1)))
            #expect(claim.beacons.count == (try await ledger.entries().count))
            #expect(claim.next == TestLedger.at(61))
        }
    }

    @Test("pending billing beacons are dropped only when nothing else is left")
    func billingLast() async throws {
        try await TestLedger.with(.init(rows: 50)) { test in
            let ledger = test.ledger
            _ = try await ledger.record(
                TestLedger.beacons((0..<40).map { "b\($0)" }, isBilling: true),
                at: TestLedger.at(0)
            )
            for round in 0..<30 {
                _ = try await ledger.record(
                    TestLedger.beacons((0..<10).map { "p\(round)-\($0)" }),
                    at: TestLedger.at(1)
                )
                _ = try await self.settle(ledger) { $0.total <= 50 }
            }
            #expect(try await self.kinds(ledger)["b"] == 40)
            _ = try await ledger.record(
                TestLedger.beacons((0..<30).map { "c\($0)" }, isBilling: true),
                at: TestLedger.at(2)
            )
            _ = try await self.settle(ledger) { $0.total <= 47 }
            let kinds = try await self.kinds(ledger)
            #expect(kinds["p"] == nil)
            #expect(kinds["c"] == 30)
            #expect(kinds["b"] == 17)
        }
    }

    @Test("the limit on settled beacons prunes no pending ones")
    func settled() async throws {
        try await TestLedger.with(.init(settled: 32)) { test in
            let ledger = test.ledger
            try await self.fill(ledger, [("pending", 10), ("dead", 20), ("delivered", 20)])
            let summary = try await self.settle(ledger) { $0.delivered + $0.dead <= 32 }
            #expect(summary.pending == 10)
            #expect(summary.dead == 20)
            // 1/16 is pruned at a time; later rows within the limit are still there.
            #expect((10...12).contains(summary.delivered))
            #expect(summary.dropped == 0)
            #expect(try await ledger.record([TestLedger.beacon("x")], at: TestLedger.at(3)).issues.isEmpty)
        }
    }

    @Test("the file never exceeds its size limit, and drops the lowest classes")
    func bytes() async throws {
        let limits = LedgerLimits(bytes: 1 << 20)
        try await TestLedger.with(limits) { test in
            let ledger = test.ledger
            let body = [UInt8](repeating: 7, count: 2_000)
            _ = try await ledger.record(
                (0..<100).map { TestLedger.beacon("b\($0)", body: body, isBilling: true) },
                at: TestLedger.at(0)
            )
            var codes: Set<String> = []
            for round in 0..<200 {
                let recording = try await ledger.record(
                    (0..<10).map { TestLedger.beacon("p\(round)-\($0)", body: body) },
                    at: TestLedger.at(1)
                )
                codes.formUnion(recording.issues.map(\.code))
            }
            #expect(codes == ["ledger.dropped"])
            #expect(try test.raw().number("PRAGMA page_count") * 4_096 <= 1 << 20 + 64 * 4_096)
            let kinds = try await self.kinds(ledger)
            #expect(kinds["b"] == 100)
            #expect(kinds["p"] ?? 0 > 30)
        }
    }

    @Test("a record larger than the limit is refused, and the ledger continues")
    func tooLarge() async throws {
        try await TestLedger.with(.init(bytes: 1 << 20)) { test in
            let ledger = test.ledger
            _ = try await ledger.record([TestLedger.beacon("a", isBilling: true)], at: TestLedger.at(0))
            let large = TestLedger.beacon("large", body: [UInt8](repeating: 1, count: 3 << 20))
            let error = await #expect(throws: LedgerError.self) {
                _ = try await ledger.record([large], at: TestLedger.at(0))
            }
            #expect(error?.message.contains("its limit of 1048576 bytes") ?? false, "\(error?.message ?? "")")
            #expect(try await ledger.record([TestLedger.beacon("b")], at: TestLedger.at(1)).new.count == 1)
        }
    }

    @Test("a reader of another program's ledger prunes nothing, whatever its limits")
    func reading() async throws {
        let large = LedgerLimits(rows: 1_000_000, settled: 1_000_000)
        try await TestLedger.with(large) { test in
            let rounds = LongForm.either(26, short: 4)
            for round in 0..<rounds {
                let names = (0..<1_000).map { "k\(round)-\($0)" }
                _ = try await test.ledger.record(TestLedger.beacons(names, isBilling: true), at: TestLedger.at(0))
            }
            let claims = LongForm.either(90, short: 12)
            for _ in 0..<claims {
                let claim = try await test.ledger.claim(ClaimRequest(limit: 250, each: 250, at: TestLedger.at(1)))
                for beacon in claim.beacons {
                    try await test.ledger.settle(beacon, as: .unconfirmed(reason: "?"), at: TestLedger.at(1))
                }
            }
            let reader = test.another(.existing, limits: LedgerLimits(rows: 100, settled: 100, bytes: 4_096))
            #expect(try await reader.summary().unconfirmed == claims * 250)
            let claim = try await reader.claim(ClaimRequest(limit: 1, at: TestLedger.at(2)))
            for beacon in claim.beacons { try await reader.settle(beacon, as: .delivered, at: TestLedger.at(2)) }
            #expect(try await reader.summary().total == rounds * 1_000)
            await reader.close()
        }
    }

    @Test("pruned billing beacons are reported once and counted in the file")
    func unlisted() async throws {
        try await TestLedger.with(LedgerLimits(settled: 160)) { test in
            let ledger = test.ledger
            _ = try await ledger.record(
                TestLedger.beacons((0..<200).map { "k\($0)" }, isBilling: true),
                at: TestLedger.at(0)
            )
            let claim = try await ledger.claim(ClaimRequest(limit: 200, each: 200, at: TestLedger.at(1)))
            for beacon in claim.beacons {
                try await ledger.settle(beacon, as: .dead(reason: "410"), at: TestLedger.at(1))
            }
            var issues: [AdCore.AdIssue] = []
            while try await ledger.summary().dead > 160 { issues += try await ledger.open() }
            issues += try await ledger.record([TestLedger.beacon("last")], at: TestLedger.at(2)).issues
            #expect(issues.map(\.code).contains("ledger.unlisted"))
            let summary = try await ledger.summary()
            #expect(summary.unlisted == 200 - summary.dead && summary.dropped == 0)
        }
    }

    @Test("settled beacons can be deleted by final state and time")
    func forgotten() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            try await self.fill(ledger, [("delivered", 300), ("dead", 5), ("unconfirmed", 5), ("pending", 5)])
            try await self.fill(ledger, [("delivered-late", 5)], at: TestLedger.at(100))
            #expect(try await ledger.deleteSettled([]) == 0)
            #expect(try await ledger.deleteSettled([.delivered], before: TestLedger.at(100)) == 300)
            #expect(try await ledger.deleteSettled([.dead, .unconfirmed]) == 10)
            #expect(
                try await ledger.summary()
                    == LedgerSummary(
                        pending: 5,
                        inFlight: 0,
                        delivered: 5,
                        unconfirmed: 0,
                        dead: 0,
                        dropped: 0
                    )
            )
            #expect(try await ledger.record([TestLedger.beacon("delivered0")], at: TestLedger.at(9)).new.count == 1)
        }
    }
}
