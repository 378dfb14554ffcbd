/// The number of beacons in a ledger by state.
public struct LedgerSummary: Hashable, Sendable {
    /// Beacons that wait for their next attempt.
    public let pending: Int
    /// Beacons that are claimed: they are being sent.
    public let inFlight: Int
    /// Beacons that the server received.
    public let delivered: Int
    /// Beacons that the server may have received, including expired claims that are not sent again.
    public let unconfirmed: Int
    /// Beacons that are not sent any more.
    public let dead: Int
    /// Beacons that were ever pruned before they were sent.
    public let dropped: Int
    /// Billing beacons that were ever pruned after they ended as unconfirmed or dead.
    public let unlisted: Int

    /// Creates a summary.
    public init(
        pending: Int,
        inFlight: Int,
        delivered: Int,
        unconfirmed: Int,
        dead: Int,
        dropped: Int,
        unlisted: Int = 0
    ) {
        self.unlisted = unlisted
        self.pending = pending
        self.inFlight = inFlight
        self.delivered = delivered
        self.unconfirmed = unconfirmed
        self.dead = dead
        self.dropped = dropped
    }

    /// All beacons in the ledger.
    public var total: Int { self.pending + self.inFlight + self.delivered + self.unconfirmed + self.dead }
}
