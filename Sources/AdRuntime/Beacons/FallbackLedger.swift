import AdCore
import SystemSupport

/// A ledger with memory behind it: what the ledger does not take is kept there.
///
/// A full disk costs durability, not the beacon.
struct FallbackLedger: Sendable {
    private let ledger: any BeaconLedger
    private let reserve = MemoryLedger()
    private let isReserveUsed = Locked(false)
    /// The keys that the ledger took last: one that fails can't say that it has them.
    private let taken = Locked(BoundedMap<BeaconKey, Void>(most: 4_096))
    /// The keys that were put into the reserve last: a ledger that failed may have them all the same.
    private let reserved = Locked(BoundedMap<BeaconKey, Void>(most: 4_096))
    /// What the ledger gave out although the reserve has it: it ends as the one in the reserve does.
    private let twins = Locked<[BeaconKey: ClaimedBeacon]>([:])

    init(_ ledger: any BeaconLedger) { self.ledger = ledger }

    /// Writes beacons down, in memory where the ledger can't.
    func record(_ beacons: [Beacon], at now: WallTime) async -> RecordResult {
        var beacons = beacons
        if self.hasReserve { beacons.removeAll { self.reserve.holds($0.key) } }
        do throws(LedgerError) {
            let recording = try await self.ledger.record(beacons, at: now)
            self.taken.withLock { keys in for beacon in beacons { keys.remember(beacon.key) } }
            return recording
        } catch {
            self.isReserveUsed.withLock { $0 = true }
            beacons = self.taken.withLock { keys in beacons.filter { !keys.contains($0.key) } }
            let kept = try? await self.reserve.record(beacons, at: now)
            self.reserved.withLock { keys in for key in kept?.new ?? [] { keys.remember(key) } }
            let text = "\(error.message); the beacons are kept in memory and are lost if the process ends"
            let issues = [AdIssue("ledger.failed", at: .whole, text)] + (kept?.issues ?? [])
            return RecordResult(new: kept?.new ?? [], issues: issues)
        }
    }

    /// Takes what is due: first what is kept in memory, then what the ledger has, unless it is to be left in peace.
    func claim(_ terms: ClaimRequest, sparesLedger: Bool) async -> (claim: BeaconClaim, failure: LedgerError?) {
        var rest = terms
        var kept: BeaconClaim?
        if self.hasReserve, let claim = try? await self.reserve.claim(terms) {
            kept = claim
            rest.limit -= claim.beacons.count
            for beacon in claim.beacons { rest.room[beacon.origin] = rest.room(of: beacon.origin) - 1 }
        }
        let own = kept ?? BeaconClaim([], next: nil)
        guard !sparesLedger, rest.limit > 0 else { return (own, nil) }
        // A ledger that is slow to answer holds nothing up that is here.
        guard own.beacons.isEmpty else { return (BeaconClaim(own.beacons, next: terms.now), nil) }
        do throws(LedgerError) {
            let claim = try await self.ledger.claim(rest)
            let next = [own.next, claim.next].compactMap { $0 }.min()
            let beacons = self.hasReserve ? await self.withoutTwins(claim.beacons, at: terms.now) : claim.beacons
            // The places of those that were taken out are free.
            return (BeaconClaim(beacons, next: beacons.count < claim.beacons.count ? terms.now : next), nil)
        } catch {
            return (own, error)
        }
    }

    /// What was written down although the ledger said that it was not must not be sent from both places.
    private func withoutTwins(_ claimed: [ClaimedBeacon], at now: WallTime) async -> [ClaimedBeacon] {
        var beacons: [ClaimedBeacon] = []
        for one in claimed {
            let key = one.beacon.key
            guard self.reserved.withLock({ $0.contains(key) }) else {
                beacons.append(one)
                continue
            }
            if let outcome = self.reserve.end(of: key) {
                try? await self.ledger.settle(one, as: outcome, at: now)
            } else {
                self.twins.withLock { $0[key] = one }
            }
        }
        return beacons
    }

    /// Writes down what became of a beacon, where it is held.
    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError) {
        if self.hasReserve, self.reserve.holds(claimed.beacon.key) {
            try await self.reserve.settle(claimed, as: outcome, at: now)
            if let twin = self.twins.withLock({ $0.removeValue(forKey: claimed.beacon.key) }) {
                try? await self.ledger.settle(twin, as: outcome, at: now)
            }
            return
        }
        try await self.ledger.settle(claimed, as: outcome, at: now)
    }

    /// Whether anything waits or is in anybody's hands.
    func isWaiting() async -> Bool {
        if self.hasReserve, (try? await self.reserve.nextDue()) != nil { return true }
        return (try? await self.ledger.nextDue()) != nil
    }

    /// Makes everything that waits due at once.
    func hasten(at now: WallTime) async throws(LedgerError) {
        if self.hasReserve { _ = try await self.reserve.hasten(at: now) }
        _ = try await self.ledger.hasten(at: now)
    }

    /// Everything the ledger holds behind a number, and what it could not take.
    func entries(after number: Int64) async throws(LedgerError) -> [LedgerEntry] {
        let kept = self.hasReserve ? try await self.reserve.entries() : []
        return try await self.ledger.entries(after: number) + kept
    }

    private var hasReserve: Bool { self.isReserveUsed.withLock { $0 } }
}
