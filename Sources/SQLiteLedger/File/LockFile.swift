import LibC

/// Files that are only locked.
package enum LockFile {
    /// Opens the lock's file, which is created if needed; nil if it can't be, with the reason in `errno`.
    ///
    /// - Parameters:
    ///   - path: The lock's file.
    ///   - file: The file of a ledger beside it, whose owner it gets.
    /// - Returns: The descriptor.
    package static func open(_ path: String, of file: String) -> Int32? {
        let descriptor = LibC.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        // A lock file that root creates must not lock out the ledger's owner.
        var owner = stat()
        if geteuid() == 0, stat(file, &owner) == 0 { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
        return descriptor
    }
}
