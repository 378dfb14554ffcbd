/// A ledger that can claim in the transaction that records: an impression is then sent after one durable write.
package protocol ClaimingLedger: BeaconLedger {
    /// Records beacons and then claims those that are due, both or none.
    func record(
        _ beacons: [Beacon],
        claiming request: ClaimRequest,
        at now: WallTime
    ) async throws(LedgerError) -> (RecordResult, BeaconClaim)
}
