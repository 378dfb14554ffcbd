import CMicroHTTPD
import SystemSupport

/// Suspends connections and resumes each one at its time, on a thread of its own.
///
/// It is a thread and not a task: blocking code can occupy all threads of the tasks, and the server must go on then.
final class ConnectionAlarms: Sendable {
    private struct State {
        var alarms = AlarmQueue<ContinuousClock.Instant>()
        var isStopping = false
        var thread: DedicatedThread?
    }

    private let state = Locked(State())
    private let wakePipe: WakePipe

    /// Starts the thread; nil when the system has no pipe or thread left.
    init?() {
        guard let wakePipe = WakePipe() else { return nil }
        self.wakePipe = wakePipe
        guard let thread = DedicatedThread("yabbi-server", { self.run() }) else { return nil }
        self.state.withLock { $0.thread = thread }
    }

    /// Suspends the calling connection until a time.
    ///
    /// Only the connection's own callbacks may call it, as libmicrohttpd demands.
    ///
    /// - Returns: False when the server is stopping and the connection must be closed now.
    func suspend(_ connection: Connection, until time: ContinuousClock.Instant) -> Bool {
        let isEarliest: Bool? = self.state.withLock { state in
            // Under the lock: a connection that is suspended during the stop would never be resumed.
            guard !state.isStopping else { return nil }
            connection.suspend()
            let isEarliest = state.alarms.nextDue().map { time < $0 } ?? true
            _ = state.alarms.add(at: time) { connection.resume() }
            return isEarliest
        }
        if isEarliest == true { self.wakePipe.wake() }
        return isEarliest != nil
    }

    /// Suspends the calling connection until a time, or until something wakes it.
    ///
    /// - Returns: False when it was woken since `generation`, or when the server is stopping: it is not suspended then.
    func suspend(
        _ connection: Connection,
        until time: ContinuousClock.Instant,
        or waker: Waker,
        since generation: Waker.Generation
    ) -> Bool {
        let wait = Wait()
        let resume: @Sendable () -> Void = { [weak self] in self?.resume(wait) }
        let isEarliest: Bool? = self.state.withLock { state in
            guard !state.isStopping else { return nil }
            guard let number = waker.add(since: generation, resume) else { return nil }
            connection.suspend()
            let isEarliest = state.alarms.nextDue().map { time < $0 } ?? true
            let alarm = state.alarms.add(at: time) {
                waker.remove(number)
                connection.resume()
            }
            wait.alarm.withLock { $0 = alarm }
            return isEarliest
        }
        if isEarliest == true { self.wakePipe.wake() }
        return isEarliest != nil
    }

    /// Resumes a connection before its time.
    private func resume(_ wait: Wait) {
        // Under the lock: after the stop the connections no longer exist.
        let fired = self.state.withLock { state -> (@Sendable () -> Void)? in
            guard let alarm = wait.alarm.withLock({ $0 }), let fire = state.alarms.cancel(alarm) else { return nil }
            fire()
            return fire
        }
        _ = fired
    }

    /// The alarm of a suspended connection.
    private final class Wait: Sendable {
        let alarm = Locked<AlarmQueue<ContinuousClock.Instant>.Number?>(nil)
    }

    /// Whether the connections were resumed early, to be closed.
    var isStopping: Bool { self.state.withLock(\.isStopping) }

    /// Resumes all connections, suspends no more, and ends the thread.
    func stop() {
        let thread = self.state.withLock { state -> DedicatedThread? in
            state.isStopping = true
            for resume in state.alarms.removeAll() { resume() }
            defer { state.thread = nil }
            return state.thread
        }
        self.wakePipe.wake()
        thread?.join()
    }

    private func run() {
        while true {
            let now = ContinuousClock.now
            let next: ContinuousClock.Instant?? = self.state.withLock { state in
                guard !state.isStopping else { return .none }
                // Under the lock: after the stop the connections no longer exist.
                while let alarm = state.alarms.popDue(at: now) { alarm.fire() }
                return .some(state.alarms.nextDue())
            }
            guard let next else { return }
            self.wakePipe.wait(atMost: next.map { $0 - now })
        }
    }
}

/// A connection of libmicrohttpd.
// Unchecked: the pointer goes only to two functions of the library that may be called from any thread.
struct Connection: @unchecked Sendable {
    let pointer: OpaquePointer

    fileprivate func suspend() { MHD_suspend_connection(self.pointer) }
    fileprivate func resume() { MHD_resume_connection(self.pointer) }
}
