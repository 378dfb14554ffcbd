public import AdCore
import PostgresClient
import SQLiteLedger
import SystemSupport

/// A ledger in a PostgreSQL database, shared by many hosts: one book of what was billed.
///
/// - Recorded beacons are committed before `record` returns. Operations that wait at the same time share one transaction.
/// - Each beacon is claimed by one host. Leases and due times are by the server's clock; those of the hosts may differ by
///   hours. What a claim returns is recorded as *in flight* first; a claim whose answer is lost is taken back.
/// - While the server is away, beacons are recorded in files of this host and delivered from them, unless another host
///   may have the same ones. They are carried over when it is back. Recording doesn't wait for that.
/// - A connection to another computer uses TLS, and the server's certificate is verified, unless the URL has another
///   `sslmode`. Passwords come from `PGPASSFILE`, a service file or the environment.
/// - The ledger has a thread and a connection of its own, and ends both with `close()`, or when it is deallocated.
///
/// ```swift
/// let ledger = try PostgresLedger("postgres://ads@db.internal/billing", folder: "/var/lib/ads")
/// for issue in try await ledger.open() { print(issue) }
/// ```
public final class PostgresLedger: BeaconLedger {
    /// What opening may do to the database.
    public enum Access: Hashable, Sendable {
        /// Missing tables are created and older ones migrated, if the user may do so.
        case createAndMigrate
        /// The tables must exist.
        ///
        /// For tools that inspect the beacons of other programs.
        case existing
    }

    private let address: PostgresAddress
    let server: ServerLedger
    let local: LocalLedgers?
    let state: Locked<State>

    struct State {
        var failover = Failover()
        var clock: CallerClock
        /// The beacons that are claimed from this host's file.
        var localClaims: Set<BeaconKey> = []
        var recentKeys = RecentKeys(limit: 16_384)
        /// Beacons that no file could hold, and that the server or a file may have recorded.
        var unresolved: [Beacon] = []
        /// Outcomes of beacons that the server has, and that it could not be told.
        var outcomes: [BeaconKey: UnsettledOutcome] = [:]
        /// Whether the files may hold beacons to be carried over.
        var hasLocalBeacons: Bool
        /// The end of carrying over; nil while that is not being done.
        var carryOverEnd: OneShot<Void>?
        var isCarryingOver: Bool { self.carryOverEnd != nil }
        /// Whether beacons were looked for that an earlier process has begun to carry over.
        var hasCheckedHeld = false
        var issues: [AdIssue] = []
    }

    /// An outcome that the server could not be told.
    struct UnsettledOutcome {
        let claimed: ClaimedBeacon
        let outcome: DeliveryOutcome
    }

    /// The maximum number of outcomes that are kept; the leases of further beacons end without one.
    private static let maximumOutcomes = 10_000
    /// How often a host looks for beacons that other hosts have left.
    private static let pollInterval = Duration.seconds(30)

    /// Creates a ledger.
    ///
    /// - Parameters:
    ///   - url: The URL of the database, `postgres://user@host/database`, or libpq's `key=value` form.
    ///   - folder: A folder of this host, for beacons that are recorded while the server is away.
    ///   - limits: How many beacons and bytes are kept in that folder.
    /// - Throws: `LedgerError` if the URL can't be read.
    public convenience init(_ url: String, folder: String, limits: LedgerLimits = LedgerLimits()) throws(LedgerError) {
        try self.init(url, folder: folder, access: .createAndMigrate, limits: limits)
    }

    /// Creates a ledger for a tool that inspects the beacons of other programs.
    public convenience init(existing url: String) throws(LedgerError) {
        try self.init(url, folder: nil, access: .existing)
    }

    package init(
        _ url: String,
        folder: String?,
        access: Access,
        limits: LedgerLimits = LedgerLimits(),
        time: LedgerTime = .server,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) throws(LedgerError) {
        do throws(PostgresError) {
            self.address = try PostgresAddress(url)
        } catch {
            throw LedgerError("the ledger's address \(error.explanation())", isFinal: true)
        }
        self.server = ServerLedger(
            self.address,
            createsTables: access == .createAndMigrate,
            time: time,
            random: random
        )
        self.local = folder.map { LocalLedgers(folder: $0, limits: limits) }
        let hasLocalBeacons = self.local?.mayHaveBeacons ?? false
        self.state = Locked(State(clock: CallerClock(time), hasLocalBeacons: hasLocalBeacons))
    }

    /// The address for messages, without a password.
    public var name: String { self.address.printable }

    /// Connects now instead of with the first operation, and returns what is remarkable about the connection.
    public func open() async throws(LedgerError) -> [AdIssue] {
        do throws(ServerFailure) {
            let issues: [AdIssue] = try await self.server.perform { .open($0) }
            self.answered(hasWritten: false)
            return issues
        } catch {
            // What must be changed is reported at once, and not when beacons pile up in files.
            guard self.local != nil, error.isAway, !error.isMisconfiguration else { throw error.error }
            self.failed(error)
            return self.drainIssues()
        }
    }

    /// Removes and returns the issues that were not reported yet.
    private func drainIssues() -> [AdIssue] {
        self.state.withLock { state in
            defer { state.issues = [] }
            return state.issues
        }
    }

    /// Why the server does not have everything that this host has recorded; nil if it has, and has answered last.
    package var keptReason: String? {
        self.state.withLock { state in
            if state.failover.isAway { return "\(self.name) is away" }
            guard state.hasLocalBeacons || state.isCarryingOver else { return nil }
            return state.failover.reasonOfKeeping ?? "they are still being carried over"
        }
    }

    /// Finishes the pending operations, and closes the connection and the files.
    public func close() async {
        await self.server.close()
        await self.local?.close()
    }

    // MARK: Recording

    /// Records beacons on the server, or in this host's files while it is away.
    public func record(_ beacons: [Beacon], at now: WallTime) async throws(LedgerError) -> RecordResult {
        guard self.route(now) == .server else { return try await self.recordLocally(beacons, nil, at: now) }
        do throws(ServerFailure) {
            let result: RecordResult = try await self.server.perform { .record(beacons, now, $0) }
            if self.local != nil {
                let keys = beacons.map(\.key)
                self.state.withLock { $0.recentKeys.add(keys) }
            }
            self.answered()
            return RecordResult(new: result.new, issues: self.drainIssues() + result.issues)
        } catch {
            guard self.local != nil, !error.error.isFinal else { throw error.error }
            self.failed(error)
            if !error.isAway {
                let text = "\(error.error.message). \(beacons.count) beacons are recorded in files of this host"
                self.state.withLock { $0.issues.append(AdIssue("ledger.failed", at: .whole, text)) }
            }
            return try await self.recordLocally(beacons, error, at: now)
        }
    }

    private func recordLocally(
        _ beacons: [Beacon],
        _ failure: ServerFailure?,
        at now: WallTime
    ) async throws(LedgerError) -> RecordResult {
        guard let local else { throw failure?.error ?? LedgerError("the ledger \(self.name) is away") }
        let beacons = self.state.withLock { state in beacons.filter { !state.recentKeys.contains($0.key) } }
        let isUncertain = failure?.isUncertain ?? false
        // Set before, too: a claim meanwhile looks into the files.
        self.state.withLock { $0.hasLocalBeacons = true }
        do throws(LocalLedgers.Failure) {
            let result = try await local.record(beacons, isUncertain: isUncertain, at: now)
            let isBack = self.state.withLock { state in
                state.hasLocalBeacons = true
                return !state.failover.isAway
            }
            if isBack { self.startCarryOver() }
            return RecordResult(new: result.new, issues: self.drainIssues() + result.issues)
        } catch {
            // Nothing else may send what the server or a file may have recorded.
            guard isUncertain || error.isUncertain else { throw error.error }
            self.state.withLock { $0.unresolved += beacons }
            let text = "\(error.error.message); \(beacons.count) beacons are in memory until the server is back"
            return RecordResult(new: beacons.map(\.key), issues: [AdIssue("ledger.failed", at: .whole, text)])
        }
    }

    // MARK: Delivery

    /// Claims beacons that are due, round-robin by origin.
    public func claim(_ request: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        if self.route(request.now) == .server {
            do throws(ServerFailure) {
                let claim: BeaconClaim = try await self.server.perform { .claim(request, $0) }
                self.answered()
                guard self.local != nil, claim.beacons.count < request.limit else { return claim }
                let poll = request.now + PostgresLedger.pollInterval
                return BeaconClaim(claim.beacons, next: claim.next.map { min($0, poll) } ?? poll)
            } catch {
                self.failed(error)
                guard self.local != nil, error.isAway else { throw error.error }
            }
        }
        return try await self.claimLocally(request)
    }

    private func claimLocally(_ request: ClaimRequest) async throws(LedgerError) -> BeaconClaim {
        let poll = request.now + Failover.pollInterval
        guard let local, self.state.withLock({ $0.hasLocalBeacons && !$0.isCarryingOver }) else {
            return BeaconClaim([], next: poll)
        }
        if !self.state.withLock({ $0.hasCheckedHeld }) {
            // Another process is moving beacons between the files: what is due is not certain yet.
            guard let lock = try FolderLock(of: local) else { return BeaconClaim([], next: poll) }
            defer { lock.end() }
            try await local.settleHeld()
            self.state.withLock { $0.hasCheckedHeld = true }
        }
        let claim = try await local.own.claim(request)
        self.state.withLock { state in for one in claim.beacons { state.localClaims.insert(one.beacon.key) } }
        return BeaconClaim(claim.beacons, next: claim.next.map { min($0, poll) } ?? poll)
    }

    /// Records the outcome of a claimed beacon where it was claimed.
    public func settle(
        _ claimed: ClaimedBeacon,
        as outcome: DeliveryOutcome,
        at now: WallTime
    ) async throws(LedgerError) {
        if let local, self.state.withLock({ $0.localClaims.contains(claimed.beacon.key) }) {
            try await local.own.settle(claimed, as: outcome, at: now)
            let isBack = self.state.withLock { state in
                state.localClaims.remove(claimed.beacon.key)
                state.hasLocalBeacons = true
                return !state.failover.isAway
            }
            if isBack { self.startCarryOver() }
            return
        }
        if self.local != nil, self.state.withLock({ $0.failover.isAway }) { return self.keep(outcome, of: claimed) }
        do throws(ServerFailure) {
            let _: Void = try await self.server.perform { .settle(claimed, outcome, now, $0) }
            self.answered()
        } catch {
            self.failed(error)
            guard self.local != nil, error.isAway else { throw error.error }
            self.keep(outcome, of: claimed)
        }
    }

    /// Keeps an outcome until the server is back; of two for one beacon, `delivered` wins.
    private func keep(_ outcome: DeliveryOutcome, of claimed: ClaimedBeacon) {
        self.state.withLock { state in
            state.hasLocalBeacons = true
            let key = claimed.beacon.key
            guard state.outcomes[key]?.outcome != .delivered,
                state.outcomes[key] != nil || state.outcomes.count < PostgresLedger.maximumOutcomes
            else { return }
            state.outcomes[key] = UnsettledOutcome(claimed: claimed, outcome: outcome)
        }
    }

    /// When the next beacon is due or the next lease ends, by the server's clock.
    public func nextDue() async throws(LedgerError) -> WallTime? {
        if let local, self.state.withLock({ $0.failover.isAway }) { return try await local.own.nextDue() }
        return try await self.perform { .nextDue($0) }
    }

    /// Makes all waiting beacons due now, and returns their number.
    public func makeAllDue(at now: WallTime) async throws(LedgerError) -> Int {
        if let local, self.route(now) != .server { return try await local.own.makeAllDue(at: now) }
        return try await self.count(makingDueAt: now).waiting
    }

    // MARK: Reading

    /// The beacons with a number greater than the given one, in ascending order.
    ///
    /// A beacon that another host is recording meanwhile may appear later, with a lower number. While the server is away,
    /// they are those of this host's file.
    public func entries(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerEntry] {
        if let local, self.state.withLock({ $0.failover.isAway }) {
            return try await local.own.entries(after: number, limit: limit)
        }
        return try await self.perform { .entries(number, limit, $0) }
    }

    /// The entries of those of some beacons that this host's files or the server have, in no order.
    ///
    /// The server is asked for those that are not in the files.
    public func entries(of keys: Set<BeaconKey>) async throws(LedgerError) -> [LedgerEntry] {
        guard !keys.isEmpty else { return [] }
        var found: [LedgerEntry] = []
        if let local, local.mayHaveBeacons {
            found = try await local.own.entries(of: keys) + local.held.entries(of: keys)
        }
        let others = keys.subtracting(found.map(\.beacon.key))
        guard !others.isEmpty else { return found }
        return try await found + self.perform { .entriesOf(Array(others), $0) }
    }

    /// The number of beacons by state; one that changes meanwhile counts in its state before or after the change.
    public func summary() async throws(LedgerError) -> LedgerSummary { try await self.count().summary }

    /// Counts all beacons, page by page; with a time, the waiting ones are made due now.
    private func count(makingDueAt now: WallTime? = nil) async throws(LedgerError) -> CountedPage {
        var sum = CountedPage()
        var number = Int64.min
        while true {
            let page: CountedPage = try await self.perform { .count(after: number, makingDueAt: now, $0) }
            sum.counts.merge(page.counts) { $0 + $1 }
            sum.waiting += page.waiting
            guard let last = page.last else { return sum }
            number = last
        }
    }

    func perform<Value: Sendable>(
        _ operation: (ServerOperation.Reply<Value>) -> ServerOperation
    ) async throws(LedgerError) -> Value {
        do throws(ServerFailure) {
            let value = try await self.server.perform(operation)
            self.answered(hasWritten: false)
            return value
        } catch {
            self.failed(error)
            throw error.error
        }
    }
}

extension PostgresLedger: StoredLedger {
    /// A server checks its files itself.
    package func integrityErrors() async throws(LedgerError) -> [String] { [] }
}

extension PostgresLedger: ViewStore {
    /// Stores a view that frequency caps count, on this host.
    package func record(_ view: CountedView) async throws(LedgerError) -> Bool {
        try await self.local?.own.record(view) ?? true
    }

    /// The views of this host that frequency caps count.
    package func views(
        since start: WallTime,
        limit: Int,
        at now: WallTime
    ) async throws(LedgerError) -> [CountedView] {
        try await self.local?.own.views(since: start, limit: limit, at: now) ?? []
    }
}

extension PostgresLedger {
    /// Creates or migrates the tables of a database, and gives roles that exist the rights that they need.
    ///
    /// - Parameters:
    ///   - url: The URL of the database, as a user who may create a schema in it.
    ///   - writers: Roles of hosts that record and deliver beacons.
    ///   - readers: Roles of tools that list them.
    ///   - pruners: Roles that remove settled ones.
    /// - Throws: `LedgerError` if the server can't be reached, or the user may not do so.
    package static func prepare(
        _ url: String,
        writers: [String] = [],
        readers: [String] = [],
        pruners: [String] = []
    ) async throws(LedgerError) {
        let ledger = try PostgresLedger(url, folder: nil, access: .createAndMigrate)
        do throws(ServerFailure) {
            let grants =
                writers.map { (LedgerTables.Access.writer, $0) } + readers.map { (.reader, $0) }
                + pruners.map { (.pruner, $0) }
            try await ledger.server.perform { .grant(grants, $0) }
        } catch {
            await ledger.close()
            throw error.error
        }
        await ledger.close()
    }
}
