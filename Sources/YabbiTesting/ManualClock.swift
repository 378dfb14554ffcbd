public import AdCore
public import AdRuntime
import SystemSupport

/// Time that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let loader = AdLoader(provider, services: AdServices(transport: transport, clock: clock))
/// await clock.advance(by: .seconds(30))
/// ```
public final class ManualClock: AdClock {
    private struct State {
        var now = Moment.origin
        var wallOffset = Duration.zero
        var queue = AlarmQueue<Moment>()
        var work = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    private let epoch: WallTime

    /// A clock that stands at its origin, which lies at this time of the calendar.
    public init(epoch: WallTime = WallTime(milliseconds: 1_700_000_000_000)) { self.epoch = epoch }

    /// The present.
    public var now: Moment { self.state.withLock { $0.now } }

    /// The calendar's present.
    public var wallTime: WallTime { self.state.withLock { self.epoch + $0.now.sinceOrigin + $0.wallOffset } }

    /// Lets the calendar jump while time goes on as before: somebody has set the device's clock.
    public func jumpCalendar(by duration: Duration) { self.state.withLock { $0.wallOffset += duration } }

    /// How many alarms are set: 0 when everything is released.
    public var alarms: Int { self.state.withLock { $0.queue.count } }

    /// Calls a closure when time is moved there.
    public func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID {
        self.state.withLock { AlarmID($0.queue.add(at: moment, fire)) }
    }

    /// Takes an alarm back.
    public func cancel(_ alarm: AlarmID) {
        let cancelled = self.state.withLock { $0.queue.cancel(alarm.number) }
        withExtendedLifetime(cancelled) {}
    }

    /// Counts a piece of work.
    public func workBegan() { self.state.withLock { $0.work += 1 } }

    /// Counts a piece of work off.
    public func workEnded() {
        let waiting = self.state.withLock { state -> [CheckedContinuation<Void, Never>] in
            precondition(state.work > 0, "More work has ended than had begun.")
            state.work -= 1
            guard state.work == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    /// Waits until everything that was begun has ended or waits for time to pass.
    public func settle() async {
        await withCheckedContinuation { continuation in
            let isAtRest = self.state.withLock { state in
                if state.work > 0 { state.waiting.append(continuation) }
                return state.work == 0
            }
            if isAtRest { continuation.resume() }
        }
    }

    /// Moves time, firing what falls due on the way, one alarm after the other, each with all that follows from it.
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
