import AdCore
import PostgresClient
import SQLiteLedger
import SystemSupport

/// Executes the queued operations on the server, several in one transaction, and resumes their callers.
///
/// Runs on a thread of its own. A group whose connection broke is executed again over a new one: recordings and outcomes
/// have an effect only once, and a claim whose answer was lost is taken back first.
final class ServerWriter {
    private let queue: LedgerQueue<ServerOperation>
    private let opener: ServerOpener
    private var clock: CallerClock
    private let random: () -> UInt64
    private let holder: Int64

    /// Claims whose answers were lost, and until when the server may still execute them: a connection can break while
    /// its last statements run.
    private var lostClaims: [(number: Int64, until: ContinuousClock.Instant)] = []
    private var cursor = ""
    private var lastSweep: ContinuousClock.Instant?
    /// Until when recordings expect known keys, because one was known.
    private var knownKeysUntil: ContinuousClock.Instant?

    /// The maximum weight of one transaction; a single heavier operation gets its own.
    static let groupLimit = 4_096
    /// How often a group is tried again that failed for a reason that passes.
    private static let maximumTries = 8
    /// How long the server is tried again before an operation fails.
    private static let patience = Duration.seconds(4)
    private static let knownKeysInterval = Duration.seconds(10)
    private static let sweepInterval = Duration.seconds(60)
    private static let maximumLostClaims = 1_000
    /// Longer than the time limit of a group on the server (`LedgerSQL.settings`).
    private static let longestStatement = Duration.seconds(60)

    init(
        _ queue: LedgerQueue<ServerOperation>,
        _ opener: sending ServerOpener,
        time: LedgerTime,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.queue = queue
        self.opener = opener
        self.clock = CallerClock(time)
        self.random = random
        self.holder = Int64(bitPattern: random() >> 1)
    }

    /// Runs the writer on a thread of its own; false if the thread can't be created.
    static func start(_ writer: sending ServerWriter) -> Bool {
        DedicatedThread.start("yabbi-postgres", stack: 1 << 20) { writer.run() }
    }

    private func run() {
        while let operations = self.queue.next(upTo: ServerWriter.groupLimit, waits: true) {
            for group in OperationGroup.groups(operations) { self.execute(group) }
        }
        if !self.lostClaims.isEmpty { self.execute(OperationGroup()) }
        self.opener.close()
        for operation in self.queue.finish() { operation.fail(ServerFailure(self.opener.isClosed)) }
    }

    private func execute(_ group: OperationGroup) {
        let number = Int64(bitPattern: self.random() >> 1)
        let deadline = ContinuousClock.now + ServerWriter.patience
        var isRepeated = false
        for attempt in 1... {
            var claim: Int64?
            do throws(PostgresError) {
                let connection = try self.opener.ready()
                // Each try of a claim has a number of its own: one that was lost is taken back, not the next one.
                let own = attempt == 1 || !group.hasClaim ? number : Int64(bitPattern: self.random() >> 1)
                let expectsKnownKeys = isRepeated || self.knownKeysUntil.map { .now < $0 } ?? false
                let plan = self.plan(group, number: number, claim: own, mayHaveKnownKeys: expectsKnownKeys)
                if group.hasClaim { claim = own }
                let outcome = plan.outcome(of: try connection.run(plan.statements))
                self.done(outcome)
                return
            } catch {
                if error.isKnownKey, !(self.knownKeysUntil.map { .now < $0 } ?? false) {
                    self.knownKeysUntil = .now + ServerWriter.knownKeysInterval
                    continue
                }
                if error.endsConnection { self.opener.discard() }
                if error.isUncertain {
                    isRepeated = true
                    if let claim, self.lostClaims.count < ServerWriter.maximumLostClaims {
                        self.lostClaims.append((claim, .now + ServerWriter.longestStatement))
                    }
                }
                let isRepeatable = error.isTransient && attempt < ServerWriter.maximumTries
                // A server that restarts refuses connections for a moment.
                let isBack = error.isUncertain || isRepeated && error.endsConnection
                if isRepeatable || isBack && ContinuousClock.now < deadline && self.opener.waitToReconnect() {
                    continue
                }
                // What is wrong with one operation is not the others' fault.
                if !error.isAway, group.operations.count > 1 {
                    for operation in group.operations { self.execute(OperationGroup(operation)) }
                } else {
                    self.fail(group, error, isUncertain: isRepeated)
                }
                return
            }
        }
    }

    private func plan(_ group: OperationGroup, number: Int64, claim: Int64, mayHaveKnownKeys: Bool) -> GroupPlan {
        let now = ContinuousClock.now
        let present = self.clock.present(group.now, at: now)
        let sweeps = group.hasClaim && self.lastSweep.map { now - $0 >= ServerWriter.sweepInterval } ?? true
        if sweeps { self.lastSweep = now }
        return GroupPlan(
            group,
            GroupContext(
                present: present,
                holder: self.holder,
                batch: number,
                claim: claim,
                lostClaims: self.lostClaims.map(\.number),
                mayHaveKnownKeys: mayHaveKnownKeys,
                cursor: self.cursor,
                sweeps: sweeps
            )
        )
    }

    private func done(_ outcome: GroupPlan.Outcome) {
        if !self.lostClaims.isEmpty { self.lostClaims.removeAll { $0.until < .now } }
        if let cursor = outcome.cursor { self.cursor = cursor }
        for reply in outcome.opened { reply.resume(returning: .success(self.opener.drainIssues())) }
        for (keys, reply) in outcome.recorded {
            reply.resume(returning: .success(RecordResult(new: keys, issues: self.opener.drainIssues())))
        }
        for reply in outcome.replies { reply() }
        if let claim = outcome.claim { self.finish(claim) }
    }

    /// Returns a claim; what it took is committed, so an error is no error of the claim.
    private func finish(_ claim: PendingClaim) {
        if !claim.unreadable.isEmpty {
            let numbers = claim.unreadable.map { Optional($0.number) }
            let reasons = claim.unreadable.map { Optional($0.reason) }
            // If it fails, the rows are claimed again when their leases are over.
            self.runAlone(PostgresStatement(once: LedgerSQL.bury, [.null, .ints(numbers), .texts(reasons)]))
        }
        claim.finish(claim.waiting.flatMap { self.runAlone($0) })
    }

    @discardableResult
    private func runAlone(_ statement: PostgresStatement) -> PostgresRows? {
        do throws(PostgresError) {
            return try self.opener.ready().run(statement)
        } catch {
            if error.endsConnection { self.opener.discard() }
            return nil
        }
    }

    private func fail(_ group: OperationGroup, _ error: PostgresError, isUncertain: Bool) {
        let failure = ServerFailure(
            self.opener.ledgerError(error),
            isUncertain: isUncertain,
            isAway: error.isAway,
            isMisconfiguration: error.isMisconfiguration
        )
        for operation in group.operations { operation.fail(failure) }
    }
}
