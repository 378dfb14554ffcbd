/// Keeps beacons from the moment they are recorded until their end is known.
///
/// A ledger takes each key once, for ever: recording a key again is no error and changes nothing. It hands a beacon to
/// one claimer at a time; a claim that is not settled within its lease is handed out again as *in doubt*.
///
/// The times it is given come from one calendar, which does not jump as long as the process lives.
public protocol BeaconLedger: Sendable {
    /// Writes beacons down and returns the keys that were new, in the order given.
    ///
    /// All of them or none: where it throws, none of them is in the ledger, now or later.
    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> [BeaconKey]
    /// Takes up to `limit` beacons that are due, for as long as the lease: at most one of each origin, in turn, and
    /// none of the origins to be skipped.
    func claim(
        _ limit: Int,
        skipping origins: Set<String>,
        at now: WallTime,
        lease: Duration
    ) async throws(LedgerError) -> [ClaimedBeacon]
    /// Writes down what became of a claimed beacon.
    func settle(_ key: BeaconKey, as outcome: Delivery, at now: WallTime) async throws(LedgerError)
    /// When the next beacon of another origin than these is due; nil where none is waiting.
    func nextDue(skipping origins: Set<String>) async throws(LedgerError) -> WallTime?
    /// Everything the ledger holds, oldest first.
    func entries() async throws(LedgerError) -> [LedgerEntry]
}

/// A beacon in the hands of the one who delivers it.
public struct ClaimedBeacon: Hashable, Sendable {
    /// The beacon.
    public let beacon: Beacon
    /// Which attempt this is, counted from 1.
    public let attempt: Int
    /// When it was recorded.
    public let recorded: WallTime
    /// Whether an earlier claim ran out without being settled: it may have arrived.
    public let isInDoubt: Bool

    /// A claimed beacon.
    public init(_ beacon: Beacon, attempt: Int, recorded: WallTime, isInDoubt: Bool = false) {
        self.beacon = beacon
        self.attempt = attempt
        self.recorded = recorded
        self.isInDoubt = isInDoubt
    }
}

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
    }

    /// The beacon.
    public let beacon: Beacon
    /// How far it came.
    public let state: State
    /// How often it was tried.
    public let attempts: Int
    /// When it was recorded.
    public let recorded: WallTime

    /// An entry.
    public init(_ beacon: Beacon, state: State, attempts: Int, recorded: WallTime) {
        self.beacon = beacon
        self.state = state
        self.attempts = attempts
        self.recorded = recorded
    }
}

/// Why a ledger could not do what it was asked.
public struct LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    public let message: String

    /// Says why.
    public init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { self.message }
}
