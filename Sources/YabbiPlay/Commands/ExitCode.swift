import AdCore

/// How the command ends: what scripts rely on.
enum ExitCode: Int32, Sendable {
    case done = 0
    case usage = 2
    case noFill = 3
    case loadFailed = 4
    case showFailed = 5
    case invalidCreative = 6
    case beacons = 7

    /// The worse of two: 5, 4, 7, 3.
    func worse(_ other: ExitCode) -> ExitCode { self.weight >= other.weight ? self : other }

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
    init(loading error: AdError) { self = error.code == .noFill ? .noFill : .loadFailed }
}
