/// A point on the runtime's monotonic clock, which also runs while the device sleeps.
public struct Moment: Hashable, Sendable, Comparable {
    /// The time from the clock's origin to this point.
    public let sinceOrigin: Duration

    /// Creates a point this long after the clock's origin.
    public init(_ sinceOrigin: Duration) { self.sinceOrigin = sinceOrigin }

    /// The clock's origin.
    public static let origin = Moment(.zero)

    /// Whether the left point is before the right one.
    public static func < (left: Moment, right: Moment) -> Bool { left.sinceOrigin < right.sinceOrigin }

    /// The point this much later.
    public static func + (moment: Moment, duration: Duration) -> Moment { Moment(moment.sinceOrigin + duration) }

    /// The point this much earlier.
    public static func - (moment: Moment, duration: Duration) -> Moment { Moment(moment.sinceOrigin - duration) }

    /// The time from the right point to the left one.
    public static func - (left: Moment, right: Moment) -> Duration { left.sinceOrigin - right.sinceOrigin }
}

/// A calendar time in milliseconds since 1970.
///
/// It is valid across processes, and may jump forwards or backwards when the system's time is set.
public struct WallTime: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// Creates a calendar time.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Whether the left time is before the right one.
    public static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

    /// The time this much later, clamped to the range of `Int64`.
    public static func + (time: WallTime, duration: Duration) -> WallTime {
        let (sum, overflow) = time.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        guard overflow else { return WallTime(milliseconds: sum) }
        return WallTime(milliseconds: duration < .zero ? .min : .max)
    }

    /// The time from the right point to the left one.
    public static func - (left: WallTime, right: WallTime) -> Duration {
        .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero and clamped to the range of `Int64`.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        if overflowed { return seconds < 0 ? .min : .max }
        return sum
    }

    /// Seconds as a floating-point number, for printing and for arithmetic that need not be exact.
    public var inSeconds: Double {
        let (seconds, attoseconds) = self.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
