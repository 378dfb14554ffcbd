import AdCore
import AdRuntime
import SystemSupport

/// A socket transport that can wait until all its connections are closed, and so until their messages are sent.
final class AwaitableSockets: SocketTransport {
    private let next: any SocketTransport
    private let onEvent: @Sendable (SocketEvent) -> Void
    private let state = Locked<(open: Int, waiting: [OneShot<Void>])>((0, []))

    /// `onEvent` is called with every event of a connection, before the session handles it.
    init(_ next: any SocketTransport, onEvent: @escaping @Sendable (SocketEvent) -> Void) {
        self.next = next
        self.onEvent = onEvent
    }

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        self.state.withLock { $0.open += 1 }
        return self.next.open(request) { event in
            self.onEvent(event)
            report(event)
            if case .closed = event { self.connectionClosed() }
        }
    }

    private func connectionClosed() {
        let waiting = self.state.withLock { state -> [OneShot<Void>] in
            state.open -= 1
            guard state.open == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.set(()) }
    }

    /// Waits until no connection is open, or until the limit.
    func settle(within limit: Duration) async {
        let isOver = OneShot<Void>()
        let isOpen = self.state.withLock { state in
            guard state.open > 0 else { return false }
            state.waiting.append(isOver)
            return true
        }
        guard isOpen else { return }
        let timer = Task {
            try? await Task.sleep(for: limit)
            isOver.set(())
        }
        await isOver.value
        timer.cancel()
    }
}
