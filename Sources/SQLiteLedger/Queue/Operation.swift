import AdCore

/// The continuation of the task that waits for a result.
typealias Reply<Value: Sendable> = CheckedContinuation<Result<Value, LedgerError>, Never>

/// One operation of a ledger, with the continuation of its caller.
enum Operation: LedgerOperation {
    case open(Reply<[AdIssue]>)
    case record([Beacon], ClaimRequest?, WallTime, Reply<(RecordResult, BeaconClaim?)>)
    case claim(ClaimRequest, Reply<BeaconClaim>)
    case settle([SettledBeacon], ClaimRequest?, WallTime, Reply<BeaconClaim?>)
    case nextDue(Reply<WallTime?>)
    case makeAllDue(WallTime, Reply<Int>)
    case entries(Int64, Int, Reply<[LedgerEntry]>)
    case entriesOf(Set<BeaconKey>, Reply<[LedgerEntry]>)
    case summary(Reply<LedgerSummary>)
    case delete(Set<SQLiteLedger.FinalState>, WallTime?, Reply<Int>)
    case remove([BeaconKey], Store.Removal, Reply<Set<BeaconKey>>)
    case known([BeaconKey], Reply<Set<BeaconKey>>)
    case postpone(Int, WallTime, Reply<[LedgerEntry]>)
    case check(Reply<[String]>)
    case work(Reply<LedgerWork>)
    case recordView(CountedView, Reply<Bool>)
    case views(WallTime, Int, WallTime, Reply<[CountedView]>)

    /// Whether the operation needs a write transaction.
    var isWriting: Bool {
        switch self {
        // Reading views corrects times from a wrong clock.
        case .record, .claim, .settle, .makeAllDue, .remove, .postpone, .recordView, .views: true
        case .open, .nextDue, .entries, .entriesOf, .summary, .delete, .known, .check, .work: false
        }
    }

    /// What the operation claims; nil for nothing.
    var claim: ClaimRequest? {
        switch self {
        case .claim(let request, _): request
        case .record(_, let request, _, _), .settle(_, let request, _, _): request
        default: nil
        }
    }

    /// Lets an operation that writes something else claim nothing; false if it claims nothing, or does nothing else.
    mutating func dropClaim() -> Bool {
        switch self {
        case .record(let beacons, _?, let now, let reply): self = .record(beacons, nil, now, reply)
        case .settle(let outcomes, _?, let now, let reply): self = .settle(outcomes, nil, now, reply)
        default: return false
        }
        return true
    }

    /// The operation's share of `Writer.groupLimit`.
    var weight: Int {
        switch self {
        case .record(let beacons, let request, _, _): max(1, beacons.count) + (request?.weight ?? 0)
        case .settle(let outcomes, let request, _, _): max(1, outcomes.count) + (request?.weight ?? 0)
        case .remove(let keys, _, _), .known(let keys, _): max(1, keys.count)
        case .claim(let request, _): request.weight
        default: 1
        }
    }

    /// Resumes the caller with an error.
    func fail(_ error: LedgerError) {
        switch self {
        case .open(let reply): reply.resume(returning: .failure(error))
        case .record(_, _, _, let reply): reply.resume(returning: .failure(error))
        case .claim(_, let reply): reply.resume(returning: .failure(error))
        case .settle(_, _, _, let reply): reply.resume(returning: .failure(error))
        case .nextDue(let reply): reply.resume(returning: .failure(error))
        case .makeAllDue(_, let reply): reply.resume(returning: .failure(error))
        case .entries(_, _, let reply): reply.resume(returning: .failure(error))
        case .entriesOf(_, let reply): reply.resume(returning: .failure(error))
        case .summary(let reply): reply.resume(returning: .failure(error))
        case .delete(_, _, let reply): reply.resume(returning: .failure(error))
        case .remove(_, _, let reply): reply.resume(returning: .failure(error))
        case .known(_, let reply): reply.resume(returning: .failure(error))
        case .postpone(_, _, let reply): reply.resume(returning: .failure(error))
        case .check(let reply): reply.resume(returning: .failure(error))
        case .work(let reply): reply.resume(returning: .failure(error))
        case .recordView(_, let reply): reply.resume(returning: .failure(error))
        case .views(_, _, _, let reply): reply.resume(returning: .failure(error))
        }
    }

    /// Executes the operation; the caller is resumed with the returned reply after the commit.
    func execute(on store: Store) throws(StoreError) -> PendingReply {
        switch self {
        case .open(let reply): return .opened(reply)
        case .record(let beacons, let request, let now, let reply):
            guard let request else { return .recorded(try store.record(beacons, at: now), nil, reply) }
            let (new, claim) = try store.record(beacons, claiming: request, at: now)
            return .recorded(new, claim, reply)
        case .claim(let request, let reply):
            return .claimed(try store.claim(request), reply)
        case .settle(let outcomes, let request, let now, let reply):
            for one in outcomes { try store.settle(one.claimed, as: one.outcome, at: now) }
            return .settled(try request.map { (request) throws(StoreError) in try store.claim(request) }, reply)
        case .nextDue(let reply):
            let moment = try store.nextDue()
            return .other { reply.resume(returning: .success(moment)) }
        case .makeAllDue(let now, let reply):
            let count = try store.makeAllDue(at: now)
            return .other { reply.resume(returning: .success(count)) }
        case .entries(let number, let limit, let reply):
            let entries = try store.entries(after: number, limit: limit)
            return .other { reply.resume(returning: .success(entries)) }
        case .entriesOf(let keys, let reply):
            let entries = try store.entries(of: keys)
            return .other { reply.resume(returning: .success(entries)) }
        case .summary(let reply):
            let summary = try store.summary()
            return .other { reply.resume(returning: .success(summary)) }
        case .remove(let keys, let removal, let reply):
            try store.remove(keys, if: removal)
            let left = if case .all = removal { Set<BeaconKey>() } else { try store.known(keys) }
            return .other { reply.resume(returning: .success(left)) }
        case .known(let keys, let reply):
            let known = try store.known(keys)
            return .other { reply.resume(returning: .success(known)) }
        case .postpone(let limit, let moment, let reply):
            let entries = try store.postpone(limit, until: moment)
            return .other { reply.resume(returning: .success(entries)) }
        case .check(let reply):
            let errors = try store.connection.integrityErrors()
            return .other { reply.resume(returning: .success(errors)) }
        case .work(let reply):
            let work = LedgerWork(commits: store.commits, steps: store.stepCount)
            return .other { reply.resume(returning: .success(work)) }
        case .recordView(let view, let reply):
            let isNew = try store.record(view)
            return .other { reply.resume(returning: .success(isNew)) }
        case .views(let start, let limit, let now, let reply):
            let views = try store.views(since: start, limit: limit, at: now)
            return .other { reply.resume(returning: .success(views)) }
        case .delete: preconditionFailure("Deleting is done in batches, between the groups.")
        }
    }
}

extension ClaimRequest {
    /// The share of `Writer.groupLimit`.
    fileprivate var weight: Int { min(max(1, self.limit), 256) }

    /// When the leases of the claimed beacons end.
    var leaseEnd: WallTime { self.now + self.lease }
}

/// A result that is sent to its caller when the transaction is committed.
enum PendingReply {
    case recorded([BeaconKey], BeaconClaim?, Reply<(RecordResult, BeaconClaim?)>)
    case claimed(BeaconClaim, Reply<BeaconClaim>)
    case settled(BeaconClaim?, Reply<BeaconClaim?>)
    case opened(Reply<[AdIssue]>)
    case other(() -> Void)

    /// What was claimed; nil for nothing.
    var claim: BeaconClaim? {
        switch self {
        case .recorded(_, let claim, _): claim
        case .claimed(let claim, _): claim
        case .settled(let claim, _): claim
        case .opened, .other: nil
        }
    }
}

/// The work of a ledger since its file was opened, for tests and benchmarks.
package struct LedgerWork: Sendable {
    /// The number of commits.
    package let commits: Int
    /// The number of virtual machine steps that SQLite has executed.
    package let steps: Int64
}
