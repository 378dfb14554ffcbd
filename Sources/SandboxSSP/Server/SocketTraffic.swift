import WebSocketCodec

/// The upgrade of a request to a socket.
struct SocketOpening: Hashable, Sendable {
    /// The fault of the socket; nil when there is none.
    var fault: Sandbox.SocketFault?
}

/// An event of a socket.
enum SocketEvent: Hashable, Sendable {
    /// A socket was opened, with its number.
    case opened(Int, SocketOpening)
    /// A text or binary message arrived.
    case received(Int, WebSocketMessage)
    /// A socket was closed.
    case closed(Int)
}

/// An action for one socket; without effect when the socket is closed.
struct SocketOrder: Hashable, Sendable {
    let socket: Int
    let act: SocketAct

    init(_ act: SocketAct, on socket: Int) {
        self.socket = socket
        self.act = act
    }
}

/// What the server does on a socket.
enum SocketAct: Hashable, Sendable {
    /// Sends a message.
    case send(WebSocketMessage)
    /// Sends raw bytes, which need not be valid frames.
    case raw([UInt8])
    /// Sends a close frame and ends the connection.
    case close(WebSocketClosure)
    /// Ends the connection without a close frame.
    case breakOff
}

/// The result of handling events.
struct SocketWork: Hashable, Sendable {
    /// The commands, in order.
    var orders: [SocketOrder] = []
    /// When to call the handler again without an event; nil for never.
    var next: Duration?
}
