/// A ledger that outlives the process: in a file, or on a server.
///
/// The command names one with `--ledger`.
package protocol StoredLedger: BeaconLedger {
    /// Where it is, for messages.
    var name: String { get }
    /// Opens it now instead of with the first operation, and returns what was repaired or is remarkable.
    func open() async throws(LedgerError) -> [AdIssue]
    /// Finishes the pending operations and closes it.
    func close() async
    /// The number of beacons by state.
    func summary() async throws(LedgerError) -> LedgerSummary
    /// Deletes settled beacons, and returns how many.
    func deleteSettled(
        _ states: Set<LedgerEntry.FinalState>,
        before moment: WallTime?
    ) async throws(LedgerError) -> Int
    /// Moves into it what was recorded elsewhere while it was away, as far as that is possible now.
    func carryOver(at now: WallTime) async
    /// Why something is left elsewhere; nil if nothing is.
    var keptReason: String? { get }
    /// What is damaged; empty if nothing is, or if that can't be damaged.
    func integrityErrors() async throws(LedgerError) -> [String]
}

extension StoredLedger {
    /// Does nothing: everything is in the ledger.
    package func carryOver(at now: WallTime) async {}
    /// Nil: everything is in the ledger.
    package var keptReason: String? { nil }
}
