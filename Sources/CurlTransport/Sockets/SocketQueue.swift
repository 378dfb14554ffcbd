import AdCore
import SystemSupport

/// A connection that is to be made.
struct SocketOpening: Sendable {
    let request: SocketRequest
    let door: SocketDoor
    let report: @Sendable (SocketEvent) -> Void
}

/// The commands of any thread to the thread that runs the sockets.
final class SocketQueue: Sendable {
    enum Command: Sendable {
        /// Make a connection.
        case open(SocketOpening)
        /// Carry out what waits at the door of this connection.
        case visit(UInt64)
    }

    private let inbox: CommandInbox<Command>
    private let lastID = Locked<UInt64>(0)
    /// Nil once the thread has ended: a connection that the program still holds must not keep files open.
    private let pipe: Locked<WakePipe?>
    /// What can be read once the sleeping thread is to wake up.
    let wakeFile: Int32

    /// A queue, or nil where the system has no file descriptors left.
    init?() {
        guard let pipe = WakePipe() else { return nil }
        self.pipe = Locked(pipe)
        self.wakeFile = pipe.reading
        self.inbox = CommandInbox { pipe.ring() }
    }

    // MARK: Callers

    /// Asks for a connection; nil where the queue is closed.
    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> CurlSocket? {
        let id = self.lastID.withLock { last in
            last += 1
            return last
        }
        let door = SocketDoor(id, limit: max(0, request.limits.unsent), self)
        let opening = SocketOpening(request: request, door: door, report: report)
        return self.inbox.append(.open(opening)) ? CurlSocket(door) : nil
    }

    /// Asks the thread to look at the door of this connection.
    func visit(_ id: UInt64) { self.inbox.append(.visit(id)) }

    /// Refuses commands from now on, and tells the thread to end.
    func close() { self.inbox.close() }

    // MARK: The thread

    /// Removes all commands, and says whether the queue was closed.
    func drain() -> (commands: [Command], isClosed: Bool) { self.inbox.drain() }

    /// Whether the thread may sleep.
    func prepareToSleep() -> Bool { self.inbox.prepareToSleep() }

    /// Clears the wake file, so that it can wake the thread again.
    func clearWakeFile() { self.pipe.withLock { $0 }?.silence() }

    /// From now on the thread is not woken any more.
    func disconnect() {
        self.inbox.setWaker(nil)
        self.pipe.withLock { $0 = nil }
    }
}
