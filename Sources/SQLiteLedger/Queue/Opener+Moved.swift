import AdCore

/// Files that are deleted or replaced while they are in use.
extension Opener {
    /// Carries the beacons of a deleted or replaced file over into the one at the path now, which is created if
    /// missing.
    func moveToCurrentFile(_ old: Store) throws(StoreError) -> Store {
        let file = self.path.file
        if self.access == .existing {
            self.store = nil
            return try self.open("")
        }
        let wasDeleted = FileIdentity(file) == nil
        old.connection.keepLogOnClose()
        // Hold the old file's write lock: claims that other processes made there must be carried over, and afterwards
        // no process may claim there.
        let isHeld = try old.lockForCarryingOver()
        var destination: FileIdentity?
        defer { if isHeld { old.unlock(carriedTo: destination) } }
        let (new, outcome) = try self.carryOver(from: old)
        if outcome.error == nil { destination = self.identity }
        new.counts.dropped += old.counts.dropped
        new.counts.unlisted += old.counts.unlisted
        let cause = wasDeleted ? "was deleted while it was in use" : "was replaced by another file while it was in use"
        let rest =
            outcome.error.map { "; the rest could not be carried over: \($0.ledgerError(for: file).message)" } ?? ""
        self.issues.append(
            AdIssue(
                "ledger.moved",
                at: .whole,
                "the ledger \(file) \(cause); \(outcome.count) beacons were carried over to the new file\(rest)"
            )
        )
        return new
    }

    /// Opens the file at the path and copies the beacons into it; tries again if that file is moved too.
    private func carryOver(from old: Store) throws(StoreError) -> (new: Store, (count: Int, error: StoreError?)) {
        let (file, log, index) = (self.identity, self.logIdentity, self.indexIdentity)
        let earlier = try? old.carriedTo()
        for _ in 0..<10 {
            // The file at the path can be damaged or foreign; the old one stays open for the next try.
            let new = try self.open("It had replaced the ledger that was in use.")
            // Another ledger already carried them over; beacons that were deleted there must not come back.
            if let earlier, earlier == self.identity?.numbers { return (new, (0, nil)) }
            let outcome = new.carryOver(from: old, markingInterrupted: earlier != nil)
            guard let error = outcome.error, error.isMoved else { return (new, outcome) }
            new.connection.keepLogOnClose()
            (self.store, self.identity, self.logIdentity, self.indexIdentity) = (old, file, log, index)
        }
        throw .moved
    }

    /// Checkpoints the open log into the file after the log's path was deleted, and opens the file again.
    ///
    /// Does nothing while other processes have the same deleted log open: the last of them to close it checkpoints it,
    /// and a process with a new log would conflict with them.
    func saveDeletedLog(_ old: Store) throws(StoreError) -> Store {
        let store = try self.path.tryWithFolderLock(lockTimeout: 0) { () throws(StoreError) in
            guard let processLock, processLock.tryExclusive() else { return old }
            defer { processLock.share() }
            guard try old.connection.truncateLog() else { return old }
            old.connection.keepLogOnClose()
            self.removeOwnLog()
            self.store = nil
            self.issues.append(
                AdIssue(
                    "ledger.moved",
                    at: .whole,
                    "the log of the ledger \(self.path.file) was deleted while it was in use; its content was saved"
                )
            )
            return try self.openLocked()
        }
        return store ?? old
    }
}
