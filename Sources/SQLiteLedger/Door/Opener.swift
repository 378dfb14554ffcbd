import AdCore
import SystemLock

/// Opens the file, watches that it stays where it is, and replaces it where it is damaged or gone.
final class Opener {
    let path: LedgerPath
    private let limits: SQLiteLedger.Limits
    private let access: SQLiteLedger.Access

    private(set) var store: Store?
    private var presence: Presence?
    /// The files that are open, by what they are and not by what they are called.
    private var identity: FileIdentity?
    private var logIdentity: FileIdentity?
    private var indexIdentity: FileIdentity?
    /// The file that was opened last, whether it turned out to be good or not.
    private var lastOpened: FileIdentity?
    /// Whether it was open before, and something may have been claimed.
    private var hasOpened = false
    private var issues: [Issue] = []
    /// When it is looked again whether the files beside it are still there; nobody deletes these alone on purpose.
    private var nextLook = ContinuousClock.now
    private static let lookInterval = Duration.milliseconds(100)

    init(_ path: LedgerPath, limits: SQLiteLedger.Limits, access: SQLiteLedger.Access) {
        self.path = path
        self.limits = limits
        self.access = access
    }

    /// What had to be repaired since the last time that somebody was told.
    func takeIssues() -> [Issue] {
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
    private func open(_ loss: String) throws(Fault) -> Store {
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

    /// Opens the file for one who only looks, and leaves no trace beside it; nil where it can't even be read.
    private func lookOnly(_ refusal: Fault) throws(Fault) -> Store? {
        for use in [Connection.Use.reading, .readingImmutable] {
            // Without its log a file is older than it says.
            if use == .readingImmutable, self.path.hasLog { return nil }
            do throws(Fault) {
                let connection = try Connection(self.path.file, for: use, patience: self.limits.patience)
                try connection.distrust()
                let finding = try Schema.look(connection)
                if case .newer(let version) = finding { throw .told(Schema.isNewer(self.path.file, version)) }
                guard finding == .ledger(version: Schema.steps.count) else { return nil }
                let store = try Store(connection, limits: self.limits)
                store.refusal = refusal
                self.identity = FileIdentity(self.path.file)
                self.nextLook = ContinuousClock.now + Opener.lookInterval
                self.store = store
                return store
            } catch {
                if error.asRefusal == nil { throw error }
            }
        }
        return nil
    }

    /// Opens the file.
    ///
    /// Nobody else makes a file while this is done: a log must lie beside the file that it belongs to.
    private func openAlone() throws(Fault) -> Store {
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
            // An empty file may be anybody's.
            if self.access == .existing { throw .told(Schema.isForeign(file)) }
        case .ledger: break
        }
        if let presence, !presence.isVisible { self.presence = nil }
        if self.presence == nil { self.presence = Presence(self.path.lock, of: file, patience: self.patience) }
        // Whoever fails from here on must not keep the others waiting.
        defer { self.presence?.share() }

        try connection.prepareForWriting()
        if finding != .ledger(version: Schema.steps.count) { try Schema.migrate(connection, file: file) }
        let store = try Store(connection, limits: self.limits)
        store.place = identity.map { (file, $0) }
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
        self.presence = Presence(self.path.lock, of: self.path.file, patience: 0)
        self.presence?.share()
    }

    /// Removes the log and the index of the file that is still open here, where they lie beside another one now.
    private func removeOwnLog() {
        if let logIdentity, FileIdentity(self.path.log) == logIdentity { LedgerPath.remove(self.path.log) }
        if let indexIdentity, FileIdentity(self.path.index) == indexIdentity { LedgerPath.remove(self.path.index) }
    }

    private var patience: Int64 { max(0, self.limits.patience.wholeMilliseconds) }

    // MARK: Damage

    /// Replaces a damaged file; false where that is not ours to do.
    func repair() throws(Fault) -> Bool {
        guard self.access == .owned else { return false }
        if let store {
            let counts = store.counts
            // It is read no more: its log stays as it is, for whoever wants to save something.
            store.connection.keepLogOnClose()
            self.store = nil
            let open = max(0, counts.rows - counts.settled)
            let loss = "It held \(counts.rows) beacons, of which \(open) were still to be sent."
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
            Issue(
                "ledger.setAside",
                at: .whole,
                """
                the ledger \(self.path.file) was damaged and is now \(place); a new one was begun. \(loss) What was not \
                sent from it is not sent any more
                """
            )
        )
    }

    // MARK: Files that are taken away

    /// The file at the path is another one, or none: everything is carried over into the one that is there now.
    private func follow(_ old: Store) throws(Fault) -> Store {
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
        let fate = wasDeleted ? "was deleted while it was in use" : "was replaced by another file while it was in use"
        let rest = outcome.fault.map { "; the rest could not be carried over: \($0.error(file).message)" } ?? ""
        self.issues.append(
            Issue(
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
    private func restoreLog(_ old: Store) throws(Fault) -> Store {
        let store = try self.path.ifAlone(patience: 0) { () throws(Fault) in
            guard let presence, presence.takeAlone() else { return old }
            defer { presence.share() }
            guard try old.connection.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { return old }
            old.connection.keepLogOnClose()
            self.removeOwnLog()
            self.store = nil
            self.issues.append(
                Issue(
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
