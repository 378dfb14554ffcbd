import AdCore
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Several ledgers over one file")
struct SharingTests {
    @Test("each beacon is recorded once and claimed by one of them")
    func once() async throws {
        try await Bench.with { bench in
            let other = bench.another()
            let names = (0..<200).map { "n\($0)" }
            async let one = bench.ledger.record(Bench.beacons(names), at: Bench.at(0)).new
            async let two = other.record(Bench.beacons(names.reversed()), at: Bench.at(0)).new
            #expect(try await (one + two).count == 200)
            let terms = ClaimRequest(limit: 40, each: 40, at: Bench.at(1))
            let tasks = (0..<10).map { number in
                Task { try await (number.isMultiple(of: 2) ? bench.ledger : other).claim(terms).keys }
            }
            var claimed: [String] = []
            for task in tasks { claimed += try await task.value }
            #expect(claimed.count == 200)
            #expect(Set(claimed).count == 200)
            await other.close()
        }
    }

    @Test("one settles what the other has claimed, and sees what it has done")
    func seen() async throws {
        try await Bench.with { bench in
            let other = bench.another()
            _ = try await bench.ledger.record([Bench.beacon("a")], at: Bench.at(0))
            let claim = try await other.claim(ClaimRequest(limit: 1, at: Bench.at(0)))
            #expect(claim.keys == ["a"])
            try await bench.ledger.settle(claim.beacons[0], as: .delivered, at: Bench.at(1))
            #expect(try await other.states() == ["a": .delivered])
            // What is remembered between transactions is forgotten where somebody else has written.
            _ = try await other.record(Bench.beacons(["b", "c"], to: "b.example"), at: Bench.at(2))
            _ = try await bench.ledger.record([Bench.beacon("d", to: "b.example")], at: Bench.at(3))
            #expect(try await other.claim(ClaimRequest(limit: 9, each: 9, at: Bench.at(3))).keys == ["b", "c", "d"])
            _ = try await bench.ledger.record([Bench.beacon("e", to: "b.example")], at: Bench.at(4))
            #expect(try await bench.ledger.nextDue() == Bench.at(4))
            #expect(try await other.entries().map(\.number) == [1, 2, 3, 4, 5])
            await other.close()
        }
    }

    @Test("who finds nobody else knows that every lease is a dead one's")
    func alone() async throws {
        try await Bench.with { bench in
            _ = try await bench.ledger.record([Bench.beacon("a"), Bench.beacon("b")], at: Bench.at(7))
            _ = try await bench.ledger.claim(ClaimRequest(limit: 1, at: Bench.at(8), lease: .seconds(3_000)))
            await bench.ledger.close()
            let ledger = bench.another()
            _ = try await ledger.open()
            let reason = "it was being sent, and its outcome was not recorded"
            #expect(try await ledger.states()["a"] == .recorded(nextTry: Bench.at(7), reason: reason))
            #expect(try await ledger.nextDue() == Bench.at(7))
            let claim = try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: Bench.at(9)))
            #expect(claim.beacons.map(\.isInDoubt) == [true, false])
            #expect(claim.beacons.map(\.attempt) == [2, 1])
            await ledger.close()
        }
    }

    @Test("who finds somebody else leaves the leases alone")
    func notAlone() async throws {
        try await Bench.with { bench in
            _ = try await bench.ledger.record([Bench.beacon("a")], at: Bench.at(0))
            _ = try await bench.ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0)))
            let other = bench.another()
            #expect(try await other.states() == ["a": .inFlight(until: Bench.at(60))])
            await other.close()
            // The first one is still here when the second comes again, even where somebody deletes the lock.
            unlink(bench.file + "-lock")
            let deadline = ContinuousClock.now + .seconds(5)
            while !bench.folder.names.contains("beacons.sqlite-lock"), ContinuousClock.now < deadline {
                _ = try await bench.ledger.nextDue()
            }
            let third = bench.another()
            #expect(try await third.states() == ["a": .inFlight(until: Bench.at(60))])
            await third.close()
        }
    }

    @Test("where there can be no lock leases end by their time")
    func noLock() async throws {
        try await Bench.with { bench in
            mkdir(bench.file + "-lock", 0o700)
            _ = try await bench.ledger.record([Bench.beacon("a")], at: Bench.at(0))
            _ = try await bench.ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0)))
            await bench.ledger.close()
            let ledger = bench.another()
            #expect(try await ledger.states() == ["a": .inFlight(until: Bench.at(60))])
            #expect(try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(60))).beacons.map(\.isInDoubt) == [true])
            await ledger.close()
        }
    }
}
