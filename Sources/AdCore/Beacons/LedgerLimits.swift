/// The limits of a ledger.
///
/// Above a limit the oldest beacons are removed in this order: delivered; dead, unconfirmed and pending ones without
/// billing; dead, unconfirmed and pending ones with billing. Beacons in flight are never removed.
public struct LedgerLimits: Hashable, Sendable {
    /// The maximum number of beacons.
    public var rows: Int
    /// The maximum number of beacons with a final state; their keys can't be recorded again while they are kept.
    public var settled: Int
    /// The maximum size of the file in bytes, without its write-ahead log.
    public var bytes: Int
    /// How long an operation waits for another process that writes.
    public var lockTimeout: Duration
    /// Whether it is an issue if delivered beacons are removed, because another ledger is to take them over.
    package var reportsRemovedDeliveries = false

    /// Creates limits; the defaults hold several days of a busy app.
    public init(
        rows: Int = 200_000,
        settled: Int = 20_000,
        bytes: Int = 256 << 20,
        lockTimeout: Duration = .seconds(5)
    ) {
        self.rows = max(1, rows)
        self.settled = max(1, settled)
        self.bytes = max(0, bytes)
        self.lockTimeout = lockTimeout
    }
}
