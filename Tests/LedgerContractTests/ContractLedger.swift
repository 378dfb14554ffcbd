import AdCore
import LedgerSupport
import PostgresLedger
import PostgresSupport
import SQLiteLedger
import TestSupport
import Testing

/// The ledgers that keep the contract.
enum LedgerKind: String, CaseIterable, CustomTestStringConvertible {
    case sqlite, postgres

    /// Those that can be tested on this computer.
    static let available = PostgresServer.missing == nil ? allCases : [.sqlite]

    var testDescription: String { self.rawValue }
}

/// A ledger in a temporary folder or in a database of its own, whose time is the caller's.
struct ContractLedger: TestBeacons {
    let ledger: any StoredLedger
    private let folder: TemporaryFolder
    /// The URL of the database; nil for a file.
    private let url: String?

    private init(_ kind: LedgerKind) throws {
        self.folder = try #require(TemporaryFolder())
        switch kind {
        case .sqlite: self.url = nil
        case .postgres:
            let server = try #require(PostgresServer.shared)
            self.url = server.url(try server.newDatabase())
        }
        self.ledger = try Self.ledger(self.folder, self.url)
    }

    /// Runs a test on a ledger, then closes it.
    static func with(_ kind: LedgerKind, _ body: (ContractLedger) async throws -> Void) async throws {
        let test = try ContractLedger(kind)
        defer { test.folder.remove() }
        try await body(test)
        await test.ledger.close()
    }

    /// Another ledger over the same beacons.
    func another() throws -> any StoredLedger { try Self.ledger(self.folder, self.url) }

    private static func ledger(_ folder: TemporaryFolder, _ url: String?) throws -> any StoredLedger {
        guard let url else { return SQLiteLedger(folder: folder.path) }
        return try PostgresLedger(url, folder: nil, access: .createAndMigrate, time: .caller)
    }
}
