/// How far a linear ad has played, in quarters, with the tracking event of each (VAST 4.3 §3.14.1).
enum Quartile: Int, Sendable {
    case start = 0
    case first = 25
    case midpoint = 50
    case third = 75
    case complete = 100

    /// The quartiles that are reached at a time between start and end.
    static let timed: [Quartile] = [.first, .midpoint, .third]

    /// The percentage of the duration.
    var percent: Int { self.rawValue }

    /// The tracking event.
    var event: BeaconEvent {
        switch self {
        case .start: "start"
        case .first: "firstQuartile"
        case .midpoint: "midpoint"
        case .third: "thirdQuartile"
        case .complete: "complete"
        }
    }
}
