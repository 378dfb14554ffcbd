import AdCore
import SystemSupport

/// A ledger with a fallback in memory for beacons that the ledger fails to record.
///
/// A full disk costs durability, not the beacon.
struct FallbackLedger: Sendable {
    /// A claim, and why nothing could be claimed from the ledger.
    typealias ClaimResult = (claim: BeaconClaim, failure: LedgerError?)

    private let ledger: any BeaconLedger
    /// The same ledger if it can claim in the transaction that writes something else.
    private let claimingLedger: (any ClaimingLedger)?
    private let fallback = MemoryLedger()
    private let isFallbackUsed = Locked(false)
    /// The keys that the ledger recorded last, because a failing ledger can't report them as duplicates.
    private let ledgerKeys = Locked(BoundedMap<BeaconKey, Void>(limit: 4_096))
    /// The keys that the fallback recorded last; the ledger may have recorded them as well although it failed.
    private let fallbackKeys = Locked(BoundedMap<BeaconKey, Void>(limit: 4_096))
    /// Claimed beacons that the fallback has too; they are settled with the fallback's outcome.
    private let duplicates = Locked<[BeaconKey: ClaimedBeacon]>([:])

    init(_ ledger: any BeaconLedger) {
        self.ledger = ledger
        self.claimingLedger = ledger as? any ClaimingLedger
    }

    /// Whether the ledger can claim in the transaction that writes something else.
    ///
    /// Not once beacons were kept in memory: such a claim has none of them.
    var claimsWithWrites: Bool { self.claimingLedger != nil && !self.usesFallback }

    /// Records beacons, in memory when the ledger fails.
    func record(_ beacons: [Beacon], at now: WallTime) async -> RecordResult {
        let beacons = self.withoutKept(beacons)
        do throws(LedgerError) {
            let result = try await self.ledger.record(beacons, at: now)
            self.addLedgerKeys(of: beacons)
            return result
        } catch {
            return await self.keep(beacons, error, at: now)
        }
    }

    /// Records beacons, in memory when the ledger fails, and claims in the same transaction where the ledger can.
    ///
    /// - Parameters:
    ///   - beacons: What is recorded.
    ///   - request: What is claimed.
    ///   - now: The current time.
    /// - Returns: The result of the record, and that of the claim; nil if the claim has to be made on its own.
    func record(
        _ beacons: [Beacon],
        claiming request: ClaimRequest,
        at now: WallTime
    ) async -> (result: RecordResult, claimed: ClaimResult?) {
        guard let claimingLedger else { return (await self.record(beacons, at: now), nil) }
        let beacons = self.withoutKept(beacons)
        do throws(LedgerError) {
            let (result, claim) = try await claimingLedger.record(beacons, claiming: request, at: now)
            self.addLedgerKeys(of: beacons)
            guard let claim else { return (result, nil) }
            return (result, (await self.withoutDuplicates(claim, at: now), nil))
        } catch {
            let result = await self.keep(beacons, error, at: now)
            // The ledger has just failed: what is in memory does not wait for it, and the failure pauses its claims.
            return (result, (await self.claim(request, sparesLedger: true).claim, error))
        }
    }

    /// Leaves out beacons that are kept in memory already.
    private func withoutKept(_ beacons: [Beacon]) -> [Beacon] {
        self.usesFallback ? beacons.filter { !self.fallback.holds($0.key) } : beacons
    }

    private func addLedgerKeys(of beacons: [Beacon]) {
        self.ledgerKeys.withLock { keys in for beacon in beacons { keys.insert(beacon.key) } }
    }

    /// Keeps beacons in memory that the ledger failed to record.
    private func keep(_ beacons: [Beacon], _ error: LedgerError, at now: WallTime) async -> RecordResult {
        self.isFallbackUsed.withLock { $0 = true }
        let beacons = self.ledgerKeys.withLock { keys in beacons.filter { !keys.contains($0.key) } }
        let kept = try? await self.fallback.record(beacons, at: now)
        self.fallbackKeys.withLock { keys in for key in kept?.new ?? [] { keys.insert(key) } }
        let text = "\(error.message); the beacons are kept in memory and are lost if the process ends"
        let issues = [AdIssue("ledger.failed", at: .whole, text)] + (kept?.issues ?? [])
        return RecordResult(new: kept?.new ?? [], issues: issues)
    }

    /// Claims due beacons: first from memory, then from the ledger, unless `sparesLedger` excludes it.
    func claim(_ request: ClaimRequest, sparesLedger: Bool) async -> ClaimResult {
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

    /// Writes outcomes, and claims in the same transaction, where the ledger can.
    ///
    /// - Parameters:
    ///   - outcomes: What is written.
    ///   - request: What is claimed; nil for nothing.
    ///   - now: The current time.
    /// - Returns: Why the outcomes were not written, and the result of the claim; nil if it has to be made on its own.
    ///   The whole result is nil if nothing was tried: then each has to be written on its own.
    func settle(
        _ outcomes: [SettledBeacon],
        claiming request: ClaimRequest?,
        at now: WallTime
    ) async -> (failure: LedgerError?, claimed: ClaimResult?)? {
        guard let claimingLedger, !self.usesFallback else { return nil }
        do throws(LedgerError) {
            let claim = try await claimingLedger.settle(outcomes, claiming: request, at: now)
            guard let claim else { return (nil, nil) }
            return (nil, (await self.withoutDuplicates(claim, at: now), nil))
        } catch {
            guard let request else { return (error, nil) }
            return (error, (await self.claim(request, sparesLedger: true).claim, error))
        }
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
