import AdCore
import LedgerSupport
import Testing

@testable import SQLiteLedger

@Suite("Wrong clocks")
struct ClockTests {
    private static let year = WallTime(milliseconds: 365 * 86_400_000)

    @Test("a beacon recorded a year in the future is due now, and its deadline counts from now")
    func ahead() async throws {
        try await TestLedger.with { test in
            let future = TestLedger.start + .seconds(Self.year.milliseconds / 1000)
            _ = try await test.ledger.record(
                [TestLedger.beacon("a"), TestLedger.beacon("b", isBilling: true)],
                at: future
            )
            await test.ledger.close()
            let ledger = test.another()
            let claim = try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(0)))
            #expect(claim.keys == ["a", "b"])
            #expect(claim.beacons.map(\.recorded) == [TestLedger.at(0), TestLedger.at(0)])
            await ledger.close()
        }
    }

    @Test("a retry time later than any server may ask for is ignored")
    func longWait() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            let claim = try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: TestLedger.at(0)))
            try await ledger.settle(
                claim.beacons[0],
                as: .retry(at: TestLedger.at(8 * 3600), reason: "x"),
                at: TestLedger.at(0)
            )
            try await ledger.settle(
                claim.beacons[1],
                as: .retry(at: TestLedger.at(6 * 3600), reason: "x"),
                at: TestLedger.at(0)
            )
            // The file was swept a moment ago.
            #expect(try await ledger.claim(ClaimRequest(limit: 2, at: TestLedger.at(59))).beacons.isEmpty)
            #expect(try await ledger.claim(ClaimRequest(limit: 2, each: 2, at: TestLedger.at(60))).keys == ["a"])
        }
    }

    @Test("a lease from a clock that was ahead ends at once, one from a clock that was behind ends by its time")
    func leases() async throws {
        try await TestLedger.with { test in
            let other = test.another()
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            let future = TestLedger.start + .seconds(86_400)
            #expect(try await test.ledger.claim(ClaimRequest(limit: 1, at: future)).keys == ["a"])
            let claim = try await other.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(5)))
            #expect(claim.keys == ["b", "a"])
            #expect(claim.beacons.map(\.wasInterrupted) == [false, true])
            await other.close()
        }
    }

    @Test("a beacon recorded in the past is due at once, and keeps its recording time")
    func behind() async throws {
        try await TestLedger.with { test in
            let past = WallTime(milliseconds: 5)
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: past)
            let claim = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            #expect(claim.keys == ["a"])
            #expect(claim.beacons.map(\.recorded) == [past])
        }
    }

    @Test("the due times of thousands of origins are corrected over several operations")
    func many() async throws {
        try await TestLedger.with { test in
            let future = TestLedger.start + .seconds(86_400)
            let beacons = (0..<2_000).map { TestLedger.beacon("n\($0)", to: "h\($0).example") }
            _ = try await test.ledger.record(beacons, at: future)
            await test.ledger.close()
            let ledger = test.another()
            var claimed = 0
            for _ in 0..<40 where claimed < 2_000 {
                claimed += try await ledger.claim(ClaimRequest(limit: 500, at: TestLedger.at(1))).beacons.count
            }
            #expect(claimed == 2_000)
            await ledger.close()
        }
    }

    @Test("queues without pending or claimed beacons are deleted")
    func emptyQueues() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record(
                (0..<50).map { TestLedger.beacon("n\($0)", to: "h\($0).example") },
                at: TestLedger.at(0)
            )
            let claim = try await ledger.claim(ClaimRequest(limit: 50, at: TestLedger.at(0), lease: .seconds(600)))
            for beacon in claim.beacons.dropFirst() {
                try await ledger.settle(beacon, as: .delivered, at: TestLedger.at(1))
            }
            #expect(try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(61))).beacons.isEmpty)
            #expect(try test.raw().number("SELECT count(*) FROM queue") == 1)
            try await ledger.settle(
                claim.beacons[0],
                as: .retry(at: TestLedger.at(70), reason: "x"),
                at: TestLedger.at(62)
            )
            #expect(try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(70))).keys == ["n0"])
        }
    }

    @Test("a beacon whose queue has no due time is found by the next sweep")
    func lost() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            try test.raw().run("UPDATE queue SET due = NULL")
            #expect(try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(1))).beacons.isEmpty)
            #expect(try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(61))).keys == ["a"])
        }
    }
}
