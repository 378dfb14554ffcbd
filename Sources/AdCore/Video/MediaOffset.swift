/// A point in the time of something that is played.
public enum MediaOffset: Hashable, Sendable {
    /// After so much time.
    case time(Duration)
    /// After so many hundredths of the whole.
    case percent(Double)

    /// The point, for media of this length; nil for a share of a length that is not known, or for what is no
    /// share at all.
    public func time(in duration: Duration?) -> Duration? {
        switch self {
        case .time(let time): return time
        case .percent(let percent):
            guard let duration, percent.isFinite else { return nil }
            let share = (Double(duration.wholeMilliseconds) * percent / 100).rounded()
            // What no clock can count to is never reached.
            return .milliseconds(Int64(exactly: share) ?? (share < 0 ? .min : .max))
        }
    }
}

extension MediaOffset: CustomStringConvertible {
    /// The offset as it stands in the names of events: `5`, `2.5` or `25%`.
    public var description: String {
        switch self {
        case .time(let time): MediaOffset.number(time.inSeconds)
        case .percent(let percent): MediaOffset.number(percent) + "%"
        }
    }

    private static func number(_ value: Double) -> String { AdJSON.double(value).text() }
}
