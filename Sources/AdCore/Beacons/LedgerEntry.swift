/// A beacon in the ledger with its state.
public struct LedgerEntry: Hashable, Sendable {
    /// The state of a beacon's delivery.
    public enum State: Hashable, Sendable {
        /// It waits for its next attempt; its name in lists is `recorded`.
        case pending(nextTry: WallTime, reason: String?)
        /// It is being sent.
        case inFlight(until: WallTime)
        /// The server received it.
        case delivered
        /// Whether the server received it is unknown.
        case unconfirmed(reason: String)
        /// It is given up; with `atLeastOnce`, an earlier attempt may have been received.
        case dead(reason: String)

        /// The state's name in lists.
        public var name: String {
            switch self {
            case .pending: "recorded"
            case .inFlight: "inFlight"
            case .delivered: "delivered"
            case .unconfirmed: "unconfirmed"
            case .dead: "dead"
            }
        }

        /// Whether the state is final.
        public var isSettled: Bool {
            switch self {
            case .pending, .inFlight: false
            case .delivered, .unconfirmed, .dead: true
            }
        }
    }

    /// Its number in the ledger; beacons recorded later have higher numbers.
    public let number: Int64
    /// The beacon.
    public let beacon: Beacon
    /// The state of its delivery.
    public let state: State
    /// The number of attempts.
    public let attempts: Int
    /// When it was recorded.
    public let recorded: WallTime
    /// Whether an earlier claim ended without an outcome, so the server may have received it.
    public let wasInterrupted: Bool

    /// The state to report: an interrupted beacon that is not sent again is unconfirmed even before that is recorded.
    public var standing: State {
        guard case .pending(_, let reason) = self.state, !self.isSentAgain else { return self.state }
        return .unconfirmed(reason: (reason ?? "it may have arrived") + "; it is not sent again")
    }

    /// Whether it will be sent; an interrupted beacon only with `atLeastOnce`.
    public var isSentAgain: Bool {
        switch self.state {
        case .pending: !(self.wasInterrupted && self.beacon.call.guarantee.isFinal)
        case .inFlight, .delivered, .unconfirmed, .dead: false
        }
    }

    /// Creates an entry.
    public init(
        _ beacon: Beacon,
        number: Int64,
        state: State,
        attempts: Int,
        recorded: WallTime,
        wasInterrupted: Bool = false
    ) {
        self.beacon = beacon
        self.number = number
        self.state = state
        self.attempts = attempts
        self.recorded = recorded
        self.wasInterrupted = wasInterrupted
    }
}

extension LedgerEntry {
    /// A final state of a beacon.
    public enum FinalState: Hashable, Sendable, CaseIterable {
        /// The server received it.
        case delivered
        /// The server may have received it.
        case unconfirmed
        /// It is not sent any more.
        case dead
    }
}
