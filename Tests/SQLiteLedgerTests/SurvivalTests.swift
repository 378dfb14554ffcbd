import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Durability")
struct SurvivalTests {
    @Test("a recorded beacon is there when the file is opened again")
    func reopened() async throws {
        try await TestLedger.with { test in
            let beacon = TestLedger.beacon(
                "a",
                headers: ["User-Agent": "x", "Accept": "y"],
                secrets: [SecretHeader("Authorization", "provider.key", prefix: "Bearer ")].compactMap { $0 },
                body: [1, 0, 255],
                isBilling: true
            )
            _ = try await test.ledger.record([beacon], at: TestLedger.at(3))
            await test.ledger.close()
            #expect(test.folder.names == ["beacons.sqlite", "beacons.sqlite-lock"])

            let ledger = test.another()
            let entry = try #require(try await ledger.entries().first)
            #expect(entry.beacon.call == beacon.call)
            #expect(entry.beacon.provider == beacon.provider)
            #expect(entry.beacon.key.ad == beacon.key.ad)
            #expect(entry.beacon.key.event == beacon.key.event)
            #expect(entry.recorded == TestLedger.at(3))
            #expect(try await ledger.record([beacon], at: TestLedger.at(9)).new.isEmpty)
            await ledger.close()
        }
    }

    @Test("beacons are on the disk before record returns, without closing the file")
    func killed() async throws {
        try await TestLedger.with { test in
            let other = try #require(TemporaryFolder())
            defer { other.remove() }
            for number in 0..<50 {
                _ = try await test.ledger.record([TestLedger.beacon("k\(number)")], at: TestLedger.at(0))
            }
            _ = try await test.ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(0)))
            // What another process finds after this one is killed: the file and its log as they are now.
            for name in ["beacons.sqlite", "beacons.sqlite-wal"] { other.overwrite(test.folder.bytes(name), name) }
            let ledger = SQLiteLedger(folder: other.path)
            #expect(try await ledger.entries().count == 50)
            let claim = try await ledger.claim(ClaimRequest(limit: 50, each: 50, at: TestLedger.at(1)))
            #expect(claim.beacons.count == 50)
            #expect(claim.beacons.filter(\.wasInterrupted).map(\.beacon.key.text) == ["k0"])
            await ledger.close()
        }
    }

    @Test("nothing is touched before the first operation")
    func lazy() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ledger = SQLiteLedger(folder: "\(folder.path)/deep/er/")
        await Task.yield()
        #expect(folder.names.isEmpty)
        #expect(try await ledger.open().isEmpty)
        #expect(folder.mode("deep") == 0o700)
        #expect(folder.mode("deep/er") == 0o700)
        for name in ["", "-wal", "-shm", "-lock"] { #expect(folder.mode("deep/er/beacons.sqlite\(name)") == 0o600) }
        await ledger.close()
    }

    @Test("the file has the journal mode, application ID and layout version of a ledger")
    func settings() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.open()
            let raw = try test.raw()
            #expect(try raw.text("PRAGMA journal_mode") == "wal")
            #expect(try raw.number("PRAGMA application_id") == 0x7961_6262)
            #expect(try raw.number("PRAGMA user_version") == Int64(Schema.steps.count))
        }
    }

    @Test("a deallocated ledger ends its thread and closes its file")
    func released() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        var ledger: SQLiteLedger? = SQLiteLedger(folder: folder.path)
        _ = try await ledger?.record([TestLedger.beacon("a")], at: TestLedger.at(0))
        ledger = nil
        // SQLite deletes the log when its last connection closes.
        while folder.names.contains("beacons.sqlite-wal") { await Task.yield() }
        let other = SQLiteLedger(folder: folder.path)
        #expect(try await other.entries().count == 1)
        await other.close()
    }

    @Test("operations before closing are executed, and later ones throw")
    func closed() async throws {
        try await TestLedger.with { test in
            let ledger = test.ledger
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        (try? await ledger.record([TestLedger.beacon("c\(number)")], at: TestLedger.at(0))) != nil
                    }
                }
                for await isDone in group { #expect(isDone) }
            }
            await ledger.close()
            await ledger.close()
            await #expect(throws: LedgerError.self) { _ = try await ledger.nextDue() }
            let never = test.another()
            await never.close()
            await #expect(throws: LedgerError.self) { _ = try await never.open() }
            let again = test.another()
            let entries = try await again.entries()
            #expect(entries.count == 20)
            await again.close()
        }
    }
}
