import AdCore
import SystemLock

/// How much a connection has said that nobody has handled yet: bounded, for the server decides how fast it speaks.
final class SocketBacklog: Sendable {
    /// What becomes of a piece of news.
    enum Verdict {
        case fits
        /// It is too much: the connection is over.
        case full
        /// The connection was given up before.
        case dropped
    }

    private let state = Locked<(connection: UInt64, count: Int, bytes: Int, isFull: Bool)>((0, 0, 0, false))

    /// How many pieces may wait, and how many bytes.
    static let most = (count: 10_000, bytes: 4 << 20)

    /// Counts a piece of news of a connection.
    func add(_ event: SocketEvent, of connection: UInt64) -> Verdict {
        self.state.withLock { state in
            // Nobody listens to an older connection, and its last words must not stand for the present one's.
            guard connection >= state.connection else { return .dropped }
            if connection > state.connection { state = (connection, 0, 0, false) }
            guard !state.isFull else { return .dropped }
            state.count += 1
            state.bytes += SocketBacklog.size(event)
            guard state.count > SocketBacklog.most.count || state.bytes > SocketBacklog.most.bytes else { return .fits }
            state.isFull = true
            return .full
        }
    }

    /// A piece of news was handled.
    func remove(_ event: SocketEvent, of connection: UInt64) {
        self.state.withLock { state in
            guard state.connection == connection else { return }
            state.count -= 1
            state.bytes -= SocketBacklog.size(event)
        }
    }

    private static func size(_ event: SocketEvent) -> Int {
        if case .text(let text) = event { text.utf8.count } else { 0 }
    }
}
