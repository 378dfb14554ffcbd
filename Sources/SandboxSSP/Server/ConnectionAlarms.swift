import CMicroHTTPD
import SystemSupport

/// Lets connections sleep, and wakes each at its time from a thread of its own.
///
/// A thread and not a task: tasks share few threads with whatever blocks them, and a sandbox has to go on even when a
/// test occupies them all.
final class ConnectionAlarms: Sendable {
    private struct State {
        var alarms = AlarmQueue<ContinuousClock.Instant>()
        var isStopping = false
        var thread: DedicatedThread?
    }

    private let state = Locked(State())
    private let bell: WakePipe

    /// Starts the thread, or returns nil where the system has no pipe or no thread left.
    init?() {
        guard let bell = WakePipe() else { return nil }
        self.bell = bell
        guard let thread = DedicatedThread("yabbi-sandbox", { self.run() }) else { return nil }
        self.state.withLock { $0.thread = thread }
    }

    /// Takes the calling connection out of the server's hands for a while.
    ///
    /// False: the sandbox stops, end it now.
    ///
    /// Called from the connection's own callbacks only, as the library demands.
    func suspend(_ connection: Connection, until time: ContinuousClock.Instant) -> Bool {
        let isEarliest: Bool? = self.state.withLock { state in
            // Under the lock: a connection that is put to sleep while the sandbox stops would never wake.
            guard !state.isStopping else { return nil }
            connection.suspend()
            let isEarliest = state.alarms.nextDue().map { time < $0 } ?? true
            _ = state.alarms.add(at: time) { connection.resume() }
            return isEarliest
        }
        if isEarliest == true { self.bell.ring() }
        return isEarliest != nil
    }

    /// Whether sleepers were woken before their time, to be ended.
    var isStopping: Bool { self.state.withLock(\.isStopping) }

    /// Wakes every sleeper at once, lets none sleep again, and ends the thread.
    func stop() {
        let thread = self.state.withLock { state -> DedicatedThread? in
            state.isStopping = true
            for resume in state.alarms.removeAll() { resume() }
            defer { state.thread = nil }
            return state.thread
        }
        self.bell.ring()
        thread?.join()
    }

    private func run() {
        while true {
            let now = ContinuousClock.now
            let next: ContinuousClock.Instant?? = self.state.withLock { state in
                guard !state.isStopping else { return .none }
                // Under the lock: when the sandbox has stopped, the connection is gone.
                while let alarm = state.alarms.popDue(at: now) { alarm.fire() }
                return .some(state.alarms.nextDue())
            }
            guard let next else { return }
            self.bell.wait(atMost: next.map { $0 - now })
        }
    }
}

/// A connection of the server, as it is known while it sleeps.
// Unchecked: the pointer is only handed back to the library, whose two functions are made to be called from any thread.
struct Connection: @unchecked Sendable {
    let pointer: OpaquePointer

    fileprivate func suspend() { MHD_suspend_connection(self.pointer) }
    fileprivate func resume() { MHD_resume_connection(self.pointer) }
}
