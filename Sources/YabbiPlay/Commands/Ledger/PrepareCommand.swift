import AdCore
import PlayConsole
import PostgresClient
import PostgresLedger

/// Creates the tables of a database that hosts share.
struct PrepareCommand: Command {
    static let name = "prepare"
    static let usage = "prepare <database>"
    static let summary = "Create the tables of a database that hosts share, and give roles their rights."
    static let discussion = [about]
    static let operand = Operand.one(.other("<database>"), called: "database")
    static let operandSummary = "The URL of the database, as in postgres://owner@host/database."
    static let options: [any OptionDeclaration] = [writers, readers, pruners]

    static let writers = role("--writer", "hosts: they record and deliver beacons")
    static let readers = role("--reader", "tools: they list and compare beacons")
    static let pruners = role("--pruner", "maintenance: it removes settled beacons")

    private static let about = """
        Run it once, and again after an upgrade, as a user who may create a schema in the database. The tables are in the
        schema yabbi; nothing else is changed. The roles must exist, and get the rights that they need and no others.

        A password comes from the file that PGPASSFILE names, from a service file (PGSERVICE) or from PGPASSWORD.
        """

    private static func role(_ name: String, _ what: String) -> Option<String> {
        Option(
            name,
            .other("<role>"),
            "A role of \(what). Repeatable.",
            isRepeatable: true
        ) { (text, name) throws(UsageError) in
            guard !text.isEmpty else { throw UsageError("the value of \(name) is empty; expected a role") }
            return text
        }
    }

    let database: String
    let writers: [String]
    let readers: [String]
    let pruners: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        guard let database = arguments.operands.first else { throw UsageError("missing argument <database>") }
        guard PostgresAddress.isURL(database) else {
            throw UsageError(
                "the argument is no URL of a database; write it as in postgres://host/database"
            )
        }
        self.database = try LedgerOptions.checked(database, "<database>")
        self.writers = try arguments.values(Self.writers)
        self.readers = try arguments.values(Self.readers)
        self.pruners = try arguments.values(Self.pruners)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        do throws(LedgerError) {
            try await PostgresLedger.prepare(
                self.database,
                writers: self.writers,
                readers: self.readers,
                pruners: self.pruners
            )
        } catch {
            throw PlayError(.usage, error.message)
        }
        console.out("the tables are there")
        for (names, what) in [
            (self.writers, "records and delivers"), (self.readers, "lists"), (self.pruners, "removes settled beacons"),
        ] {
            for name in names { console.out("\(name) \(what)") }
        }
        return .done
    }
}
