import PostgresClient
import PostgresSupport
import Testing

@Suite("A connection to PostgreSQL", .disabled(if: isServerMissing, missingServer))
struct ConnectionTests {
    private static func connection() throws -> PostgresConnection {
        let server = try #require(PostgresServer.shared)
        let connection = try server.connection(try server.newDatabase())
        try connection.runScript("CREATE TABLE n (n bigint PRIMARY KEY, t text, b bytea)")
        return connection
    }

    private static func insert(_ number: Int64) -> PostgresStatement {
        PostgresStatement("insert", "INSERT INTO n (n) VALUES ($1)", [.int(number)])
    }

    @Test("statements of a group are executed all or none, and stay usable after a refusal of their first use")
    func refusal() throws {
        let connection = try Self.connection()
        try connection.runScript("INSERT INTO n (n) VALUES (1)")
        let count = PostgresStatement("count", "SELECT count(*) FROM n")
        for _ in 0..<2 {
            let error = #expect(throws: PostgresError.self) {
                _ = try connection.run([Self.insert(2), Self.insert(1), count])
            }
            #expect(error?.isKnownKey ?? false)
        }
        let results = try connection.run([Self.insert(3), count])
        #expect(results[1].first?.int(0) == 2)
        #expect(try connection.run(Self.insert(4)).changes == 1)
    }

    @Test("values come back as they were, and arrays may have gaps")
    func values() throws {
        let connection = try Self.connection()
        let statement = PostgresStatement(
            once: "INSERT INTO n SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[]) RETURNING n, t, b",
            [.ints([.min, 0, .max]), .texts(["", nil, "a\0\u{1F600}"]), .blobs([nil, [], [0, 255]])]
        )
        let rows = try connection.run(statement).rows
        #expect(rows.map { $0.int(0) } == [.min, 0, .max])
        #expect(rows.map { $0.text(1) } == ["", nil, "a\u{FFFD}\u{1F600}"])
        #expect(rows.map { row in row.withBlob(2) { Array($0) } } == [nil, [], [0, 255]])
        let empty = PostgresStatement(once: "SELECT cardinality($1::bigint[]), $2::text IS NULL", [.ints([]), .null])
        let row = try connection.run(empty).first
        #expect(row?.int(0) == 0 && row?.int(1) == 1)
    }

    @Test("a group that is larger than the buffers of both ends is executed")
    func large() throws {
        let connection = try Self.connection()
        let texts = (0..<20_000).map { Optional("\($0)" + String(repeating: "x", count: 500)) }
        let statement = PostgresStatement(
            once: "INSERT INTO n (n, t) SELECT * FROM unnest($1::bigint[], $2::text[]) RETURNING t",
            [.ints((0..<20_000).map { Optional(Int64($0)) }), .texts(texts)]
        )
        let results = try connection.run([statement, PostgresStatement(once: "SELECT t FROM n")])
        #expect(results.map(\.count) == [20_000, 20_000])
    }

    @Test("a server that does not answer in time is lost, and what it was told may have happened")
    func timeout() throws {
        let server = try #require(PostgresServer.shared)
        let address = try PostgresAddress(server.url("postgres"))
        let connection = try PostgresConnection(address, timeout: .milliseconds(50))
        let error = #expect(throws: PostgresError.self) {
            _ = try connection.run(PostgresStatement(once: "SELECT pg_sleep(5)"))
        }
        #expect(error == .lost("no answer within 0.05 seconds") && error?.isUncertain == true)
    }

    @Test("a connection that does not answer a rollback is ended, so that no later statement gets its answer")
    func rollback() throws {
        let server = try #require(PostgresServer.shared)
        let name = try server.newDatabase()
        try server.connection(name).runScript("CREATE TABLE n (n bigint PRIMARY KEY)")
        // Its rollbacks have no time.
        let connection = try PostgresConnection(PostgresAddress(server.url(name)), timeout: .zero)
        let error = #expect(throws: PostgresError.self) {
            _ = try connection.run([Self.insert(1), Self.insert(1)], timeout: .seconds(30))
        }
        #expect(error?.isUncertain == true && error?.endsConnection == true, "\(error?.explanation() ?? "")")
        let later = #expect(throws: PostgresError.self) {
            _ = try connection.run([PostgresStatement(once: "SELECT 1")], timeout: .seconds(30))
        }
        let script = #expect(throws: PostgresError.self) { try connection.runScript("SELECT 1") }
        #expect(later == error && script == error)
    }
}
