import AdCore
import PostgresLedger
import Testing

@testable import PostgresClient

@Suite("Addresses of databases")
struct AddressTests {
    /// An address in an environment that has only these variables.
    private static func address(
        _ text: String,
        _ variables: [String: String] = [:],
        user: String = "local"
    ) throws -> PostgresAddress {
        try PostgresAddress(text, in: PostgresEnvironment(variables, user: user))
    }

    @Test(
        "the address for messages has no password",
        arguments: [
            (
                "postgres://ads:secret@db.example:5433/billing?sslpassword=secret",
                "postgres://ads@db.example:5433/billing"
            ),
            ("host=db.example user=ads password=secret dbname=billing", "postgres://ads@db.example/billing"),
            ("service=billing password=secret", "of the service billing"),
            ("postgres://db.example/billing?sslpassword=secret", "postgres://db.example/billing"),
        ]
    )
    func printable(_ text: String, _ expected: String) throws {
        let address = try Self.address(text)
        #expect(address.printable == expected)
        #expect(address.secretOption != nil)
    }

    @Test(
        "the address for messages is the one that is connected to",
        arguments: [
            ("postgres://", [:], "postgres://localhost/local"),
            ("postgres://ads@", [:], "postgres://ads@localhost/ads"),
            (
                "postgres://",
                ["PGHOST": "db.example", "PGPORT": "5433", "PGUSER": "ads", "PGDATABASE": "billing"],
                "postgres://ads@db.example:5433/billing"
            ),
            (
                "postgres://db.example/billing",
                ["PGHOSTADDR": "10.0.0.7"],
                "postgres://db.example/billing?hostaddr=10.0.0.7"
            ),
            ("postgres:///billing?hostaddr=10.0.0.7", [:], "postgres://10.0.0.7/billing"),
            ("postgres://[fd00::7]:5433/billing", [:], "postgres://[fd00::7]:5433/billing"),
            ("postgres://a.example:1,b.example:2/billing", [:], "postgres://a.example:1,b.example:2/billing"),
            ("postgres://", ["PGSERVICE": "billing"], "of the service billing"),
            (
                "postgres:///test",
                ["PGSERVICE": "billing", "PGHOST": "unused.example"],
                "postgres:///test of the service billing"
            ),
        ] as [(String, [String: String], String)]
    )
    func effective(_ text: String, _ variables: [String: String], _ expected: String) throws {
        #expect(try Self.address(text, variables).printable == expected)
    }

    @Test(
        "addresses of one database that are written in another way have the same identity",
        arguments: [
            ("postgres://ads@DB.example/billing", [:]), ("postgresql://other@db.example:5432/billing", [:]),
            ("host=db.example dbname=billing", [:]), ("postgres://billing@db.example", [:]),
            ("postgres:///billing", ["PGHOST": "db.example"]), ("postgres://db.example", ["PGDATABASE": "billing"]),
            ("postgres://db.example", ["PGUSER": "billing"]),
        ] as [(String, [String: String])]
    )
    func same(_ text: String, _ variables: [String: String]) throws {
        #expect(try Self.address(text, variables).identity == "db.example:5432/billing")
    }

    @Test("two databases never have the same identity, whatever tells them apart")
    func identity() throws {
        let address = "postgres://"
        let variables: [[String: String]] = [
            [:], ["PGDATABASE": "test"], ["PGUSER": "ads"], ["PGHOST": "db.example"], ["PGHOST": "/tmp/a"],
            ["PGHOST": "/tmp/A"], ["PGPORT": "5433"], ["PGHOSTADDR": "10.0.0.7"],
            ["PGHOST": "db.example", "PGHOSTADDR": "10.0.0.7"], ["PGHOST": "test.example", "PGHOSTADDR": "10.0.0.7"],
            ["PGSERVICE": "billing"], ["PGSERVICE": "test"], ["PGSERVICE": "billing", "PGSERVICEFILE": "/etc/test"],
            ["PGSERVICE": "billing", "PGDATABASE": "test"],
        ]
        let identities = try variables.map { try Self.address(address, $0).identity }
        #expect(Set(identities).count == variables.count, "\(identities)")
        let service = try ["postgres:///?service=billing", "postgres:///test?service=billing"].map {
            try Self.address($0).identity
        }
        #expect(service[0] != service[1] && service[0] == identities[10])
        let users = try ["local", "another"].map { try Self.address(address, user: $0).identity }
        #expect(users[0] != users[1] && users[0] == identities[0])
    }

    @Test("without another name, the database is that of the operating system's user")
    func user() throws {
        #expect(try !PostgresAddress("postgres://", in: PostgresEnvironment([:])).identity.hasSuffix("/"))
    }

    @Test(
        "a server is on this computer by its IP address, and not because its name begins like one",
        arguments: [
            ("postgres://127.db.example/billing", [:], "verify-full"),
            ("postgres://127.0.0.1.db.example/billing", [:], "verify-full"),
            ("postgres://127.7.7.7/billing", [:], nil), ("postgres://[::1]/billing", [:], nil),
            ("postgres://[0:0::1]/billing", [:], nil), ("postgres://[::7]/billing", [:], "verify-full"),
            ("postgres://LOCALHOST/billing", [:], nil),
            ("postgres://localhost/billing", ["PGHOSTADDR": "10.0.0.7"], "verify-full"),
            ("postgres:///billing", ["PGHOSTADDR": "10.0.0.7"], "verify-full"),
            ("postgres:///billing", ["PGHOSTADDR": "127.0.0.1"], nil),
            ("postgres://localhost/billing?hostaddr=10.0.0.7", ["PGHOSTADDR": "127.0.0.1"], "verify-full"),
            ("postgres://a.example,b.example/billing?hostaddr=127.0.0.1,", [:], "verify-full"),
            ("postgres://a.example,localhost/billing?hostaddr=127.0.0.1,", [:], nil),
            ("postgres:///billing", ["PGHOST": "db.example"], "verify-full"),
            ("postgres://db.example/billing", ["PGSSLMODE": "require"], nil),
            ("postgres://db.example/billing", ["PGSERVICE": "billing"], nil),
        ] as [(String, [String: String], String?)]
    )
    func mode(_ text: String, _ variables: [String: String], _ expected: String?) throws {
        let parameters = try Self.address(text, variables).parameters(connectTimeout: 5)
        #expect(parameters.filter { $0.name == "sslmode" }.map(\.value) == (expected.map { [$0] } ?? []))
    }

    @Test(
        "an address that can't be read is an error without its text",
        arguments: ["postgres://[", "hst=x", "a b=secret"]
    )
    func invalid(_ text: String) {
        let error = #expect(throws: LedgerError.self) { _ = try PostgresLedger(text, folder: "/nowhere") }
        let message = error?.message ?? ""
        #expect(message.contains("write it as in postgres://user@host:5432/database") && !message.contains("secret"))
    }
}
