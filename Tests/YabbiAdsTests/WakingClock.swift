import AdCore
import AdRuntime
import SystemSupport
import YabbiTesting

/// The clock of a device that sleeps: time jumps, and the alarms that are due fire at once, before any other work.
final class WakingClock: AdClock {
    private let state = Locked((now: Moment.origin, queue: AlarmQueue<Moment>()))
    private let work = ManualClock()

    var now: Moment { self.state.withLock { $0.now } }
    var wallTime: WallTime { WallTime(milliseconds: 1_700_000_000_000) + self.now.sinceOrigin }

    func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID {
        self.state.withLock { AlarmID($0.queue.add(at: moment, fire)) }
    }

    func cancel(_ alarm: AlarmID) {
        let cancelled = self.state.withLock { $0.queue.cancel(alarm.number) }
        withExtendedLifetime(cancelled) {}
    }

    func workStarted() { self.work.workStarted() }

    func workEnded() { self.work.workEnded() }

    /// Waits until all work has ended.
    func settle() async { await self.work.settle() }

    /// Jumps ahead, and fires the alarms that are due.
    func wake(after duration: Duration) {
        let now = self.now + duration
        self.state.withLock { $0.now = now }
        while let alarm = self.state.withLock({ $0.queue.popDue(at: now) }) { alarm.fire() }
    }
}
