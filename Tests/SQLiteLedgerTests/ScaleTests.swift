import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Large ledgers")
struct ScaleTests {
    @Test("a claim takes about as many steps among twenty thousand origins as among a few")
    func origins() async throws {
        func steps(_ hosts: Int, _ rows: Int) async throws -> Int64 {
            let test = try TestLedger()
            defer { test.folder.remove() }
            let ledger = test.ledger
            for start in stride(from: 0, to: rows, by: 2_000) {
                let beacons = (start..<start + 2_000).map { TestLedger.beacon("n\($0)", to: "h\($0 % hosts).example") }
                _ = try await ledger.record(beacons, at: TestLedger.at(0))
            }
            // Due queues get their turns over the first claims.
            for _ in 0..<25 { _ = try await ledger.claim(ClaimRequest(limit: 16, at: TestLedger.at(1))) }
            let before = try await ledger.work().steps
            for _ in 0..<20 {
                let claim = try await ledger.claim(ClaimRequest(limit: 16, at: TestLedger.at(1)))
                #expect(claim.beacons.count == 16)
            }
            let steps = try await ledger.work().steps - before
            await ledger.close()
            return steps
        }
        let few = try await steps(40, 2_000)
        let many = try await steps(20_000, 20_000)
        let long = try await steps(40, 40_000)
        #expect(Double(many) < 3 * Double(few), "\(many) against \(few)")
        #expect(Double(long) < 3 * Double(few), "\(long) against \(few)")
    }

    @Test("a claim without room at any origin reads none of the beacons")
    func busy() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            for host in 0..<5 {
                let beacons = (0..<2_000).map { TestLedger.beacon("\(host)-\($0)", to: "h\(host).example") }
                _ = try await ledger.record(beacons, at: TestLedger.at(0))
            }
            _ = try await ledger.claim(ClaimRequest(limit: 5, at: TestLedger.at(1)))
            let limits = Dictionary(uniqueKeysWithValues: (0..<5).map { ("https://h\($0).example:443", 0) })
            let before = try await ledger.work().steps
            let claim = try await ledger.claim(ClaimRequest(limit: 32, each: 2, limits: limits, at: TestLedger.at(2)))
            #expect(claim.beacons.isEmpty)
            #expect(claim.next == TestLedger.at(61))
            #expect(try await ledger.work().steps - before < 2_000)
        }
    }

    @Test("every statement finds its rows by an index, except those that count or read a range")
    func plans() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.open()
            let raw = try test.raw()
            let scanning: Set<SQL> = [.counts, .pendingCount, .anyPending, .interrupted, .sendable]
            for sql in SQL.allCases where !scanning.contains(sql) {
                guard ["beacon", "queue", "counted_view"].contains(where: sql.text.contains) else { continue }
                for line in try raw.plan(sql.text) where line.contains("SCAN") {
                    // Scans of an index that stop early, or of a subquery's result.
                    let isWalk =
                        line.contains("queue USING INDEX") || line.contains("queue USING COVERING INDEX")
                        || line.contains("(subquery") || line.contains("CONSTANT ROW")
                    #expect(isWalk, "\(sql): \(line)")
                }
            }
        }
    }
}
