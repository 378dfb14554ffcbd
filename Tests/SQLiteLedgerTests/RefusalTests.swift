import AdCore
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Files that can't be had")
struct RefusalTests {
    /// Tries an operation that must fail, and says why it did.
    private func refusal(_ ledger: SQLiteLedger) async throws -> String {
        let error = await #expect(throws: LedgerError.self) {
            _ = try await ledger.record([Bench.beacon("a")], at: Bench.at(0))
        }
        return try #require(error).message
    }

    @Test("a folder that can't be made is named with what to do, and tried again later")
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
        #expect(try await ledger.record([Bench.beacon("a")], at: Bench.at(0)).new.count == 1)
        await ledger.close()
    }

    @Test("an empty name leads nowhere, and not to the root of the disk")
    func empty() async throws {
        for ledger in [SQLiteLedger(folder: ""), SQLiteLedger(file: "")] {
            #expect(try await self.refusal(ledger).contains("has an empty name"))
            await ledger.close()
        }
    }

    @Test("a folder that another process keeps locked is told so, and tried again later")
    func locked() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let descriptor = open(folder.path, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let ledger = SQLiteLedger(folder: folder.path, limits: .init(patience: .milliseconds(20)))
        #expect(try await self.refusal(ledger).contains("is being opened or replaced by another process"))
        #expect(folder.names.isEmpty)
        close(descriptor)
        #expect(try await ledger.record([Bench.beacon("a")], at: Bench.at(0)).new.count == 1)
        await ledger.close()
    }

    @Test("a path that is a folder is no file")
    func isFolder() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ledger = SQLiteLedger(file: folder.path)
        #expect(try await self.refusal(ledger).contains(folder.path))
        await ledger.close()
    }

    #if os(Linux)
        // Whoever is root may write anywhere but in a file system that knows no files of ours.
        @Test("a place where nothing can be made is told so")
        func nowhere() async throws {
            let ledger = SQLiteLedger(folder: "/proc/yabbi")
            #expect(try await self.refusal(ledger).contains("/proc/yabbi/beacons.sqlite can't be made"))
            await ledger.close()
        }
    #endif

    @Test("a folder that may only be read is told so", .enabled(if: geteuid() != 0, "root may write everywhere"))
    func readOnly() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        chmod(folder.path, 0o500)
        let ledger = SQLiteLedger(folder: folder.path)
        let message = try await self.refusal(ledger)
        #expect(message.contains("let this user write to the folder"))
        chmod(folder.path, 0o700)
        #expect(try await ledger.record([Bench.beacon("a")], at: Bench.at(0)).new.count == 1)
        await ledger.close()
    }

    @Test("each failure of SQLite's has its sentence, with the file and what to do")
    func sentences() {
        let words = [
            (SQLiteCode.busy, "another process"), (SQLiteCode.full, "disk is full"),
            (SQLiteCode.readOnly, "read-only"), (SQLiteCode.cantOpen, "can't be opened"),
            (SQLiteCode.inputOutput, "look after the disk"), (SQLiteCode.corrupt, "damaged"),
            (SQLiteCode.noMemory, "memory"), (SQLiteCode.tooBig, "large"), (SQLiteCode.misuse, "fault of the ledger"),
        ]
        for (code, part) in words {
            let message = Fault.sqlite(code: code, system: 5, message: "words").ledgerError(for: "/some/file").message
            #expect(message.contains("/some/file"))
            #expect(message.contains(part), "\(message)")
            #expect(message.contains(";"))
        }
        let full = Fault.sqlite(code: SQLiteCode.inputOutput, system: ENOSPC, message: "x").ledgerError(for: "/f")
            .message
        #expect(full.contains("disk is full"))
    }
}

/// SQLite's codes, as its documentation numbers them.
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
