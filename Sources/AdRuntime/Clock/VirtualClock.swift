public import AdCore
import SystemSupport

/// Time that jumps: whenever all work is at rest, it is the moment of the next alarm.
///
/// Thirty seconds of an ad's life pass in a millisecond and nothing is left out. Whoever drives an ad by such a clock
/// holds it with `workBegan` while deciding what to do next, and lets go with `workEnded` to wait.
///
/// Work is waited for, however long it takes: what comes from outside, a request or a source of the context, must have
/// an end of its own.
public final class VirtualClock: AdClock {
    private struct State {
        var now = Moment.origin
        var queue = AlarmQueue<Moment>()
        var work = 0
        var isTurning = false
    }

    private let state = Locked(State())
    private let epoch: WallTime

    /// A clock that stands at its origin, which lies at this time of the calendar.
    public init(epoch: WallTime = WallTime(milliseconds: 1_700_000_000_000)) { self.epoch = epoch }

    /// The present.
    public var now: Moment { self.state.withLock { $0.now } }

    /// The calendar's present.
    public var wallTime: WallTime { self.epoch + self.now.sinceOrigin }

    /// Calls a closure when time has jumped there.
    public func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID {
        let id = self.state.withLock { AlarmID($0.queue.add(at: moment, fire)) }
        self.turn()
        return id
    }

    /// Takes an alarm back.
    public func cancel(_ alarm: AlarmID) {
        let cancelled = self.state.withLock { $0.queue.cancel(alarm.number) }
        withExtendedLifetime(cancelled) {}
    }

    /// Holds time.
    public func workBegan() { self.state.withLock { $0.work += 1 } }

    /// Lets time go on as soon as nobody holds it.
    public func workEnded() {
        let isAtRest = self.state.withLock { state -> Bool in
            precondition(state.work > 0, "More work has ended than had begun.")
            state.work -= 1
            return state.work == 0
        }
        if isAtRest { self.turn() }
    }

    /// Jumps from alarm to alarm as long as nothing is being done; one thread at a time.
    private func turn() {
        while true {
            let fire = self.state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.isTurning, state.work == 0, let due = state.queue.nextDue(),
                    let alarm = state.queue.popDue(at: due)
                else { return nil }
                state.now = max(state.now, due)
                state.isTurning = true
                return alarm.fire
            }
            guard let fire else { return }
            fire()
            self.state.withLock { $0.isTurning = false }
        }
    }
}
