/// Stores the views that frequency caps count, for later sessions and for other processes of the app.
///
/// `SQLiteLedger` stores them in the file of its beacons.
package protocol ViewStore: Sendable {
    /// Stores a view; returns false if a view of this ad is stored already.
    ///
    /// It is on the disk when it returns. Views that are too old for every cap are removed.
    func record(_ view: CountedView) async throws(LedgerError) -> Bool
    /// The views from a time on, oldest first; of more than the limit the newest.
    ///
    /// Views that are dated after `now` are from a wrong clock, and are dated `now` from then on.
    func views(since start: WallTime, limit: Int, at now: WallTime) async throws(LedgerError) -> [CountedView]
}
