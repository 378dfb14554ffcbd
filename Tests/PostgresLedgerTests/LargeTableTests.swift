import AdCore
import LedgerSupport
import PostgresClient
import PostgresSupport
import TestSupport
import Testing

@testable import PostgresLedger

@Suite("A table of more rows than one statement reads", .disabled(if: isServerMissing, missingServer))
struct LargeTableTests {
    @Test("is counted and made due page by page")
    func pages() async throws {
        try await ServerTest.with { test in
            let ledger = try test.direct()
            _ = try await ledger.open()
            let count = Int(LedgerSQL.pageSize) * 2 + 10_000
            // In an hour, by the server's clock.
            try test.raw().runScript(
                """
                INSERT INTO yabbi.beacon (state, billing, moment, recorded, batch, key, ad, event, provider, method, verdict,
                    doubt, origin, url, in_doubt)
                SELECT n % 5, true, (extract(epoch FROM now()) * 1000)::bigint + 3600000, 0, 1, 'k' || n, 'a', 'view', 'test',
                    0, 0, 0, 'https://t.example', 'https://t.example/v', n % 50 = 0
                FROM generate_series(1, \(count)) AS n
                """
            )
            let summary = try await ledger.summary()
            #expect(summary.total == count)
            #expect(summary.inFlight == count / 5 && summary.delivered == count / 5 && summary.dead == count / 5)
            // Every tenth of those that wait was interrupted and is not sent again.
            #expect(summary.pending == count / 50 * 9 && summary.unconfirmed == count / 5 + count / 50)
            #expect(try await ledger.makeAllDue(at: ServerTest.now) == count / 5)
            let late = try test.number(
                "SELECT count(*) FROM yabbi.beacon WHERE state = 0 AND moment > extract(epoch FROM now()) * 1000"
            )
            #expect(late == 0)
            await ledger.close()
        }
    }
}
