/// A ledger that can claim in the transaction that writes something else.
///
/// An impression is then sent after one durable write, and an outcome is written together with the next claim.
package protocol ClaimingLedger: BeaconLedger {
    /// Records beacons and then claims those that are due, both or none.
    ///
    /// - Parameters:
    ///   - beacons: What is recorded.
    ///   - request: What is claimed.
    ///   - now: The current time.
    /// - Returns: The new keys and the claim. The claim is nil if it failed and was left out, so that the beacons could
    ///   be recorded; it has to be made again.
    /// - Throws: Why nothing was recorded.
    func record(
        _ beacons: [Beacon],
        claiming request: ClaimRequest,
        at now: WallTime
    ) async throws(LedgerError) -> (RecordResult, BeaconClaim?)

    /// Writes the outcomes of claimed beacons and then claims what is due, all or nothing.
    ///
    /// - Parameters:
    ///   - outcomes: What is written; each as `settle(_:as:at:)` does.
    ///   - request: What is claimed; nil for nothing.
    ///   - now: The current time.
    /// - Returns: The claim. It is nil if nothing was to be claimed, or if it failed and was left out, so that the
    ///   outcomes could be written; it has to be made again.
    /// - Throws: Why nothing was written.
    func settle(
        _ outcomes: [SettledBeacon],
        claiming request: ClaimRequest?,
        at now: WallTime
    ) async throws(LedgerError) -> BeaconClaim?
}
