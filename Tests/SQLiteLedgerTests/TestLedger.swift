import AdCore
import LedgerSupport
import TestSupport
import Testing

@testable import SQLiteLedger

/// A ledger in a temporary folder, with helpers for tests.
struct TestLedger: TestBeacons {
    let folder: TemporaryFolder
    let ledger: SQLiteLedger

    init(limits: LedgerLimits = .init()) throws {
        self.folder = try #require(TemporaryFolder())
        self.ledger = SQLiteLedger(folder: self.folder.path, limits: limits)
    }

    /// Runs a test on a ledger, then closes it and removes its folder.
    static func with(
        _ limits: LedgerLimits = .init(),
        _ body: (TestLedger) async throws -> Void
    ) async throws {
        let test = try TestLedger(limits: limits)
        defer { test.folder.remove() }
        try await body(test)
        await test.ledger.close()
    }

    var file: String { "\(self.folder.path)/beacons.sqlite" }

    /// Another ledger over the same file.
    func another(
        _ access: SQLiteLedger.Access = .createAndRepair,
        limits: LedgerLimits = .init()
    ) -> SQLiteLedger {
        SQLiteLedger(file: self.file, access: access, limits: limits)
    }

    /// A plain SQLite connection to the ledger's file.
    func raw() throws -> RawDatabase { try RawDatabase(self.file) }
}

/// A plain SQLite database.
final class RawDatabase {
    private let connection: Connection

    init(_ file: String) throws { self.connection = try Connection(file, lockTimeout: .seconds(5)) }

    func run(_ sql: String) throws { try self.connection.run(sql) }
    func number(_ sql: String) throws -> Int64 { try self.connection.number(sql) }
    func text(_ sql: String) throws -> String? { try self.connection.text(sql) }

    /// SQLite's query plan for a statement.
    func plan(_ sql: String) throws -> [String] {
        let statement = try self.connection.prepared("EXPLAIN QUERY PLAN " + sql)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3) ?? "") }
        return lines
    }
}
