import AdCore
import SystemSupport

/// Opens the file, checks that it is still at its path, and replaces it when it is damaged or deleted.
final class Opener {
    let path: LedgerPath
    let limits: LedgerLimits
    let access: SQLiteLedger.Access

    var store: Store? {
        didSet { if let oldValue { self.highestNumber = max(self.highestNumber, oldValue.highestNumber) } }
    }
    /// The highest beacon number of the files that were open before.
    private var highestNumber: Int64 = 0
    var processLock: ProcessLock?
    /// The identities (device and inode) of the open files, independent of their names.
    var identity: FileIdentity?
    var logIdentity: FileIdentity?
    var indexIdentity: FileIdentity?
    /// The file that was opened last, even if it turned out to be damaged.
    private var lastOpened: FileIdentity?
    /// Whether the file was open before: this process may hold claims in it.
    private var hasOpened = false
    var issues: [AdIssue] = []
    /// When the log and lock files are checked next; they are rarely deleted without the ledger's file.
    var nextCheck = ContinuousClock.now
    static let checkInterval = Duration.milliseconds(100)

    init(_ path: LedgerPath, limits: LedgerLimits, access: SQLiteLedger.Access) {
        self.path = path
        // The limits of another program's ledger are unknown here.
        self.limits = access == .createAndRepair ? limits : limits.unlimited
        self.access = access
    }

    /// Removes and returns the issues that were not reported yet.
    func drainIssues() -> [AdIssue] {
        defer { self.issues = [] }
        return self.issues
    }

    /// The open file; opens it again if it is closed or no longer at its path.
    func readyStore() throws(StoreError) -> Store {
        if let store {
            // A read-only connection may not see later writes; opening again also detects that the file became
            // writable.
            if store.refusal != nil, ContinuousClock.now >= self.nextCheck {
                self.store = nil
                return try self.readyStore()
            }
            if FileIdentity(self.path.file) != self.identity { return try self.moveToCurrentFile(store) }
            if store.refusal == nil, store.connection.isLogTruncated { throw .truncatedLog }
            let now = ContinuousClock.now
            guard now >= self.nextCheck else { return store }
            self.nextCheck = now + Opener.checkInterval
            if FileIdentity(self.path.log) != self.logIdentity { return try self.saveDeletedLog(store) }
            if let processLock, !processLock.isVisible { self.lockAgain() }
            return store
        }
        return try self.open("Its content could not be read and is unknown.")
    }

    /// Closes the file and releases the lock.
    func close() {
        self.store = nil
        self.processLock = nil
    }

    /// Closes a connection that may be broken; the next operation opens the file again.
    func closeBroken() {
        // A file that is no longer at its path can't be opened again; its beacons are carried over first.
        if FileIdentity(self.path.file) == self.identity { self.store = nil }
    }

    // MARK: Opening

    /// Opens the file, and moves a damaged one aside first; `loss` describes for the issue what is lost by that.
    func open(_ loss: String) throws(StoreError) -> Store {
        guard !self.path.file.isEmpty else {
            throw .described(
                LedgerError("the ledger's folder or file has an empty name; name a folder that can be written to")
            )
        }
        if self.access == .createAndRepair { try self.path.makeFolder() }
        guard self.access == .createAndRepair else { return try self.openExisting() }
        // Under one lock: a file that another process creates in between would be moved aside with its beacons.
        return try self.path.withFolderLock(lockTimeout: self.lockTimeout) { () throws(StoreError) in
            do throws(StoreError) {
                return try self.openLocked()
            } catch {
                guard error.isCorruption, self.access == .createAndRepair, let damaged = self.lastOpened else {
                    throw error
                }
                try self.setAside(damaged, loss)
                return try self.openLocked()
            }
        }
    }

    /// Opens a file that must exist, read-only if it can't be written.
    private func openExisting() throws(StoreError) -> Store {
        do throws(StoreError) {
            return try self.path.withFolderLock(lockTimeout: self.lockTimeout) { () throws(StoreError) in
                try self.openLocked()
            }
        } catch {
            guard let refusal = error.asRefusal, let store = try self.openReadOnly(refusal) else { throw error }
            return store
        }
    }

    /// Opens the file; the folder lock must be held.
    ///
    /// The lock keeps other processes from creating a file meanwhile: a log must belong to the file next to it.
    func openLocked() throws(StoreError) -> Store {
        var last: StoreError?
        // Another program can delete the file at any time, lock or not.
        for _ in 0..<10 {
            do throws(StoreError) {
                if let store = try self.openOnce() { return store }
            } catch {
                guard error.isMoved || self.access == .createAndRepair && FileIdentity(self.path.file) == nil else {
                    throw error
                }
                last = error
            }
        }
        let fix = "find the program that deletes it"
        throw last
            ?? .described(LedgerError("the ledger \(self.path.file) is deleted each time it is created; \(fix)"))
    }

    /// Opens the file; nil if it was deleted or replaced meanwhile.
    private func openOnce() throws(StoreError) -> Store? {
        let file = self.path.file
        try self.path.checkLinks()
        if self.access == .existing, FileIdentity(file) == nil {
            let fix = "name the file of a ledger that was used before"
            throw .described(LedgerError("there is no ledger at \(file); \(fix)"))
        }
        if self.access == .createAndRepair {
            try self.path.make()
            if self.store != nil { self.removeOwnLog() }
        }
        self.lastOpened = nil
        let connection = try Connection(file, lockTimeout: self.limits.lockTimeout)
        let identity = FileIdentity(file)
        // If it was replaced at this moment, a later error could belong to either file.
        guard !connection.isMoved else { return nil }
        self.lastOpened = identity
        if self.access == .existing, connection.isReadOnly { throw .readOnly }
        try connection.disableUntrustedFeatures()
        let finding = try Schema.inspect(connection)
        switch finding {
        case .foreign: throw .described(Schema.isForeign(file))
        case .newer(let version): throw .described(Schema.isNewer(file, version))
        case .empty:
            if self.access == .existing { throw .described(Schema.isUnfinished(file)) }
        case .ledger: break
        }
        if let processLock, !processLock.isVisible { self.processLock = nil }
        if self.processLock == nil {
            self.processLock = ProcessLock(self.path.lock, of: file, lockTimeout: self.lockTimeout)
        }
        // Other processes wait for an exclusive lock; release it also when opening fails.
        defer { self.processLock?.share() }

        try self.prepare(connection, finding)
        let store = try Store(connection, limits: self.limits)
        store.location = identity.map { (file, $0) }
        store.continueNumbers(after: max(self.highestNumber, self.store?.highestNumber ?? 0))
        if self.access == .createAndRepair { try? store.clearCarriedMark() }
        // A process that had the file open before can hold leases itself, even if it is the only one now.
        if self.processLock?.isExclusive ?? false, !self.hasOpened { try self.endLeases(in: store) }
        let (log, index) = (FileIdentity(self.path.log), FileIdentity(self.path.index))
        guard !connection.isMoved, FileIdentity(file) == identity else {
            connection.keepLogOnClose()
            return nil
        }
        (self.identity, self.logIdentity, self.indexIdentity) = (identity, log, index)
        self.store = store
        self.hasOpened = true
        return store
    }

    /// Prepares a file for writing, and migrates it to the current layout.
    private func prepare(_ connection: Connection, _ finding: Schema.Finding) throws(StoreError) {
        let file = self.path.file
        do throws(StoreError) {
            try connection.prepareForWriting()
            if finding != .ledger(version: Schema.steps.count) { try Schema.migrate(connection, file: file) }
        } catch {
            guard finding == .empty, error.isDiskFull else { throw error }
            throw .described(Schema.isUnfinished(file))
        }
        if connection.isLogTruncated { throw .truncatedLog }
    }

    private func endLeases(in store: Store) throws(StoreError) {
        do throws(StoreError) {
            try store.transaction { () throws(StoreError) in try store.endAllLeases() }
        } catch {
            // The file can still be read; the leases end by time.
            guard error.isFull else { throw error }
        }
    }

    /// Creates a deleted lock file again; without it, a new process would end this process's leases.
    private func lockAgain() {
        self.processLock = nil
        self.processLock = ProcessLock(self.path.lock, of: self.path.file, lockTimeout: 0)
        self.processLock?.share()
    }

    /// Removes the log and index of the file that is still open but no longer at its path.
    func removeOwnLog() {
        if let logIdentity, FileIdentity(self.path.log) == logIdentity { LedgerPath.remove(self.path.log) }
        if let indexIdentity, FileIdentity(self.path.index) == indexIdentity { LedgerPath.remove(self.path.index) }
    }

    var lockTimeout: Int64 { max(0, self.limits.lockTimeout.wholeMilliseconds) }

    // MARK: Damage

    /// Replaces a damaged file; false if the access doesn't allow it.
    func repair(_ error: StoreError) throws(StoreError) -> Bool {
        guard self.access == .createAndRepair else { return false }
        if let store {
            let counts = store.counts
            // Keep its log unchanged, so that the damaged file can be examined.
            store.connection.keepLogOnClose()
            self.store = nil
            let open = max(0, counts.rows - counts.settled)
            let cause = error.isTruncatedLog ? "Its log was truncated while it was in use. " : ""
            let loss = "\(cause)It held \(counts.rows) beacons, \(open) of them not sent yet."
            if let identity {
                try self.path.withFolderLock(lockTimeout: self.lockTimeout) { () throws(StoreError) in
                    try self.setAside(identity, loss)
                }
            }
        }
        _ = try self.readyStore()
        return true
    }

    /// Moves a damaged file aside unless another process did so; the folder lock must be held.
    private func setAside(_ damaged: FileIdentity, _ loss: String) throws(StoreError) {
        guard FileIdentity(self.path.file) == damaged else { return }
        let newPath = try self.path.setAside()
        self.issues.append(
            AdIssue(
                "ledger.setAside",
                at: .whole,
                """
                the ledger \(self.path.file) was damaged and moved to \(newPath); a new one was created. \(loss) \
                Beacons that were not sent from it are lost
                """
            )
        )
    }
}
