public import AdCore
import SystemSupport

/// A socket transport without a network; the test reports the events of each connection.
///
/// ```swift
/// let sockets = ScriptedSockets()
/// let connection = sockets.open(SocketRequest(socket)) { event in print(event) }
/// sockets.last?.report(.opened)
/// ```
public final class ScriptedSockets: SocketTransport {
    private let state = Locked<[ScriptedConnection]>([])

    /// Creates a transport without connections.
    public init() {}

    /// All opened connections, in order.
    public var all: [ScriptedConnection] { self.state.withLock { $0 } }
    /// The connection that was opened last.
    public var last: ScriptedConnection? { self.all.last }

    /// Keeps a connection, which reports nothing by itself.
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
    /// The request of the connection.
    public let request: SocketRequest

    private let handler: @Sendable (SocketEvent) -> Void
    private let state = Locked<(sent: [String], isClosed: Bool)>(([], false))

    init(_ request: SocketRequest, _ handler: @escaping @Sendable (SocketEvent) -> Void) {
        self.request = request
        self.handler = handler
    }

    /// All sent texts, in order.
    public var sent: [String] { self.state.withLock { $0.sent } }
    /// Whether `close` was called.
    public var isClosed: Bool { self.state.withLock { $0.isClosed } }

    /// Adds a text to `sent`, unless the connection is closed.
    public func send(_ text: String) { self.state.withLock { if !$0.isClosed { $0.sent.append(text) } } }

    /// Sets `isClosed`; no event is reported.
    public func close() { self.state.withLock { $0.isClosed = true } }

    /// Reports an event of the connection.
    public func report(_ event: SocketEvent) { self.handler(event) }
}
