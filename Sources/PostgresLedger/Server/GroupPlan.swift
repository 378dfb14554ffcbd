import AdCore
import PostgresClient
import SQLiteLedger

/// What a group needs to know of its ledger.
struct GroupContext {
    /// The current time of the caller.
    let present: CallerClock.Present
    /// The identifier of the ledger among all hosts.
    let holder: Int64
    /// The number of the group's recordings, the same for each try.
    let batch: Int64
    /// The number of the group's claim in this try.
    let claim: Int64
    /// Numbers of claims whose answers were lost.
    let lostClaims: [Int64]
    /// Whether some of the keys may be known, also from an earlier try of the group.
    let mayHaveKnownKeys: Bool
    /// The origin after which the claim begins.
    let cursor: String
    /// Whether stored times are checked.
    let sweeps: Bool
}

/// The statements of a group, and what is made of their results.
struct GroupPlan {
    private(set) var statements: [PostgresStatement] = []
    private var handlers: [(PostgresRows, inout Outcome) -> Void] = []

    /// What a group has done.
    struct Outcome {
        /// Resumes the callers.
        var replies: [() -> Void] = []
        /// The recordings, whose results also have the issues of the ledger.
        var recorded: [(keys: [BeaconKey], reply: ServerOperation.Reply<RecordResult>)] = []
        /// The callers that have opened the ledger.
        var opened: [ServerOperation.Reply<[AdIssue]>] = []
        /// The origin after which the next claim begins.
        var cursor: String?
        /// The claim, to be finished.
        var claim: PendingClaim?
    }

    private let context: GroupContext
    private var clock: PostgresValue { PostgresValue(self.context.present.override?.milliseconds) }

    /// Plans a group.
    init(_ group: OperationGroup, _ context: GroupContext) {
        self.context = context
        if !context.lostClaims.isEmpty {
            self.add(PostgresStatement(once: LedgerSQL.undo, [.int(context.holder), .ints(context.lostClaims)]))
        }
        self.record(group)
        self.settle(group)
        for operation in group.operations { self.add(operation) }
    }

    /// Hands the results of the statements to the operations.
    func outcome(of results: [PostgresRows]) -> Outcome {
        var outcome = Outcome()
        for (rows, handler) in zip(results, self.handlers) { handler(rows, &outcome) }
        return outcome
    }

    private mutating func add(
        _ statement: PostgresStatement,
        _ handler: @escaping (PostgresRows, inout Outcome) -> Void = { _, _ in }
    ) {
        self.statements.append(statement)
        self.handlers.append(handler)
    }

    // MARK: Recordings and outcomes

    private mutating func record(_ group: OperationGroup) {
        var arrays = BeaconArrays()
        /// The keys that come twice; only looked for when some may be known.
        var seen: Set<BeaconKey> = []
        var recordings: [(keys: [BeaconKey], reply: ServerOperation.Reply<RecordResult>)] = []
        for case .record(let beacons, _, let reply) in group.operations {
            var keys: [BeaconKey] = []
            keys.reserveCapacity(beacons.count)
            for beacon in beacons where !self.context.mayHaveKnownKeys || seen.insert(beacon.key).inserted {
                arrays.add(beacon)
                keys.append(beacon.key)
            }
            recordings.append((keys, reply))
        }
        guard !recordings.isEmpty else { return }
        let values = [self.clock, .int(self.context.batch)] + arrays.values
        guard self.context.mayHaveKnownKeys else {
            return self.add(PostgresStatement("record", LedgerSQL.record, values)) { [recordings] _, outcome in
                outcome.recorded += recordings
            }
        }
        self.add(PostgresStatement("recordNew", LedgerSQL.recordNew, values))
        let keys = PostgresValue.texts(seen.map(\.text))
        self.add(PostgresStatement("recorded", LedgerSQL.recorded, [keys, .int(self.context.batch)])) {
            [recordings] rows, outcome in
            let new = Set(rows.rows.compactMap { $0.text(0) })
            outcome.recorded += recordings.map { ($0.keys.filter { new.contains($0.text) }, $0.reply) }
        }
    }

    private mutating func settle(_ group: OperationGroup) {
        var outcomes = OutcomeArrays()
        var replies: [ServerOperation.Reply<Void>] = []
        for case .settle(let claimed, let outcome, let now, let reply) in group.operations {
            outcomes.add(claimed, outcome, self.context.present, at: now)
            replies.append(reply)
        }
        guard !replies.isEmpty else { return }
        let reason = PostgresValue.text(ClaimedBeacon.leaseExpiredReason)
        self.add(PostgresStatement("settle", LedgerSQL.settle, [self.clock] + outcomes.values + [reason])) {
            [replies] _, outcome in
            for reply in replies { outcome.replies.append { reply.resume(returning: .success(())) } }
        }
    }

    // MARK: Other operations

    private mutating func add(_ operation: ServerOperation) {
        switch operation {
        case .record, .settle: break
        case .open(let reply):
            self.add(PostgresStatement("ping", "SELECT 1")) { _, outcome in outcome.opened.append(reply) }
        case .carry(let beacons, let now, let reply): self.carry(beacons, at: now, reply)
        case .claim(let request, let reply): self.claim(request, reply)
        case .nextDue(let reply):
            self.add(PostgresStatement("waiting", LedgerSQL.waiting, [self.clock])) { rows, outcome in
                // By the server's clock: this caller passes no time in.
                let times = rows.rows.compactMap { row in row.int(1).flatMap { one in row.int(2).map { one + $0 } } }
                let next = times.min().map { WallTime(milliseconds: $0) }
                outcome.replies.append { reply.resume(returning: .success(next)) }
            }
        case .count(let number, let now, let reply):
            let page: [PostgresValue] = [.int(number), .int(LedgerSQL.pageSize)]
            let statement =
                now.map { now in
                    let due = min(0, self.context.present.distance(to: now))
                    let values = [self.clock] + page + [.int(due)]
                    return PostgresStatement("countsMakingDue", LedgerSQL.countsMakingDue, values)
                } ?? PostgresStatement("counts", LedgerSQL.counts, page)
            self.add(statement) { rows, outcome in
                let page = CountedPage(rows)
                outcome.replies.append { reply.resume(returning: .success(page)) }
            }
        case .entries(let number, let limit, let reply):
            let limit = Int64(max(0, limit))
            self.add(PostgresStatement("entries", LedgerSQL.entries, [.int(number), .int(limit)])) { rows, outcome in
                let entries = rows.rows.map { BeaconRow($0).entry }
                outcome.replies.append { reply.resume(returning: .success(entries)) }
            }
        case .entriesOf(let keys, let reply):
            let statement = PostgresStatement("entriesOf", LedgerSQL.entriesOf, [.texts(keys.map(\.text))])
            self.add(statement) { rows, outcome in
                let entries = rows.rows.map { BeaconRow($0).entry }
                outcome.replies.append { reply.resume(returning: .success(entries)) }
            }
        case .delete(let state, let before, let limit, let reply):
            let values = [self.clock, .int(state.rawValue), PostgresValue(before), .int(Int64(limit))]
            self.add(PostgresStatement("delete", LedgerSQL.delete, values)) { rows, outcome in
                let count = rows.changes
                outcome.replies.append { reply.resume(returning: .success(count)) }
            }
        case .grant(let grants, let reply):
            for (access, role) in grants {
                for text in access.grants(to: role) { self.add(PostgresStatement(once: text)) }
            }
            self.add(PostgresStatement("ping", "SELECT 1")) { _, outcome in
                outcome.replies.append { reply.resume(returning: .success(())) }
            }
        }
    }

    private mutating func carry(
        _ beacons: [CarriedBeacon],
        at now: WallTime,
        _ reply: ServerOperation.Reply<Void>
    ) {
        let present = self.context.present
        var arrays = BeaconArrays()
        var due: [Int64?] = []
        for carried in beacons {
            let (state, reason) = carried.state.stored
            arrays.add(carried.beacon, state, reason: reason)
            let distance: Int64 =
                if case .pending(let time, _) = carried.state { present.distance(to: time) } else { 0 }
            due.append(distance)
        }
        let values =
            [self.clock, .int(self.context.batch)] + arrays.values + [
                .ints(due), .ints(beacons.map { present.distance(to: $0.recorded) }),
                .ints(beacons.map { Int64($0.attempts) }),
            ]
        self.add(PostgresStatement("carry", LedgerSQL.carry, values)) { _, outcome in
            outcome.replies.append { reply.resume(returning: .success(())) }
        }
    }

    private mutating func claim(_ request: ClaimRequest, _ reply: ServerOperation.Reply<BeaconClaim>) {
        let (context, present) = (self.context, self.context.present)
        let due = present.distance(to: request.now)
        if context.sweeps {
            self.add(PostgresStatement("pull", LedgerSQL.pull, [self.clock, .int(Distance.latestDue)]))
        }
        self.add(
            PostgresStatement(
                "expire",
                LedgerSQL.expire,
                [self.clock, .text(ClaimedBeacon.leaseExpiredReason), .int(Distance.latestLease), .int(min(0, due))]
            )
        )
        guard request.limit > 0 else {
            return self.add(PostgresStatement("ping", "SELECT 1")) { _, outcome in
                outcome.replies.append { reply.resume(returning: .success(BeaconClaim([], next: nil))) }
            }
        }
        let limits = request.limits.sorted { $0.key < $1.key }
        let values: [PostgresValue] = [
            self.clock, .text(context.cursor), .texts(limits.map(\.key)), .ints(limits.map { Int64(max(0, $0.value)) }),
            .int(Int64(max(0, request.each))), .int(Int64(request.limit)), .int(due),
            .int(due + request.lease.wholeMilliseconds), .int(context.holder), .int(context.claim),
            .int(Distance.latestDue),
        ]
        self.add(PostgresStatement("claim", LedgerSQL.claim, values)) { rows, outcome in
            var claim = PendingClaim(request: request, present: present, reply: reply)
            for row in rows.rows {
                let beacon = BeaconRow(row)
                if let reason = beacon.unreadableReason {
                    claim.unreadable.append((beacon.number, reason))
                    continue
                }
                let distance = beacon.recorded.milliseconds - (row.int(19) ?? beacon.recorded.milliseconds)
                claim.beacons.append(
                    ClaimedBeacon(
                        beacon.beacon,
                        attempt: beacon.attempts,
                        recorded: present.time(at: distance),
                        wasInterrupted: beacon.wasInterrupted
                    )
                )
            }
            outcome.claim = claim
            outcome.cursor = rows.rows.last.flatMap { $0.text(20) }
        }
    }
}

/// The distances from now beyond which a stored time is from a wrong clock, in milliseconds.
private enum Distance {
    /// A beacon waits at most six hours for its next attempt; one hour is tolerance.
    static let latestDue: Int64 = 7 * 3_600_000
    /// A claim lasts at most an hour.
    static let latestLease: Int64 = 3_600_000
}

extension LedgerEntry.State {
    /// The state and its reason, as they are stored.
    fileprivate var stored: (state: StateCode, reason: String?) {
        switch self {
        case .pending(_, let reason): (.pending, reason)
        case .inFlight: preconditionFailure("A beacon that is being sent from a local ledger is not carried over.")
        case .delivered: (.delivered, nil)
        case .unconfirmed(let reason): (.unconfirmed, reason)
        case .dead(let reason): (.dead, reason)
        }
    }
}

extension PostgresRow: LedgerColumns {}

extension CountedPage {
    /// Reads the rows of `LedgerSQL.counts`.
    fileprivate init(_ rows: PostgresRows) {
        for row in rows.rows {
            let count = Int(row.int(2) ?? 0)
            let state = row.int(0).flatMap { StateCode(rawValue: $0) } ?? .dead
            self.counts[row.int(1) == 1 ? .unconfirmed : state, default: 0] += count
            if state == .pending { self.waiting += count }
            self.last = max(self.last ?? .min, row.int(3) ?? .min)
        }
        if self.counts.values.reduce(0, +) < LedgerSQL.pageSize { self.last = nil }
    }

    var summary: LedgerSummary {
        LedgerSummary(
            pending: self.counts[.pending] ?? 0,
            inFlight: self.counts[.inFlight] ?? 0,
            delivered: self.counts[.delivered] ?? 0,
            unconfirmed: self.counts[.unconfirmed] ?? 0,
            dead: self.counts[.dead] ?? 0,
            dropped: 0
        )
    }
}
