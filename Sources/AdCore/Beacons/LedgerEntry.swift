/// A beacon as the ledger holds it.
public struct LedgerEntry: Hashable, Sendable {
    /// How far it came.
    public enum State: Hashable, Sendable {
        /// It waits to be sent.
        case recorded(nextTry: WallTime, reason: String?)
        /// It is being sent.
        case inFlight(until: WallTime)
        /// It arrived.
        case delivered
        /// It may have arrived.
        case unconfirmed(reason: String)
        /// It will never arrive.
        case dead(reason: String)

        /// The state's name in lists.
        public var name: String {
            switch self {
            case .recorded: "recorded"
            case .inFlight: "inFlight"
            case .delivered: "delivered"
            case .unconfirmed: "unconfirmed"
            case .dead: "dead"
            }
        }

        /// Whether its end is known, as far as it ever will be.
        public var isSettled: Bool {
            switch self {
            case .recorded, .inFlight: false
            case .delivered, .unconfirmed, .dead: true
            }
        }
    }

    /// Its place in the ledger: what was recorded later has a higher number.
    public let number: Int64
    /// The beacon.
    public let beacon: Beacon
    /// How far it came.
    public let state: State
    /// How often it was tried.
    public let attempts: Int
    /// When it was recorded.
    public let recorded: WallTime
    /// Whether it waits although it may have arrived: a claim ran out without being settled.
    public let isInDoubt: Bool

    /// Whether it is sent again; what is in doubt is so only where its server takes each key once.
    public var isSentAgain: Bool {
        switch self.state {
        case .recorded: !self.isInDoubt || self.beacon.call.doubt == .resend
        case .inFlight, .delivered, .unconfirmed, .dead: false
        }
    }

    /// An entry.
    public init(
        _ beacon: Beacon,
        number: Int64,
        state: State,
        attempts: Int,
        recorded: WallTime,
        isInDoubt: Bool = false
    ) {
        self.beacon = beacon
        self.number = number
        self.state = state
        self.attempts = attempts
        self.recorded = recorded
        self.isInDoubt = isInDoubt
    }
}
