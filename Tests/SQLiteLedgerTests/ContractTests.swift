import AdCore
import LedgerSupport
import Testing

@testable import SQLiteLedger

@Suite("The contract of a ledger, as far as only SQLite's keeps it so")
struct ContractTests {
    @Test("an expired claim that is not sent again counts as unconfirmed before it is settled")
    func standing() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            await ledger.close()
            let next = test.another()
            _ = try await next.open()
            let summary = try await next.summary()
            #expect(summary.unconfirmed == 1 && summary.pending == 1 && summary.total == 2)
            #expect(try await next.entries().map(\.standing.name) == ["unconfirmed", "recorded"])
            await next.close()
        }
    }

    @Test("postponed beacons are not claimed until then, are not in doubt, and can be removed")
    func postponed() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            _ = try await ledger.record(TestLedger.beacons(["a", "b", "c"]), at: TestLedger.at(0))
            _ = try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            let entries = try await ledger.postpone(9, until: TestLedger.at(3_600))
            #expect(entries.map(\.beacon.key.text) == ["b", "c"])
            #expect(try await ledger.postpone(9, until: TestLedger.at(3_600)).isEmpty)
            #expect(try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(59))).beacons.isEmpty)
            #expect(try await ledger.nextDue() == TestLedger.at(60))
            try await ledger.remove([entries[0].beacon.key, TestLedger.beacon("unknown").key])
            let claim = try await ledger.claim(ClaimRequest(limit: 9, each: 9, at: TestLedger.at(3_600)))
            #expect(claim.keys.sorted() == ["a", "c"])
            #expect(claim.beacons.filter(\.wasInterrupted).map(\.beacon.key.text) == ["a"])
            try await ledger.remove(claim.beacons.map(\.beacon.key))
            #expect(try await ledger.summary().total == 0)
        }
    }

    @Test("beacons of a failed commit are deleted, unless they were claimed")
    func removedUnclaimed() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b", "c"]), at: TestLedger.at(0))
            _ = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            await test.ledger.close()
            let store = try Store(Connection(test.file, lockTimeout: .seconds(5)), limits: .init())
            try store.transaction { () throws(StoreError) in
                try store.removeUnclaimed(TestLedger.beacons(["a", "b", "unknown"]).map(\.key))
            }
            let ledger = test.another()
            #expect(try await ledger.entries().map(\.beacon.key.text) == ["a", "c"])
            #expect(try await ledger.summary().total == 2)
            await ledger.close()
        }
    }

    @Test("after the highest possible number, recording fails with a message")
    func numbers() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            await test.ledger.close()
            try test.raw().run("UPDATE beacon SET id = \(Int64.max - 1)")
            let ledger = test.another()
            #expect(try await ledger.record([TestLedger.beacon("b")], at: TestLedger.at(0)).new.count == 1)
            let error = await #expect(throws: LedgerError.self) {
                _ = try await ledger.record([TestLedger.beacon("c")], at: TestLedger.at(0))
            }
            #expect(error?.message.contains("no beacon number left") ?? false)
            #expect(try await ledger.entries().map(\.number) == [.max - 1, .max])
            await ledger.close()
        }
    }

    @Test("a row with a negative number is listed")
    func negative() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            await test.ledger.close()
            try test.raw().run("UPDATE beacon SET id = -5")
            let ledger = test.another()
            #expect(try await ledger.entries().map(\.number) == [-5])
            await ledger.close()
        }
    }
}
