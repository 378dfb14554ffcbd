/// An offset in media: `skipoffset` (VAST 4.3 §3.8) and `offset` of `progress` (§3.14.3).
public enum MediaOffset: Hashable, Sendable {
    /// A time from the start.
    case time(Duration)
    /// A percentage of the duration.
    case percent(Double)

    /// The offset in media of this duration; nil for a percentage of an unknown duration or one that is not finite.
    public func time(in duration: Duration?) -> Duration? {
        switch self {
        case .time(let time): return time
        case .percent(let percent):
            guard let duration, percent.isFinite else { return nil }
            let share = (Double(duration.wholeMilliseconds) * percent / 100).rounded()
            // An offset beyond the range of `Int64` is never reached.
            return .milliseconds(Int64(exactly: share) ?? (share < 0 ? .min : .max))
        }
    }
}

extension MediaOffset: CustomStringConvertible {
    /// The offset as in the names of events: `5`, `2.5` or `25%`.
    public var description: String {
        switch self {
        case .time(let time): MediaOffset.number(time.inSeconds)
        case .percent(let percent): MediaOffset.number(percent) + "%"
        }
    }

    private static func number(_ value: Double) -> String { AdJSON.double(value).text() }
}
