import LibC

/// Tells other processes that this one works with the ledger.
///
/// Whoever opens a ledger and finds nobody present knows that every lease in it belongs to a dead process. The system
/// takes the lock from a process that dies, however it dies.
final class ProcessLock {
    private let descriptor: Int32
    private let path: String
    private let identity: FileIdentity?
    /// Whether nobody else is present; others wait at their opening as long as that is so.
    private(set) var isAlone: Bool

    /// Comes in; nil where the file can't be made or locked, and leases end by their time alone.
    ///
    /// - Parameters:
    ///   - path: The lock's path.
    ///   - file: The ledger's file.
    ///   - patience: How many milliseconds to wait for one who is alone at the moment.
    init?(_ path: String, of file: String, patience: Int64) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        // Where root looks at a user's ledger, the user must not be locked out by root's lock.
        var owner = stat()
        if geteuid() == 0, stat(file, &owner) == 0 { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
        self.descriptor = descriptor
        self.path = path
        self.identity = FileIdentity(path)
        self.isAlone = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        // Who is alone at the moment lets others in soon.
        if !self.isAlone, ProcessLock.lock(descriptor, LOCK_SH, patience: patience) != .had {
            close(descriptor)
            return nil
        }
    }

    deinit { close(self.descriptor) }

    /// Lets others in.
    func share() {
        guard self.isAlone else { return }
        self.isAlone = false
        flock(self.descriptor, LOCK_SH)
    }

    /// Becomes alone, until `share`; false where somebody else is present.
    func takeAlone() -> Bool {
        guard self.isVisible, flock(self.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // A lock that could not be changed may be gone.
            flock(self.descriptor, LOCK_SH | LOCK_NB)
            return false
        }
        self.isAlone = true
        return true
    }

    /// Whether others still find this lock at its path.
    var isVisible: Bool { self.identity != nil && FileIdentity(self.path) == self.identity }

    /// What became of a lock that was asked for.
    enum Lock { case had, taken, impossible }

    /// Locks a file, for so many milliseconds at most until others let go of it.
    static func lock(_ descriptor: Int32, _ kind: Int32, patience: Int64) -> Lock {
        for _ in 0...max(0, patience / 5) {
            if flock(descriptor, kind | LOCK_NB) == 0 { return .had }
            guard errno == EWOULDBLOCK || errno == EINTR else { return .impossible }
            usleep(5_000)
        }
        return .taken
    }
}
