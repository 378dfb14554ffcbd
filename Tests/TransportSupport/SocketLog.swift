package import AdCore
import SystemSupport

/// The events of a connection, for a test that waits for them.
package final class SocketLog: Sendable {
    private struct State {
        /// The events so far.
        package var events: [SocketEvent] = []
        var isReporting = false
        package var violations: [String] = []
    }

    private let state = Locked(State())
    private let stream = AsyncStream<SocketEvent>.makeStream()

    /// Creates an empty log.
    package init() {}

    /// Records an event, and checks that it is allowed now.
    package func record(_ event: SocketEvent) {
        self.state.withLock { state in
            if case .closed = state.events.last { state.violations.append("\(event) after the end") }
            if event == .opened, !state.events.isEmpty { state.violations.append("opened is not the first") }
            if state.isReporting { state.violations.append("two at a time") }
            state.isReporting = true
            state.events.append(event)
        }
        self.stream.continuation.yield(event)
        self.state.withLock { $0.isReporting = false }
    }

    /// The events so far.
    package var events: [SocketEvent] { self.state.withLock { $0.events } }
    /// The violations of the event order.
    package var violations: [String] { self.state.withLock { $0.violations } }

    /// The next event that was not returned yet.
    package func next() async -> SocketEvent? {
        for await event in self.stream.stream { return event }
        return nil
    }

    /// The next text; nil if the connection ends before.
    package func text() async -> String? {
        while let event = await self.next() {
            if case .text(let text) = event { return text }
            if case .closed = event { return nil }
        }
        return nil
    }

    /// The end of the connection.
    package func end() async -> SocketEnd? {
        while let event = await self.next() {
            if case .closed(let end) = event { return end }
        }
        return nil
    }
}

extension SocketTransport {
    /// Opens a connection to a URL.
    package func open(
        _ address: String,
        _ log: SocketLog,
        limits: SocketRequest.Limits = .init(connect: .seconds(20))
    ) -> any SocketConnection {
        guard let url = SocketURL(address) else { preconditionFailure("\(address) is not a URL.") }
        return self.open(SocketRequest(url, limits: limits)) { log.record($0) }
    }
}
