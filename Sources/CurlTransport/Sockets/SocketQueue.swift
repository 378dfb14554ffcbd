import AdCore
import SystemSupport

/// A request to open a connection.
struct SocketOpening: Sendable {
    let request: SocketRequest
    let commands: SocketCommandQueue
    let report: @Sendable (SocketEvent) -> Void
}

/// The queue of commands from any thread to the thread of the sockets.
final class SocketQueue: Sendable {
    enum Command: Sendable {
        /// Open a connection.
        case open(SocketOpening)
        /// Execute the pending commands of a connection.
        case executeCommands(of: UInt64)
    }

    private let inbox: CommandInbox<Command>
    private let lastID = Locked<UInt64>(0)
    /// Nil after the thread has ended: a connection that the program still holds must not keep descriptors open.
    private let pipe: Locked<WakePipe?>
    /// The file descriptor that becomes readable to wake the thread.
    let wakeFile: Int32

    /// Creates a queue; nil if the process has no file descriptors left.
    init?() {
        guard let pipe = WakePipe() else { return nil }
        self.pipe = Locked(pipe)
        self.wakeFile = pipe.reading
        self.inbox = CommandInbox { pipe.wake() }
    }

    // MARK: Callers

    /// Opens a connection; nil if the queue is closed.
    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> CurlSocket? {
        let id = self.lastID.withLock { last in
            last += 1
            return last
        }
        let commands = SocketCommandQueue(id, limit: max(0, request.limits.unsent), self)
        let opening = SocketOpening(request: request, commands: commands, report: report)
        return self.inbox.append(.open(opening)) ? CurlSocket(commands) : nil
    }

    /// Makes the thread execute the pending commands of a connection.
    func executeCommands(of id: UInt64) { self.inbox.append(.executeCommands(of: id)) }

    /// Refuses new commands and makes the thread end.
    func close() { self.inbox.close() }

    // MARK: The thread

    /// Removes all commands, and returns whether the queue is closed.
    func drain() -> (commands: [Command], isClosed: Bool) { self.inbox.drain() }

    /// Whether the thread may sleep.
    func prepareToSleep() -> Bool { self.inbox.prepareToSleep() }

    /// Clears the wake file, so that it can wake the thread again.
    func clearWakeFile() { self.pipe.withLock { $0 }?.clear() }

    /// Closes the wake pipe; the thread is no longer woken.
    func disconnect() {
        self.inbox.setWaker(nil)
        self.pipe.withLock { $0 = nil }
    }
}
