import AdCore

/// Reading a file that can't be written.
extension Opener {
    /// Opens the file read-only, without creating files next to it; nil if it can't be read.
    func openReadOnly(_ refusal: StoreError) throws(StoreError) -> Store? {
        for use in [Connection.Use.reading, .readingImmutable] {
            // An immutable file is read without its log, which holds the newest changes.
            if use == .readingImmutable, self.path.hasLog { return nil }
            do throws(StoreError) {
                let connection = try Connection(self.path.file, for: use, lockTimeout: self.limits.lockTimeout)
                try connection.disableUntrustedFeatures()
                let finding = try Schema.inspect(connection)
                if case .newer(let version) = finding { throw .described(Schema.isNewer(self.path.file, version)) }
                guard finding == .ledger(version: Schema.steps.count) else { return nil }
                let store = try Store(connection, limits: self.limits)
                store.refusal = refusal
                self.identity = FileIdentity(self.path.file)
                self.nextCheck = ContinuousClock.now + Opener.checkInterval
                self.store = store
                return store
            } catch {
                if error.asRefusal == nil { throw error }
            }
        }
        return nil
    }
}
