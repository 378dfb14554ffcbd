import SystemSupport

/// Counts a connection's or page's messages that are not handled yet, and limits them against floods.
final class InboundBacklog: Sendable {
    /// What happened to a message that was added.
    enum AddResult {
        case fits
        /// The limit is reached: this message and all that follow are dropped until the backlog is empty.
        case full
        /// Dropped after an earlier message reached the limit.
        case dropped
    }

    /// The limit in bytes.
    static let byteLimit = 4 << 20

    private let state = Locked<(count: Int, bytes: Int, isFull: Bool)>((0, 0, false))
    private let countLimit: Int

    /// Creates a backlog for so many messages.
    init(countLimit: Int) { self.countLimit = countLimit }

    /// Adds a message of so many bytes, unless the backlog is full.
    func add(_ bytes: Int) -> AddResult {
        self.state.withLock { state in
            guard !state.isFull else { return .dropped }
            guard state.count < self.countLimit, state.bytes + bytes <= InboundBacklog.byteLimit else {
                state.isFull = true
                return .full
            }
            state.count += 1
            state.bytes += bytes
            return .fits
        }
    }

    /// Removes a handled message of so many bytes.
    func remove(_ bytes: Int) {
        self.state.withLock { state in
            state.count -= 1
            state.bytes -= bytes
            if state.count == 0 { state.isFull = false }
        }
    }
}
