import AdCore
import SystemSupport

/// A ledger whose beacons are never due: with `--no-beacons` each is recorded, and none is sent.
final class WithholdingLedger: BeaconLedger {
    private let known = Locked<Set<BeaconKey>>([])

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        RecordResult(new: self.known.withLock { known in beacons.map(\.key).filter { known.insert($0).inserted } })
    }

    func claim(_ request: ClaimRequest) async throws(LedgerError) -> BeaconClaim { BeaconClaim([], next: nil) }

    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError) {}

    func nextDue() async throws(LedgerError) -> WallTime? { nil }

    func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int { 0 }

    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] { [] }
}
