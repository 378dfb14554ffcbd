public import AdCore

/// Keeps beacons in one SQLite file, which outlives the process and the power.
///
/// What happens to the file, and who owns what:
/// - Nothing is touched before the first operation. Then the folder and the file are made, for this user alone. Where
///   that fails the operation throws, and the next one tries again.
/// - What was recorded is on the disk before `record` returns. Everything that waits is written in one transaction, so
///   that many at once cost little more than one.
/// - A damaged file is moved aside and a new one begun; a file that somebody deletes or replaces meanwhile is made
///   again from what is still known. Both are told as issues with the next `RecordResult`.
/// - Several ledgers and processes may use one file. Each beacon is claimed by one of them.
/// - The ledger owns its thread and its file. They end with it, or earlier with `close()`.
///
/// ```swift
/// let ledger = SQLiteLedger(folder: "/var/lib/kiosk/ads")
/// for issue in try await ledger.open() { print(issue) }
/// print(try await ledger.summary().waiting)
/// await ledger.close()
/// ```
public final class SQLiteLedger: BeaconLedger {
    /// The file's path.
    public let file: String
    private let queue = LedgerQueue()
    private let limits: LedgerLimits
    private let access: Access

    /// A ledger in a file.
    ///
    /// - Parameters:
    ///   - file: Its path; SQLite and the ledger keep three more files beside it, of the same name and more.
    ///   - access: Whether it may be made and moved aside.
    ///   - limits: How much it keeps.
    public init(file: String, access: Access = .owned, limits: LedgerLimits = LedgerLimits()) {
        self.file = file
        self.access = access
        self.limits = limits
    }

    /// A ledger in the file `beacons.sqlite` of a folder.
    public convenience init(folder: String, access: Access = .owned, limits: LedgerLimits = LedgerLimits()) {
        self.init(
            // An empty name stays one, and is refused: it would lead to the root of the disk.
            file: folder.isEmpty
                ? "" : folder.hasSuffix("/") ? folder + SQLiteLedger.name : "\(folder)/\(SQLiteLedger.name)",
            access: access,
            limits: limits
        )
    }

    private static let name = "beacons.sqlite"

    deinit { self.queue.close() }

    /// Opens the file now, and says what had to be repaired.
    public func open() async throws(LedgerError) -> [AdIssue] { try await self.ask { .open($0) } }

    /// Does what was asked before, closes the file, and ends the thread.
    ///
    /// Later operations throw.
    public func close() async { await self.queue.closeAndWait() }

    /// Writes beacons down; when it returns they are on the disk.
    public func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        try await self.ask { .record(beacons, now, $0) }
    }

    /// Takes beacons that are due, origins in turn.
    public func claim(_ terms: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        try await self.ask { .claim(terms, $0) }
    }

    /// Writes down what became of a claimed beacon.
    public func settle(
        _ claimed: ClaimedBeacon,
        as outcome: DeliveryOutcome,
        at now: WallTime
    ) async throws(LedgerError) {
        try await self.ask { .settle(claimed, outcome, now, $0) }
    }

    /// When a beacon is due, or a lease is over.
    public func nextDue() async throws(LedgerError) -> WallTime? { try await self.ask { .nextDue($0) } }

    /// Makes everything that waits due at once.
    public func hasten(at now: WallTime) async throws(LedgerError) -> Int { try await self.ask { .hasten(now, $0) } }

    /// What the ledger holds behind a number, oldest first.
    public func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        try await self.ask { .entries(number, limit, $0) }
    }

    /// How many beacons there are of each kind.
    public func summary() async throws(LedgerError) -> LedgerSummary { try await self.ask { .summary($0) } }

    /// Forgets beacons whose end is known, and says how many.
    ///
    /// Their keys are new again afterwards.
    /// - Parameters:
    ///   - ends: Which ends.
    ///   - moment: Only those whose end was known before this; nil for all.
    /// - Returns: How many were forgotten.
    /// - Throws: What keeps the file from being opened or written.
    public func forget(_ ends: Set<End>, settledBefore moment: WallTime? = nil) async throws(LedgerError) -> Int {
        try await self.ask { .forget(ends, moment, $0) }
    }

    /// What SQLite finds wrong with the file, in its own words; nothing where it is whole.
    ///
    /// All of the file is read.
    package func faults() async throws(LedgerError) -> [String] { try await self.ask { .check($0) } }

    /// How much work was done since the file was opened.
    package func work() async throws(LedgerError) -> LedgerWork { try await self.ask { .work($0) } }

    private func ask<Value: Sendable>(_ order: (Reply<Value>) -> Operation) async throws(LedgerError) -> Value {
        let answer = await withCheckedContinuation { reply in
            let order = order(reply)
            switch self.queue.append(order) {
            case .accepted: break
            case .closed: order.fail(SQLiteLedger.isClosed(self.file))
            case .firstEver: self.start()
            }
        }
        return try answer.get()
    }

    private func start() {
        let opener = Opener(LedgerPath(file: self.file), limits: self.limits, access: self.access)
        guard !Writer.start(Writer(self.queue, opener)) else { return }
        let cure = "close some and begin a new ledger"
        let error = LedgerError("the system gave no thread for the ledger \(self.file); \(cure)")
        for order in self.queue.finish() { order.fail(error) }
    }

    static func isClosed(_ file: String) -> LedgerError {
        LedgerError("the ledger \(file) was closed before; begin a new one over the same file", isFinal: true)
    }
}
