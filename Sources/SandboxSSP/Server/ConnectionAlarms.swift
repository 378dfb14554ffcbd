import CMicroHTTPD
import SystemLock
import SystemThread

/// Lets connections sleep, and wakes each at its time from a thread of its own.
///
/// A thread and not a task: tasks share few threads with whatever blocks them, and a sandbox has to go on even when a
/// test occupies them all.
final class ConnectionAlarms: Sendable {
    private struct Alarm {
        let time: ContinuousClock.Instant
        let connection: Connection
    }

    private struct State {
        /// The earliest alarm is the last.
        var alarms: [Alarm] = []
        var isStopping = false
        var thread: OwnThread?
    }

    private let state = Locked(State())
    private let bell: WakePipe

    /// Starts the thread, or returns nil where the system has no pipe or no thread left.
    init?() {
        guard let bell = WakePipe() else { return nil }
        self.bell = bell
        guard let thread = OwnThread("yabbi-sandbox", { self.run() }) else { return nil }
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
            let place = state.alarms.partitionPoint { $0.time > time }
            state.alarms.insert(Alarm(time: time, connection: connection), at: place)
            return place == state.alarms.count - 1
        }
        if isEarliest == true { self.bell.ring() }
        return isEarliest != nil
    }

    /// Whether sleepers were woken before their time, to be ended.
    var isStopping: Bool { self.state.withLock(\.isStopping) }

    /// Wakes every sleeper at once, lets none sleep again, and ends the thread.
    func stop() {
        let thread = self.state.withLock { state -> OwnThread? in
            state.isStopping = true
            for alarm in state.alarms { alarm.connection.resume() }
            state.alarms = []
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
                while let alarm = state.alarms.last, alarm.time <= now {
                    // Under the lock: when the sandbox has stopped, the connection is gone.
                    alarm.connection.resume()
                    state.alarms.removeLast()
                }
                return .some(state.alarms.last?.time)
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

extension Array {
    /// The first index whose element fails a test that all elements before it pass.
    fileprivate func partitionPoint(where passes: (Element) -> Bool) -> Int {
        var low = 0
        var high = self.count
        while low < high {
            let middle = (low + high) / 2
            if passes(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
