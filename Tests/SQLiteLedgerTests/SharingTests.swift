import AdCore
import LedgerSupport
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Several ledgers over one file")
struct SharingTests {
    @Test("each beacon is recorded once and claimed by one ledger")
    func once() async throws {
        try await TestLedger.with { test in
            let other = test.another()
            let names = (0..<200).map { "n\($0)" }
            async let one = test.ledger.record(TestLedger.beacons(names), at: TestLedger.at(0)).new
            async let two = other.record(TestLedger.beacons(names.reversed()), at: TestLedger.at(0)).new
            #expect(try await (one + two).count == 200)
            let request = ClaimRequest(limit: 40, each: 40, at: TestLedger.at(1))
            let tasks = (0..<10).map { number in
                Task { try await (number.isMultiple(of: 2) ? test.ledger : other).claim(request).keys }
            }
            var claimed: [String] = []
            for task in tasks { claimed += try await task.value }
            #expect(claimed.count == 200)
            #expect(Set(claimed).count == 200)
            await other.close()
        }
    }

    @Test("what several ledgers record and claim at the same time is claimed by one of them")
    func together() async throws {
        try await TestLedger.with { test in
            let other = test.another()
            let tasks = (0..<60).map { number in
                Task {
                    let ledger = number.isMultiple(of: 2) ? test.ledger : other
                    let beacons = TestLedger.beacons((0..<3).map { "n\(number)-\($0)" })
                    // Each may claim what the others have just recorded.
                    let request = ClaimRequest(limit: 8, each: 8, at: TestLedger.at(1))
                    let (result, claim) = try await ledger.record(beacons, claiming: request, at: TestLedger.at(0))
                    return (new: result.new.count, claimed: try #require(claim).beacons)
                }
            }
            var claimed: [ClaimedBeacon] = []
            for task in tasks {
                let value = try await task.value
                #expect(value.new == 3)
                claimed += value.claimed
            }
            claimed += try await other.claim(ClaimRequest(limit: 200, each: 200, at: TestLedger.at(2))).beacons
            #expect(claimed.count == 180 && Set(claimed.map(\.beacon.key)).count == 180)
            #expect(claimed.allSatisfy { $0.attempt == 1 && !$0.wasInterrupted })
            await other.close()
        }
    }

    @Test("a ledger settles what another claimed, and sees what it wrote")
    func seen() async throws {
        try await TestLedger.with { test in
            let other = test.another()
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            let claim = try await other.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            #expect(claim.keys == ["a"])
            try await test.ledger.settle(claim.beacons[0], as: .delivered, at: TestLedger.at(1))
            #expect(try await other.states() == ["a": .delivered])
            // Cached queues are cleared after another connection has written.
            _ = try await other.record(TestLedger.beacons(["b", "c"], to: "b.example"), at: TestLedger.at(2))
            _ = try await test.ledger.record([TestLedger.beacon("d", to: "b.example")], at: TestLedger.at(3))
            #expect(
                try await other.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(3))).keys == ["b", "c", "d"]
            )
            _ = try await test.ledger.record([TestLedger.beacon("e", to: "b.example")], at: TestLedger.at(4))
            #expect(try await test.ledger.nextDue() == TestLedger.at(4))
            #expect(try await other.entries().map(\.number) == [1, 2, 3, 4, 5])
            await other.close()
        }
    }

    @Test("a ledger that opens the file alone ends all leases")
    func alone() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a"), TestLedger.beacon("b")], at: TestLedger.at(7))
            _ = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(8), lease: .seconds(3_000)))
            await test.ledger.close()
            let ledger = test.another()
            _ = try await ledger.open()
            let reason = ClaimedBeacon.leaseExpiredReason
            #expect(try await ledger.states()["a"] == .pending(nextTry: TestLedger.at(7), reason: reason))
            #expect(try await ledger.nextDue() == TestLedger.at(7))
            let claim = try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(9)))
            #expect(claim.beacons.map(\.wasInterrupted) == [true, false])
            #expect(claim.beacons.map(\.attempt) == [2, 1])
            await ledger.close()
        }
    }

    @Test("a ledger that opens a file in use keeps the leases")
    func notAlone() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            _ = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            let other = test.another()
            #expect(try await other.states() == ["a": .inFlight(until: TestLedger.at(60))])
            await other.close()
            // The first ledger is still open, even after its lock file is deleted.
            unlink(test.file + "-lock")
            let deadline = ContinuousClock.now + .seconds(5)
            while !test.folder.names.contains("beacons.sqlite-lock"), ContinuousClock.now < deadline {
                _ = try await test.ledger.nextDue()
            }
            let third = test.another()
            #expect(try await third.states() == ["a": .inFlight(until: TestLedger.at(60))])
            await third.close()
        }
    }

    @Test("without a lock file leases end by time")
    func noLock() async throws {
        try await TestLedger.with { test in
            mkdir(test.file + "-lock", 0o700)
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            _ = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            await test.ledger.close()
            let ledger = test.another()
            #expect(try await ledger.states() == ["a": .inFlight(until: TestLedger.at(60))])
            #expect(
                try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(60))).beacons.map(\.wasInterrupted) == [
                    true
                ]
            )
            await ledger.close()
        }
    }
}
