import AdCore
import CSQLite

/// The layout of the file, and the migration of older files.
enum Schema {
    /// The application ID in the file's header: the letters `yabb`.
    static let application: Int64 = 0x7961_6262

    /// The migration steps from an empty file to the current layout: a file of version n has the first n.
    ///
    /// A released step never changes; a new layout is a new step.
    static let steps: [String] = [tables, indexAndTally, countedViews]

    /// Step 1: the beacons, and the queue of each origin.
    ///
    /// - `queue` has a row for each origin with pending or claimed beacons. `due` is when its next pending beacon is
    ///   due, NULL if none waits. `turn` is its place in the round-robin order of due origins, NULL if it isn't due.
    /// - `beacon.moment` is when it is due (pending), when its lease ends (in flight), or when it was settled. `queue`
    ///   is 0 after it was settled. The body is the last column, so that SQLite reads the others without its overflow
    ///   pages.
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

    /// Step 2: the index for leases and pruning, and the counters that outlive the rows.
    ///
    /// Waiting beacons are not in this index: recording one would write an additional page.
    private static let indexAndTally = """
        CREATE INDEX beacon_order ON beacon (state, billing, moment) WHERE state > 0;
        CREATE TABLE tally (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// Step 3: the views that frequency caps count, each ad once.
    ///
    /// `moment` is the time of the view.
    private static let countedViews = """
        CREATE TABLE counted_view (
            id INTEGER PRIMARY KEY, ad TEXT NOT NULL UNIQUE, moment INTEGER NOT NULL, session TEXT NOT NULL,
            placement TEXT, campaign TEXT, advertiser TEXT
        ) STRICT;
        CREATE INDEX counted_view_moment ON counted_view (moment);
        """

    /// The kind of a file.
    enum Finding: Equatable { case empty, ledger(version: Int), newer(version: Int), foreign }

    /// Determines the kind of a file without changing it.
    static func inspect(_ connection: Connection) throws(StoreError) -> Finding {
        // One transaction, for a consistent view of a file that another process is creating.
        try connection.run("BEGIN")
        defer { try? connection.run("ROLLBACK") }
        return try self.finding(connection)
    }

    private static func finding(_ connection: Connection) throws(StoreError) -> Finding {
        let mark = try connection.number("PRAGMA application_id")
        guard mark == self.application || mark == 0 else { return .foreign }
        do throws(StoreError) {
            let version = Int(try connection.number("PRAGMA user_version"))
            if mark == self.application {
                return version > self.steps.count ? .newer(version: version) : .ledger(version: version)
            }
            let objects = try connection.number("SELECT count(*) FROM sqlite_schema")
            return objects == 0 && version == 0 ? .empty : .foreign
        } catch {
            // A damaged database without the ledger's application ID is not a ledger, and stays unchanged.
            if case .sqlite(let code, _, _) = error, code & 0xFF == SQLITE_CORRUPT, mark == 0 { return .foreign }
            throw error
        }
    }

    /// Migrates the file to the current layout.
    ///
    /// Another process that opens it at the same time waits for the lock, and then finds the steps done.
    static func migrate(_ connection: Connection, file: String, upTo last: Int = steps.count) throws(StoreError) {
        try connection.run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            switch try self.finding(connection) {
            case .foreign: throw StoreError.described(self.isForeign(file))
            case .newer(let version): throw StoreError.described(self.isNewer(file, version))
            case .empty:
                try connection.run("PRAGMA application_id = \(self.application)")
                try self.runSteps(connection, from: 0, to: last)
            case .ledger(let version): try self.runSteps(connection, from: version, to: last)
            }
            try connection.run("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            throw error
        }
    }

    private static func runSteps(_ connection: Connection, from version: Int, to last: Int) throws(StoreError) {
        guard version < last else { return }
        for step in self.steps[version..<last] { try connection.run(step) }
        try connection.run("PRAGMA user_version = \(last)")
    }

    static func isForeign(_ file: String) -> LedgerError {
        LedgerError("the file \(file) is not a beacon ledger, and was not changed; name another file")
    }

    /// The error for an empty file: the disk was full, or the process ended, when it was created.
    static func isUnfinished(_ file: String) -> LedgerError {
        LedgerError(
            """
            the ledger \(file) is empty: its creation never finished; it is used as soon as its disk has space, or \
            delete it
            """
        )
    }

    static func isNewer(_ file: String, _ version: Int) -> LedgerError {
        LedgerError(
            """
            the ledger \(file) was written by a newer version (layout \(version), known is \(self.steps.count)) and \
            was not changed; use that version, or name another file
            """
        )
    }
}
