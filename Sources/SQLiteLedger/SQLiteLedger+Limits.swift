public import AdCore

extension SQLiteLedger {
    /// What opening a ledger may do to its file.
    public enum Access: Hashable, Sendable {
        /// A missing file is created, and a damaged one is moved aside.
        case createAndRepair
        /// The file must exist and be undamaged.
        ///
        /// Nothing is pruned, and a file that can't be written is opened for reading only. For tools that inspect the
        /// beacons of another program.
        case existing
    }

    /// A final state of a beacon.
    public typealias FinalState = LedgerEntry.FinalState
}

extension LedgerLimits {
    /// The same limits without bounds on rows and bytes.
    var unlimited: LedgerLimits {
        LedgerLimits(rows: .max, settled: .max, bytes: .max, lockTimeout: self.lockTimeout)
    }
}
