import AdCore
import LibC
import SystemSupport

/// The paths of a ledger's files.
struct LedgerPath: Sendable {
    let file: String

    /// SQLite's write-ahead log.
    var log: String { self.file + "-wal" }
    /// SQLite's shared-memory index of the log.
    var index: String { self.file + "-shm" }
    /// The file of `ProcessLock`.
    var lock: String { self.file + "-lock" }

    /// Runs a closure while no other thread or process creates, replaces or moves a ledger in this folder.
    ///
    /// Threads of this process always wait for each other: the system drops all of a process's locks on a file when the
    /// process closes any descriptor of it, so no thread may open the file before the descriptor that created it is
    /// closed. Other processes are excluded by a lock on the folder. If it isn't free in time, the method throws: two
    /// processes that replace a damaged file at once could each move the other's new file aside.
    func withFolderLock<R>(lockTimeout: Int64, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        guard let result = try self.tryWithFolderLock(lockTimeout: lockTimeout, body) else {
            let fix = "end the process that has locked its folder, or wait for it"
            throw .described(
                LedgerError("the ledger \(self.file) is being opened or replaced by another process; \(fix)")
            )
        }
        return result
    }

    /// The same, but returns nil instead of throwing if the folder stayed locked.
    func tryWithFolderLock<R>(lockTimeout: Int64, _ body: () throws(StoreError) -> R) throws(StoreError) -> R? {
        try LedgerPath.gate.withLock { _ -> Result<R?, StoreError> in
            let folder = open(self.folder, O_RDONLY | O_CLOEXEC)
            defer { if folder >= 0 { close(folder) } }
            // A file system without folder locks must not prevent opening.
            if folder >= 0, ProcessLock.lock(folder, LOCK_EX, lockTimeout: lockTimeout) == .timedOut {
                return .success(nil)
            }
            return Result { () throws(StoreError) in try body() }
        }.get()
    }

    // The value is unused; a type of size zero would share its address with its lock, which ThreadSanitizer reports as
    // a race.
    private static let gate = Locked(0)

    private var folder: String {
        guard let slash = self.file.lastIndex(of: "/") else { return "." }
        return slash == self.file.startIndex ? "/" : String(self.file[..<slash])
    }

    /// Whether the log exists and isn't empty.
    var hasLog: Bool {
        var info = stat()
        return stat(self.log, &info) == 0 && info.st_size > 0
    }

    /// Throws if the path's symbolic links form a loop.
    func checkLinks() throws(StoreError) {
        var info = stat()
        guard stat(self.file, &info) != 0, errno == ELOOP else { return }
        throw self.refusal("can't be opened", ELOOP)
    }

    /// Creates an empty file with mode 0600 if there is none.
    func make() throws(StoreError) {
        let descriptor = open(self.file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw self.refusal("can't be created", errno)
        }
        // The process's umask must not make the file unwritable for SQLite.
        fchmod(descriptor, 0o600)
        close(descriptor)
        // Left over from a deleted file: its log must not be replayed into the new one, and its index must not be
        // shared with processes that still use the deleted file.
        unlink(self.log)
        unlink(self.index)
    }

    /// Creates the missing folders of the path with mode 0700.
    func makeFolder() throws(StoreError) {
        guard let slash = self.file.lastIndex(of: "/"), slash != self.file.startIndex else { return }
        var missing: [String] = []
        var folder = self.file[..<slash]
        while !folder.isEmpty, FileIdentity(String(folder)) == nil {
            missing.append(String(folder))
            guard let slash = folder.lastIndex(of: "/") else { break }
            folder = folder[..<slash]
        }
        for path in missing.reversed() {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw self.refusal("can't be created", errno) }
            // A new folder survives a power loss when its entry in the parent folder is on the disk.
            let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            let descriptor = open(parent.isEmpty ? "/" : parent, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            fsync(descriptor)
            close(descriptor)
        }
    }

    /// Renames a damaged file and its log, and returns the file's new path.
    func setAside() throws(StoreError) -> String {
        var stamp = SystemTime.milliseconds
        // Never overwrite a file that was set aside before.
        while FileIdentity("\(self.file).corrupt-\(stamp)") != nil { stamp += 1 }
        let newPath = "\(self.file).corrupt-\(stamp)"
        guard rename(self.file, newPath) == 0 else { throw self.refusal("is damaged and can't be moved aside", errno) }
        rename(self.log, newPath + "-wal")
        unlink(self.index)
        return newPath
    }

    /// Removes a left-over file of a deleted ledger.
    static func remove(_ path: String) { unlink(path) }

    /// The error for a failed system call, with a fix.
    func refusal(_ what: String, _ error: Int32) -> StoreError {
        let fix =
            switch error {
            case ENOSPC, EDQUOT: "free some space on the disk"
            case EROFS: "name a file on a writable disk"
            case EACCES, EPERM: "let this user write to the folder, or name a file elsewhere"
            case ELOOP: "name the file itself, or correct the links"
            case ENOTDIR, EISDIR, ENAMETOOLONG: "name a file in a folder"
            default: "name a file in a folder that this user may write to"
            }
        return .described(LedgerError("the ledger \(self.file) \(what) (\(StoreError.systemMessage(error))); \(fix)"))
    }
}
