import AdCore
import CSQLite

/// An open SQLite database, used by one thread.
final class Connection {
    private let raw: OpaquePointer

    /// The purpose of a connection; an immutable file is read without its log and without watching for writers.
    enum Use { case writing, reading, readingImmutable }

    /// Opens an existing file.
    init(_ file: String, for use: Use = .writing, lockTimeout: Duration) throws(StoreError) {
        guard LedgerLibrary.isNewEnough else {
            let version = LedgerLibrary.version
            throw .described(
                LedgerError(
                    "the ledger \(file) needs SQLite 3.37 or newer, and this is \(version); install a newer one"
                )
            )
        }
        var raw: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        flags |= use == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        if use == .readingImmutable { flags |= SQLITE_OPEN_URI }
        let name = use == .readingImmutable ? Connection.immutable(file) : file
        let code = sqlite3_open_v2(name, &raw, flags, nil)
        guard code == SQLITE_OK, let raw else {
            let error = StoreError(of: raw, code: code)
            sqlite3_close_v2(raw)
            throw error
        }
        self.raw = raw
        sqlite3_busy_timeout(raw, Int32(clamping: max(0, lockTimeout.wholeMilliseconds)))
    }

    deinit { sqlite3_close_v2(self.raw) }

    private static func immutable(_ file: String) -> String {
        var path = ""
        for character in file.unicodeScalars {
            switch character {
            case "%": path += "%25"
            case "?": path += "%3f"
            case "#": path += "%23"
            default: path.unicodeScalars.append(character)
            }
        }
        // Two leading slashes would start an authority (RFC 3986 §3.2).
        while path.hasPrefix("//") { path.removeFirst() }
        return "file:\(path)?immutable=1"
    }

    /// Whether the file can't be written; SQLite falls back to read-only when it can't open it for writing.
    var isReadOnly: Bool { sqlite3_db_readonly(self.raw, "main") == 1 }

    /// Keeps the file and its log unchanged when the connection closes.
    func keepLogOnClose() { yabbi_keep_log_on_close(self.raw) }

    /// Runs statements that return no rows.
    func run(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(self.raw, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw StoreError(of: self.raw, code: code) }
    }

    /// The integer that a statement returns; 0 if it returns none.
    func number(_ sql: String) throws(StoreError) -> Int64 { try self.prepared(sql).number() ?? 0 }

    /// The text that a statement returns.
    func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try self.prepared(sql)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.text(0)
    }

    /// The messages of SQLite's integrity check, at most `limit`.
    func integrityErrors(atMost limit: Int = 5) throws(StoreError) -> [String] {
        let statement = try self.prepared("PRAGMA quick_check(\(limit))")
        defer { statement.reset() }
        var errors: [String] = []
        while try statement.step() {
            if let text = statement.text(0), text != "ok" { errors.append(text) }
        }
        return errors
    }

    /// Prepares a statement; it must be released before the connection.
    func prepared(_ sql: String) throws(StoreError) -> Statement { try Statement(sql, on: self.raw) }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(self.raw)) }

    /// The row ID of the last insert.
    var lastRow: Int64 { sqlite3_last_insert_rowid(self.raw) }

    /// A number that changes when any connection changes the file, as far as this connection has read.
    var dataVersion: UInt32? {
        var version: UInt32 = 0
        return sqlite3_file_control(self.raw, "main", SQLITE_FCNTL_DATA_VERSION, &version) == SQLITE_OK ? version : nil
    }

    /// Whether the file is no longer at the path where it was opened.
    var isMoved: Bool {
        var isMoved: Int32 = 0
        return sqlite3_file_control(self.raw, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
    }

    /// Whether the log is shorter than in its index; only for a file that is prepared for writing.
    var isLogTruncated: Bool { yabbi_is_log_cut(self.raw) != 0 }

    /// Checkpoints the log into the file and truncates it; false if other connections read or write meanwhile.
    func truncateLog() throws(StoreError) -> Bool { try self.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(self.raw) == 0 }

    /// Sets the modes that make commits survive a crash and a power loss.
    ///
    /// Writes nothing to the file, except that its journal becomes a write-ahead log.
    func prepareForWriting() throws(StoreError) {
        let mode = try self.text("PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw .sqlite(code: SQLITE_CANTOPEN, system: 0, message: "a write-ahead log can't be created next to it")
        }
        // On Apple platforms plain fsync doesn't flush the drive's cache; elsewhere the last two pragmas do nothing.
        try self.run("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;")
        try self.run("PRAGMA wal_autocheckpoint = \(Connection.logPages); PRAGMA journal_size_limit = 1048576;")
    }

    /// The pages after which the log is checkpointed, about a megabyte: with SQLite's default of 1,000 a ledger of 30
    /// KB takes four megabytes, which a small disk may not have.
    private static let logPages = 256

    /// Disables schema functions and memory mapping, which a hostile file could use against the process.
    func disableUntrustedFeatures() throws(StoreError) {
        try self.run("PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0;")
    }
}
