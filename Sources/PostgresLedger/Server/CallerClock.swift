import AdCore
import SystemSupport

/// Whose clock a ledger's times are by.
package enum LedgerTime: Sendable {
    /// The server's, so that the clocks of hosts may differ.
    case server
    /// That of the caller, for tests that move it.
    case caller
}

/// What time it is for the caller, whose calendar does not jump during the life of the process.
///
/// A claim may ask for what was due at an earlier time; the last time that was passed in, and how long that is ago, tell
/// the present.
struct CallerClock {
    private let time: LedgerTime
    private var last: (wallTime: WallTime, instant: ContinuousClock.Instant)?

    init(_ time: LedgerTime) { self.time = time }

    /// Whether a caller has passed a time in.
    var isSet: Bool { self.last != nil }

    /// The current time of a caller that passes a time in, or none.
    mutating func present(_ now: WallTime?, at instant: ContinuousClock.Instant) -> Present {
        guard self.time == .server else {
            let present = now ?? self.last?.wallTime ?? WallTime(milliseconds: 0)
            self.last = (present, instant)
            return Present(present, override: present)
        }
        let expected = self.last.map { $0.wallTime + (instant - $0.instant) }
        let present = [now, expected].compactMap { $0 }.max() ?? WallTime(milliseconds: 0)
        if now != nil { self.last = (present, instant) }
        return Present(present, override: nil)
    }

    /// The distance of a time of the caller from now, in milliseconds; for one that has passed none in, by the system's
    /// clock.
    mutating func distance(to time: WallTime) -> Int64 {
        let system = WallTime(milliseconds: SystemTime.milliseconds)
        let now = self.isSet ? self.present(nil, at: .now).wallTime : system
        // Far from the limits of the type, so that the server can add its time.
        return min(max((time - now).wholeMilliseconds, -CallerClock.longestDistance), CallerClock.longestDistance)
    }

    private static let longestDistance = Int64.max / 4

    /// The current time for a group of statements.
    struct Present: Hashable {
        /// The caller's time.
        let wallTime: WallTime
        /// The time that replaces the server's.
        let override: WallTime?

        init(_ wallTime: WallTime, override: WallTime?) {
            self.wallTime = wallTime
            self.override = override
        }

        /// The distance of a time of the caller, in milliseconds.
        func distance(to time: WallTime) -> Int64 { time.milliseconds - self.wallTime.milliseconds }

        /// The caller's time at a distance from now, in milliseconds.
        func time(at distance: Int64) -> WallTime { self.wallTime + .milliseconds(distance) }
    }
}
