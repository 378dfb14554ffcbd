public import AdCore
import SystemSupport

/// A ledger in memory: beacons are recorded once each as long as the process runs.
///
/// Beacons that are undelivered when the process ends are lost. Use `SQLiteLedger` where views and clicks are billed.
public final class MemoryLedger: BeaconLedger {
    private let state = Locked(MemoryLedgerState())
    private let maximumSettled: Int
    private let maximumPending: Int

    /// Creates an empty ledger.
    ///
    /// - Parameters:
    ///   - maximumSettled: How many settled beacons are kept. When there are more, the older half is dropped, delivered
    ///     ones first.
    ///   - maximumPending: How many beacons may wait. When there are more, the oldest are dropped, those that are billed
    ///     last.
    public init(maximumSettled: Int = 2_000, maximumPending: Int = 20_000) {
        self.maximumSettled = max(1, maximumSettled)
        self.maximumPending = max(1, maximumPending)
    }

    /// Records beacons.
    public func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        let (new, dropped) = self.state.withLock { state in
            (
                state.record(beacons, at: now, maximumSettled: self.maximumSettled),
                state.makeRoom(forPending: self.maximumPending)
            )
        }
        guard dropped > 0 else { return RecordResult(new: new) }
        let text = "the ledger in memory is full; \(dropped) undelivered beacons were dropped"
        return RecordResult(new: new, issues: [AdIssue("ledger.dropped", at: .whole, text)])
    }

    /// Claims due beacons, taking turns between origins.
    public func claim(_ request: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        self.state.withLock { $0.claim(request) }
    }

    /// Records the outcome of a claimed beacon.
    public func settle(
        _ claimed: ClaimedBeacon,
        as outcome: DeliveryOutcome,
        at now: WallTime
    ) async throws(LedgerError) {
        self.state.withLock { $0.settle(claimed, as: outcome, maximumSettled: self.maximumSettled) }
    }

    /// When the next beacon is due or the next claim expires.
    public func nextDue() async throws(LedgerError) -> WallTime? { self.state.withLock { $0.nextDue } }

    /// Makes all pending beacons due now.
    public func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int {
        self.state.withLock { $0.makeAllDue(at: now) }
    }

    /// The entries after a number, oldest first.
    public func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        self.state.withLock { $0.entries(after: number, limit: limit) }
    }

    /// The entries of those of some beacons that the ledger has, in no order.
    public func entries(of keys: Set<BeaconKey>) async throws(LedgerError) -> [LedgerEntry] {
        self.state.withLock { $0.entries(of: keys) }
    }

    /// The outcome of a beacon; nil while it is pending or claimed, unconfirmed for one that is no longer held.
    func outcome(of key: BeaconKey) -> DeliveryOutcome? { self.state.withLock { $0.outcome(of: key) } }

    /// Whether the ledger holds a beacon with this key.
    func holds(_ key: BeaconKey) -> Bool { self.state.withLock { $0.holds(key) } }
}
