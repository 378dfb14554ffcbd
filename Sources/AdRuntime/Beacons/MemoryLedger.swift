public import AdCore
import SystemSupport

/// A ledger in memory: exactly-once as long as the process lives, and gone with it.
///
/// What was recorded and not yet delivered when the process ends is lost. Use `SQLiteLedger` wherever money depends on
/// views.
public final class MemoryLedger: BeaconLedger {
    private let state = Locked(MemoryLedgerState())
    private let mostSettled: Int
    private let mostWaiting: Int

    /// An empty ledger.
    ///
    /// - Parameters:
    ///   - mostSettled: How many beacons are remembered after their end is known. Where there are more, the older half is
    ///     forgotten, delivered ones before all others.
    ///   - mostWaiting: How many beacons wait at most. Where there are more, the oldest are dropped, those on which money
    ///     depends last of all.
    public init(mostSettled: Int = 2_000, mostWaiting: Int = 20_000) {
        self.mostSettled = max(1, mostSettled)
        self.mostWaiting = max(1, mostWaiting)
    }

    /// Writes beacons down.
    public func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        let (new, dropped) = self.state.withLock { state in
            (
                state.record(beacons, at: now, mostSettled: self.mostSettled),
                state.makeRoom(forWaiting: self.mostWaiting)
            )
        }
        guard dropped > 0 else { return RecordResult(new: new) }
        let text = "the ledger in memory was full, and \(dropped) beacons that were still to be sent were dropped"
        return RecordResult(new: new, issues: [AdIssue("ledger.dropped", at: .whole, text)])
    }

    /// Takes beacons that are due, origins in turn.
    public func claim(_ terms: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        self.state.withLock { $0.claim(terms) }
    }

    /// Writes down what became of a claimed beacon.
    public func settle(
        _ claimed: ClaimedBeacon,
        as outcome: DeliveryOutcome,
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

    /// How a beacon ended, nil where it has not; one that is forgotten may have arrived.
    func end(of key: BeaconKey) -> DeliveryOutcome? { self.state.withLock { $0.end(of: key) } }

    /// Whether it holds a beacon of this key.
    func holds(_ key: BeaconKey) -> Bool { self.state.withLock { $0.holds(key) } }
}
