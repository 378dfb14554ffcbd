import AdCore
import SystemLock

/// A ledger with memory behind it: what the ledger does not take is kept there.
///
/// A full disk costs durability, not the beacon.
struct ReservedLedger: Sendable {
    private let ledger: any BeaconLedger
    private let reserve = MemoryLedger()
    private let isReserveUsed = Locked(false)
    /// The keys that the ledger took last: one that fails can't say that it has them.
    private let taken = Locked(RecentKeys())

    init(_ ledger: any BeaconLedger) { self.ledger = ledger }

    /// Writes beacons down, in memory where the ledger can't.
    func record(_ beacons: [Beacon], at now: WallTime) async -> Recording {
        var beacons = beacons
        if self.hasReserve { beacons.removeAll { self.reserve.holds($0.key) } }
        do throws(LedgerError) {
            let recording = try await self.ledger.record(beacons, at: now)
            self.taken.withLock { keys in for beacon in beacons { keys.add(beacon.key) } }
            return recording
        } catch {
            self.isReserveUsed.withLock { $0 = true }
            beacons = self.taken.withLock { keys in beacons.filter { !keys.contains($0.key) } }
            let kept = try? await self.reserve.record(beacons, at: now)
            let text = "\(error.message); the beacons are kept in memory and are lost if the process ends"
            return Recording(new: kept?.new ?? [], issues: [Issue("ledger.failed", at: .whole, text)])
        }
    }

    /// Takes what is due: first what is kept in memory, then what the ledger has, unless it is to be left in peace.
    func claim(_ terms: ClaimTerms, sparesLedger: Bool) async -> (claim: Claim, failure: LedgerError?) {
        var rest = terms
        var kept: Claim?
        if self.hasReserve, let claim = try? await self.reserve.claim(terms) {
            kept = claim
            rest.limit -= claim.beacons.count
            for beacon in claim.beacons { rest.room[beacon.origin] = rest.room(of: beacon.origin) - 1 }
        }
        let own = kept ?? Claim([], next: nil)
        guard !sparesLedger, rest.limit > 0 else { return (own, nil) }
        do throws(LedgerError) {
            let claim = try await self.ledger.claim(rest)
            let next = [own.next, claim.next].compactMap { $0 }.min()
            return (Claim(own.beacons + claim.beacons, next: next), nil)
        } catch {
            return (own, error)
        }
    }

    /// Writes down what became of a beacon, where it is held.
    func settle(_ claimed: ClaimedBeacon, as outcome: Delivery, at now: WallTime) async throws(LedgerError) {
        if self.hasReserve, self.reserve.holds(claimed.beacon.key) {
            return try await self.reserve.settle(claimed, as: outcome, at: now)
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

/// The keys that came last, so many and no more.
struct RecentKeys {
    private static let most = 4_096
    private var keys: Set<BeaconKey> = []
    private var order: [BeaconKey] = []
    private var oldest = 0

    func contains(_ key: BeaconKey) -> Bool { self.keys.contains(key) }

    mutating func add(_ key: BeaconKey) {
        guard self.keys.insert(key).inserted else { return }
        guard self.order.count == RecentKeys.most else { return self.order.append(key) }
        self.keys.remove(self.order[self.oldest])
        self.order[self.oldest] = key
        self.oldest = (self.oldest + 1) % RecentKeys.most
    }
}
