public import AdCore
import LibC
import SystemSupport

/// Real time: one clock of the platform, one sleeping task for all alarms, none where there is no alarm.
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
        /// Which sleeper is the one that counts: a task that was cancelled too late must not wake anybody.
        var number: UInt64 = 0
    }

    private let base: Base
    private let origin: Base.Instant
    private let alarms = Locked(Alarms())

    /// Lives by a clock of the platform.
    public init(_ base: Base) {
        self.base = base
        self.origin = base.now
    }

    deinit { self.alarms.withLock { $0.sleeper }?.cancel() }

    /// The present.
    public var now: Moment { Moment(self.origin.duration(to: self.base.now)) }

    /// The calendar's present.
    public var wallTime: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Calls a closure at that moment or soon after.
    public func schedule(at moment: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID {
        self.alarms.withLock { alarms in
            let id = AlarmID(alarms.queue.add(at: moment, fire))
            if alarms.sleepsUntil.map({ moment < $0 }) ?? true { self.sleep(until: moment, &alarms) }
            return id
        }
    }

    /// Takes an alarm back.
    public func cancel(_ alarm: AlarmID) {
        let cancelled = self.alarms.withLock { $0.queue.cancel(alarm.number) }
        withExtendedLifetime(cancelled) {}
    }

    /// Does nothing: real time does not wait for work.
    public func workBegan() {}

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
            // Whoever was started meanwhile sleeps for all.
            guard alarms.number == number else { return }
            alarms.sleeper = nil
            alarms.sleepsUntil = nil
            if let next = alarms.queue.nextDue() { self.sleep(until: next, &alarms) }
        }
    }
}

extension SystemClock where Base == ContinuousClock {
    /// Lives by the clock that goes on while the device sleeps.
    public convenience init() { self.init(ContinuousClock()) }
}
