import AdCore
import SystemSupport

/// Opens the file, watches that it stays where it is, and replaces it where it is damaged or gone.
final class Opener {
    let path: LedgerPath
    let limits: LedgerLimits
    let access: SQLiteLedger.Access

    var store: Store? {
        didSet { if let oldValue { self.highestNumber = max(self.highestNumber, oldValue.highestNumber) } }
    }
    /// The highest number that the files before this one had.
    private var highestNumber: Int64 = 0
    var presence: ProcessLock?
    /// The files that are open, by what they are and not by what they are called.
    var identity: FileIdentity?
    var logIdentity: FileIdentity?
    var indexIdentity: FileIdentity?
    /// The file that was opened last, whether it turned out to be good or not.
    private var lastOpened: FileIdentity?
    /// Whether it was open before, and something may have been claimed.
    private var hasOpened = false
    var issues: [AdIssue] = []
    /// When it is looked again whether the files beside it are still there; nobody deletes these alone on purpose.
    var nextLook = ContinuousClock.now
    static let lookInterval = Duration.milliseconds(100)

    init(_ path: LedgerPath, limits: LedgerLimits, access: SQLiteLedger.Access) {
        self.path = path
        // How much another program's ledger may hold is that program's to say.
        self.limits = access == .owned ? limits : limits.unlimited
        self.access = access
    }

    /// What had to be repaired since the last time that somebody was told.
    func takeIssues() -> [AdIssue] {
        defer { self.issues = [] }
        return self.issues
    }

    /// The open file, opened anew where it is not open or no longer lies at its path.
    func ready() throws(Fault) -> Store {
        if let store {
            // What others write may be seen only by one who opens it anew, and so may the room that was made.
            if store.refusal != nil, ContinuousClock.now >= self.nextLook {
                self.store = nil
                return try self.ready()
            }
            if FileIdentity(self.path.file) != self.identity { return try self.follow(store) }
            if store.refusal == nil, store.connection.isLogCut { throw .cutLog }
            let now = ContinuousClock.now
            guard now >= self.nextLook else { return store }
            self.nextLook = now + Opener.lookInterval
            if FileIdentity(self.path.log) != self.logIdentity { return try self.restoreLog(store) }
            if let presence, !presence.isVisible { self.comeInAgain() }
            return store
        }
        return try self.open("It could not be read, so what was in it is not known here.")
    }

    /// Closes the file in good order.
    func close() {
        self.store = nil
        self.presence = nil
    }

    /// Closes a file that may not work any more; the next operation opens it again.
    func drop() {
        // One that was taken away is not there to be opened again: it is read first.
        if FileIdentity(self.path.file) == self.identity { self.store = nil }
    }

    // MARK: Opening

    /// Opens the file, and first moves it away where it is damaged, with what is lost by that.
    func open(_ loss: String) throws(Fault) -> Store {
        guard !self.path.file.isEmpty else {
            throw .told(
                LedgerError("A ledger's folder or file has an empty name; name a folder that can be written to")
            )
        }
        if self.access == .owned { try self.path.makeFolder() }
        guard self.access == .owned else { return try self.openExisting() }
        // In one piece: what another process made in between would be moved away, with all that was put in.
        return try self.path.alone(patience: self.patience) { () throws(Fault) in
            do throws(Fault) {
                return try self.openAlone()
            } catch {
                guard error.isCorruption, self.access == .owned, let damaged = self.lastOpened else { throw error }
                try self.setAside(damaged, loss)
                return try self.openAlone()
            }
        }
    }

    /// Opens a file that must be there, for reading alone where it can't be written.
    private func openExisting() throws(Fault) -> Store {
        do throws(Fault) {
            return try self.path.alone(patience: self.patience) { () throws(Fault) in try self.openAlone() }
        } catch {
            guard let refusal = error.asRefusal, let store = try self.lookOnly(refusal) else { throw error }
            return store
        }
    }

    /// Opens the file.
    ///
    /// Nobody else makes a file while this is done: a log must lie beside the file that it belongs to.
    func openAlone() throws(Fault) -> Store {
        var last: Fault?
        // Whoever deletes the file asks nobody, and may do so at any moment.
        for _ in 0..<10 {
            do throws(Fault) {
                if let store = try self.openOnce() { return store }
            } catch {
                guard error.isLeft || self.access == .owned && FileIdentity(self.path.file) == nil else { throw error }
                last = error
            }
        }
        let cure = "find out what deletes it"
        throw last ?? .told(LedgerError("the ledger \(self.path.file) is deleted whenever it is made; \(cure)"))
    }

    /// Opens the file; nil where it was deleted meanwhile.
    private func openOnce() throws(Fault) -> Store? {
        let file = self.path.file
        try self.path.checkLinks()
        if self.access == .existing, FileIdentity(file) == nil {
            let cure = "name the file of a ledger that was used before"
            throw .told(LedgerError("There is no ledger at \(file); \(cure)"))
        }
        if self.access == .owned {
            try self.path.make()
            if self.store != nil { self.removeOwnLog() }
        }
        self.lastOpened = nil
        let connection = try Connection(file, patience: self.limits.patience)
        let identity = FileIdentity(file)
        // Where it was replaced at this very moment, nobody knows which of the two is damaged.
        guard !connection.isMoved else { return nil }
        self.lastOpened = identity
        if self.access == .existing, connection.isReadOnly { throw .readOnly }
        try connection.distrust()
        let finding = try Schema.look(connection)
        switch finding {
        case .foreign: throw .told(Schema.isForeign(file))
        case .newer(let version): throw .told(Schema.isNewer(file, version))
        case .empty:
            if self.access == .existing { throw .told(Schema.isUnfinished(file)) }
        case .ledger: break
        }
        if let presence, !presence.isVisible { self.presence = nil }
        if self.presence == nil { self.presence = ProcessLock(self.path.lock, of: file, patience: self.patience) }
        // Whoever fails from here on must not keep the others waiting.
        defer { self.presence?.share() }

        try self.prepare(connection, finding)
        let store = try Store(connection, limits: self.limits)
        store.place = identity.map { (file, $0) }
        store.continueNumbers(after: max(self.highestNumber, self.store?.highestNumber ?? 0))
        if self.access == .owned { try? store.comeBack() }
        // Whoever was here before may hold leases himself, even where he finds himself alone.
        if self.presence?.isAlone ?? false, !self.hasOpened { try self.endLeases(in: store) }
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

    /// Makes a file ready for writing, and its layout the present one.
    private func prepare(_ connection: Connection, _ finding: Schema.Finding) throws(Fault) {
        let file = self.path.file
        do throws(Fault) {
            try connection.prepareForWriting()
            if finding != .ledger(version: Schema.steps.count) { try Schema.migrate(connection, file: file) }
        } catch {
            guard finding == .empty, error.isDiskFull else { throw error }
            throw .told(Schema.isUnfinished(file))
        }
        if connection.isLogCut { throw .cutLog }
    }

    private func endLeases(in store: Store) throws(Fault) {
        do throws(Fault) {
            try store.transaction { () throws(Fault) in try store.endAllLeases() }
        } catch {
            // Who can't write may still look; then they end by their time.
            guard error.isFull else { throw error }
        }
    }

    /// The lock was taken away: whoever comes now would think that nobody is here, and that our leases are a dead one's.
    private func comeInAgain() {
        self.presence = nil
        self.presence = ProcessLock(self.path.lock, of: self.path.file, patience: 0)
        self.presence?.share()
    }

    /// Removes the log and the index of the file that is still open here, where they lie beside another one now.
    func removeOwnLog() {
        if let logIdentity, FileIdentity(self.path.log) == logIdentity { LedgerPath.remove(self.path.log) }
        if let indexIdentity, FileIdentity(self.path.index) == indexIdentity { LedgerPath.remove(self.path.index) }
    }

    var patience: Int64 { max(0, self.limits.patience.wholeMilliseconds) }

    // MARK: Damage

    /// Replaces a damaged file; false where that is not ours to do.
    func repair(_ fault: Fault) throws(Fault) -> Bool {
        guard self.access == .owned else { return false }
        if let store {
            let counts = store.counts
            // It is read no more: its log stays as it is, for whoever wants to save something.
            store.connection.keepLogOnClose()
            self.store = nil
            let open = max(0, counts.rows - counts.settled)
            let cause = fault.isCutLog ? "Its log was cut off while it was in use. " : ""
            let loss = "\(cause)It held \(counts.rows) beacons, of which \(open) were still to be sent."
            if let identity {
                try self.path.alone(patience: self.patience) { () throws(Fault) in try self.setAside(identity, loss) }
            }
        }
        _ = try self.ready()
        return true
    }

    /// Moves a damaged file away, unless somebody else has done so already; to be called alone.
    private func setAside(_ damaged: FileIdentity, _ loss: String) throws(Fault) {
        guard FileIdentity(self.path.file) == damaged else { return }
        let place = try self.path.setAside()
        self.issues.append(
            AdIssue(
                "ledger.setAside",
                at: .whole,
                """
                the ledger \(self.path.file) was damaged and is now \(place); a new one was begun. \(loss) What was not \
                sent from it is not sent any more
                """
            )
        )
    }
}
