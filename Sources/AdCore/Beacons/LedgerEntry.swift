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
        /// It is given up; where its server takes each key once, an attempt of before may have arrived unseen.
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
    /// Whether it may have arrived: a claim ran out without being settled.
    public let isInDoubt: Bool

    /// How it stands for whoever asks: what waits and may have arrived, and is not to be sent twice, is unconfirmed
    /// already, before a claim writes that down.
    public var standing: State {
        guard case .recorded(_, let reason) = self.state, !self.isSentAgain else { return self.state }
        return .unconfirmed(reason: (reason ?? "it may have arrived") + "; it is not sent again")
    }

    /// Whether it is sent again; what is in doubt is so only where its server takes each key once.
    public var isSentAgain: Bool {
        switch self.state {
        case .recorded: !(self.isInDoubt && self.beacon.call.guarantee.isFinal)
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
