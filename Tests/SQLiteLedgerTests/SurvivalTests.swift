import AdCore
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Durability")
struct SurvivalTests {
    @Test("a recorded beacon is there when the file is opened again")
    func reopened() async throws {
        try await Bench.with { bench in
            let beacon = Bench.beacon(
                "a",
                headers: ["User-Agent": "x", "Accept": "y"],
                secrets: [SecretHeader("Authorization", "provider.key", prefix: "Bearer ")].compactMap { $0 },
                body: [1, 0, 255],
                isBilling: true
            )
            _ = try await bench.ledger.record([beacon], at: Bench.at(3))
            await bench.ledger.close()
            #expect(bench.folder.names == ["beacons.sqlite", "beacons.sqlite-lock"])

            let ledger = bench.another()
            let entry = try #require(try await ledger.entries().first)
            #expect(entry.beacon.call == beacon.call)
            #expect(entry.beacon.provider == beacon.provider)
            #expect(entry.beacon.key.ad == beacon.key.ad)
            #expect(entry.beacon.key.event == beacon.key.event)
            #expect(entry.recorded == Bench.at(3))
            #expect(try await ledger.record([beacon], at: Bench.at(9)).new.isEmpty)
            await ledger.close()
        }
    }

    @Test("beacons are on the disk before record returns, without closing the file")
    func killed() async throws {
        try await Bench.with { bench in
            let other = try #require(TemporaryFolder())
            defer { other.remove() }
            for number in 0..<50 { _ = try await bench.ledger.record([Bench.beacon("k\(number)")], at: Bench.at(0)) }
            _ = try await bench.ledger.claim(ClaimRequest(limit: 1, at: Bench.at(0)))
            // What another process finds after this one is killed: the file and its log as they are now.
            for name in ["beacons.sqlite", "beacons.sqlite-wal"] { other.overwrite(bench.folder.bytes(name), name) }
            let ledger = SQLiteLedger(folder: other.path)
            #expect(try await ledger.entries().count == 50)
            let claim = try await ledger.claim(ClaimRequest(limit: 50, each: 50, at: Bench.at(1)))
            #expect(claim.beacons.count == 50)
            #expect(claim.beacons.filter(\.isInDoubt).map(\.beacon.key.text) == ["k0"])
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
        try await Bench.with { bench in
            _ = try await bench.ledger.open()
            let raw = try bench.raw()
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
        _ = try await ledger?.record([Bench.beacon("a")], at: Bench.at(0))
        ledger = nil
        // SQLite deletes the log when its last connection closes.
        while folder.names.contains("beacons.sqlite-wal") { await Task.yield() }
        let other = SQLiteLedger(folder: folder.path)
        #expect(try await other.entries().count == 1)
        await other.close()
    }

    @Test("operations before closing are executed, and later ones throw")
    func closed() async throws {
        try await Bench.with { bench in
            let ledger = bench.ledger
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    group.addTask { (try? await ledger.record([Bench.beacon("c\(number)")], at: Bench.at(0))) != nil }
                }
                for await isDone in group { #expect(isDone) }
            }
            await ledger.close()
            await ledger.close()
            await #expect(throws: LedgerError.self) { _ = try await ledger.nextDue() }
            let never = bench.another()
            await never.close()
            await #expect(throws: LedgerError.self) { _ = try await never.open() }
            let again = bench.another()
            let entries = try await again.entries()
            #expect(entries.count == 20)
            await again.close()
        }
    }
}
