import AdCore
import CSQLite
import LibC

/// An error of SQLite or the system, before it becomes a `LedgerError`.
enum StoreError: Error {
    /// SQLite's extended result code, the system's `errno` (0 if none), and SQLite's message.
    case sqlite(code: Int32, system: Int32, message: String)
    /// The ledger's own size limit is reached.
    case sizeLimitReached(bytes: Int)
    /// The log is shorter than in its index: it was truncated from outside while in use.
    case truncatedLog
    /// The file is no longer at the path where it was opened; nothing was written.
    case moved
    /// A complete error.
    case described(LedgerError)

    /// The last error of a connection.
    init(of database: OpaquePointer?, code: Int32) {
        guard let database else {
            self = .sqlite(code: code, system: 0, message: String(cString: sqlite3_errstr(code)))
            return
        }
        // Resetting a failed statement can change the connection's code; the returned one counts.
        self = .sqlite(
            code: code,
            system: sqlite3_system_errno(database),
            message: String(cString: sqlite3_errmsg(database))
        )
    }

    /// SQLite's primary result code.
    private var primary: Int32 {
        guard case .sqlite(let code, _, _) = self else { return SQLITE_OK }
        return code & 0xFF
    }

    /// Whether the file is damaged or not a database.
    var isCorruption: Bool {
        self.primary == SQLITE_CORRUPT || self.primary == SQLITE_NOTADB || self.isTruncatedLog
    }

    /// Whether the log is shorter than in its index.
    ///
    /// SQLite pads short reads of the database file with zeros; it reports a short read only for a page in the log.
    var isTruncatedLog: Bool {
        switch self {
        case .truncatedLog: true
        case .sqlite(let code, _, _): code == StoreError.shortRead
        case .sizeLimitReached, .moved, .described: false
        }
    }

    /// `SQLITE_IOERR_SHORT_READ`, a C macro that Swift can't import.
    private static let shortRead = SQLITE_IOERR | (2 << 8)

    /// Whether the file was moved or deleted.
    var isMoved: Bool {
        guard case .moved = self else { return false }
        return true
    }

    /// Whether another connection holds the lock.
    var isBusy: Bool { self.primary == SQLITE_BUSY || self.primary == SQLITE_LOCKED }

    /// Whether the file could not grow.
    var isFull: Bool { self.primary == SQLITE_FULL }

    /// Whether the disk is full, for the file itself or the files next to it.
    var isDiskFull: Bool {
        if case .sqlite(_, let system, _) = self, system == ENOSPC || system == EDQUOT { return true }
        return self.isFull
    }

    /// Whether the disk failed, and the write may be on it all the same.
    var isFailingDisk: Bool { self.primary == SQLITE_IOERR || self.isTruncatedLog }

    /// Whether the connection may be broken, so the next operation must open a new one.
    var spoilsConnection: Bool {
        [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_NOMEM, SQLITE_READONLY].contains(self.primary)
    }

    /// The error as the reason why a file is opened for reading only; nil if reading would fail too.
    var asRefusal: StoreError? {
        // A truncated log is damage, not a missing permission.
        guard case .sqlite(let code, let system, let message) = self, !self.isTruncatedLog else { return nil }
        switch self.primary {
        case SQLITE_CANTOPEN: return .sqlite(code: SQLITE_READONLY, system: system, message: message)
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_IOERR, SQLITE_FULL:
            return .sqlite(code: code, system: system, message: message)
        default: return nil
        }
    }

    /// The error for a file that this user may only read.
    static let readOnly = StoreError.sqlite(
        code: SQLITE_READONLY,
        system: 0,
        message: "attempt to write a readonly database"
    )

    /// The error with the file's path and a fix.
    func ledgerError(for file: String) -> LedgerError {
        let (what, fix): (String, String)
        switch self {
        case .described(let error): return error
        case _ where self.isTruncatedLog:
            (what, fix) = (
                "is damaged: its log was truncated while it was in use",
                "move it away, or restore it and its log from a backup"
            )
        case .truncatedLog: (what, fix) = ("is damaged", "move it away")
        case .moved:
            (what, fix) = ("is deleted or replaced each time it is written", "find the program that does so")
        case .sizeLimitReached(let bytes):
            (what, fix) = (
                "has reached its limit of \(bytes) bytes, and nothing in it can be dropped",
                "raise the limit, or deliver the pending beacons"
            )
        case .sqlite(let code, let system, let message):
            let reason = system == 0 ? message : "\(message): \(StoreError.systemMessage(system))"
            switch self.primary {
            case SQLITE_BUSY, SQLITE_LOCKED:
                (what, fix) = (
                    "is locked by another process", "end that process, or wait for it"
                )
            case SQLITE_FULL:
                (what, fix) = ("can't grow, because the disk is full", "free some space on it")
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                (what, fix) = (
                    "can't be written: it or its folder is read-only for this user (\(reason))",
                    "make both writable for this user, or name a file elsewhere"
                )
            case SQLITE_CANTOPEN:
                (what, fix) = (
                    "can't be opened (\(reason))", "name a file in a folder that this user may write to"
                )
            case SQLITE_IOERR where system == ENOSPC || system == EDQUOT:
                (what, fix) = ("can't grow, because the disk is full", "free some space on it")
            case SQLITE_IOERR:
                (what, fix) = (
                    "can't be read or written (\(reason), code \(code))",
                    "check the disk, or name a file elsewhere"
                )
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                (what, fix) = (
                    "is damaged or not a database (\(reason))", "move it away, or restore it from a backup"
                )
            case SQLITE_NOMEM:
                (what, fix) = ("can't be used: out of memory", "free some memory")
            case SQLITE_TOOBIG:
                (what, fix) = ("can't store a beacon of this size", "send less in its body or its headers")
            default:
                (what, fix) = (
                    "failed (\(reason), code \(code))", "report this as a bug of the ledger"
                )
            }
        }
        return LedgerError("the ledger \(file) \(what); \(fix)")
    }

    /// The system's message for an `errno`.
    static func systemMessage(_ error: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
        let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
        return String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
