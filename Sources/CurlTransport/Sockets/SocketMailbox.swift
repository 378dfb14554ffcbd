import AdCore
import SystemLock
import SystemThread

/// A connection that is to be made.
struct SocketOpening: Sendable {
    let request: SocketRequest
    let door: SocketDoor
    let report: @Sendable (SocketEvent) -> Void
}

/// What callers of any thread put in, and the loop of the sockets takes out.
final class SocketMailbox: Sendable {
    /// What came in since the last time.
    struct News {
        var openings: [SocketOpening] = []
        /// The connections at whose doors something lies.
        var listed: [UInt64] = []
        var isClosed = false

        var isEmpty: Bool { self.openings.isEmpty && self.listed.isEmpty && !self.isClosed }
    }

    private struct State {
        var news = News()
        var lastID: UInt64 = 0
        /// Whether the loop sleeps, or is about to.
        var isAsleep = false
    }

    private let state = Locked(State())
    /// A lock of its own: the loop must not find the mailbox locked by the very one that has just woken it.
    private let pipe: Locked<WakePipe?>
    /// What the sleeping loop waits for.
    let bell: Int32

    /// A mailbox, or nil where the system has no file descriptors left.
    init?() {
        guard let pipe = WakePipe() else { return nil }
        self.bell = pipe.reading
        self.pipe = Locked(pipe)
    }

    // MARK: Callers

    /// Asks for a connection; nil where no more are made.
    func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> CurlSocket? {
        let id = self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let door = SocketDoor(id, limit: max(0, request.limits.unsent), self)
        let opening = SocketOpening(request: request, door: door, report: report)
        let isTaken = self.put { news in
            guard !news.isClosed else { return false }
            news.openings.append(opening)
            return true
        }
        return isTaken ? CurlSocket(door) : nil
    }

    /// Something lies at the door of this connection.
    func list(_ id: UInt64) {
        _ = self.put { news in
            guard !news.isClosed else { return false }
            news.listed.append(id)
            return true
        }
    }

    /// Lets nothing more in, and tells the loop to end.
    func close() {
        _ = self.put { news in
            news.isClosed = true
            return true
        }
    }

    private func put(_ change: (inout News) -> Bool) -> Bool {
        let (isTaken, mustRing) = self.state.withLock { state in
            let isTaken = change(&state.news)
            defer { if isTaken { state.isAsleep = false } }
            return (isTaken, isTaken && state.isAsleep)
        }
        if mustRing { self.pipe.withLock { $0 }?.ring() }
        return isTaken
    }

    // MARK: The loop

    /// Everything that came in since the last time.
    func take() -> News {
        self.state.withLock { state in
            defer { state.news = News(isClosed: state.news.isClosed) }
            state.isAsleep = false
            return state.news
        }
    }

    /// Whether the loop may sleep; whoever puts something in from now on rings.
    func fallAsleep() -> Bool {
        self.state.withLock { state in
            state.isAsleep = state.news.isEmpty
            return state.isAsleep
        }
    }

    /// Silences the bell.
    func hush() { self.pipe.withLock { $0 }?.silence() }

    /// From now on nobody rings.
    func disconnect() { self.pipe.withLock { $0 = nil } }
}
