import AdCore
import SystemLock

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

    /// The two ends of a pipe.
    private struct Pipe { let reading: Int32, writing: Int32 }

    private let state = Locked(State())
    /// A lock of its own: the loop must not find the mailbox locked by the very one that has just woken it.
    private let pipe: Locked<Pipe?>
    /// What the sleeping loop waits for.
    let bell: Int32

    /// A mailbox, or nil where the system has no file descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard SocketMailbox.makePipe(&ends) else { return nil }
        self.bell = ends[0]
        self.pipe = Locked(Pipe(reading: ends[0], writing: ends[1]))
    }

    deinit { self.disconnect() }

    // MARK: Callers

    /// Asks for a connection; false where no more are made.
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
        if mustRing {
            self.pipe.withLock { pipe in
                var byte: UInt8 = 1
                if let pipe { _ = write(pipe.writing, &byte, 1) }
            }
        }
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
    func hush() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(self.bell, &bytes, bytes.count) == bytes.count {}
    }

    /// From now on nobody touches the pipe.
    func disconnect() {
        self.pipe.withLock { pipe in
            guard let ends = pipe else { return }
            pipe = nil
            _ = Self.closeFile(ends.reading)
            _ = Self.closeFile(ends.writing)
        }
    }

    private static func closeFile(_ file: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(file)
        #else
            Darwin.close(file)
        #endif
    }

    // `pipe` and `close` are also names of this class.
    private static func newPipe(_ ends: inout [Int32]) -> Int32 {
        #if canImport(Glibc)
            Glibc.pipe(&ends)
        #else
            Darwin.pipe(&ends)
        #endif
    }

    /// A pipe that nobody waits at and no child inherits.
    private static func makePipe(_ ends: inout [Int32]) -> Bool {
        guard SocketMailbox.newPipe(&ends) == 0 else { return false }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return true
    }
}
