import AdCore
import SystemSupport

/// A ledger with a fallback in memory for beacons that the ledger fails to record.
///
/// A full disk costs durability, not the beacon.
struct FallbackLedger: Sendable {
    private let ledger: any BeaconLedger
    private let fallback = MemoryLedger()
    private let isFallbackUsed = Locked(false)
    /// The keys that the ledger recorded last, because a failing ledger can't report them as duplicates.
    private let ledgerKeys = Locked(BoundedMap<BeaconKey, Void>(limit: 4_096))
    /// The keys that the fallback recorded last; the ledger may have recorded them as well although it failed.
    private let fallbackKeys = Locked(BoundedMap<BeaconKey, Void>(limit: 4_096))
    /// Claimed beacons that the fallback has too; they are settled with the fallback's outcome.
    private let duplicates = Locked<[BeaconKey: ClaimedBeacon]>([:])

    init(_ ledger: any BeaconLedger) { self.ledger = ledger }

    /// Whether the ledger can claim what it records in the same transaction.
    var claimsRecords: Bool { self.ledger is any ClaimingLedger && !self.usesFallback }

    /// Records beacons, in memory when the ledger fails, and claims what a request asks for.
    func record(_ beacons: [Beacon], claiming request: ClaimRequest?, at now: WallTime) async -> Recording {
        var beacons = beacons
        if self.usesFallback { beacons.removeAll { self.fallback.holds($0.key) } }
        do throws(LedgerError) {
            let recording = try await self.recordInLedger(beacons, claiming: request, at: now)
            self.ledgerKeys.withLock { keys in for beacon in beacons { keys.insert(beacon.key) } }
            return recording
        } catch {
            self.isFallbackUsed.withLock { $0 = true }
            beacons = self.ledgerKeys.withLock { keys in beacons.filter { !keys.contains($0.key) } }
            let kept = try? await self.fallback.record(beacons, at: now)
            self.fallbackKeys.withLock { keys in for key in kept?.new ?? [] { keys.insert(key) } }
            let text = "\(error.message); the beacons are kept in memory and are lost if the process ends"
            let issues = [AdIssue("ledger.failed", at: .whole, text)] + (kept?.issues ?? [])
            var recording = Recording(RecordResult(new: kept?.new ?? [], issues: issues))
            if let request {
                let (claim, failure) = await self.claim(request, sparesLedger: false)
                recording.claimed = .claimed(claim, failure: failure)
            }
            return recording
        }
    }

    private func recordInLedger(
        _ beacons: [Beacon],
        claiming request: ClaimRequest?,
        at now: WallTime
    ) async throws(LedgerError) -> Recording {
        guard let request, let ledger = self.ledger as? any ClaimingLedger else {
            return Recording(try await self.ledger.record(beacons, at: now))
        }
        let (result, claim) = try await ledger.record(beacons, claiming: request, at: now)
        return Recording(result, claimed: .claimed(await self.withoutDuplicates(claim, at: now), failure: nil))
    }

    /// Claims due beacons: first from memory, then from the ledger, unless `sparesLedger` excludes it.
    func claim(_ request: ClaimRequest, sparesLedger: Bool) async -> (claim: BeaconClaim, failure: LedgerError?) {
        var rest = request
        var kept: BeaconClaim?
        if self.usesFallback, let claim = try? await self.fallback.claim(request) {
            kept = claim
            rest.limit -= claim.beacons.count
            for beacon in claim.beacons { rest.limits[beacon.origin] = rest.limit(for: beacon.origin) - 1 }
        }
        let own = kept ?? BeaconClaim([], next: nil)
        guard !sparesLedger, rest.limit > 0 else { return (own, nil) }
        // A slow ledger must not delay beacons that are in memory.
        guard own.beacons.isEmpty else { return (BeaconClaim(own.beacons, next: request.now), nil) }
        do throws(LedgerError) {
            let claim = await self.withoutDuplicates(try await self.ledger.claim(rest), at: request.now)
            return (BeaconClaim(claim.beacons, next: [own.next, claim.next].compactMap { $0 }.min()), nil)
        } catch {
            return (own, error)
        }
    }

    /// Removes beacons that the ledger recorded although it reported a failure; the fallback delivers them.
    private func withoutDuplicates(_ claim: BeaconClaim, at now: WallTime) async -> BeaconClaim {
        guard self.usesFallback else { return claim }
        var beacons: [ClaimedBeacon] = []
        for one in claim.beacons {
            let key = one.beacon.key
            guard self.fallbackKeys.withLock({ $0.contains(key) }) else {
                beacons.append(one)
                continue
            }
            if let outcome = self.fallback.outcome(of: key) {
                try? await self.ledger.settle(one, as: outcome, at: now)
            } else {
                self.duplicates.withLock { $0[key] = one }
            }
        }
        // Removed duplicates leave room for more, so the next claim is due now.
        return BeaconClaim(beacons, next: beacons.count < claim.beacons.count ? now : claim.next)
    }

    /// Records the outcome of a claimed beacon where the beacon is held.
    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError) {
        if self.usesFallback, self.fallback.holds(claimed.beacon.key) {
            try await self.fallback.settle(claimed, as: outcome, at: now)
            if let duplicate = self.duplicates.withLock({ $0.removeValue(forKey: claimed.beacon.key) }) {
                try? await self.ledger.settle(duplicate, as: outcome, at: now)
            }
            return
        }
        try await self.ledger.settle(claimed, as: outcome, at: now)
    }

    /// Whether any beacon is pending or claimed.
    func isWaiting() async -> Bool {
        if self.usesFallback, (try? await self.fallback.nextDue()) != nil { return true }
        return (try? await self.ledger.nextDue()) != nil
    }

    /// Makes all pending beacons due now.
    func makeAllDue(at now: WallTime) async throws(LedgerError) {
        if self.usesFallback { _ = try await self.fallback.makeAllDue(at: now) }
        _ = try await self.ledger.makeAllDue(at: now)
    }

    /// The ledger's entries after a number, and those in memory.
    func entries(after number: Int64) async throws(LedgerError) -> [LedgerEntry] {
        guard self.usesFallback else { return try await self.ledger.entries(after: number) }
        let kept = try await self.fallback.entries()
        // The ledger may not even be there, which the first record has reported.
        return ((try? await self.ledger.entries(after: number)) ?? []) + kept
    }

    /// The entries of some beacons, in the ledger and in memory.
    func entries(of keys: Set<BeaconKey>) async throws(LedgerError) -> [LedgerEntry] {
        guard self.usesFallback else { return try await self.ledger.entries(of: keys) }
        let kept = try await self.fallback.entries(of: keys)
        return ((try? await self.ledger.entries(of: keys)) ?? []) + kept
    }

    private var usesFallback: Bool { self.isFallbackUsed.withLock { $0 } }
}
