import AdCore
import PlayConsole
import PlayText

/// The result of reading a ledger.
enum LedgerProbe: Equatable, Sendable {
    /// It can't be opened or read, with the error.
    case unreadable(String)
    case read(LedgerState)
}

/// The content of a ledger.
struct LedgerState: Equatable, Sendable {
    /// The errors that SQLite finds in the file.
    var integrityErrors: [String] = []
    var counts = OutboxCounts()
    /// The age of the oldest pending beacon; nil if none is pending.
    var oldest: Duration?
    /// The number of beacons dropped before they were sent, because of the ledger's size limit.
    var dropped = 0
}

extension Diagnosis {
    /// The age from which a pending beacon is a warning.
    private static let maxPendingAge = Duration.seconds(3600)

    static func ledger(_ path: String, _ probe: LedgerProbe) -> Diagnosis {
        let state: LedgerState
        switch probe {
        case .unreadable(let message):
            let (found, fix) = self.split(
                message,
                or: "set --ledger to the ledger file, or to the beacon folder of an app"
            )
            return .broken("ledger", found, fix: fix, .beacons)
        case .read(let read): state = read
        }
        let counts = state.counts
        let oldest = state.oldest.map { ", oldest pending \(OutboxText.span($0)) old" } ?? ""
        let found = "\(path) is intact: \(counts.line)\(oldest)"
        let details = self.details(of: path, state)
        if let error = state.integrityErrors.first {
            return .broken(
                "ledger",
                "\(path) is damaged: \(error)",
                fix: "keep a copy and open it with the app, which moves a damaged file aside and starts a new one",
                .beacons,
                details
            )
        }
        if counts.dead + counts.unconfirmed > 0 {
            return .broken(
                "ledger",
                found,
                fix:
                    "list them with yabbi-play outbox list --state dead,unconfirmed; remove them with outbox prune --all",
                .beacons,
                details
            )
        }
        if state.dropped > 0 {
            let fix = "raise the ledger's size limit, or find out why beacons are not delivered"
            return .improvable(
                "ledger",
                "\(found); \(state.dropped) dropped because of the size limit",
                fix: fix,
                details
            )
        }
        if let oldest = state.oldest, oldest > self.maxPendingAge {
            let fix = "send them with yabbi-play outbox flush; see the reasons in outbox list"
            return .improvable("ledger", found, fix: fix, details)
        }
        return .fine("ledger", found, details)
    }

    private static func details(of path: String, _ state: LedgerState) -> [AdJSON.Member] {
        [
            .init("path", .string(path)), .init("pending", .int(state.counts.waiting)),
            .init("delivered", .int(state.counts.delivered)), .init("unconfirmed", .int(state.counts.unconfirmed)),
            .init("dead", .int(state.counts.dead)),
            .init("oldestPending", state.oldest.map { .int($0.wholeMilliseconds) } ?? .null),
        ]
    }
}
