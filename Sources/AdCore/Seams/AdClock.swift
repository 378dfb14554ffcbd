/// The time and the alarms of ads.
///
/// A clock also counts the work in progress, so that a clock with simulated time can advance only when there is none.
/// A real clock ignores the count.
public protocol AdClock: Sendable {
    /// The current time; it never goes backwards, and it advances while the device sleeps.
    var now: Moment { get }
    /// The current wall-clock time, which may jump.
    var wallTime: WallTime { get }
    /// Calls a closure once, at that moment or soon after, unless the alarm is cancelled; it must return quickly.
    func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID
    /// Cancels an alarm; does nothing if it has fired.
    func cancel(_ alarm: AlarmID)
    /// Counts a piece of work that has started.
    func workStarted()
    /// Counts a piece of work that has ended.
    func workEnded()
}

/// Identifies an alarm of a clock.
public struct AlarmID: Hashable, Sendable {
    /// The number, unique in its clock.
    public let number: UInt64

    /// Creates an id.
    public init(_ number: UInt64) { self.number = number }
}
