import AdCore
import SystemSupport

/// Where callers of any thread leave what they want of one connection, and the loop fetches it.
final class SocketDoor: Sendable {
    /// What was left since the last time.
    struct PendingCommands {
        var texts: [String] = []
        var wantsEnd = false
        var isOverfull = false
    }

    private enum Phase { case connecting, open, closed }

    private struct State {
        var phase = Phase.connecting
        var wishes = PendingCommands()
        /// Bytes in the texts that wait here, and those that the loop still has.
        var bytes = 0
        var bytesOfLoop = 0
        /// Whether the loop was told to come.
        var isListed = false
    }

    let id: UInt64
    private let limit: Int
    private let queue: SocketQueue?
    private let state = Locked(State())

    /// A door to a connection of the queue's loop; without a queue, one that is closed for ever.
    init(_ id: UInt64, limit: Int, _ queue: SocketQueue?) {
        self.id = id
        self.limit = limit
        self.queue = queue
        if queue == nil { self.shut() }
    }

    // MARK: Callers

    func send(_ text: String) {
        self.leave { state in
            guard state.phase == .open else { return }
            // A frame's head is counted in: many empty texts are no smaller than one long.
            state.bytes += text.utf8.count + 14
            if state.bytes + state.bytesOfLoop > self.limit {
                state.phase = .closed
                state.wishes = PendingCommands(isOverfull: true)
                state.bytes = 0
            } else {
                state.wishes.texts.append(text)
            }
        }
    }

    func close() {
        self.leave { state in
            guard state.phase != .closed else { return }
            state.phase = .closed
            state.wishes.wantsEnd = true
        }
    }

    private func leave(_ wish: (inout State) -> Void) {
        let isNews = self.state.withLock { state in
            wish(&state)
            let hasWishes = state.wishes.wantsEnd || state.wishes.isOverfull || !state.wishes.texts.isEmpty
            guard hasWishes, !state.isListed else { return false }
            state.isListed = true
            return true
        }
        if isNews { self.queue?.visit(self.id) }
    }

    // MARK: The loop

    /// Whether the program still wants to hear of it.
    var isWanted: Bool { self.state.withLock { $0.phase != .closed } }

    /// From now on texts are taken.
    func open() { self.state.withLock { state in if state.phase == .connecting { state.phase = .open } } }

    /// From now on nothing is.
    func shut() {
        self.state.withLock { state in
            state.phase = .closed
            state.wishes = PendingCommands()
            state.bytes = 0
        }
    }

    /// Hands over what was left; the texts are the loop's from now on.
    func take() -> PendingCommands {
        self.state.withLock { state in
            defer {
                state.bytesOfLoop += state.bytes
                state.bytes = 0
                state.wishes = PendingCommands()
                state.isListed = false
            }
            return state.wishes
        }
    }

    /// How many bytes the loop has that have not left yet.
    func note(unsent: Int) { self.state.withLock { $0.bytesOfLoop = unsent } }
}

/// A connection as the program holds it: with its last reference the connection ends.
final class CurlSocket: SocketConnection {
    private let door: SocketDoor

    init(_ door: SocketDoor) { self.door = door }

    deinit { self.door.close() }

    func send(_ text: String) { self.door.send(text) }

    func close() { self.door.close() }
}
