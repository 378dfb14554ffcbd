import AdCore
import LedgerSupport
import LibC
import PostgresSupport
import TestSupport
import Testing

@testable import PostgresClient
@testable import PostgresLedger

@Suite("Connections to other computers", .disabled(if: isServerMissing, missingServer))
struct TLSTests {
    @Test(
        "a URL without sslmode verifies the server, unless it is on this computer",
        arguments: [
            ("postgres://db.example/billing", "verify-full"), ("postgres://10.0.0.7/billing", "verify-full"),
            ("postgres://localhost,db.example/billing", "verify-full"),
            ("postgres:///billing?host=/run/postgresql", nil),
            ("postgres://localhost/billing", nil), ("postgres://127.0.0.1/billing", nil), ("postgres:///billing", nil),
            ("postgres://db.example/billing?sslmode=require", "require"), ("service=billing", nil),
        ] as [(String, String?)]
    )
    func mode(_ url: String, _ expected: String?) throws {
        let parameters = try PostgresAddress(url).parameters(connectTimeout: 5)
        #expect(parameters.filter { $0.name == "sslmode" }.map(\.value) == (expected.map { [$0] } ?? []))
        let hasRoots = parameters.contains { $0.name == "sslrootcert" }
        #expect(!hasRoots || expected == "verify-full")
    }

    @Test("a server whose certificate is not trusted, or is another one's, gets no beacon")
    func certificates() async throws {
        let server = try #require(PostgresServer())
        defer { server.remove() }
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        for (name, subject) in [("server", "db.example"), ("other", "other.example")] {
            let command = """
                openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=\(subject) \
                -addext subjectAltName=DNS:\(subject) -keyout \(folder.path)/\(name).key -out \(folder.path)/\(name).crt \
                >/dev/null 2>&1
                """
            try #require(system(command) == 0, "openssl can't make a certificate")
        }
        try server.useTLS(certificate: folder.bytes("server.crt"), key: folder.bytes("server.key"))
        let database = try server.newDatabase()
        func ledger(_ host: String, _ more: String) throws -> PostgresLedger {
            try PostgresLedger(
                "host=\(host) hostaddr=127.0.0.1 port=\(server.port) user=owner dbname=\(database) \(more)",
                folder: nil,
                access: .createAndMigrate
            )
        }
        func message(_ host: String, _ more: String) async throws -> String {
            let ledger = try ledger(host, more)
            let error = await #expect(throws: LedgerError.self) {
                _ = try await ledger.record([ServerTest.beacon("a")], at: ServerTest.now)
            }
            await ledger.close()
            return error?.message ?? ""
        }
        let trusted = "sslmode=verify-full sslrootcert=\(folder.path)/server.crt"
        let good = try ledger("db.example", trusted)
        #expect(try await good.open().isEmpty)
        #expect(try await good.record([ServerTest.beacon("b")], at: ServerTest.now).new.count == 1)
        await good.close()
        let stranger = "sslmode=verify-full sslrootcert=\(folder.path)/other.crt"
        #expect(try await message("db.example", stranger).contains("certificate verify failed"))
        #expect(try await message("other.example", trusted).contains("does not match host name"))
        let rows = try server.connection(database).run(PostgresStatement(once: "SELECT count(*) FROM yabbi.beacon"))
        #expect(rows.first?.int(0) == 1)
    }

    @Test("a password comes from the password file, and is in no message")
    func password() async throws {
        let server = try #require(PostgresServer())
        defer { server.remove() }
        let database = try server.newDatabase()
        try server.connection(database).runScript("CREATE ROLE ads LOGIN SUPERUSER PASSWORD 'secret-word'")
        try server.requirePasswords()
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let url = "postgres://ads@127.0.0.1:\(server.port)/\(database)"
        func open(_ url: String) async throws -> String? {
            let ledger = try PostgresLedger(url, folder: nil, access: .createAndMigrate)
            do {
                _ = try await ledger.open()
                await ledger.close()
                return nil
            } catch {
                await ledger.close()
                return error.description
            }
        }
        let missing = try #require(try await open(url))
        #expect(missing.contains("refuses the user") && missing.contains("PGPASSFILE"), "\(missing)")
        let wrong = try #require(try await open(url + "?password=wrong-word"))
        #expect(!wrong.contains("wrong-word"))
        let file = try #require(folder.write("*:*:*:ads:secret-word\n", "pass"))
        chmod(file, 0o600)
        #expect(try await open(url + "?passfile=\(file)") == nil)
    }
}
