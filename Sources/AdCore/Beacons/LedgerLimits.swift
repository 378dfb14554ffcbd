/// How much the ledger keeps, and how long it waits for others.
///
/// Where there is more, the oldest is dropped in this order: what was delivered; what is dead and then what is
/// unconfirmed, where no money depends on it; what waits and earns nothing; the same three where money depends on
/// them, what waits last of all. What is in flight is never dropped.
public struct LedgerLimits: Hashable, Sendable {
    /// The most beacons in all.
    public var rows: Int
    /// The most beacons whose end is known; their keys are refused as long as they are kept.
    public var settled: Int
    /// The most bytes of the file; its log comes on top.
    public var bytes: Int
    /// How long an operation waits for another process that writes.
    public var patience: Duration

    /// LedgerLimits; the defaults hold a day of a busy app many times over.
    public init(
        rows: Int = 200_000,
        settled: Int = 20_000,
        bytes: Int = 256 << 20,
        patience: Duration = .seconds(5)
    ) {
        self.rows = max(1, rows)
        self.settled = max(1, settled)
        self.bytes = max(0, bytes)
        self.patience = patience
    }
}
