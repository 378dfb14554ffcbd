import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Beacons that are claimed from the start, because nothing else is due")
struct ClaimedFromStartTests {
    @Test("they are in flight with their first attempt, and the next one is due when the lease ends")
    func inserted() async throws {
        try await TestLedger.with { test in
            let request = ClaimRequest(limit: 8, each: 2, at: TestLedger.at(1), lease: .seconds(60))
            let beacons = TestLedger.beacons(["a", "b"]) + [TestLedger.beacon("c", to: "c.example")]
            let (result, claim) = try await test.ledger.record(beacons, claiming: request, at: TestLedger.at(1))
            #expect(result.new.map(\.text) == ["a", "b", "c"])
            #expect(claim?.keys == ["a", "b", "c"])
            #expect(claim?.beacons.allSatisfy { $0.attempt == 1 && $0.recorded == TestLedger.at(1) } == true)
            #expect(claim?.next == TestLedger.at(61))
            let entries = try await test.ledger.entries()
            #expect(entries.allSatisfy { $0.state == .inFlight(until: TestLedger.at(61)) && $0.attempts == 1 })
            #expect(try await test.ledger.claim(request).beacons.isEmpty)
            let late = try await test.ledger.claim(ClaimRequest(limit: 8, each: 2, at: TestLedger.at(61)))
            #expect(Set(late.keys) == ["a", "b", "c"])
            #expect(late.beacons.allSatisfy { $0.attempt == 2 && $0.wasInterrupted })
        }
    }

    @Test("to record and claim a beacon changes three pages")
    func pages() async throws {
        try await TestLedger.with { test in
            let request = ClaimRequest(limit: 8, each: 2, at: TestLedger.at(1))
            // The first one creates the queue of its origin.
            _ = try await test.ledger.record([TestLedger.beacon("a")], claiming: request, at: TestLedger.at(1))
            let before = test.folder.bytes("beacons.sqlite-wal").count
            _ = try await test.ledger.record([TestLedger.beacon("b")], claiming: request, at: TestLedger.at(1))
            // A frame of the log is a page with a header of 24 bytes: the row, its key and its lease.
            #expect(test.folder.bytes("beacons.sqlite-wal").count - before == 3 * (4_096 + 24))
        }
    }

    @Test("a claim from the only origin that waits does not write to its queue")
    func queue() async throws {
        try await TestLedger.with { test in
            let names = (0..<9).map { "n\($0)" }
            _ = try await test.ledger.record(TestLedger.beacons(names), at: TestLedger.at(0))
            _ = try await test.ledger.claim(ClaimRequest(limit: 2, each: 2, at: TestLedger.at(1)))
            let before = test.folder.bytes("beacons.sqlite-wal").count
            let claim = try await test.ledger.claim(ClaimRequest(limit: 2, each: 2, at: TestLedger.at(1)))
            #expect(claim.keys == ["n2", "n3"])
            // The rows, those that wait, and the leases.
            #expect(test.folder.bytes("beacons.sqlite-wal").count - before == 3 * (4_096 + 24))
        }
    }

    @Test(
        "what the claim does not allow waits as it would otherwise",
        arguments: [
            (ClaimRequest(limit: 2, each: 9, at: TestLedger.at(1)), 2),
            (ClaimRequest(limit: 9, each: 2, at: TestLedger.at(1)), 2),
            (ClaimRequest(limit: 9, each: 9, limits: ["https://t.example:443": 0], at: TestLedger.at(1)), 0),
            (ClaimRequest(limit: 0, each: 9, at: TestLedger.at(1)), 0),
            // A dispatcher that tries each beacon once claims what was due at its start.
            (ClaimRequest(limit: 9, each: 9, at: TestLedger.at(0)), 0),
        ]
    )
    func limited(request: ClaimRequest, count: Int) async throws {
        try await TestLedger.with { test in
            let beacons = TestLedger.beacons(["a", "b", "c"])
            let (result, claim) = try await test.ledger.record(beacons, claiming: request, at: TestLedger.at(1))
            #expect(result.new.count == 3)
            #expect(claim?.beacons.count == count)
            let summary = try await test.ledger.summary()
            #expect(summary.inFlight == count && summary.pending == 3 - count)
        }
    }

    @Test("of two beacons with the same key, and of one that was recorded before, none is claimed twice")
    func duplicates() async throws {
        try await TestLedger.with { test in
            let request = ClaimRequest(limit: 8, each: 8, at: TestLedger.at(1))
            let (first, claim) = try await test.ledger.record(
                TestLedger.beacons(["a", "b", "a"]),
                claiming: request,
                at: TestLedger.at(1)
            )
            #expect(first.new.map(\.text) == ["a", "b"])
            #expect(claim?.keys == ["a", "b"])
            let (second, again) = try await test.ledger.record(
                TestLedger.beacons(["b", "c"]),
                claiming: request,
                at: TestLedger.at(1)
            )
            #expect(second.new.map(\.text) == ["c"])
            #expect(again?.keys == ["c"])
        }
    }

    @Test("it is the same as a record and then a claim, whatever happened before", .timeLimit(.minutes(2)))
    func random() async throws {
        let seed = TestSeed.chosen ?? UInt64.random(in: 0...UInt64.max)
        var random = TestRandom(seed: seed)
        for round in 0..<30 {
            let (together, apart) = (try TestLedger(), try TestLedger())
            defer { for test in [together, apart] { test.folder.remove() } }
            var claimed: [ClaimedBeacon] = []
            var second: Int64 = 0
            for step in 0..<40 {
                let place: Comment = "seed \(seed), round \(round), step \(step)"
                second += Int64.random(in: 0...20, using: &random)
                let now = TestLedger.at(second)
                let request = self.request(at: now, &random)
                let beacons = self.beacons(&random)
                let (result, claim) = try await together.ledger.record(beacons, claiming: request, at: now)
                #expect(try await apart.ledger.record(beacons, at: now).new == result.new, place)
                let expected = try await apart.ledger.claim(request)
                #expect(Set(claim?.beacons ?? []) == Set(expected.beacons), place)
                #expect(claim?.beacons.count == expected.beacons.count && claim?.next == expected.next, place)
                claimed += expected.beacons
                for one in claimed where Bool.random(using: &random) {
                    let outcome = self.outcome(at: now, &random)
                    for test in [together, apart] { try await test.ledger.settle(one, as: outcome, at: now) }
                    claimed.removeAll { $0 == one }
                }
                #expect(try await together.ledger.entries() == apart.ledger.entries(), place)
                #expect(try await together.ledger.nextDue() == apart.ledger.nextDue(), place)
            }
            for test in [together, apart] { await test.ledger.close() }
        }
    }

    private func request(at now: WallTime, _ random: inout TestRandom) -> ClaimRequest {
        let each = Int.random(in: 0...3, using: &random)
        var limits: [String: Int] = [:]
        for host in ["a", "b"] where Bool.random(using: &random) {
            limits["https://\(host).example:443"] = Int.random(in: 0...3, using: &random)
        }
        // Several origins take turns, so that a small limit would choose among them by turns that differ.
        return ClaimRequest(limit: 50, each: each, limits: limits, at: now, lease: .seconds(30))
    }

    private func beacons(_ random: inout TestRandom) -> [Beacon] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let host = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            return TestLedger.beacon("\(host)\(Int.random(in: 0...40, using: &random))", to: "\(host).example")
        }
    }

    private func outcome(at now: WallTime, _ random: inout TestRandom) -> DeliveryOutcome {
        switch Int.random(in: 0...3, using: &random) {
        case 0: .dead(reason: "404")
        case 1: .retry(at: now + .seconds(Int.random(in: 0...60, using: &random)), reason: "503")
        case 2: .unconfirmed(reason: "?")
        default: .delivered
        }
    }
}
