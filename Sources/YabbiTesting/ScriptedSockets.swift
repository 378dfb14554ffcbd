public import AdCore
import SystemSupport

/// Connections that go nowhere: a test says what becomes of each.
///
/// ```swift
/// let sockets = ScriptedSockets()
/// let connection = sockets.open(SocketRequest(socket)) { event in print(event) }
/// sockets.last?.report(.opened)
/// ```
public final class ScriptedSockets: SocketTransport {
    private let state = Locked<[ScriptedConnection]>([])

    /// Nothing was opened yet.
    public init() {}

    /// All connections that were asked for, in order.
    public var all: [ScriptedConnection] { self.state.withLock { $0 } }
    /// The connection that was asked for last.
    public var last: ScriptedConnection? { self.all.last }

    /// Remembers a connection; nothing becomes of it by itself.
    public func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        let connection = ScriptedConnection(request, report)
        self.state.withLock { $0.append(connection) }
        return connection
    }
}

/// One connection of `ScriptedSockets`.
public final class ScriptedConnection: SocketConnection {
    /// What was asked for.
    public let request: SocketRequest

    private let sink: @Sendable (SocketEvent) -> Void
    private let state = Locked<(sent: [String], isClosed: Bool)>(([], false))

    init(_ request: SocketRequest, _ sink: @escaping @Sendable (SocketEvent) -> Void) {
        self.request = request
        self.sink = sink
    }

    /// What was sent over it, in order.
    public var sent: [String] { self.state.withLock { $0.sent } }
    /// Whether this side has closed it.
    public var isClosed: Bool { self.state.withLock { $0.isClosed } }

    /// Remembers a text.
    public func send(_ text: String) { self.state.withLock { if !$0.isClosed { $0.sent.append(text) } } }

    /// Remembers that it was closed.
    public func close() { self.state.withLock { $0.isClosed = true } }

    /// Something becomes of it.
    public func report(_ event: SocketEvent) { self.sink(event) }
}
