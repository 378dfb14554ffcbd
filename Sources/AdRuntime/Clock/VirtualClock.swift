public import AdCore
import SystemSupport

/// Simulated time: whenever there is no work, it jumps to the next alarm.
///
/// Thirty seconds of an ad's life pass in a millisecond, with every alarm in order. Code that drives an ad with this
/// clock calls `workStarted` before it decides what to do next, and `workEnded` to let time pass.
///
/// Time stands still as long as there is work, so everything external, a request or a source of the context, needs a
/// timeout of its own.
public final class VirtualClock: AdClock {
    private struct State {
        var now = Moment.origin
        var queue = AlarmQueue<Moment>()
        var work = 0
        var isFiring = false
    }

    private let state = Locked(State())
    private let epoch: WallTime

    /// Creates a clock at its origin; `epoch` is the wall-clock time of the origin.
    public init(epoch: WallTime = WallTime(milliseconds: 1_700_000_000_000)) { self.epoch = epoch }

    /// The current time.
    public var now: Moment { self.state.withLock { $0.now } }

    /// The wall-clock time.
    public var wallTime: WallTime { self.epoch + self.now.sinceOrigin }

    /// Calls a closure when time has reached that moment.
    public func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID {
        let id = self.state.withLock { AlarmID($0.queue.add(at: moment, fire)) }
        self.advance()
        return id
    }

    /// Cancels an alarm.
    public func cancel(_ alarm: AlarmID) {
        let cancelled = self.state.withLock { $0.queue.cancel(alarm.number) }
        withExtendedLifetime(cancelled) {}
    }

    /// Stops time.
    public func workStarted() { self.state.withLock { $0.work += 1 } }

    /// Lets time advance once there is no other work.
    public func workEnded() {
        let isAtRest = self.state.withLock { state -> Bool in
            precondition(state.work > 0, "More work has ended than was started.")
            state.work -= 1
            return state.work == 0
        }
        if isAtRest { self.advance() }
    }

    /// Jumps from alarm to alarm as long as there is no work; one thread at a time.
    private func advance() {
        while true {
            let fire = self.state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.isFiring, state.work == 0, let due = state.queue.nextDue(),
                    let alarm = state.queue.popDue(at: due)
                else { return nil }
                state.now = max(state.now, due)
                state.isFiring = true
                return alarm.fire
            }
            guard let fire else { return }
            fire()
            self.state.withLock { $0.isFiring = false }
        }
    }
}
