import AdCore

/// Files that are taken away while they are in use.
extension Opener {
    /// The file at the path is another one, or none: everything is carried over into the one that is there now.
    func follow(_ old: Store) throws(Fault) -> Store {
        let file = self.path.file
        if self.access == .existing {
            self.store = nil
            return try self.open("")
        }
        let wasDeleted = FileIdentity(file) == nil
        old.connection.keepLogOnClose()
        // Others may still be writing into the old file: what they claim there must be seen here, and what they have not
        // claimed when it is read they never claim there.
        let isHeld = try old.holdForLeaving()
        var destination: FileIdentity?
        defer { if isHeld { old.leave(to: destination) } }
        let (new, outcome) = try self.carryOver(from: old)
        if outcome.fault == nil { destination = self.identity }
        new.counts.lost += old.counts.lost
        new.counts.unlisted += old.counts.unlisted
        let fate = wasDeleted ? "was deleted while it was in use" : "was replaced by another file while it was in use"
        let rest = outcome.fault.map { "; the rest could not be carried over: \($0.error(file).message)" } ?? ""
        self.issues.append(
            AdIssue(
                "ledger.moved",
                at: .whole,
                "the ledger \(file) \(fate); \(outcome.count) beacons were carried over into the one there now\(rest)"
            )
        )
        return new
    }

    /// Opens the file that is there now and fills it, again where that one is taken away meanwhile.
    private func carryOver(from old: Store) throws(Fault) -> (new: Store, (count: Int, fault: Fault?)) {
        let (file, log, index) = (self.identity, self.logIdentity, self.indexIdentity)
        let earlier = try? old.carriedTo()
        for _ in 0..<10 {
            // What is there may be a damaged file, or somebody else's; the old one is still open for the next try.
            let new = try self.open("It had been put in the place of the ledger that was in use.")
            // Another ledger may have done this already; what is sent and forgotten there must not come back.
            if let earlier, earlier == self.identity?.numbers { return (new, (0, nil)) }
            let outcome = new.carry(from: old, isDoubtful: earlier != nil)
            guard let fault = outcome.fault, fault.isLeft else { return (new, outcome) }
            new.connection.keepLogOnClose()
            (self.store, self.identity, self.logIdentity, self.indexIdentity) = (old, file, log, index)
        }
        throw .left
    }

    /// The log was taken away and the file was not: what stands in the log is brought into the file.
    ///
    /// While others work with the same lost log nothing is done: the last of them to close brings it into the file, and
    /// whoever came with a new log meanwhile would work against them.
    func restoreLog(_ old: Store) throws(Fault) -> Store {
        let store = try self.path.ifAlone(patience: 0) { () throws(Fault) in
            guard let presence, presence.takeAlone() else { return old }
            defer { presence.share() }
            guard try old.connection.emptyLog() else { return old }
            old.connection.keepLogOnClose()
            self.removeOwnLog()
            self.store = nil
            self.issues.append(
                AdIssue(
                    "ledger.moved",
                    at: .whole,
                    "the log of the ledger \(self.path.file) was deleted while it was in use; what it held was saved"
                )
            )
            return try self.openAlone()
        }
        return store ?? old
    }
}
