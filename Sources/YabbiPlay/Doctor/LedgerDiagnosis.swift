import AdCore
import PlayConsole
import PlayReport

/// What a look at a ledger has found.
enum LedgerLook: Equatable, Sendable {
    /// It can't be opened or read, and why.
    case refused(String)
    /// It was read.
    case read(LedgerFinding)
}

/// What a ledger holds.
struct LedgerFinding: Equatable, Sendable {
    /// What SQLite finds wrong with the file.
    var faults: [String] = []
    var counts = OutboxCounts()
    /// How long the oldest beacon that waits has done so; nil where none waits.
    var oldest: Duration?
    /// What was dropped for want of room before it was sent.
    var dropped = 0
}

extension Diagnosis {
    /// After this a beacon that waits needs attention.
    private static let patience = Duration.seconds(3600)

    static func ledger(_ path: String, _ look: LedgerLook) -> Diagnosis {
        let finding: LedgerFinding
        switch look {
        case .refused(let message):
            let (found, cure) = self.parted(
                message,
                or: "give --ledger the file, or the folder that an app keeps it in"
            )
            return .broken("ledger", found, cure: cure, .beacons)
        case .read(let read): finding = read
        }
        let counts = finding.counts
        let oldest = finding.oldest.map { ", the oldest pending one \(OutboxText.span($0)) old" } ?? ""
        let found = "\(path) is whole: \(counts.line)\(oldest)"
        let details = self.details(of: path, finding)
        if let fault = finding.faults.first {
            return .broken(
                "ledger",
                "\(path) is damaged: \(fault)",
                cure: "keep a copy, and let the app open it: it moves a damaged file aside and begins a new one",
                .beacons,
                details
            )
        }
        if counts.dead + counts.unconfirmed > 0 {
            return .broken(
                "ledger",
                found,
                cure: "yabbi-play outbox list --state dead,unconfirmed says why; outbox prune --all forgets them",
                .beacons,
                details
            )
        }
        if finding.dropped > 0 {
            let cure = "allow the ledger more in its limits, or find out why nothing is delivered"
            return .improvable(
                "ledger",
                "\(found); \(finding.dropped) were dropped for want of room",
                cure: cure,
                details
            )
        }
        if let oldest = finding.oldest, oldest > self.patience {
            let cure = "yabbi-play outbox flush tries them now, and outbox list says why they wait"
            return .improvable("ledger", found, cure: cure, details)
        }
        return .fine("ledger", found, details)
    }

    private static func details(of path: String, _ finding: LedgerFinding) -> [AdJSON.Member] {
        [
            .init("path", .string(path)), .init("pending", .int(finding.counts.waiting)),
            .init("delivered", .int(finding.counts.delivered)), .init("unconfirmed", .int(finding.counts.unconfirmed)),
            .init("dead", .int(finding.counts.dead)),
            .init("oldestPending", finding.oldest.map { .int($0.wholeMilliseconds) } ?? .null),
        ]
    }
}
