import AdCore
import SystemSupport

/// The commands of any thread for one connection, which the loop executes.
final class SocketCommandQueue: Sendable {
    /// The commands since the last `drain`.
    struct PendingCommands {
        var texts: [String] = []
        var isCloseRequested = false
        var isOverLimit = false
    }

    private enum Phase { case connecting, open, closed }

    private struct State {
        var phase = Phase.connecting
        var pending = PendingCommands()
        /// The bytes of the texts queued here, and of those that the loop has not sent yet.
        var queuedBytes = 0
        var bytesInLoop = 0
        /// Whether the loop has a command to drain this queue.
        var isScheduled = false
    }

    let id: UInt64
    private let limit: Int
    private let queue: SocketQueue?
    private let state = Locked(State())

    /// Creates the commands of a connection; without a queue they are closed from the start.
    init(_ id: UInt64, limit: Int, _ queue: SocketQueue?) {
        self.id = id
        self.limit = limit
        self.queue = queue
        if queue == nil { self.markClosed() }
    }

    // MARK: Callers

    func send(_ text: String) {
        self.enqueue { state in
            guard state.phase == .open else { return }
            // Count the frame header too (at most 14 bytes, RFC 6455 §5.2), so that empty texts are limited.
            state.queuedBytes += text.utf8.count + 14
            if state.queuedBytes + state.bytesInLoop > self.limit {
                state.phase = .closed
                state.pending = PendingCommands(isOverLimit: true)
                state.queuedBytes = 0
            } else {
                state.pending.texts.append(text)
            }
        }
    }

    func close() {
        self.enqueue { state in
            guard state.phase != .closed else { return }
            state.phase = .closed
            state.pending.isCloseRequested = true
        }
    }

    private func enqueue(_ change: (inout State) -> Void) {
        let shouldSchedule = self.state.withLock { state in
            change(&state)
            let hasPending = state.pending.isCloseRequested || state.pending.isOverLimit || !state.pending.texts.isEmpty
            guard hasPending, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if shouldSchedule { self.queue?.executeCommands(of: self.id) }
    }

    // MARK: The loop

    /// Whether the program has not closed the connection.
    var isActive: Bool { self.state.withLock { $0.phase != .closed } }

    /// Accepts texts from now on.
    func markOpen() { self.state.withLock { state in if state.phase == .connecting { state.phase = .open } } }

    /// Accepts nothing from now on, and drops pending commands.
    func markClosed() {
        self.state.withLock { state in
            state.phase = .closed
            state.pending = PendingCommands()
            state.queuedBytes = 0
        }
    }

    /// Removes and returns the pending commands; their bytes count as the loop's.
    func drain() -> PendingCommands {
        self.state.withLock { state in
            defer {
                state.bytesInLoop += state.queuedBytes
                state.queuedBytes = 0
                state.pending = PendingCommands()
                state.isScheduled = false
            }
            return state.pending
        }
    }

    /// Updates the number of bytes that the loop has not sent yet.
    func setUnsent(_ unsent: Int) { self.state.withLock { $0.bytesInLoop = unsent } }
}

/// The program's handle of a connection, which is closed when the handle is deallocated.
final class CurlSocket: SocketConnection {
    private let commands: SocketCommandQueue

    init(_ commands: SocketCommandQueue) { self.commands = commands }

    deinit { self.commands.close() }

    func send(_ text: String) { self.commands.send(text) }

    func close() { self.commands.close() }
}
