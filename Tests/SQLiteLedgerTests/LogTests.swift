import AdCore
import LedgerSupport
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("The write-ahead log")
struct LogTests {
    private func truncatedLog(_ test: TestLedger) { #expect(truncate(test.file + "-wal", 0) == 0) }

    @Test("the log stays near a megabyte after many single records")
    func bounded() async throws {
        try await TestLedger.with { test in
            let body = [UInt8](repeating: 0x61, count: 4_096)
            for number in 0..<600 {
                _ = try await test.ledger.record([TestLedger.beacon("n\(number)", body: body)], at: TestLedger.at(0))
            }
            let most = test.folder.bytes("beacons.sqlite-wal").count
            #expect(most < 1_500_000, "\(most)")
        }
    }

    @Test("a log truncated while in use is detected, reported and set aside, and the next beacon is recorded")
    func cut() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            self.truncatedLog(test)
            let recording = try await test.ledger.record([TestLedger.beacon("c")], at: TestLedger.at(1))
            #expect(recording.new.count == 1)
            #expect(recording.issues.map(\.code) == ["ledger.setAside"])
            let message = recording.issues.first?.message ?? ""
            #expect(message.contains("Its log was truncated while it was in use"), "\(message)")
            #expect(try await test.ledger.entries().map(\.beacon.key.text) == ["c"])
        }
    }

    @Test("all operations report the same error for a log truncated while another ledger is open")
    func alike() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
            self.truncatedLog(test)
            var messages: [String] = []
            for operation in 0..<3 {
                let ledger = test.another(.existing)
                let error = await #expect(throws: LedgerError.self) {
                    switch operation {
                    case 0: _ = try await ledger.entries()
                    case 1: _ = try await ledger.makeAllDue(at: TestLedger.at(1))
                    default: _ = try await ledger.summary()
                    }
                }
                messages.append(error?.message ?? "")
                await ledger.close()
            }
            #expect(Set(messages).count == 1)
            #expect(messages.first?.contains("its log was truncated while it was in use") ?? false, "\(messages)")
        }
    }

    @Test("a truncated log is not overwritten: no later write hides what is missing")
    func notHidden() async throws {
        try await TestLedger.with { test in
            let other = test.another()
            _ = try await test.ledger.record(TestLedger.beacons((0..<200).map { "n\($0)" }), at: TestLedger.at(0))
            #expect(try await other.summary().pending == 200)
            self.truncatedLog(test)
            _ = try await other.record([TestLedger.beacon("new")], at: TestLedger.at(1))
            _ = try await test.ledger.record([TestLedger.beacon("newer")], at: TestLedger.at(1))
            let keys = Set(try await test.ledger.entries().map(\.beacon.key.text))
            #expect(keys.isSuperset(of: ["new", "newer"]))
            #expect(try await other.integrityErrors().isEmpty)
            await other.close()
        }
    }
}

@Suite("Numbers and incomplete files")
struct BeginningTests {
    @Test("numbers continue in the file that replaces a damaged one")
    func numbersGoOn() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record(TestLedger.beacons((0..<3_000).map { "n\($0)" }), at: TestLedger.at(0))
            await test.ledger.close()
            let ledger = test.another()
            let last = try #require(try await ledger.entries(after: 2_990, limit: 500).last?.number)
            let size = test.folder.bytes("beacons.sqlite").count
            test.folder.overwrite([UInt8](repeating: 0xEE, count: size - 4_096), "beacons.sqlite", at: 4_096)
            #expect(try await ledger.record([TestLedger.beacon("new")], at: TestLedger.at(1)).issues.count == 1)
            #expect(try await ledger.entries(after: last, limit: 10).map(\.beacon.key.text) == ["new"])
            await ledger.close()
        }
    }

    @Test("a number from a tampered file that leaves none above it is not continued")
    func hostileNumber() async throws {
        try await TestLedger.with { test in
            _ = try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
            await test.ledger.close()
            try test.raw().run("UPDATE beacon SET id = 9223372036854775807")
            let ledger = test.another()
            #expect(try await ledger.entries().count == 1)
            let size = test.folder.bytes("beacons.sqlite").count
            test.folder.overwrite([UInt8](repeating: 0xEE, count: size - 4_096), "beacons.sqlite", at: 4_096)
            #expect(try await ledger.record([TestLedger.beacon("new")], at: TestLedger.at(1)).new.count == 1)
            await ledger.close()
        }
    }

    @Test("a loop of symbolic links is reported as such", arguments: [SQLiteLedger.Access.createAndRepair, .existing])
    func circle(_ access: SQLiteLedger.Access) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        #expect(symlink("\(folder.path)/two", "\(folder.path)/one") == 0)
        #expect(symlink("\(folder.path)/one", "\(folder.path)/two") == 0)
        let ledger = SQLiteLedger(file: "\(folder.path)/one", access: access)
        let error = await #expect(throws: LedgerError.self) { _ = try await ledger.open() }
        #expect(error?.message.contains("Too many levels of symbolic links") ?? false, "\(error?.message ?? "")")
        #expect(folder.names == ["one", "two"])
        await ledger.close()
    }

    @Test("a chain of symbolic links as long as the system follows is followed on the ledger's thread")
    func longRow() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        for number in 0..<39 { symlink("\(folder.path)/l\(number + 1)", "\(folder.path)/l\(number)") }
        let ledger = SQLiteLedger(file: "\(folder.path)/l39")
        _ = try await ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
        await ledger.close()
        let linked = SQLiteLedger(file: "\(folder.path)/l0", access: .existing)
        #expect(try await linked.entries().count == 1)
        await linked.close()
    }

    @Test("an empty file is an error for a reader, and used by a writer", arguments: 0..<2)
    func halfMade(_ kind: Int) async throws {
        try await TestLedger.with { test in
            // No content at all, or only a header.
            test.folder.overwrite([], "beacons.sqlite")
            if kind == 1 { try test.raw().run("PRAGMA journal_mode = WAL; VACUUM") }
            let reader = test.another(.existing)
            let error = await #expect(throws: LedgerError.self) { _ = try await reader.entries() }
            #expect(error?.message.contains("its creation never finished") ?? false, "\(error?.message ?? "")")
            await reader.close()
            #expect(try await test.ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0)).issues.isEmpty)
        }
    }
}
