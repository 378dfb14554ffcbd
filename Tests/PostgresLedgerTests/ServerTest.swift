import AdCore
import LedgerSupport
import LibC
import PostgresClient
import PostgresSupport
import TestSupport
import Testing

@testable import PostgresLedger

/// A ledger in a database of its own behind a proxy, with a folder for the time without a server.
struct ServerTest: TestBeacons {
    let server: PostgresServer
    let database: String
    let proxy: CuttingProxy
    let folder: TemporaryFolder

    private init() throws {
        self.server = try #require(PostgresServer.shared)
        self.database = try self.server.newDatabase()
        self.proxy = try #require(CuttingProxy(to: self.server.port))
        self.folder = try #require(TemporaryFolder())
    }

    static func with(_ body: (ServerTest) async throws -> Void) async throws {
        let test = try ServerTest()
        defer {
            test.proxy.stop()
            test.folder.remove()
        }
        try await body(test)
    }

    /// The ledger of a host behind the proxy, by the server's clock.
    func host(_ name: String = "host", seed: UInt64? = nil) throws -> PostgresLedger {
        let url = "postgres://owner@127.0.0.1:\(self.proxy.port)/\(self.database)?connect_timeout=2"
        return try PostgresLedger(url, folder: "\(self.folder.path)/\(name)", access: .createAndMigrate)
    }

    /// A ledger without a proxy and without files.
    func direct(user: String = "owner", _ access: PostgresLedger.Access = .createAndMigrate) throws -> PostgresLedger {
        try PostgresLedger(self.server.url(self.database, user: user), folder: nil, access: access)
    }

    /// A connection to look at the tables.
    func raw() throws -> PostgresConnection { try self.server.connection(self.database) }

    /// A number that a query returns.
    func number(_ query: String) throws -> Int64 {
        try self.raw().run(PostgresStatement(once: query)).first?.int(0) ?? -1
    }

    /// Lets time pass for what is in the tables.
    func age(by duration: Duration) throws {
        let milliseconds = duration.wholeMilliseconds
        try self.raw().runScript(
            "UPDATE yabbi.beacon SET moment = moment - \(milliseconds), recorded = recorded - \(milliseconds)"
        )
    }

    /// The time of a host: it goes on, but may have begun hours from the server's.
    static var now: WallTime { self.start + (ContinuousClock.now - self.begin) }

    private static let begin = ContinuousClock.now

    /// A beacon whose key no other host can have.
    static func own(_ name: String, to host: String = "t.example") -> Beacon {
        guard let url = TrackingURL("https://\(host)/\(name)") else { preconditionFailure("No address: \(host)") }
        return Beacon(BeaconKey(ad: AdID(name), event: "view"), BeaconCall(.get, url, isBilling: true), of: "test")
    }

    /// Polls until a condition holds: what the ledger does by itself takes a moment.
    static func wait(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline, "the condition did not hold in time")
            usleep(10_000)
        }
    }
}

/// Why tests with a server are skipped.
let isServerMissing = PostgresServer.missing != nil
let missingServer: Comment = "\(PostgresServer.missing ?? "")"
