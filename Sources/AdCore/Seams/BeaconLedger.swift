/// Keeps beacons from the moment they are recorded until their end is known.
///
/// A ledger takes each key once, as long as it remembers it: recording a key again is no error and changes nothing. It
/// hands a beacon to one claimer at a time; a claim that is not settled within its lease is handed out again as *in
/// doubt*.
///
/// The times it is given come from a calendar that does not jump as long as the process lives. Another process may have
/// another calendar: a time that lies further ahead than any wait is long was written by one that was wrong.
///
/// `SQLiteLedger` keeps them in a file, `MemoryLedger` in memory.
public protocol BeaconLedger: Sendable {
    /// Writes beacons down.
    ///
    /// All of them or none: where it throws, none of them is in the ledger, now or later.
    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult
    /// Takes beacons that are due, those of each origin in the order in which they are due, origins in turn.
    ///
    /// They are *in flight* before it returns: who dies afterwards leaves them in doubt.
    func claim(_ terms: ClaimRequest) async throws(LedgerError) -> BeaconClaim
    /// Writes down what became of a claimed beacon.
    ///
    /// Who comes too late, because the lease was over and somebody else has claimed it since, changes nothing; but that
    /// it was delivered counts also then.
    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError)
    /// When something happens next in the ledger: a beacon is due, or a lease is over; nil where all is settled.
    func nextDue() async throws(LedgerError) -> WallTime?
    /// Makes everything that waits due at once, and says how much that is.
    func hasten(at now: WallTime) async throws(LedgerError) -> Int
    /// What the ledger holds behind a number, oldest first, at most so many.
    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry]
}

extension BeaconLedger {
    /// Everything the ledger holds behind a number, oldest first; it may be much.
    public func entries(after number: Int64 = .min) async throws(LedgerError) -> [LedgerEntry] {
        var all: [LedgerEntry] = []
        while true {
            let page = try await self.entries(after: all.last?.number ?? number, limit: 1_000)
            all += page
            if page.count < 1_000 { return all }
        }
    }
}

/// What became of a call of `record`.
public struct RecordResult: Hashable, Sendable {
    /// The keys that were new, in the order given.
    public let new: [BeaconKey]
    /// What had to be repaired or given up since the last time.
    public let issues: [AdIssue]

    /// An outcome.
    public init(new: [BeaconKey], issues: [AdIssue] = []) {
        self.new = new
        self.issues = issues
    }
}

/// Why a ledger could not do what it was asked.
public struct LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one sentence.
    public let message: String
    /// Whether it will be so for ever: asking again is of no use.
    public let isFinal: Bool

    /// Says why.
    public init(_ message: String, isFinal: Bool = false) {
        self.message = message
        self.isFinal = isFinal
    }

    /// The message.
    public var description: String { self.message }
}
