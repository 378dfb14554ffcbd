/// A ledger that can claim in the transaction that records: an impression is then sent after one durable write.
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
}
