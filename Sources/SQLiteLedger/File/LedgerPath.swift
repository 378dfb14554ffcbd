import AdCore
import SystemLock

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a ledger lies, and the files that belong to it.
struct LedgerPath: Sendable {
    let file: String

    /// SQLite's write-ahead log.
    var log: String { self.file + "-wal" }
    /// SQLite's index of that log, in shared memory.
    var index: String { self.file + "-shm" }
    /// What tells processes of each other.
    var lock: String { self.file + "-lock" }

    /// Held while a file is made and opened.
    ///
    /// The system drops a process's locks on a file whenever the process closes any descriptor of it. So nobody may open
    /// the file between its making and the closing of the descriptor with which it was made.
    /// What stands behind it means nothing; without any size it would share its place with its lock, and
    /// ThreadSanitizer would take that for a race.
    static let gate = Locked(0)

    /// Makes the folder and an empty file, both for this user alone, where they are missing.
    func make() throws(Fault) {
        try self.makeFolder()
        let descriptor = open(self.file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            // What the process masks out of new files must not keep SQLite out.
            fchmod(descriptor, 0o600)
            close(descriptor)
        } else if errno != EEXIST {
            throw self.refusal("can't be made", errno)
        }
    }

    private func makeFolder() throws(Fault) {
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
            case ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG: "name a file in a folder"
            default: "name a file in a folder that this user may write to"
            }
        return .told(LedgerError("The ledger \(self.file) \(what) (\(Fault.words(error))); \(cure)."))
    }
}
