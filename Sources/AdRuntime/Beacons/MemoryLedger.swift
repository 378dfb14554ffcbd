public import AdCore
import SystemLock

/// A ledger in memory: exactly-once as long as the process lives, and gone with it.
///
/// What was recorded and not yet delivered when the process ends is lost. Use `SQLiteLedger` wherever money depends on
/// views.
public final class MemoryLedger: BeaconLedger {
    private let state = Locked(MemoryLedgerState())
    private let mostSettled: Int

    /// An empty ledger that remembers this many beacons after their end is known.
    ///
    /// - Parameter mostSettled: Where there are more, the older half is forgotten, delivered ones before all others.
    public init(mostSettled: Int = 2_000) { self.mostSettled = max(1, mostSettled) }

    /// Writes beacons down.
    public func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> Recording {
        self.state.withLock { Recording(new: $0.record(beacons, at: now)) }
    }

    /// Takes beacons that are due, origins in turn.
    public func claim(_ terms: ClaimTerms) async throws(LedgerError) -> Claim {
        self.state.withLock { $0.claim(terms) }
    }

    /// Writes down what became of a claimed beacon.
    public func settle(
        _ claimed: ClaimedBeacon,
        as outcome: Delivery,
        at now: WallTime
    ) async throws(LedgerError) {
        self.state.withLock { $0.settle(claimed, as: outcome, mostSettled: self.mostSettled) }
    }

    /// When a beacon is due, or a lease is over.
    public func nextDue() async throws(LedgerError) -> WallTime? { self.state.withLock { $0.nextDue } }

    /// Makes everything that waits due at once.
    public func hasten(at now: WallTime) async throws(LedgerError) -> Int {
        self.state.withLock { $0.hasten(at: now) }
    }

    /// What the ledger holds behind a number, oldest first.
    public func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        self.state.withLock { $0.entries(after: number, limit: limit) }
    }

    /// Whether it holds a beacon of this key.
    func holds(_ key: BeaconKey) -> Bool { self.state.withLock { $0.holds(key) } }
}
