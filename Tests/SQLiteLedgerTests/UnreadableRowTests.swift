import AdCore
import LedgerSupport
import Testing

@testable import SQLiteLedger

@Suite("Unreadable rows")
struct UnreadableRowTests {
    @Test(
        "an unreadable row is dead with its column named, and delays no other",
        arguments: [
            ("url", "url = 'nonsense'"), ("url", "url = 'http://a b/'"), ("url", "url = ''"),
            ("headers", "headers = x'05'"), ("headers", "headers = x'0141'"), ("headers", "headers = x'01410001'"),
            ("headers", "headers = x'FFFFFFFFFFFFFFFF7F'"), ("headers", "headers = x'0141020D0A'"),
            ("secrets", "secrets = x'0141'"), ("secrets", "secrets = x'012001410141'"),
            ("verdict", "verdict = 7"), ("doubt", "doubt = -1"), ("method", "method = 99"),
            ("key", "key = 'has space'"), ("ad", "ad = cast(x'FF' AS TEXT)"),
            ("provider", "provider = cast(x'C3' AS TEXT)"), ("attempts", "attempts = -5"),
            ("attempts", "attempts = 9223372036854775807"),
        ]
    )
    func unreadable(_ column: String, _ change: String) async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record(TestLedger.beacons(["bad", "good"]), at: TestLedger.at(0))
            try test.raw().run("UPDATE beacon SET \(change) WHERE key = 'bad'")
            let listed = try await ledger.entries()
            #expect(listed.count == 2)
            #expect(Self.reason(listed[0])?.contains("(\(column))") ?? false)

            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(1))).keys == ["good"])
            #expect(try await ledger.summary().dead == 1)
            #expect(Self.reason(try await ledger.entries()[0])?.contains("(\(column))") ?? false)
            #expect(try await ledger.nextDue() == TestLedger.at(61))
            #expect(try await ledger.deleteSettled([.dead]) == 1)
        }
    }

    private static func reason(_ entry: LedgerEntry) -> String? {
        if case .dead(let reason) = entry.state { reason } else { nil }
    }

    @Test("values of another type are rejected by the schema, and listed as dead if forced in")
    func types() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons(["bad", "good"]), at: TestLedger.at(0))
            let raw = try test.raw()
            #expect(throws: (any Error).self) { try raw.run("UPDATE beacon SET moment = 'soon' WHERE id = 1") }
            #expect(throws: (any Error).self) { try raw.run("UPDATE beacon SET url = x'00' WHERE id = 1") }
            #expect(throws: (any Error).self) { try raw.run("UPDATE beacon SET state = 9 WHERE id = 1") }
            try raw.run("PRAGMA ignore_check_constraints = ON; UPDATE beacon SET state = 9 WHERE id = 1")
            let entries = try await test.ledger.entries()
            #expect(Self.reason(entries[0])?.contains("(state)") ?? false)
            #expect(try await test.ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(1))).keys == ["good"])
            #expect(try await test.ledger.summary().dead == 1)
        }
    }

    @Test("thousands of unreadable rows are marked as dead over several claims")
    func many() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons((0..<1_000).map { "n\($0)" }), at: TestLedger.at(0))
            _ = try await test.ledger.record([TestLedger.beacon("good")], at: TestLedger.at(1))
            try test.raw().run("UPDATE beacon SET url = 'x' WHERE key <> 'good'")
            var claims = 0
            var keys: [String] = []
            while keys.isEmpty, claims < 20 {
                claims += 1
                let claim = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(2)))
                keys = claim.keys
                if keys.isEmpty { #expect(claim.next.map { $0 <= TestLedger.at(2) } ?? false) }
            }
            #expect(keys == ["good"])
            #expect(try await test.ledger.summary().dead == 1_000)
        }
    }
}
