import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Files with other layouts")
struct LayoutTests {
    @Test("a file with the first layout is migrated with all its beacons")
    func migrated() async throws {
        try await TestLedger.with { test in
            try LedgerPath(file: test.file).make()
            do {
                let old = try Connection(test.file, lockTimeout: .seconds(1))
                try Schema.migrate(old, file: test.file, upTo: 1)
                #expect(try old.number("PRAGMA user_version") == 1)
                try old.run(
                    """
                    INSERT INTO queue (id, origin, due) VALUES (1, 'https://t.example:443', 5);
                    INSERT INTO beacon (id, state, billing, moment, queue, recorded, key, ad, event, provider, method,
                        verdict, doubt, url) VALUES
                        (1, 0, 1, 5, 1, 5, 'a', 'ad', 'view', 'test', 0, 0, 0, 'https://t.example/a'),
                        (2, 2, 0, 6, 0, 5, 'b', 'ad', 'view', 'test', 1, 1, 1, 'https://t.example/b');
                    """
                )
            }
            #expect(try await test.ledger.open().isEmpty)
            #expect(try test.raw().number("PRAGMA user_version") == Int64(Schema.steps.count))
            let entries = try await test.ledger.entries()
            #expect(entries.map(\.beacon.key.text) == ["a", "b"])
            #expect(entries.map(\.state.name) == ["recorded", "delivered"])
            #expect(entries[1].beacon.call.method == .post)
            #expect(entries[1].beacon.call.successRule == .only200)
            #expect(entries[1].beacon.call.guarantee == .atLeastOnce)
            #expect(try await test.ledger.claim(ClaimRequest(limit: 9, at: TestLedger.at(0))).keys == ["a"])
            #expect(try await test.ledger.deleteSettled([.delivered]) == 1)
        }
    }

    @Test("ledgers that open a new file at the same time all find it complete")
    func together() async throws {
        for _ in 0..<20 {
            try await TestLedger.with { test in
                let ledgers = (0..<8).map { _ in test.another() }
                let tasks = ledgers.enumerated().map { number, ledger in
                    Task {
                        try await ledger.record(TestLedger.beacons(["shared", "own\(number)"]), at: TestLedger.at(0))
                            .new.count
                    }
                }
                var new = 0
                for task in tasks { new += try await task.value }
                #expect(new == 9)
                for ledger in ledgers { await ledger.close() }
                #expect(try await test.ledger.entries().count == 9)
            }
        }
    }

    @Test("a file with a newer layout is not changed", arguments: [SQLiteLedger.Access.createAndRepair, .existing])
    func newer(_ access: SQLiteLedger.Access) async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            await test.ledger.close()
            try test.raw().run("PRAGMA user_version = 99")
            let before = test.folder.bytes("beacons.sqlite")
            let ledger = test.another(access)
            let error = await #expect(throws: LedgerError.self) { _ = try await ledger.open() }
            #expect(error?.message.contains("newer version") ?? false)
            #expect(error?.message.contains(test.file) ?? false)
            await ledger.close()
            #expect(test.folder.bytes("beacons.sqlite") == before)
            #expect(test.folder.names == ["beacons.sqlite", "beacons.sqlite-lock"])
        }
    }

    @Test(
        "a foreign database is not changed, with an application ID or not, damaged or not",
        arguments: [0, 77],
        [false, true]
    )
    func foreign(_ mark: Int, _ isDamaged: Bool) async throws {
        try await TestLedger.with { test in
            try LedgerPath(file: test.file).make()
            try test.raw().run("PRAGMA application_id = \(mark); CREATE TABLE mine (x); INSERT INTO mine VALUES (1);")
            if isDamaged { test.folder.overwrite([UInt8](repeating: 0xA5, count: 400), "beacons.sqlite", at: 100) }
            let before = test.folder.bytes("beacons.sqlite")
            for access in [SQLiteLedger.Access.createAndRepair, .existing] {
                let ledger = test.another(access)
                let error = await #expect(throws: LedgerError.self) { _ = try await ledger.open() }
                #expect(error?.message.contains("not a beacon ledger") ?? false)
                await ledger.close()
            }
            #expect(test.folder.bytes("beacons.sqlite") == before)
            #expect(test.folder.names == ["beacons.sqlite"])
        }
    }

    @Test("a reader creates nothing and moves nothing")
    func reading() async throws {
        try await TestLedger.with { test in
            let nothing = test.another(.existing)
            let error = await #expect(throws: LedgerError.self) { _ = try await nothing.summary() }
            #expect(error?.message.contains("no ledger at \(test.file)") ?? false)
            #expect(test.folder.names.isEmpty)
            test.folder.overwrite([], "beacons.sqlite")
            await #expect(throws: LedgerError.self) { _ = try await nothing.summary() }
            test.folder.overwrite([UInt8](repeating: 7, count: 9_000), "beacons.sqlite")
            let damaged = await #expect(throws: LedgerError.self) { _ = try await nothing.summary() }
            #expect(damaged?.message.contains("not a database") ?? false)
            #expect(test.folder.names == ["beacons.sqlite"])
            await nothing.close()
        }
    }

    @Test("a reader sees what another ledger records")
    func readsAlong() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            let other = test.another(.existing)
            #expect(try await other.summary().pending == 1)
            #expect(try await other.entries().map(\.beacon.key.text) == ["a"])
            _ = try await test.ledger.record([TestLedger.beacon("b")], at: TestLedger.at(0))
            #expect(try await other.summary().pending == 2)
            await other.close()
        }
    }
}
