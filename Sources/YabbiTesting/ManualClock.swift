public import AdCore
import AdRuntime
import SystemSupport

/// A clock that advances only when a test calls `advance(by:)`.
///
/// ```swift
/// let clock = ManualClock()
/// let loader = AdLoader(provider, services: AdServices(transport: transport, opener: NoOpener(), clock: clock))
/// await clock.advance(by: .seconds(30))
/// ```
public final class ManualClock: AdClock {
    private struct State {
        var now = Moment.origin
        var wallOffset = Duration.zero
        var queue = AlarmQueue<Moment>()
        var work = 0
        /// Resolved when all work has ended.
        var rest: OneShot<Void>?
    }

    private let state = Locked(State())
    private let epoch: WallTime

    /// Creates a clock at its origin; `epoch` is the wall-clock time of the origin.
    public init(epoch: WallTime = WallTime(milliseconds: 1_700_000_000_000)) { self.epoch = epoch }

    /// The current time.
    public var now: Moment { self.state.withLock { $0.now } }

    /// The wall-clock time.
    public var wallTime: WallTime { self.state.withLock { self.epoch + $0.now.sinceOrigin + $0.wallOffset } }

    /// Moves the wall-clock time only, as if the device's clock was set.
    public func moveWallTime(by duration: Duration) { self.state.withLock { $0.wallOffset += duration } }

    /// How many alarms are set; 0 after everything is released.
    public var alarms: Int { self.state.withLock { $0.queue.count } }

    /// Calls a closure when time reaches that moment.
    public func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID {
        self.state.withLock { AlarmID($0.queue.add(at: moment, fire)) }
    }

    /// Cancels an alarm.
    public func cancel(_ alarm: AlarmID) {
        let cancelled = self.state.withLock { $0.queue.cancel(alarm.number) }
        withExtendedLifetime(cancelled) {}
    }

    /// Counts a piece of work that has started.
    public func workStarted() { self.state.withLock { $0.work += 1 } }

    /// Counts a piece of work that has ended.
    public func workEnded() {
        let rest = self.state.withLock { state -> OneShot<Void>? in
            precondition(state.work > 0, "More work has ended than was started.")
            state.work -= 1
            guard state.work == 0 else { return nil }
            defer { state.rest = nil }
            return state.rest
        }
        rest?.set(())
    }

    /// Waits until all work has ended or waits for time to pass.
    public func settle() async {
        let rest = self.state.withLock { state -> OneShot<Void>? in
            guard state.work > 0 else { return nil }
            let rest = state.rest ?? OneShot()
            state.rest = rest
            return rest
        }
        await rest?.value
    }

    /// Advances time; fires due alarms one after the other, and waits for the work that each one starts.
    public func advance(by duration: Duration) async {
        await self.settle()
        let goal = self.now + duration
        while true {
            let alarm = self.state.withLock { state -> (@Sendable () -> Void)? in
                guard let alarm = state.queue.popDue(at: goal) else { return nil }
                state.now = max(state.now, alarm.due)
                return alarm.fire
            }
            guard let alarm else { break }
            alarm()
            await self.settle()
        }
        self.state.withLock { $0.now = max($0.now, goal) }
    }
}
