public import AdCore
import SQLiteLedger
import SystemSupport

extension PostgresLedger {
    /// Deletes settled beacons, and returns how many.
    ///
    /// Afterwards their keys can be recorded again.
    /// - Parameters:
    ///   - states: The final states to delete.
    ///   - moment: Deletes only beacons settled before this time of this host's clock; nil for all.
    /// - Returns: The number of deleted beacons.
    /// - Throws: `LedgerError` if the server can't be reached, or the user may not delete.
    public func deleteSettled(
        _ states: Set<LedgerEntry.FinalState>,
        before moment: WallTime? = nil
    ) async throws(LedgerError) -> Int {
        var count = 0
        for state in LedgerEntry.FinalState.allCases where states.contains(state) {
            while true {
                // The clocks of host and server may differ; how long ago it was is the same by both.
                let before = moment.map { moment in self.state.withLock { $0.clock.distance(to: moment) } }
                let deleted = try await self.perform {
                    .delete(state.code, before: before, limit: PostgresLedger.deletedAtOnce, $0)
                }
                count += deleted
                if deleted < PostgresLedger.deletedAtOnce { break }
            }
        }
        return count
    }

    private static let deletedAtOnce = 2_000
}
