import AdCore
import CSQLite

/// An open database, used by one thread.
final class Connection {
    private let raw: OpaquePointer

    /// What a file is opened for; an immutable one is read without its log, and without looking out for writers.
    enum Use { case writing, reading, readingImmutable }

    /// Opens a file that is there already.
    init(_ file: String, for use: Use = .writing, patience: Duration) throws(Fault) {
        guard LedgerLibrary.isNewEnough else {
            let version = LedgerLibrary.version
            throw .told(
                LedgerError("the ledger \(file) needs SQLite 3.37, and this is \(version); install a newer one")
            )
        }
        var raw: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        flags |= use == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        if use == .readingImmutable { flags |= SQLITE_OPEN_URI }
        let name = use == .readingImmutable ? Connection.immutable(file) : file
        let code = sqlite3_open_v2(name, &raw, flags, nil)
        guard code == SQLITE_OK, let raw else {
            let fault = Fault(of: raw, code: code)
            sqlite3_close_v2(raw)
            throw fault
        }
        self.raw = raw
        sqlite3_busy_timeout(raw, Int32(clamping: max(0, patience.wholeMilliseconds)))
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
        // Two slashes at the beginning would name a host.
        while path.hasPrefix("//") { path.removeFirst() }
        return "file:\(path)?immutable=1"
    }

    /// Whether nothing can be written; SQLite opens a file that may only be read as if that had been asked for.
    var isReadOnly: Bool { sqlite3_db_readonly(self.raw, "main") == 1 }

    /// Leaves the log of the last changes beside the file when it is closed, and touches neither.
    func keepLogOnClose() { yabbi_keep_log_on_close(self.raw) }

    /// Runs statements without values.
    func run(_ sql: String) throws(Fault) {
        let code = sqlite3_exec(self.raw, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Fault(of: self.raw, code: code) }
    }

    /// The whole number that a statement gives; 0 where it gives none.
    func number(_ sql: String) throws(Fault) -> Int64 { try self.prepared(sql).number() ?? 0 }

    /// The text that a statement gives.
    func text(_ sql: String) throws(Fault) -> String? {
        let statement = try self.prepared(sql)
        guard try statement.step() else { return nil }
        defer { statement.reset() }
        return statement.text(0)
    }

    /// What is wrong with the file, at most so much of it.
    func faults(atMost most: Int = 5) throws(Fault) -> [String] {
        let statement = try self.prepared("PRAGMA quick_check(\(most))")
        defer { statement.reset() }
        var faults: [String] = []
        while try statement.step() {
            if let text = statement.text(0), text != "ok" { faults.append(text) }
        }
        return faults
    }

    /// Prepares a statement; it must be gone before the connection is.
    func prepared(_ sql: String) throws(Fault) -> Statement { try Statement(sql, on: self.raw) }

    /// How many rows the last statement has changed.
    var changes: Int { Int(sqlite3_changes(self.raw)) }

    /// The number of the row that was last added.
    var lastRow: Int64 { sqlite3_last_insert_rowid(self.raw) }

    /// A number that changes whenever anybody changes the file, as far as this connection has looked.
    var dataVersion: UInt32? {
        var version: UInt32 = 0
        return sqlite3_file_control(self.raw, "main", SQLITE_FCNTL_DATA_VERSION, &version) == SQLITE_OK ? version : nil
    }

    /// Whether another file, or none, lies now where this one was opened.
    var isMoved: Bool {
        var isMoved: Int32 = 0
        return sqlite3_file_control(self.raw, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
    }

    /// Whether the log is shorter than its index says, in a file that has been prepared for writing.
    var isLogCut: Bool { yabbi_is_log_cut(self.raw) != 0 }

    /// Brings what the log holds into the file and makes the log empty; false where others read or write meanwhile.
    func emptyLog() throws(Fault) -> Bool { try self.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(self.raw) == 0 }

    /// What makes it survive the end of the process and of the power, and keeps hostile files harmless.
    ///
    /// Nothing here writes to the file, except that its journal becomes a write-ahead log.
    func prepareForWriting() throws(Fault) {
        let mode = try self.text("PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw .library(code: SQLITE_CANTOPEN, system: 0, words: "there can be no write-ahead log beside it")
        }
        // On Apple's systems a plain fsync leaves the bytes in the drive; elsewhere the second and third do nothing.
        try self.run("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;")
        try self.run("PRAGMA wal_autocheckpoint = \(Connection.logPages); PRAGMA journal_size_limit = 1048576;")
    }

    /// After how many pages the log is brought into the file, about a megabyte: SQLite's own 1,000 let a ledger of 30 KB
    /// take four megabytes, which a small disk does not have.
    private static let logPages = 256

    /// Switches off what a file could do to its reader.
    func distrust() throws(Fault) { try self.run("PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0;") }
}
