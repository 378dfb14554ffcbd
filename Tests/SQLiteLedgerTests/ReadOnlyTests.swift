import AdCore
import LedgerSupport
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Ledgers that can only be read")
struct ReadOnlyTests {
    /// Opens a ledger of two beacons as a user with read permission only.
    private func read(file: mode_t, folder: mode_t, _ body: (TestLedger, SQLiteLedger) async throws -> Void)
        async throws
    {
        let test = try TestLedger()
        _ = try await test.ledger.record(TestLedger.beacons(["a", "b"]), at: TestLedger.at(0))
        await test.ledger.close()
        unlink(test.file + "-lock")
        chmod(test.file, file)
        chmod(test.folder.path, folder)
        // Root can write everywhere; on Linux seteuid changes the user of all threads.
        let isRoot = geteuid() == 0
        if isRoot { _ = seteuid(65_534) }
        defer {
            if isRoot { _ = seteuid(0) }
            chmod(test.folder.path, 0o700)
            test.folder.remove()
        }
        let ledger = test.another(.existing)
        try await body(test, ledger)
        await ledger.close()
    }

    @Test("a read-only ledger is listed, reported as such, and unchanged", arguments: [0o555, 0o777] as [mode_t])
    func listed(_ folder: mode_t) async throws {
        try await self.read(file: 0o444, folder: folder) { test, ledger in
            let issues = try await ledger.open()
            #expect(issues.isEmpty)
            #expect(try await ledger.entries().map(\.beacon.key.text) == ["a", "b"])
            #expect(try await ledger.summary().pending == 2)
            let error = await #expect(throws: LedgerError.self) {
                _ = try await ledger.claim(ClaimRequest(limit: 1, at: TestLedger.at(1)))
            }
            #expect(error?.message.contains("is read-only for this user") ?? false)
            #expect(try await ledger.entries().count == 2)
            await #expect(throws: LedgerError.self) { _ = try await ledger.deleteSettled([.dead]) }
            #expect(!test.folder.names.contains("beacons.sqlite-lock"))
        }
    }
}
