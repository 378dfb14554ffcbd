package import AdCore

/// The exit codes of `yabbi-play`, which scripts rely on.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case usage = 2
    case noFill = 3
    case loadFailed = 4
    case showFailed = 5
    case invalidCreative = 6
    case beacons = 7

    /// The meaning, for help and manual page.
    package var meaning: String {
        switch self {
        case .done: "Success."
        case .usage: "Invalid usage, or the output can't be written."
        case .noFill: "No fill."
        case .loadFailed: "Load failed."
        case .showFailed: "Show failed, or the ad stayed blank."
        case .invalidCreative:
            "Unreadable input of inspect, lint or replay, lint errors, a replay that differs, or runs that differ."
        case .beacons:
            "Beacons are pending, unconfirmed or dead, or do not reconcile."
        }
    }

    /// The rule for several causes.
    package static let precedence = "If several codes apply, the first of 5, 4, 7, 3 is used."

    /// Whether the rule applies to it.
    package var hasPrecedence: Bool { [.noFill, .loadFailed, .showFailed, .beacons].contains(self) }

    /// The one with the higher precedence: 5, 4, 7, 3.
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

    /// The exit code of a failed load.
    package init(loading error: AdError) { self = error.code == .noFill ? .noFill : .loadFailed }
}
