import AdCore
import TestSupport
import Testing

@testable import SQLiteLedger

/// A ledger in a temporary folder, with helpers for tests.
struct TestLedger {
    let folder: TemporaryFolder
    let ledger: SQLiteLedger

    static let start = WallTime(milliseconds: 1_700_000_000_000)

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

    static func at(_ seconds: Int64) -> WallTime { self.start + .seconds(seconds) }

    /// A beacon for a host.
    static func beacon(
        _ name: String,
        to host: String = "t.example",
        headers: AdHTTPHeaders = [:],
        secrets: [SecretHeader] = [],
        body: [UInt8]? = nil,
        isBilling: Bool = false
    ) -> Beacon {
        guard let url = TrackingURL("https://\(host)/\(name)") else { preconditionFailure("No address: \(host)") }
        let call = BeaconCall(.get, url, headers: headers, secrets: secrets, body: body, isBilling: isBilling)
        return Beacon(BeaconKey(ad: AdID("ad"), event: "view", providerKey: name), call, of: "test")
    }

    /// A beacon for an address, valid or not.
    static func beacon(_ name: String, address: BeaconAddress) -> Beacon {
        Beacon(
            BeaconKey(ad: AdID("ad"), event: "view", providerKey: name),
            BeaconCall(.get, address, isBilling: true),
            of: "test"
        )
    }

    static func beacons(_ names: [String], to host: String = "t.example", isBilling: Bool = false) -> [Beacon] {
        names.map { self.beacon($0, to: host, isBilling: isBilling) }
    }
}

extension BeaconClaim {
    /// The keys of the claimed beacons.
    var keys: [String] { self.beacons.map(\.beacon.key.text) }
}

extension SQLiteLedger {
    /// The states by key.
    func states() async throws -> [String: LedgerEntry.State] {
        Dictionary(uniqueKeysWithValues: try await self.entries().map { ($0.beacon.key.text, $0.state) })
    }
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
