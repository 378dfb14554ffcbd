import LibC

/// A lock file that shows other processes that this one has the ledger open.
///
/// A process that gets the lock exclusively is the only one: every lease in the ledger belongs to a process that ended.
/// The system releases the lock of a process however it ends.
final class ProcessLock {
    private let descriptor: Int32
    private let path: String
    private let identity: FileIdentity?
    /// Whether this process is the only one; others wait in `init` while the lock is exclusive.
    private(set) var isExclusive: Bool

    /// Locks the file, exclusively if possible, otherwise shared; nil if it can't be created or locked, and leases then
    /// end by time only.
    ///
    /// - Parameters:
    ///   - path: The path of the lock file.
    ///   - file: The path of the ledger's file.
    ///   - lockTimeout: How long to wait for a process with an exclusive lock, in milliseconds.
    init?(_ path: String, of file: String, lockTimeout: Int64) {
        guard let descriptor = LockFile.open(path, of: file) else { return nil }
        self.descriptor = descriptor
        self.path = path
        self.identity = FileIdentity(path)
        self.isExclusive = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        // A process with the exclusive lock shares it as soon as the file is open.
        if !self.isExclusive, ProcessLock.lock(descriptor, LOCK_SH, lockTimeout: lockTimeout) != .acquired {
            close(descriptor)
            return nil
        }
    }

    deinit { close(self.descriptor) }

    /// Makes an exclusive lock shared.
    func share() {
        guard self.isExclusive else { return }
        self.isExclusive = false
        flock(self.descriptor, LOCK_SH)
    }

    /// Makes the lock exclusive until `share`; false if another process has the ledger open.
    func tryExclusive() -> Bool {
        guard self.isVisible, flock(self.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // A failed conversion can have released the shared lock (flock(2)).
            flock(self.descriptor, LOCK_SH | LOCK_NB)
            return false
        }
        self.isExclusive = true
        return true
    }

    /// Whether the lock file is still at its path.
    var isVisible: Bool { self.identity != nil && FileIdentity(self.path) == self.identity }

    /// The result of trying to lock a file.
    enum LockResult { case acquired, timedOut, unsupported }

    /// Locks a file, and waits at most `lockTimeout` milliseconds for other processes to release it.
    static func lock(_ descriptor: Int32, _ kind: Int32, lockTimeout: Int64) -> LockResult {
        for _ in 0...max(0, lockTimeout / 5) {
            if flock(descriptor, kind | LOCK_NB) == 0 { return .acquired }
            guard errno == EWOULDBLOCK || errno == EINTR else { return .unsupported }
            usleep(5_000)
        }
        return .timedOut
    }
}
