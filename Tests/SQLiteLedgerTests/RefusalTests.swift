import AdCore
import LedgerSupport
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Files that can't be opened")
struct RefusalTests {
    /// The error message of an operation that must fail.
    private func refusal(_ ledger: SQLiteLedger) async throws -> String {
        let error = await #expect(throws: LedgerError.self) {
            _ = try await ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0))
        }
        return try #require(error).message
    }

    @Test("a folder that can't be created is an error with a fix, and a later try succeeds")
    func underFile() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        folder.overwrite([1], "plain")
        let ledger = SQLiteLedger(folder: "\(folder.path)/plain/deeper")
        let message = try await self.refusal(ledger)
        #expect(message.contains("\(folder.path)/plain/deeper/beacons.sqlite"))
        #expect(message.contains("name a file in a folder"))
        #expect(folder.names == ["plain"])
        unlink("\(folder.path)/plain")
        #expect(try await ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0)).new.count == 1)
        await ledger.close()
    }

    @Test("an empty name is refused, and not read as the root folder")
    func empty() async throws {
        for ledger in [SQLiteLedger(folder: ""), SQLiteLedger(file: "")] {
            #expect(try await self.refusal(ledger).contains("has an empty name"))
            await ledger.close()
        }
    }

    @Test("a folder locked by another process is an error, and a later try succeeds")
    func locked() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let descriptor = open(folder.path, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let ledger = SQLiteLedger(folder: folder.path, limits: .init(lockTimeout: .milliseconds(20)))
        #expect(try await self.refusal(ledger).contains("is being opened or replaced by another process"))
        #expect(folder.names.isEmpty)
        close(descriptor)
        #expect(try await ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0)).new.count == 1)
        await ledger.close()
    }

    @Test("a path of a folder is refused")
    func isFolder() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ledger = SQLiteLedger(file: folder.path)
        #expect(try await self.refusal(ledger).contains(folder.path))
        await ledger.close()
    }

    #if os(Linux)
        // Even root can't create files in procfs.
        @Test("a file system that refuses new folders is an error")
        func nowhere() async throws {
            let ledger = SQLiteLedger(folder: "/proc/yabbi")
            #expect(try await self.refusal(ledger).contains("/proc/yabbi/beacons.sqlite can't be created"))
            await ledger.close()
        }
    #endif

    @Test("a read-only folder is an error", .enabled(if: geteuid() != 0, "root can write everywhere"))
    func readOnly() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        chmod(folder.path, 0o500)
        let ledger = SQLiteLedger(folder: folder.path)
        let message = try await self.refusal(ledger)
        #expect(message.contains("let this user write to the folder"))
        chmod(folder.path, 0o700)
        #expect(try await ledger.record([TestLedger.beacon("a")], at: TestLedger.at(0)).new.count == 1)
        await ledger.close()
    }

    @Test("each SQLite error has a message with the file and a fix")
    func sentences() {
        let words = [
            (SQLiteCode.busy, "another process"), (SQLiteCode.full, "disk is full"),
            (SQLiteCode.readOnly, "read-only"), (SQLiteCode.cantOpen, "can't be opened"),
            (SQLiteCode.inputOutput, "check the disk"), (SQLiteCode.corrupt, "damaged"),
            (SQLiteCode.noMemory, "memory"), (SQLiteCode.tooBig, "of this size"),
            (SQLiteCode.misuse, "bug of the ledger"),
        ]
        for (code, part) in words {
            let message = StoreError.sqlite(code: code, system: 5, message: "words").ledgerError(for: "/some/file")
                .message
            #expect(message.contains("/some/file"))
            #expect(message.contains(part), "\(message)")
            #expect(message.contains(";"))
        }
        let full = StoreError.sqlite(code: SQLiteCode.inputOutput, system: ENOSPC, message: "x").ledgerError(for: "/f")
            .message
        #expect(full.contains("disk is full"))
    }
}

/// SQLite's documented result codes.
private enum SQLiteCode {
    static let busy: Int32 = 5
    static let noMemory: Int32 = 7
    static let readOnly: Int32 = 8
    static let inputOutput: Int32 = 10 | 3 << 8
    static let corrupt: Int32 = 11
    static let full: Int32 = 13
    static let cantOpen: Int32 = 14
    static let tooBig: Int32 = 18
    static let misuse: Int32 = 21
}
