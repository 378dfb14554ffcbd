import AdCore

/// Reading what can't be written.
extension Opener {
    /// Opens the file for one who only looks, and leaves no trace beside it; nil where it can't even be read.
    func lookOnly(_ refusal: Fault) throws(Fault) -> Store? {
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
}
