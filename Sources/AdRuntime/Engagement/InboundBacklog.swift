import SystemSupport

/// How much a connection or a page has said that nobody has handled yet: bounded, for others decide how fast they speak.
final class InboundBacklog: Sendable {
    /// What becomes of what is said.
    enum Verdict {
        case fits
        /// It is too much: it is dropped, and so is all that follows, until nothing waits any more.
        case full
        /// It is dropped, as what came before it was.
        case dropped
    }

    /// How many bytes may wait.
    static let mostBytes = 4 << 20

    private let state = Locked<(count: Int, bytes: Int, isFull: Bool)>((0, 0, false))
    private let most: Int

    /// A backlog of at most so many pieces.
    init(most: Int) { self.most = most }

    /// Counts a piece of so many bytes, if it may wait.
    func add(_ bytes: Int) -> Verdict {
        self.state.withLock { state in
            guard !state.isFull else { return .dropped }
            guard state.count < self.most, state.bytes + bytes <= InboundBacklog.mostBytes else {
                state.isFull = true
                return .full
            }
            state.count += 1
            state.bytes += bytes
            return .fits
        }
    }

    /// A piece is handled.
    func remove(_ bytes: Int) {
        self.state.withLock { state in
            state.count -= 1
            state.bytes -= bytes
            if state.count == 0 { state.isFull = false }
        }
    }
}
