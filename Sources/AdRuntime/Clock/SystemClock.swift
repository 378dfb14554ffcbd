public import AdCore
import SystemSupport

/// Real time: a clock of the platform, and one sleeping task for all alarms.
///
/// ```swift
/// let clock = SystemClock()            // ContinuousClock
/// let other = SystemClock(SuspendingClock())
/// ```
public final class SystemClock<Base: Clock>: AdClock where Base.Duration == Duration {
    private struct Alarms {
        var queue = AlarmQueue<Moment>()
        var sleeper: Task<Void, Never>?
        var sleepsUntil: Moment?
        /// The number of the current sleeper; an earlier one that was cancelled too late is ignored.
        var number: UInt64 = 0
    }

    private let base: Base
    private let origin: Base.Instant
    private let alarms = Locked(Alarms())

    /// Creates a clock from a clock of the platform.
    public init(_ base: Base) {
        self.base = base
        self.origin = base.now
    }

    deinit { self.alarms.withLock { $0.sleeper }?.cancel() }

    /// The time since the clock was created.
    public var now: Moment { Moment(self.origin.duration(to: self.base.now)) }

    /// The wall-clock time.
    public var wallTime: WallTime { WallTime(milliseconds: SystemTime.milliseconds) }

    /// Calls a closure at that moment or soon after.
    public func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID {
        self.alarms.withLock { alarms in
            let id = AlarmID(alarms.queue.add(at: moment, fire))
            if alarms.sleepsUntil.map({ moment < $0 }) ?? true { self.sleep(until: moment, &alarms) }
            return id
        }
    }

    /// Cancels an alarm.
    public func cancel(_ alarm: AlarmID) {
        let cancelled = self.alarms.withLock { $0.queue.cancel(alarm.number) }
        withExtendedLifetime(cancelled) {}
    }

    /// Does nothing: real time does not wait for work.
    public func workStarted() {}

    /// Does nothing: real time does not wait for work.
    public func workEnded() {}

    private func sleep(until moment: Moment, _ alarms: inout Alarms) {
        alarms.sleeper?.cancel()
        alarms.sleepsUntil = moment
        alarms.number += 1
        let number = alarms.number
        let deadline = self.origin.advanced(by: moment.sinceOrigin)
        alarms.sleeper = Task { [base, weak self] in
            do {
                try await base.sleep(until: deadline, tolerance: nil)
            } catch {
                return
            }
            self?.fireDue(number)
        }
    }

    private func fireDue(_ number: UInt64) {
        while let alarm = self.alarms.withLock({ alarms in
            alarms.number == number ? alarms.queue.popDue(at: self.now) : nil
        }) {
            alarm.fire()
        }
        self.alarms.withLock { alarms in
            // A newer sleeper fires all alarms.
            guard alarms.number == number else { return }
            alarms.sleeper = nil
            alarms.sleepsUntil = nil
            if let next = alarms.queue.nextDue() { self.sleep(until: next, &alarms) }
        }
    }
}

extension SystemClock where Base == ContinuousClock {
    /// Creates a clock that advances while the device sleeps.
    public convenience init() { self.init(ContinuousClock()) }
}
