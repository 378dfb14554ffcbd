import AdCore
import CSQLite
import LibC

/// What SQLite or the system refused, before it is put into a sentence.
enum Fault: Error {
    /// SQLite's extended result code, the system's error behind it (0 where there was none), and SQLite's words.
    case library(code: Int32, system: Int32, words: String)
    /// The file holds more than it may: its pages are used up.
    case outgrown(bytes: Int)
    /// The log holds less than its index says: somebody cut it off while it was in use.
    case cutLog
    /// Another file, or none, lies now where this one was opened; nothing was done.
    case left
    /// Everything is said already; the first word is not the file's name.
    case told(LedgerError)

    /// What the library says of its last failure.
    init(of database: OpaquePointer?, code: Int32) {
        guard let database else {
            self = .library(code: code, system: 0, words: String(cString: sqlite3_errstr(code)))
            return
        }
        // A failed statement may be asked again when it is reset; the code that was returned is the one that counts.
        self = .library(
            code: code,
            system: sqlite3_system_errno(database),
            words: String(cString: sqlite3_errmsg(database))
        )
    }

    /// SQLite's result code without its details.
    private var primary: Int32 {
        guard case .library(let code, _, _) = self else { return SQLITE_OK }
        return code & 0xFF
    }

    /// Whether the file's content is damaged, or is no database at all.
    var isCorruption: Bool {
        self.primary == SQLITE_CORRUPT || self.primary == SQLITE_NOTADB || self.isCutLog
    }

    /// Whether the log lacks what its index says that it holds.
    ///
    /// SQLite fills up what a database file lacks; only of a page in the log does it say that the read was too short.
    var isCutLog: Bool {
        switch self {
        case .cutLog: true
        case .library(let code, _, _): code == Fault.shortRead
        case .outgrown, .left, .told: false
        }
    }

    /// `SQLITE_IOERR_SHORT_READ`, which Swift does not see.
    private static let shortRead = SQLITE_IOERR | (2 << 8)

    /// Whether the file no longer lies where it was opened.
    var isLeft: Bool {
        guard case .left = self else { return false }
        return true
    }

    /// Whether somebody else holds the file.
    var isBusy: Bool { self.primary == SQLITE_BUSY || self.primary == SQLITE_LOCKED }

    /// Whether there was no room for what was to be written.
    var isFull: Bool { self.primary == SQLITE_FULL }

    /// Whether the disk had no room left, for the file itself or for what lies beside it.
    var isDiskFull: Bool {
        if case .library(_, let system, _) = self, system == ENOSPC || system == EDQUOT { return true }
        return self.isFull
    }

    /// Whether the disk failed, and may have kept what it was given all the same.
    var isFailingDisk: Bool { self.primary == SQLITE_IOERR || self.isCutLog }

    /// Whether the connection may be the worse for it, so that the next operation had better open a new one.
    var spoilsConnection: Bool {
        [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL, SQLITE_NOMEM, SQLITE_READONLY].contains(self.primary)
    }

    /// What keeps a file from being written that can perhaps be read; nil for all else.
    var asRefusal: Fault? {
        // What can't be read whole is damaged, and no file that may only be read.
        guard case .library(let code, let system, let words) = self, !self.isCutLog else { return nil }
        switch self.primary {
        case SQLITE_CANTOPEN: return .library(code: SQLITE_READONLY, system: system, words: words)
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_IOERR, SQLITE_FULL:
            return .library(code: code, system: system, words: words)
        default: return nil
        }
    }

    /// What is said of a file that the system lets this user read only.
    static let readOnly = Fault.library(code: SQLITE_READONLY, system: 0, words: "attempt to write a readonly database")

    /// What happened, where, and what to do.
    func error(_ file: String) -> LedgerError {
        let (what, cure): (String, String)
        switch self {
        case .told(let error): return error
        case _ where self.isCutLog:
            (what, cure) = (
                "is damaged: its log was cut off while it was in use",
                "move it away, or restore it and its log from a copy"
            )
        case .cutLog: (what, cure) = ("is damaged", "move it away")
        case .left:
            (what, cure) = ("is deleted or replaced whenever it is written to", "find out what does so")
        case .outgrown(let bytes):
            (what, cure) = (
                "holds the \(bytes) bytes that it may hold, and nothing in it can be dropped",
                "allow it more in its limits, or deliver what waits in it"
            )
        case .library(let code, let system, let words):
            let reason = system == 0 ? words : "\(words): \(Fault.words(system))"
            switch self.primary {
            case SQLITE_BUSY, SQLITE_LOCKED:
                (what, cure) = (
                    "is held by another process that does not let go of it", "end that process, or wait for it"
                )
            case SQLITE_FULL:
                (what, cure) = ("can't grow, because the disk is full", "free some space on it")
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                (what, cure) = (
                    "can't be written, because it or its folder is read-only for this user (\(reason))",
                    "make both writable for this user, or name a file elsewhere"
                )
            case SQLITE_CANTOPEN:
                (what, cure) = (
                    "can't be opened (\(reason))", "name a file in a folder that this user may write to"
                )
            case SQLITE_IOERR where system == ENOSPC || system == EDQUOT:
                (what, cure) = ("can't grow, because the disk is full", "free some space on it")
            case SQLITE_IOERR:
                (what, cure) = (
                    "can't be read or written (\(reason), code \(code))",
                    "look after the disk, or name a file elsewhere"
                )
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                (what, cure) = (
                    "is damaged, or is no database (\(reason))", "move it away, or restore it from a copy"
                )
            case SQLITE_NOMEM:
                (what, cure) = ("can't be worked with, because the memory is used up", "free some")
            case SQLITE_TOOBIG:
                (what, cure) = ("can't hold a beacon as large as this", "send less in its body or its headers")
            default:
                (what, cure) = (
                    "refused what it was asked (\(reason), code \(code))", "report this as a fault of the ledger"
                )
            }
        }
        return LedgerError("the ledger \(file) \(what); \(cure)")
    }

    /// The system's words for one of its errors.
    static func words(_ error: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
        let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
        return String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
