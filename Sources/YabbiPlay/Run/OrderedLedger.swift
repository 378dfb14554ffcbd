import AdCore
import PlayStages

/// Records beacons one after the other, in the order of the sequencer.
///
/// Beacons of a load are not delayed, because virtual time stands still until the load ends.
struct OrderedLedger: BeaconLedger {
    let next: any BeaconLedger
    let sequencer: VirtualTimeSequencer

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        if let first = beacons.first?.key, !beacons.contains(where: \.key.isOfLoad) {
            await self.sequencer.record(beacons.map(\.key.text), of: first.ad.rawValue)
        }
        return try await self.next.record(beacons, at: now)
    }

    func claim(_ rules: ClaimRequest) async throws(LedgerError) -> BeaconClaim { try await self.next.claim(rules) }

    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError) {
        try await self.next.settle(claimed, as: outcome, at: now)
    }

    func nextDue() async throws(LedgerError) -> WallTime? { try await self.next.nextDue() }

    func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int { try await self.next.makeAllDue(at: now) }

    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        try await self.next.entries(after: number, limit: limit)
    }

    func entries(of keys: Set<BeaconKey>) async throws(LedgerError) -> [LedgerEntry] {
        try await self.next.entries(of: keys)
    }
}
