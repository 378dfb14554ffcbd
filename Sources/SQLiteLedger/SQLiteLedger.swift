public import AdCore

/// A ledger in one SQLite file: recorded beacons survive a crash and a power loss.
///
/// - The folder and the file are created by the first operation, readable for this user only. If that fails, the
///   operation throws and the next one tries again.
/// - Beacons are on the disk before `record` returns. Operations that wait at the same time share one transaction.
/// - A damaged file is moved aside and replaced by a new one. A file that is deleted or replaced while in use is
///   created again, and its beacons are carried over. Both are reported as issues with the next `RecordResult`.
/// - Several ledgers and processes can share one file. Each beacon is claimed by one of them.
/// - The ledger has a thread of its own. The thread ends and the file is closed with `close()`, or when the ledger is
///   deallocated.
///
/// ```swift
/// let ledger = SQLiteLedger(folder: "/var/lib/kiosk/ads")
/// for issue in try await ledger.open() { print(issue) }
/// print(try await ledger.summary().pending)
/// await ledger.close()
/// ```
public final class SQLiteLedger: BeaconLedger {
    /// The path of the file.
    public let file: String
    private let queue = LedgerQueue<Operation>()
    private let limits: LedgerLimits
    private let access: Access

    /// Creates a ledger for a file.
    ///
    /// - Parameters:
    ///   - file: The path of the file. The ledger and SQLite keep `-lock`, `-wal` and `-shm` files next to it.
    ///   - access: What opening may do to the file.
    ///   - limits: How many beacons and bytes the ledger keeps.
    public init(file: String, access: Access = .createAndRepair, limits: LedgerLimits = LedgerLimits()) {
        self.file = file
        self.access = access
        self.limits = limits
    }

    /// Creates a ledger for the file `beacons.sqlite` in a folder.
    public convenience init(folder: String, access: Access = .createAndRepair, limits: LedgerLimits = LedgerLimits()) {
        self.init(
            // An empty folder stays an empty name, which `Opener` refuses: a leading slash would name the root folder.
            file: folder.isEmpty
                ? "" : folder.hasSuffix("/") ? folder + SQLiteLedger.name : "\(folder)/\(SQLiteLedger.name)",
            access: access,
            limits: limits
        )
    }

    private static let name = "beacons.sqlite"

    deinit { self.queue.close() }

    /// Opens the file now instead of with the first operation, and returns what was repaired.
    public func open() async throws(LedgerError) -> [AdIssue] { try await self.perform { .open($0) } }

    /// Finishes the pending operations, closes the file and ends the thread.
    ///
    /// Later operations throw.
    public func close() async { await self.queue.closeAndWait() }

    /// Writes beacons; they are on the disk when it returns.
    public func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        try await self.perform { .record(beacons, nil, now, $0) }.0
    }

    /// Claims beacons that are due, round-robin by origin.
    public func claim(_ request: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        try await self.perform { .claim(request, $0) }
    }

    /// Writes the outcome of a claimed beacon.
    public func settle(
        _ claimed: ClaimedBeacon,
        as outcome: DeliveryOutcome,
        at now: WallTime
    ) async throws(LedgerError) {
        _ = try await self.perform { .settle([SettledBeacon(claimed, outcome)], nil, now, $0) }
    }

    /// The time at which the next beacon is due or the next lease ends.
    public func nextDue() async throws(LedgerError) -> WallTime? { try await self.perform { .nextDue($0) } }

    /// Makes all pending beacons due now, and returns their number.
    public func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int {
        try await self.perform { .makeAllDue(now, $0) }
    }

    /// The beacons with a number greater than the given one, in ascending order.
    public func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        try await self.perform { .entries(number, limit, $0) }
    }

    /// The entries of those of some beacons that the ledger has, in no order.
    public func entries(of keys: Set<BeaconKey>) async throws(LedgerError) -> [LedgerEntry] {
        keys.isEmpty ? [] : try await self.perform { .entriesOf(keys, $0) }
    }

    /// The number of beacons by state.
    public func summary() async throws(LedgerError) -> LedgerSummary { try await self.perform { .summary($0) } }

    /// Deletes settled beacons, and returns how many.
    ///
    /// Afterwards their keys can be recorded again.
    /// - Parameters:
    ///   - states: The final states to delete.
    ///   - moment: Deletes only beacons settled before this time; nil for all.
    /// - Returns: The number of deleted beacons.
    /// - Throws: `LedgerError` if the file can't be opened or written.
    public func deleteSettled(_ states: Set<FinalState>, before moment: WallTime? = nil) async throws(LedgerError)
        -> Int
    {
        try await self.perform { .delete(states, moment, $0) }
    }

    /// Deletes beacons whatever their states: another ledger has them.
    package func remove(_ keys: [BeaconKey]) async throws(LedgerError) {
        guard !keys.isEmpty else { return }
        _ = try await self.perform { .remove(keys, .all, $0) }
    }

    /// Deletes beacons that were never claimed; returns those of the keys that stay.
    package func removeUnsent(_ keys: [BeaconKey]) async throws(LedgerError) -> Set<BeaconKey> {
        guard !keys.isEmpty else { return [] }
        return try await self.perform { .remove(keys, .unsent, $0) }
    }

    /// Deletes beacons that `postpone` has returned, unless they were made due again meanwhile; returns those of the keys
    /// that stay.
    package func removePostponed(_ keys: [BeaconKey], until moment: WallTime) async throws(LedgerError) -> Set<
        BeaconKey
    > {
        guard !keys.isEmpty else { return [] }
        return try await self.perform { .remove(keys, .postponed(until: moment), $0) }
    }

    /// Those of the keys that the ledger has.
    package func known(_ keys: [BeaconKey]) async throws(LedgerError) -> Set<BeaconKey> {
        guard !keys.isEmpty else { return [] }
        return try await self.perform { .known(keys, $0) }
    }

    /// Makes some of the beacons that would be sent before a time due then, and returns them.
    ///
    /// Nothing claims them meanwhile, and if the process ends, they are not in doubt.
    package func postpone(_ limit: Int, until moment: WallTime) async throws(LedgerError) -> [LedgerEntry] {
        try await self.perform { .postpone(limit, moment, $0) }
    }

    /// The messages of SQLite's integrity check; empty if the file is undamaged.
    ///
    /// Reads the whole file.
    package func integrityErrors() async throws(LedgerError) -> [String] { try await self.perform { .check($0) } }

    /// The work done since the file was opened.
    package func work() async throws(LedgerError) -> LedgerWork { try await self.perform { .work($0) } }

    private func perform<Value: Sendable>(_ operation: (Reply<Value>) -> Operation) async throws(LedgerError) -> Value {
        let result = await withCheckedContinuation { reply in
            let operation = operation(reply)
            switch self.queue.append(operation) {
            case .accepted: break
            case .closed: operation.fail(SQLiteLedger.isClosed(self.file))
            case .acceptedFirst: self.start()
            }
        }
        return try result.get()
    }

    private func start() {
        let opener = Opener(LedgerPath(file: self.file), limits: self.limits, access: self.access)
        guard !Writer.start(Writer(self.queue, opener)) else { return }
        let fix = "close some of the process's threads and create a new ledger"
        let error = LedgerError("the system can't create a thread for the ledger \(self.file); \(fix)")
        for operation in self.queue.finish() { operation.fail(error) }
    }

    static func isClosed(_ file: String) -> LedgerError {
        LedgerError("the ledger \(file) is closed; create a new one for the same file", isFinal: true)
    }
}

extension SQLiteLedger: ClaimingLedger {
    /// Writes beacons and claims what is due, in one transaction; the claim is nil if the file refused it alone.
    package func record(
        _ beacons: [Beacon],
        claiming request: ClaimRequest,
        at now: WallTime
    ) async throws(LedgerError) -> (RecordResult, BeaconClaim?) {
        try await self.perform { .record(beacons, request, now, $0) }
    }

    /// Writes outcomes and claims what is due, in one transaction; the claim is nil if the file refused it alone.
    package func settle(
        _ outcomes: [SettledBeacon],
        claiming request: ClaimRequest?,
        at now: WallTime
    ) async throws(LedgerError) -> BeaconClaim? {
        try await self.perform { .settle(outcomes, request, now, $0) }
    }
}

extension SQLiteLedger: StoredLedger {
    /// The path of its file.
    package var name: String { self.file }
}

extension SQLiteLedger: ViewStore {
    /// Stores a view that frequency caps count.
    package func record(_ view: CountedView) async throws(LedgerError) -> Bool {
        try await self.perform { .recordView(view, $0) }
    }

    /// The views that frequency caps count, from a time on.
    package func views(
        since start: WallTime,
        limit: Int,
        at now: WallTime
    ) async throws(LedgerError) -> [CountedView] {
        try await self.perform { .views(start, limit, now, $0) }
    }
}
