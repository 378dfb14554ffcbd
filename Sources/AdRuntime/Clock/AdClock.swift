public import AdCore

/// The time an ad lives by: what it is now, and when to be woken.
///
/// It also counts the work in hand, so that a clock that is turned by hand or by itself knows when everything is at
/// rest and time may go on. A real clock ignores that.
public protocol AdClock: Sendable {
    /// The present; it never goes backwards and goes on while the device sleeps.
    var now: Moment { get }
    /// The calendar's present, which may jump.
    var wallTime: WallTime { get }
    /// Calls a closure once, at that moment or soon after, unless the alarm is cancelled; it returns quickly.
    func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID
    /// Takes an alarm back; nothing happens where it has fired.
    func cancel(_ alarm: AlarmID)
    /// Says that something has begun that will lead to more.
    func workBegan()
    /// Says that it has ended.
    func workEnded()
}

/// Names an alarm of a clock.
public struct AlarmID: Hashable, Sendable {
    /// The number, unique in its clock.
    public let number: UInt64

    /// Names an alarm.
    public init(_ number: UInt64) { self.number = number }
}

extension AdClock {
    /// Waits, as a piece of work that is at rest until the moment has come, or without one until its task is cancelled.
    package func rest(until moment: Moment?) async {
        let rest = ClockWait(self)
        if let moment { await rest.wait(until: moment) } else { await rest.wait() }
    }

    /// Starts a task that counts as work, on the spot where the platform can: what waits for nothing yet needs no other
    /// thread.
    @discardableResult
    package func workAtOnce(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return self.work(body) }
        self.workBegan()
        return Task.immediate {
            await body()
            self.workEnded()
        }
    }

    /// Starts a task that counts as work in hand from now until it ends.
    @discardableResult
    package func work(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        self.workBegan()
        return Task {
            await body()
            self.workEnded()
        }
    }
}
