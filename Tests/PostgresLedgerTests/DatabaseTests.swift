import AdCore
import LedgerSupport
import PostgresClient
import PostgresSupport
import TestSupport
import Testing

@testable import PostgresLedger

@Suite("Databases that are not as expected", .disabled(if: isServerMissing, missingServer))
struct DatabaseTests {
    /// The message of the first operation on a database that a script has prepared.
    private func message(
        after script: String = "SELECT 1",
        user: String = "owner",
        _ access: PostgresLedger.Access = .createAndMigrate
    ) async throws -> String {
        let server = try #require(PostgresServer.shared)
        let database = try server.newDatabase()
        try server.connection(database).runScript(script)
        let ledger = try PostgresLedger(server.url(database, user: user), folder: nil, access: access)
        let error = await #expect(throws: LedgerError.self) {
            _ = try await ledger.record([ServerTest.beacon("a")], at: ServerTest.now)
        }
        await ledger.close()
        return error?.message ?? ""
    }

    @Test("one without tables is refused by a tool that only inspects, and others create them")
    func empty() async throws {
        #expect(try await self.message(.existing).hasSuffix("create them with yabbi-play prepare"))
    }

    @Test("one that has another schema of the name is not changed")
    func foreign() async throws {
        let text = try await self.message(after: "CREATE SCHEMA yabbi; CREATE TABLE yabbi.other (n integer)")
        #expect(text.contains("has a schema yabbi that is not a ledger, and was not changed"))
    }

    @Test("one of a newer version is not changed")
    func newer() async throws {
        let script = """
            CREATE SCHEMA yabbi; CREATE TABLE yabbi.layout (version integer PRIMARY KEY);
            INSERT INTO yabbi.layout VALUES (99)
            """
        #expect(try await self.message(after: script).contains("was prepared by a newer version (layout 99"))
    }

    @Test("one that is read-only says so, with the fix")
    func readOnly() async throws {
        try await ServerTest.with { test in
            let ledger = try test.direct()
            _ = try await ledger.open()
            await ledger.close()
            try test.raw().runScript("ALTER DATABASE \(test.database) SET default_transaction_read_only = on")
            let reading = try test.direct()
            let error = await #expect(throws: LedgerError.self) {
                _ = try await reading.record([ServerTest.beacon("a")], at: ServerTest.now)
            }
            #expect(error?.message.hasSuffix("name the primary server") ?? false, "\(error?.message ?? "")")
            #expect(try await reading.entries().isEmpty)
            await reading.close()
        }
    }

    @Test("a database that does not exist is named")
    func missing() async throws {
        let server = try #require(PostgresServer.shared)
        let ledger = try PostgresLedger(server.url("no_such"), folder: nil, access: .existing)
        let error = await #expect(throws: LedgerError.self) { _ = try await ledger.summary() }
        #expect(error?.message.contains("has no such database") ?? false, "\(error?.message ?? "")")
        await ledger.close()
    }

    @Test("each role has the rights that it needs, and no others")
    func roles() async throws {
        try await ServerTest.with { test in
            let roles = ["writer", "reader", "pruner"].map { "\(test.database)_\($0)" }
            try test.raw().runScript(roles.map { "CREATE ROLE \($0) LOGIN;" }.joined())
            try await PostgresLedger.prepare(
                test.server.url(test.database),
                writers: [roles[0]],
                readers: [roles[1]],
                pruners: [roles[2]]
            )
            let writer = try test.direct(user: roles[0])
            let reader = try test.direct(user: roles[1], .existing)
            let pruner = try test.direct(user: roles[2], .existing)
            _ = try await writer.record(ServerTest.beacons(["a", "b"]), at: ServerTest.now)
            let claim = try await writer.claim(ClaimRequest(limit: 1, at: ServerTest.now))
            try await writer.settle(claim.beacons[0], as: .delivered, at: ServerTest.now)
            #expect(try await reader.entries().count == 2)
            func refusal(_ body: () async throws -> Void) async -> String {
                await #expect(throws: LedgerError.self) { try await body() }?.message ?? ""
            }
            let recording = await refusal { _ = try await reader.record([ServerTest.beacon("c")], at: ServerTest.now) }
            let deleting = await refusal { _ = try await writer.deleteSettled([.delivered]) }
            let claiming = await refusal { _ = try await pruner.claim(ClaimRequest(limit: 1, at: ServerTest.now)) }
            for text in [recording, deleting, claiming] {
                #expect(text.contains("does not give this user the rights"), "\(text)")
            }
            #expect(try await pruner.deleteSettled([.delivered]) == 1)
            for ledger in [writer, reader, pruner] { await ledger.close() }
        }
    }

    @Test("hosts that start together create the tables once")
    func together() async throws {
        try await ServerTest.with { test in
            let hosts = try (0..<6).map { _ in try test.direct() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, host) in hosts.enumerated() {
                    group.addTask { _ = try await host.record([ServerTest.beacon("h\(number)")], at: ServerTest.now) }
                }
                try await group.waitForAll()
            }
            #expect(try await hosts[0].summary().total == 6)
            #expect(try test.number("SELECT count(*) FROM yabbi.layout") == 1)
            for host in hosts { await host.close() }
        }
    }

    @Test("a beacon is read back as it was, and of secrets the names are stored")
    func secrets() async throws {
        try await ServerTest.with { test in
            let secret = try #require(SecretHeader("Authorization", "provider.key", prefix: "Bearer "))
            let ledger = try test.direct()
            let beacon = ServerTest.beacon("a", headers: ["Accept": "x"], secrets: [secret], body: [0, 1, 255])
            _ = try await ledger.record([beacon], at: ServerTest.now)
            #expect(try await ledger.entries().map(\.beacon) == [beacon])
            await ledger.close()
        }
    }
}
