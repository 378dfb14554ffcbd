import AdCore

extension SQLiteLedger {
    /// What may become of the file when a ledger is opened.
    public enum Access: Hashable, Sendable {
        /// It is made where it is missing, and a damaged one is moved aside.
        case owned
        /// It must be there and whole, nothing is dropped for want of room, and it is only read where it can't be written:
        /// for those who look at another program's beacons.
        case existing
    }

    /// How a beacon ended.
    public enum End: Hashable, Sendable, CaseIterable {
        /// It arrived.
        case delivered
        /// It may have arrived.
        case unconfirmed
        /// It will never arrive.
        case dead
    }
}

/// How many beacons a ledger holds of each kind.
public struct LedgerSummary: Hashable, Sendable {
    /// They wait to be sent, and are.
    public let waiting: Int
    /// They are being sent.
    public let inFlight: Int
    /// They arrived.
    public let delivered: Int
    /// They may have arrived, whether that was written down already or not.
    public let unconfirmed: Int
    /// They will never arrive.
    public let dead: Int
    /// How many were ever dropped before they were sent, for want of room.
    public let dropped: Int
    /// How many on which money depends were ever taken off the list of what is unconfirmed or dead, for want of room.
    public let unlisted: Int

    /// A summary.
    public init(
        waiting: Int,
        inFlight: Int,
        delivered: Int,
        unconfirmed: Int,
        dead: Int,
        dropped: Int,
        unlisted: Int = 0
    ) {
        self.unlisted = unlisted
        self.waiting = waiting
        self.inFlight = inFlight
        self.delivered = delivered
        self.unconfirmed = unconfirmed
        self.dead = dead
        self.dropped = dropped
    }

    /// All that are there.
    public var total: Int { self.waiting + self.inFlight + self.delivered + self.unconfirmed + self.dead }
}

extension LedgerLimits {
    /// Limits that no number of beacons reaches.
    var unlimited: LedgerLimits {
        LedgerLimits(rows: .max, settled: .max, bytes: .max, patience: self.patience)
    }
}
