import AdCore
import LibC
import SQLiteLedger

/// The lock of the process that moves beacons between a host's files, or from them to the server; the system ends it with
/// the process.
///
/// Of two processes that do this at the same time, each would remove a beacon that the other is to keep.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil if it is taken.
    ///
    /// - Parameter local: The files.
    /// - Throws: `LedgerError` if the lock's file can't be written.
    init?(of local: LocalLedgers) throws(LedgerError) {
        guard let descriptor = LockFile.open(local.lockFile, of: local.own.file) else {
            throw LedgerError("\(local.lockFile) can't be written: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    /// Releases the lock; to be called once.
    func end() { close(self.descriptor) }
}
