import AdCore

/// The task that waits for an answer.
typealias Reply<Value: Sendable> = CheckedContinuation<Result<Value, LedgerError>, Never>

/// One operation that was asked for, and who waits for it.
enum Operation: Sendable {
    case open(Reply<[AdIssue]>)
    case record([Beacon], WallTime, Reply<RecordResult>)
    case claim(ClaimRequest, Reply<BeaconClaim>)
    case settle(ClaimedBeacon, DeliveryOutcome, WallTime, Reply<Void>)
    case nextDue(Reply<WallTime?>)
    case hasten(WallTime, Reply<Int>)
    case entries(Int64, Int, Reply<[LedgerEntry]>)
    case summary(Reply<LedgerSummary>)
    case forget(Set<SQLiteLedger.End>, WallTime?, Reply<Int>)
    case check(Reply<[String]>)
    case work(Reply<LedgerWork>)

    /// Whether it changes the file.
    var isWriting: Bool {
        switch self {
        case .record, .claim, .settle, .hasten: true
        case .open, .nextDue, .entries, .summary, .forget, .check, .work: false
        }
    }

    /// How much of a group it takes up.
    var weight: Int {
        switch self {
        case .record(let beacons, _, _): max(1, beacons.count)
        case .claim(let terms, _): min(max(1, terms.limit), 256)
        default: 1
        }
    }

    /// Tells whoever waits that it could not be done.
    func fail(_ error: LedgerError) {
        switch self {
        case .open(let reply): reply.resume(returning: .failure(error))
        case .record(_, _, let reply): reply.resume(returning: .failure(error))
        case .claim(_, let reply): reply.resume(returning: .failure(error))
        case .settle(_, _, _, let reply): reply.resume(returning: .failure(error))
        case .nextDue(let reply): reply.resume(returning: .failure(error))
        case .hasten(_, let reply): reply.resume(returning: .failure(error))
        case .entries(_, _, let reply): reply.resume(returning: .failure(error))
        case .summary(let reply): reply.resume(returning: .failure(error))
        case .forget(_, _, let reply): reply.resume(returning: .failure(error))
        case .check(let reply): reply.resume(returning: .failure(error))
        case .work(let reply): reply.resume(returning: .failure(error))
        }
    }

    /// Does it, and keeps the answer until all of it is on the disk.
    func carryOut(on store: Store) throws(Fault) -> Answer {
        switch self {
        case .open(let reply): return .opened(reply)
        case .record(let beacons, let now, let reply):
            return .recorded(try store.record(beacons, at: now), reply)
        case .claim(let terms, let reply):
            let claim = try store.claim(terms)
            return .other { reply.resume(returning: .success(claim)) }
        case .settle(let claimed, let outcome, let now, let reply):
            try store.settle(claimed, as: outcome, at: now)
            return .other { reply.resume(returning: .success(())) }
        case .nextDue(let reply):
            let moment = try store.nextDue()
            return .other { reply.resume(returning: .success(moment)) }
        case .hasten(let now, let reply):
            let count = try store.hasten(at: now)
            return .other { reply.resume(returning: .success(count)) }
        case .entries(let number, let limit, let reply):
            let entries = try store.entries(after: number, limit: limit)
            return .other { reply.resume(returning: .success(entries)) }
        case .summary(let reply):
            let summary = try store.summary()
            return .other { reply.resume(returning: .success(summary)) }
        case .check(let reply):
            let faults = try store.connection.faults()
            return .other { reply.resume(returning: .success(faults)) }
        case .work(let reply):
            let work = LedgerWork(commits: store.commits, steps: store.effort)
            return .other { reply.resume(returning: .success(work)) }
        case .forget: preconditionFailure("Forgetting is done in pieces, between the groups.")
        }
    }
}

/// What is told when the transaction is on the disk.
enum Answer {
    case recorded([BeaconKey], Reply<RecordResult>)
    case opened(Reply<[AdIssue]>)
    case other(() -> Void)
}

/// How much work a ledger has done since its file was opened, for tests and benchmarks.
package struct LedgerWork: Sendable {
    /// How often something was written and awaited.
    package let commits: Int
    /// How many steps SQLite's machine has taken.
    package let steps: Int64
}
