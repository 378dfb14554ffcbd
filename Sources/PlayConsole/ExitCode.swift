package import AdCore

/// How the command ends: what scripts rely on.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case usage = 2
    case noFill = 3
    case loadFailed = 4
    case showFailed = 5
    case invalidCreative = 6
    case beacons = 7

    /// What it stands for, as help and manual say it.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .usage: "usage or output that can't be written"
        case .noFill: "no fill"
        case .loadFailed: "load failed"
        case .showFailed: "show failed, or nothing of the ad was visible (--allow-blank accepts that)"
        case .invalidCreative:
            """
            an input of inspect, lint or replay that can't be read, an error that lint has found, or a session that \
            replay finds to differ
            """
        case .beacons:
            """
            beacons pending, unconfirmed or dead (outbox list and prune pass over what is pending), or that reconcile \
            finds lost, duplicate or unmatched
            """
        }
    }

    /// Which of several causes counts.
    package static let precedence = "With several causes the worst wins: 5, 4, 7, 3."

    /// The worse of two: 5, 4, 7, 3.
    package func worse(_ other: ExitCode) -> ExitCode { self.weight >= other.weight ? self : other }

    private var weight: Int {
        switch self {
        case .done: 0
        case .noFill: 1
        case .beacons: 2
        case .loadFailed: 3
        case .showFailed: 4
        case .invalidCreative: 5
        case .usage: 6
        }
    }

    /// What a failed load means.
    package init(loading error: AdError) { self = error.code == .noFill ? .noFill : .loadFailed }
}
