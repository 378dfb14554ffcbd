import AdCore
import LibC
import SystemSupport

/// Where a ledger lies, and the files that belong to it.
struct LedgerPath: Sendable {
    let file: String

    /// SQLite's write-ahead log.
    var log: String { self.file + "-wal" }
    /// SQLite's index of that log, in shared memory.
    var index: String { self.file + "-shm" }
    /// What tells processes of each other.
    var lock: String { self.file + "-lock" }

    /// Does something while nobody else makes, replaces or moves away a ledger in this folder.
    ///
    /// Threads of this process wait in any case: the system drops a process's locks on a file whenever the process closes
    /// any descriptor of it, so nobody may open the file between its making and the closing of the descriptor with which
    /// it was made. Other processes are kept out by a lock on the folder; where it can't be had in time nothing is done,
    /// because two who replace a damaged file at once move each other's good one away.
    func alone<R>(patience: Int64, _ body: () throws(Fault) -> R) throws(Fault) -> R {
        guard let result = try self.ifAlone(patience: patience, body) else {
            let cure = "end the process that holds a lock on its folder, or wait for it"
            throw .told(LedgerError("the ledger \(self.file) is being opened or replaced by another process; \(cure)"))
        }
        return result
    }

    /// Does the same; nil, and nothing done, where others were at it all the time.
    func ifAlone<R>(patience: Int64, _ body: () throws(Fault) -> R) throws(Fault) -> R? {
        try LedgerPath.gate.withLock { _ -> Result<R?, Fault> in
            let folder = open(self.folder, O_RDONLY | O_CLOEXEC)
            defer { if folder >= 0 { close(folder) } }
            // A folder that can't be locked at all, by anybody, keeps nobody from working.
            if folder >= 0, ProcessLock.lock(folder, LOCK_EX, patience: patience) == .taken { return .success(nil) }
            return Result { () throws(Fault) in try body() }
        }.get()
    }

    // What stands behind it means nothing; without any size it would share its place with its lock, and ThreadSanitizer
    // would take that for a race.
    private static let gate = Locked(0)

    private var folder: String {
        guard let slash = self.file.lastIndex(of: "/") else { return "." }
        return slash == self.file.startIndex ? "/" : String(self.file[..<slash])
    }

    /// Whether something stands in the log that is not in the file.
    var hasLog: Bool {
        var info = stat()
        return stat(self.log, &info) == 0 && info.st_size > 0
    }

    /// Refuses a path whose symbolic links lead in a circle: there is no file at its end, and none can be made there.
    func checkLinks() throws(Fault) {
        var info = stat()
        guard stat(self.file, &info) != 0, errno == ELOOP else { return }
        throw self.refusal("can't be opened", ELOOP)
    }

    /// Makes an empty file for this user alone, where there is none.
    func make() throws(Fault) {
        let descriptor = open(self.file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return }
            throw self.refusal("can't be made", errno)
        }
        // What the process masks out of new files must not keep SQLite out.
        fchmod(descriptor, 0o600)
        close(descriptor)
        // These belong to a file that is gone. Its log must not be read into the new one, nor its index be shared with
        // those that still work with it.
        unlink(self.log)
        unlink(self.index)
    }

    /// Makes the folder for this user alone, where there is none.
    func makeFolder() throws(Fault) {
        guard let slash = self.file.lastIndex(of: "/"), slash != self.file.startIndex else { return }
        var missing: [String] = []
        var folder = self.file[..<slash]
        while !folder.isEmpty, FileIdentity(String(folder)) == nil {
            missing.append(String(folder))
            guard let slash = folder.lastIndex(of: "/") else { break }
            folder = folder[..<slash]
        }
        for path in missing.reversed() {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw self.refusal("can't be made", errno) }
            // A folder lasts when its name is on the disk, and that stands in the folder around it.
            let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            let descriptor = open(parent.isEmpty ? "/" : parent, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            fsync(descriptor)
            close(descriptor)
        }
    }

    /// Moves a damaged file and its log out of the way, and says where the file is now.
    func setAside() throws(Fault) -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var stamp = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        // What was set aside before is never overwritten.
        while FileIdentity("\(self.file).corrupt-\(stamp)") != nil { stamp += 1 }
        let place = "\(self.file).corrupt-\(stamp)"
        guard rename(self.file, place) == 0 else { throw self.refusal("is damaged and can't be moved away", errno) }
        rename(self.log, place + "-wal")
        unlink(self.index)
        return place
    }

    /// Removes a file that belonged to one that is gone.
    static func remove(_ path: String) { unlink(path) }

    /// What the system refused, with what helps against it.
    func refusal(_ what: String, _ error: Int32) -> Fault {
        let cure =
            switch error {
            case ENOSPC, EDQUOT: "free some space on the disk"
            case EROFS: "name a file on a disk that can be written"
            case EACCES, EPERM: "let this user write to the folder, or name a file elsewhere"
            case ELOOP: "name the file itself, or correct the links"
            case ENOTDIR, EISDIR, ENAMETOOLONG: "name a file in a folder"
            default: "name a file in a folder that this user may write to"
            }
        return .told(LedgerError("the ledger \(self.file) \(what) (\(Fault.words(error))); \(cure)"))
    }
}
