import AdCore
import LedgerSupport
import Testing

@testable import SQLiteLedger

@Suite("Grouped operations")
struct GroupTests {
    /// Adds a trigger that rejects one key, so that recording it fails.
    static func refuse(_ key: String, in test: TestLedger) throws {
        let raw = try test.raw()
        try raw.run(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON beacon WHEN NEW.key = '\(key)'
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        )
    }

    @Test("a hundred records at once take far fewer than a hundred commits")
    func grouped() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.open()
            let before = try await ledger.work().commits
            // Another connection holds the lock while they are queued; then they share a transaction.
            let raw = try test.raw()
            try raw.run("BEGIN IMMEDIATE")
            let tasks = (0..<100).map { number in
                Task { try await ledger.record([TestLedger.beacon("g\(number)")], at: TestLedger.at(0)).new.count }
            }
            for _ in 0..<1_000 { await Task.yield() }
            try raw.run("COMMIT")
            var new = 0
            for task in tasks { new += try await task.value }
            #expect(new == 100)
            #expect(try await ledger.work().commits - before < 20)
            #expect(try await ledger.entries().count == 100)
        }
    }

    @Test("a record inserts all beacons or none")
    func allOrNone() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.open()
            try Self.refuse("b", in: test)
            let beacons = [TestLedger.beacon("a"), TestLedger.beacon("b"), TestLedger.beacon("c")]
            await #expect(throws: LedgerError.self) { _ = try await ledger.record(beacons, at: TestLedger.at(0)) }
            #expect(try await ledger.entries().isEmpty)
            #expect(try await ledger.nextDue() == nil)
            #expect(try await ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0)).new.count == 1)
            #expect(try await ledger.claim(ClaimRequest(limit: 3, at: TestLedger.at(0))).keys == ["a"])
        }
    }

    @Test("a failed operation does not fail the others of its group")
    func apart() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.open()
            try Self.refuse("bad", in: test)
            let bad = TestLedger.beacon("bad")
            let raw = try test.raw()
            try raw.run("BEGIN IMMEDIATE")
            let tasks = (0..<30).map { number in
                Task { () -> Int? in
                    let beacons = number == 7 ? [TestLedger.beacon("x"), bad] : [TestLedger.beacon("g\(number)")]
                    return try? await ledger.record(beacons, at: TestLedger.at(0)).new.count
                }
            }
            for _ in 0..<1_000 { await Task.yield() }
            try raw.run("COMMIT")
            var counts: [Int?] = []
            for task in tasks { counts.append(await task.value) }
            #expect(counts.filter { $0 == 1 }.count == 29)
            #expect(counts[7] == nil)
            #expect(try await ledger.entries().count == 29)
            #expect(try await ledger.claim(ClaimRequest(limit: 99, each: 99, at: TestLedger.at(0))).beacons.count == 29)
        }
    }

    /// Lets the open file refuse claims from now on.
    private func refuseClaims(in test: TestLedger) throws {
        try test.raw().run(
            """
            CREATE TRIGGER refusal BEFORE UPDATE ON beacon WHEN NEW.state = 1
            BEGIN SELECT RAISE(ABORT, 'refused'); END;
            CREATE TRIGGER first_refusal BEFORE INSERT ON beacon WHEN NEW.state = 1
            BEGIN SELECT RAISE(ABORT, 'refused'); END
            """
        )
    }

    @Test("a record and its claim take one commit")
    func claimedRecord() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            let before = try await ledger.work().commits
            let request = ClaimRequest(limit: 8, each: 2, at: TestLedger.at(1))
            let beacons = TestLedger.beacons(["b", "c"])
            let (result, claim) = try await ledger.record(beacons, claiming: request, at: TestLedger.at(1))
            #expect(result.new.map(\.text) == ["b", "c"])
            #expect(claim?.keys == ["a", "b"], "the oldest first, and no more than an origin may have")
            #expect(try await ledger.work().commits - before == 1)
            let summary = try await ledger.summary()
            #expect(summary.inFlight == 2 && summary.pending == 1)
        }
    }

    @Test("outcomes and the claim after them take one commit")
    func claimedOutcomes() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record(TestLedger.beacons(["a", "b", "c", "d"]), at: TestLedger.at(0))
            let first = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: TestLedger.at(0)))
            let outcomes = [
                SettledBeacon(first.beacons[0], .delivered),
                SettledBeacon(first.beacons[1], .retry(at: TestLedger.at(60), reason: "503")),
            ]
            let before = try await ledger.work().commits
            let request = ClaimRequest(limit: 8, each: 1, at: TestLedger.at(1))
            let claim = try await ledger.settle(outcomes, claiming: request, at: TestLedger.at(1))
            #expect(claim?.keys == ["c"])
            #expect(try await ledger.work().commits - before == 1)
            let states = try await ledger.entries().map { "\($0.beacon.key.text) \($0.state.name)" }
            #expect(states == ["a delivered", "b recorded", "c inFlight", "d recorded"])
            #expect(try await ledger.settle([], claiming: nil, at: TestLedger.at(1)) == nil)
        }
    }

    @Test("a claim that fails does not prevent the record that it belongs to")
    func failedClaim() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.open()
            try self.refuseClaims(in: test)
            let request = ClaimRequest(limit: 8, at: TestLedger.at(0))
            let (result, claim) = try await ledger.record(
                [TestLedger.beacon("a")],
                claiming: request,
                at: TestLedger.at(0)
            )
            #expect(result.new.map(\.text) == ["a"])
            #expect(claim == nil, "it has to be claimed again")
            #expect(try await ledger.summary().pending == 1)
        }
    }

    @Test("a claim that fails does not prevent the outcomes that it belongs to")
    func failedClaimOfOutcomes() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            let first = try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            try self.refuseClaims(in: test)
            let request = ClaimRequest(limit: 8, at: TestLedger.at(1))
            let outcomes = first.beacons.map { SettledBeacon($0, .delivered) }
            #expect(try await ledger.settle(outcomes, claiming: request, at: TestLedger.at(1)) == nil)
            let summary = try await ledger.summary()
            #expect(summary.delivered == 1 && summary.pending == 1)
        }
    }

    @Test("a record larger than a group is still one record")
    func large() async throws {
        try await TestLedger.with { test in
            let names = (0..<(Writer.groupLimit + 500)).map { "n\($0)" }
            let recording = try await test.ledger.record(TestLedger.beacons(names), at: TestLedger.at(0))
            #expect(recording.new.map(\.text) == names)
            #expect(try await test.ledger.summary().pending == names.count)
        }
    }

    @Test("a file locked by another process is an error, and a later try succeeds")
    func held() async throws {
        try await TestLedger.with(.init(lockTimeout: .milliseconds(20))) { test in
            _ = try await test.ledger.open()
            let raw = try test.raw()
            try raw.run("BEGIN IMMEDIATE")
            let error = await #expect(throws: LedgerError.self) {
                _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            }
            #expect(error?.message.contains(test.file) ?? false)
            #expect(error?.message.contains("another process") ?? false)
            // Reading needs no lock.
            #expect(try await test.ledger.entries().isEmpty)
            try raw.run("ROLLBACK")
            #expect(try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0)).new.count == 1)
        }
    }
}
