/// A schema with tables of ours in a database, and its migration from older layouts.
///
/// Its table `layout` has a row for each step that was executed; a schema of this name without it is not ours.
package struct PostgresSchema: Sendable {
    private let name: String
    /// What the tables are, with its article: `a ledger`.
    private let content: String
    private let steps: [String]
    private let lock: Int
    private let settings: String
    /// The command that creates or migrates it.
    package let fix: String

    /// The command that creates the tables of a ledger.
    package static let preparation = "yabbi-play prepare"

    /// The oldest supported version: the first in which an index keeps its size when its rows are updated again and
    /// again (deletion of versions from the bottom up).
    private static let minimumVersion = 140_000

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - name: Its name in the database.
    ///   - content: What its tables are, with the article.
    ///   - steps: The migration steps from an empty database: layout n has the first n. A released step never changes;
    ///     a new layout is a new step.
    ///   - lock: The number of the advisory lock under which it is migrated.
    ///   - settings: A statement that sets up a connection, and returns the server's encoding.
    ///   - fix: The command that creates or migrates it.
    package init(
        _ name: String,
        of content: String,
        steps: [String],
        lock: Int,
        settings: String,
        fix: String = PostgresSchema.preparation
    ) {
        self.name = name
        self.content = content
        self.steps = steps
        self.lock = lock
        self.settings = settings
        self.fix = fix
    }

    /// The statements that give a role rights on tables of this schema.
    package func grants(of rights: [String], to role: String) -> [String] {
        // Quotes in a quoted name are doubled (PostgreSQL's manual, section 4.1.1).
        let parts = role.split(separator: "\"", omittingEmptySubsequences: false)
        let name = "\"\(parts.joined(separator: "\"\""))\""
        return (["USAGE ON SCHEMA \(self.name)"] + rights).map { "GRANT \($0) TO \(name)" }
    }

    /// Sets up a new connection, and checks that the tables are there in the current layout.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - createsTables: Whether missing tables are created and older ones migrated, if the user may do so.
    /// - Throws: `PostgresError` if the database can't be used.
    package func open(_ connection: PostgresConnection, createsTables: Bool) throws(PostgresError) {
        guard connection.serverVersion >= PostgresSchema.minimumVersion else {
            let version = connection.serverVersion / 10_000
            throw .invalidAddress("has PostgreSQL \(version), and 14 or newer is needed; upgrade it")
        }
        let encoding = try connection.run(PostgresStatement(once: self.settings)).first?.text(0) ?? ""
        guard encoding == "UTF8" else {
            throw .invalidAddress("stores texts as \(encoding), and UTF8 is needed; create another database")
        }
        var finding = try self.inspect(connection)
        if createsTables, finding != .foreign, finding != .layout(self.steps.count) {
            finding = try self.migrate(connection, from: finding)
        }
        switch finding {
        case .layout(let version) where version == self.steps.count: break
        case .layout(let version) where version > self.steps.count:
            throw .invalidAddress(
                """
                was prepared by a newer version (layout \(version), known is \(self.steps.count)); use that version, or \
                another database
                """
            )
        case .layout(let version):
            throw .invalidAddress(
                """
                has the tables of an older version (layout \(version) of \(self.steps.count)); migrate them with \
                \(self.fix)
                """
            )
        case .empty:
            throw .invalidAddress("has no tables of \(self.name); create them with \(self.fix)")
        case .foreign:
            throw .invalidAddress(
                "has a schema \(self.name) that is not \(self.content), and was not changed; use another database"
            )
        }
    }

    // MARK: Layouts

    /// What is in a database.
    private enum Finding: Equatable {
        case empty
        case layout(Int)
        case foreign
    }

    private func inspect(_ connection: PostgresConnection) throws(PostgresError) -> Finding {
        // The catalog's tables, and not `to_regnamespace`, whose cache may be older than the lock of `migrate`.
        let row = try connection.run(
            PostgresStatement(
                once: """
                    SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1), EXISTS (
                        SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                        WHERE n.nspname = $1 AND c.relname = 'layout'
                    )
                    """,
                [.text(self.name)]
            )
        ).first
        guard row?.int(0) == 1 else { return .empty }
        guard row?.int(1) == 1 else { return .foreign }
        let version = try connection.run(PostgresStatement(once: "SELECT max(version) FROM \(self.name).layout")).first
        return .layout(Int(version?.int(0) ?? 0))
    }

    /// Creates or migrates the tables; a process that does so at the same time waits.
    private func migrate(_ connection: PostgresConnection, from found: Finding) throws(PostgresError) -> Finding {
        _ = try connection.run(PostgresStatement(once: "BEGIN"))
        do throws(PostgresError) {
            _ = try connection.run(PostgresStatement(once: "SELECT pg_advisory_xact_lock(\(self.lock))"))
            var finding = try self.inspect(connection)
            if finding == .empty {
                try connection.runScript(
                    """
                    CREATE SCHEMA \(self.name);
                    CREATE TABLE \(self.name).layout (
                        version integer PRIMARY KEY, since timestamptz NOT NULL DEFAULT now()
                    );
                    """
                )
                finding = .layout(0)
            }
            if case .layout(let version) = finding, version < self.steps.count {
                for number in version..<self.steps.count {
                    try connection.runScript(self.steps[number])
                    try connection.runScript("INSERT INTO \(self.name).layout (version) VALUES (\(number + 1))")
                }
                finding = .layout(self.steps.count)
            }
            _ = try connection.run(PostgresStatement(once: "COMMIT"))
            return finding
        } catch {
            _ = try connection.run(PostgresStatement(once: "ROLLBACK"))
            // A user with few rights finds the tables as they are.
            guard error.code == "42501" else { throw error }
            return found
        }
    }
}
