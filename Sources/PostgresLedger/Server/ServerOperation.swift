import AdCore
import PostgresClient
import SQLiteLedger

/// Why the server did not do an operation.
struct ServerFailure: Error, Hashable, Sendable {
    /// The error for the caller.
    let error: LedgerError
    /// Whether the server may have done it.
    let isUncertain: Bool
    /// Whether the server is away, so that other operations would fail, too.
    let isAway: Bool
    /// Whether it stays so until the address, the rights or the database are changed.
    let isMisconfiguration: Bool

    init(
        _ error: LedgerError,
        isUncertain: Bool = false,
        isAway: Bool = false,
        isMisconfiguration: Bool = false
    ) {
        self.error = error
        self.isUncertain = isUncertain
        self.isAway = isAway
        self.isMisconfiguration = isMisconfiguration
    }
}

/// A beacon of a local ledger, to be carried over to the server.
struct CarriedBeacon: Hashable, Sendable {
    let beacon: Beacon
    let state: LedgerEntry.State
    let attempts: Int
    let recorded: WallTime
}

/// The beacons of a part of the table.
struct CountedPage: Sendable {
    /// Their number by state; interrupted ones that are not sent again are unconfirmed.
    var counts: [StateCode: Int] = [:]
    /// The number of all that wait, also of interrupted ones.
    var waiting = 0
    /// The number of the last one; nil if no others follow.
    var last: Int64?
}

/// One operation on the server, with the continuation of its caller.
enum ServerOperation: LedgerOperation {
    typealias Reply<Value: Sendable> = CheckedContinuation<Result<Value, ServerFailure>, Never>

    case open(Reply<[AdIssue]>)
    case record([Beacon], WallTime, Reply<RecordResult>)
    case carry([CarriedBeacon], WallTime, Reply<Void>)
    case claim(ClaimRequest, Reply<BeaconClaim>)
    case settle(ClaimedBeacon, DeliveryOutcome, WallTime, Reply<Void>)
    case nextDue(Reply<WallTime?>)
    /// Counts a page of the beacons after a number; with a time, the waiting ones of them are made due now.
    case count(after: Int64, makingDueAt: WallTime?, Reply<CountedPage>)
    case entries(Int64, Int, Reply<[LedgerEntry]>)
    case entriesOf([BeaconKey], Reply<[LedgerEntry]>)
    /// Deletes beacons of a state that were settled before a distance from now, in milliseconds; nil for all.
    case delete(StateCode, before: Int64?, limit: Int, Reply<Int>)
    case grant([(LedgerTables.Access, String)], Reply<Void>)

    /// The operation's share of `ServerWriter.groupLimit`.
    var weight: Int {
        switch self {
        case .record(let beacons, _, _): max(1, beacons.count)
        case .carry(let beacons, _, _): max(1, beacons.count)
        case .claim(let request, _): min(max(1, request.limit), 256)
        default: 1
        }
    }

    /// Resumes the caller with an error.
    func fail(_ failure: ServerFailure) {
        switch self {
        case .open(let reply): reply.resume(returning: .failure(failure))
        case .record(_, _, let reply): reply.resume(returning: .failure(failure))
        case .carry(_, _, let reply): reply.resume(returning: .failure(failure))
        case .claim(_, let reply): reply.resume(returning: .failure(failure))
        case .settle(_, _, _, let reply): reply.resume(returning: .failure(failure))
        case .nextDue(let reply): reply.resume(returning: .failure(failure))
        case .count(_, _, let reply): reply.resume(returning: .failure(failure))
        case .entries(_, _, let reply): reply.resume(returning: .failure(failure))
        case .entriesOf(_, let reply): reply.resume(returning: .failure(failure))
        case .delete(_, _, _, let reply): reply.resume(returning: .failure(failure))
        case .grant(_, let reply): reply.resume(returning: .failure(failure))
        }
    }
}
