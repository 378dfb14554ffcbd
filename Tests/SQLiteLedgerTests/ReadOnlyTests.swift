import AdCore
import LibC
import TestSupport
import Testing

@testable import SQLiteLedger

@Suite("Ledgers that can only be read")
struct ReadOnlyTests {
    /// Opens a ledger of two beacons as a user with read permission only.
    private func read(file: mode_t, folder: mode_t, _ body: (Bench, SQLiteLedger) async throws -> Void) async throws {
        let bench = try Bench()
        _ = try await bench.ledger.record(Bench.beacons(["a", "b"]), at: Bench.at(0))
        await bench.ledger.close()
        unlink(bench.file + "-lock")
        chmod(bench.file, file)
        chmod(bench.folder.path, folder)
        // Root can write everywhere; on Linux seteuid changes the user of all threads.
        let isRoot = geteuid() == 0
        if isRoot { _ = seteuid(65_534) }
        defer {
            if isRoot { _ = seteuid(0) }
            chmod(bench.folder.path, 0o700)
            bench.folder.remove()
        }
        let ledger = bench.another(.existing)
        try await body(bench, ledger)
        await ledger.close()
    }

    @Test("a read-only ledger is listed, reported as such, and unchanged", arguments: [0o555, 0o777] as [mode_t])
    func listed(_ folder: mode_t) async throws {
        try await self.read(file: 0o444, folder: folder) { bench, ledger in
            let issues = try await ledger.open()
            #expect(issues.isEmpty)
            #expect(try await ledger.entries().map(\.beacon.key.text) == ["a", "b"])
            #expect(try await ledger.summary().waiting == 2)
            let error = await #expect(throws: LedgerError.self) {
                _ = try await ledger.claim(ClaimRequest(limit: 1, at: Bench.at(1)))
            }
            #expect(error?.message.contains("is read-only for this user") ?? false)
            #expect(try await ledger.entries().count == 2)
            await #expect(throws: LedgerError.self) { _ = try await ledger.forget([.dead]) }
            #expect(!bench.folder.names.contains("beacons.sqlite-lock"))
        }
    }
}
