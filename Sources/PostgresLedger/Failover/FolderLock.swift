import AdCore
import LibC

/// The lock of the process that moves beacons between a host's files, or from them to the server; the system ends it with
/// the process.
///
/// Of two processes that do this at the same time, each would remove a beacon that the other is to keep.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil if it is taken.
    ///
    /// - Parameter file: The lock's file, which is created if needed.
    /// - Throws: `LedgerError` if the file can't be written.
    init?(_ file: String) throws(LedgerError) {
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw LedgerError("\(file) can't be written: \(String(cString: strerror(errno)))")
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
