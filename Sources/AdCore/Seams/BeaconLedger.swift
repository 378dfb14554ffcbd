/// Stores beacons from their recording until the outcome of their delivery is known.
///
/// A ledger records each key once while it keeps it; recording a key again is not an error and changes nothing. A
/// beacon has one claim at a time; if it is not settled within its lease, the claim was interrupted, and it can be
/// claimed again.
///
/// The times passed in come from a calendar that does not jump during the life of the process. Another process may have
/// used another calendar: a stored time further in the future than the longest wait is wrong.
///
/// `SQLiteLedger` stores beacons in a file, `PostgresLedger` in a database that several hosts share, `MemoryLedger` in memory.
public protocol BeaconLedger: Sendable {
    /// Records beacons.
    ///
    /// It records all of them or none: if it throws, none of them is in the ledger, now or later.
    func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult
    /// Claims beacons that are due: those of each origin in the order of their due times, origins in turn.
    ///
    /// They are recorded as *in flight* before it returns; if the process then ends, the claims were interrupted.
    func claim(_ request: ClaimRequest) async throws(LedgerError) -> BeaconClaim
    /// Records the outcome of a claimed beacon.
    ///
    /// After the lease, if the beacon was claimed again, the outcome is ignored unless it is `delivered`.
    func settle(_ claimed: ClaimedBeacon, as outcome: DeliveryOutcome, at now: WallTime) async throws(LedgerError)
    /// When the next beacon is due or the next lease ends; nil if all beacons are settled.
    func nextDue() async throws(LedgerError) -> WallTime?
    /// Makes all pending beacons due now, and returns their number.
    func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int
    /// The entries after a number, oldest first, up to a limit.
    func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry]
    /// The entries of those of some beacons that the ledger has, in no order.
    func entries(of keys: Set<BeaconKey>) async throws(LedgerError) -> [LedgerEntry]
}

extension BeaconLedger {
    /// The entries of those of some beacons that the ledger has: looks at all.
    public func entries(of keys: Set<BeaconKey>) async throws(LedgerError) -> [LedgerEntry] {
        keys.isEmpty ? [] : try await self.entries().filter { keys.contains($0.beacon.key) }
    }

    /// All entries after a number, oldest first.
    public func entries(after number: Int64 = .min) async throws(LedgerError) -> [LedgerEntry] {
        var all: [LedgerEntry] = []
        while true {
            let page = try await self.entries(after: all.last?.number ?? number, limit: 1_000)
            all += page
            if page.count < 1_000 { return all }
        }
    }
}

/// The result of recording beacons.
public struct RecordResult: Hashable, Sendable {
    /// The keys that were new, in the given order.
    public let new: [BeaconKey]
    /// The repairs and losses of the ledger since the last recording.
    public let issues: [AdIssue]

    /// Creates a result.
    public init(new: [BeaconKey], issues: [AdIssue] = []) {
        self.new = new
        self.issues = issues
    }
}

/// An error of a ledger operation.
public struct LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and the fix, in one sentence.
    public let message: String
    /// Whether every further operation would fail, too.
    public let isFinal: Bool

    /// Creates an error.
    public init(_ message: String, isFinal: Bool = false) {
        self.message = message
        self.isFinal = isFinal
    }

    /// The message.
    public var description: String { self.message }
}
