import AdCore
import PlayConsole
import PlayQueue
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
    static let options: [any OptionDeclaration] = [queue, writers, submitters, workers, readers, pruners]

    static let queue = Flag("--scan-queue", "Create the tables of a queue of scans, in place of those of a ledger.")
    static let writers = role("--writer", "hosts: they record and deliver beacons")
    static let submitters = role("--submitter", "those that submit creatives to a queue and read verdicts")
    static let workers = role("--worker", "computers that scan what a queue has")
    static let readers = role("--reader", "tools: they list what is there")
    static let pruners = role("--pruner", "maintenance: it removes settled beacons")

    private static let about = """
        Run it once, and again after an upgrade, as a user who may create a schema in the database. The tables of a ledger are
        in the schema yabbi, those of a queue (scan --queue) in the schema yabbi_scan; nothing else is changed. The roles must
        exist, and get the rights that they need and no others.

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

    private enum Tables: Sendable {
        case ledger(writers: [String], pruners: [String])
        case queue(submitters: [String], workers: [String])
    }

    private let database: String
    private let tables: Tables
    private let readers: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        guard let database = arguments.operands.first else { throw UsageError("missing argument <database>") }
        guard PostgresAddress.isURL(database) else {
            throw UsageError(
                "the argument is no URL of a database; write it as in postgres://host/database"
            )
        }
        self.database = try LedgerOptions.checked(database, "<database>")
        self.readers = try arguments.values(Self.readers)
        if arguments.has(Self.queue) {
            try arguments.refuse([Self.writers, Self.pruners], "is for a ledger; remove it, or --scan-queue")
            self.tables = .queue(
                submitters: try arguments.values(Self.submitters),
                workers: try arguments.values(Self.workers)
            )
        } else {
            try arguments.refuse([Self.submitters, Self.workers], "is for a queue; add --scan-queue")
            self.tables = .ledger(
                writers: try arguments.values(Self.writers),
                pruners: try arguments.values(Self.pruners)
            )
        }
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let roles: [(names: [String], what: String)]
        switch self.tables {
        case .ledger(let writers, let pruners):
            roles = [
                (writers, "records and delivers"), (self.readers, "lists"), (pruners, "removes settled beacons"),
            ]
            do throws(LedgerError) {
                try await PostgresLedger.prepare(
                    self.database,
                    writers: writers,
                    readers: self.readers,
                    pruners: pruners
                )
            } catch {
                throw PlayError(.usage, error.message)
            }
        case .queue(let submitters, let workers):
            roles = [(submitters, "submits and reads"), (workers, "scans"), (self.readers, "reads")]
            try await self.prepareQueue(submitters, workers, console)
        }
        console.out("the tables are there")
        for (names, what) in roles { for name in names { console.out("\(name) \(what)") } }
        return .done
    }

    private func prepareQueue(
        _ submitters: [String],
        _ workers: [String],
        _ console: any Console
    ) async throws(PlayError) {
        let address: PostgresAddress
        do throws(PostgresError) {
            address = try PostgresAddress(self.database)
        } catch {
            throw PlayError(.usage, "the argument \(error.explanation())")
        }
        try await QueueOptions.withQueue(address, createsTables: true, console) { queue throws(PlayError) in
            try await QueueOptions.call { () throws(QueueError) in
                try await queue.prepare(submitters: submitters, workers: workers, readers: self.readers)
            }
        }
    }
}
