import AdCore
import CSQLite

/// How the file is laid out, and how older files become like it.
enum Schema {
    /// Marks the file as a ledger of beacons: the letters `yabb`.
    static let application: Int64 = 0x7961_6262

    /// The steps that lead from nothing to the present layout: a file of version n has seen the first n.
    ///
    /// A step that was ever released is never changed; the next layout is one more step.
    static let steps: [String] = [tables, upkeep]

    /// Step 1: what a beacon is, and whose turn it is.
    ///
    /// - `queue` has a row for each origin that has beacons on their way. `due` is when its next waiting beacon is due,
    ///   NULL where none waits. `turn` is its place in the line of those that are due, NULL where it stands in no line.
    /// - `beacon.moment` is when it is due (waiting), when its lease is over (in flight), or when its end was known.
    ///   `queue` is 0 once its end is known. The body stands last, so that nothing behind it has to be looked for.
    private static let tables = """
        CREATE TABLE queue (
            id INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE, due INTEGER, turn INTEGER
        ) STRICT;
        CREATE INDEX queue_due ON queue (due);
        CREATE INDEX queue_line ON queue (turn, due);
        CREATE TABLE beacon (
            id INTEGER PRIMARY KEY,
            state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4),
            billing INTEGER NOT NULL CHECK (billing BETWEEN 0 AND 1),
            moment INTEGER NOT NULL, queue INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0, in_doubt INTEGER NOT NULL DEFAULT 0,
            recorded INTEGER NOT NULL, key TEXT NOT NULL UNIQUE,
            ad TEXT NOT NULL, event TEXT NOT NULL, provider TEXT NOT NULL,
            method INTEGER NOT NULL, verdict INTEGER NOT NULL, doubt INTEGER NOT NULL,
            url TEXT NOT NULL, headers BLOB, secrets BLOB, reason TEXT, body BLOB
        ) STRICT;
        CREATE INDEX beacon_waiting ON beacon (queue, moment, id, billing) WHERE state = 0;
        """

    /// Step 2: what leases and pruning look for, and what must outlive the rows.
    ///
    /// What waits is not in this index: a beacon that is recorded would have to be written to one page more.
    private static let upkeep = """
        CREATE INDEX beacon_order ON beacon (state, billing, moment) WHERE state > 0;
        CREATE TABLE tally (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// What a file turned out to be.
    enum Finding: Equatable { case empty, ledger(version: Int), newer(version: Int), foreign }

    /// Looks at a file without changing it.
    static func look(_ connection: Connection) throws(Fault) -> Finding {
        // One transaction: while two look at a new file, a third may just be making it.
        try connection.run("BEGIN")
        defer { try? connection.run("ROLLBACK") }
        return try self.finding(connection)
    }

    private static func finding(_ connection: Connection) throws(Fault) -> Finding {
        let mark = try connection.number("PRAGMA application_id")
        guard mark == self.application || mark == 0 else { return .foreign }
        do throws(Fault) {
            let version = Int(try connection.number("PRAGMA user_version"))
            if mark == self.application {
                return version > self.steps.count ? .newer(version: version) : .ledger(version: version)
            }
            let objects = try connection.number("SELECT count(*) FROM sqlite_schema")
            return objects == 0 && version == 0 ? .empty : .foreign
        } catch {
            // A damaged database that does not bear our mark was never ours, and stays where it is.
            if case .library(let code, _, _) = error, code & 0xFF == SQLITE_CORRUPT, mark == 0 { return .foreign }
            throw error
        }
    }

    /// Makes the file's layout the present one.
    ///
    /// Who else opens it at the same time waits for the lock, and then finds the steps done.
    static func migrate(_ connection: Connection, file: String, upTo last: Int = steps.count) throws(Fault) {
        try connection.run("BEGIN IMMEDIATE")
        do throws(Fault) {
            switch try self.finding(connection) {
            case .foreign: throw Fault.told(self.isForeign(file))
            case .newer(let version): throw Fault.told(self.isNewer(file, version))
            case .empty:
                try connection.run("PRAGMA application_id = \(self.application)")
                try self.walk(connection, from: 0, to: last)
            case .ledger(let version): try self.walk(connection, from: version, to: last)
            }
            try connection.run("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    private static func walk(_ connection: Connection, from version: Int, to last: Int) throws(Fault) {
        guard version < last else { return }
        for step in self.steps[version..<last] { try connection.run(step) }
        try connection.run("PRAGMA user_version = \(last)")
    }

    static func isForeign(_ file: String) -> LedgerError {
        LedgerError("the file \(file) is no ledger of beacons, and was left as it is; name another file")
    }

    /// A file that was made, and then nothing could be written into it: the disk was full, or the process ended.
    static func isUnfinished(_ file: String) -> LedgerError {
        LedgerError(
            """
            the ledger \(file) was begun and never finished, and nothing is in it; it is used as soon as there is room on \
            its disk, or remove it
            """
        )
    }

    static func isNewer(_ file: String, _ version: Int) -> LedgerError {
        LedgerError(
            """
            the ledger \(file) was written by a newer version (layout \(version), known is \(self.steps.count)) and was \
            left as it is; use that version, or name another file
            """
        )
    }
}
