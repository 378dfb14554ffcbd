import AdCore

/// Lets beacons be written down one after the other, and only when everything else is at rest.
///
/// What is written down on the way to an offer is not held up: time stands still until there is one.
struct OrderedLedger: BeaconLedger {
    let next: any BeaconLedger
    let turnstile: Turnstile

    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> [BeaconKey] {
        if !beacons.contains(where: \.key.isOfLoad) { await self.turnstile.record(beacons.map(\.key.text)) }
        return try await self.next.record(beacons, at: now)
    }

    func claim(
        _ limit: Int,
        skipping origins: Set<String>,
        at now: WallTime,
        lease: Duration
    ) async throws(LedgerError) -> [ClaimedBeacon] {
        try await self.next.claim(limit, skipping: origins, at: now, lease: lease)
    }

    func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {
        try await self.next.settle(key, as: outcome, at: now)
    }

    func nextDue(skipping origins: Set<String>) async throws(LedgerError) -> WallTime? {
        try await self.next.nextDue(skipping: origins)
    }

    func entries() async throws(LedgerError) -> [LedgerEntry] { try await self.next.entries() }
}
