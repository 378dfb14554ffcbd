import AdCore
import AdRuntime
import SystemSupport

/// Sockets that can be awaited: messages from before the close are sent when the wait is over.
final class RetryingSockets: SocketTransport {
    private let next: any SocketTransport
    private let hear: @Sendable (SocketEvent) -> Void
    private let state = Locked<(open: Int, waiting: [OneShot<Void>])>((0, []))

    /// `hear` is called with every event of a connection, before the session.
    init(_ next: any SocketTransport, hear: @escaping @Sendable (SocketEvent) -> Void) {
        self.next = next
        self.hear = hear
    }

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        self.state.withLock { $0.open += 1 }
        return self.next.open(request) { event in
            self.hear(event)
            report(event)
            if case .closed = event { self.leave() }
        }
    }

    private func leave() {
        let waiting = self.state.withLock { state -> [OneShot<Void>] in
            state.open -= 1
            guard state.open == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resolve(()) }
    }

    /// Waits until no connection is open any more, or the time is over.
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
            isOver.resolve(())
        }
        await isOver.value
        timer.cancel()
    }
}
