import AdCore
import LedgerSupport
import Testing

@testable import SQLiteLedger

@Suite("Beacons without a queue row")
struct OrphanTests {
    @Test("beacons without a queue are assigned to one, and are claimed once")
    func adopted() async throws {
        try await TestLedger.with { test in
            for host in ["t", "u", "v"] {
                _ = try await test.ledger.record(
                    TestLedger.beacons(["\(host)1", "\(host)2"], to: host),
                    at: TestLedger.at(0)
                )
            }
            try test.raw().run("DELETE FROM queue WHERE origin NOT LIKE '%u:%'")
            var keys: [String] = []
            for second in 0..<4 as Range<Int64> {
                let request = ClaimRequest(limit: 9, each: 9, at: TestLedger.at(100 + second))
                keys += try await test.ledger.claim(request).keys
            }
            #expect(keys.sorted() == ["t1", "t2", "u1", "u2", "v1", "v2"])
        }
    }

    @Test("a beacon without a queue and with a damaged address is dead")
    func nowhere() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            try test.raw().run("DELETE FROM queue; UPDATE beacon SET url = '?'")
            _ = try await test.ledger.claim(ClaimRequest(limit: 9, at: TestLedger.at(100)))
            #expect(try await test.ledger.summary().dead == 1)
        }
    }
}
