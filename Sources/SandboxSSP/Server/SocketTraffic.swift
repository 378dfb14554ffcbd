import WebSocketCodec

/// The upgrade of a request to a socket.
struct SocketUpgrade: Hashable, Sendable {
    /// The fault of the socket; nil when there is none.
    var fault: Sandbox.SocketFault?
}

/// An event of a socket.
enum SocketEvent: Hashable, Sendable {
    /// A socket was opened, with its number.
    case opened(Int, SocketUpgrade)
    /// A text or binary message arrived.
    case received(Int, WebSocketMessage)
    /// A socket was closed.
    case closed(Int)
}

/// An action for one socket; without effect when the socket is closed.
struct SocketCommand: Hashable, Sendable {
    let socket: Int
    let action: SocketAction

    init(_ action: SocketAction, on socket: Int) {
        self.socket = socket
        self.action = action
    }
}

/// What the server does on a socket.
enum SocketAction: Hashable, Sendable {
    /// Sends a message.
    case send(WebSocketMessage)
    /// Sends raw bytes, which need not be valid frames.
    case raw([UInt8])
    /// Sends a close frame and ends the connection.
    case close(WebSocketClosure)
    /// Ends the connection without a close frame.
    case disconnect
}

/// The result of handling events.
struct SocketOutput: Hashable, Sendable {
    /// The commands, in order.
    var commands: [SocketCommand] = []
    /// When to call the handler again without an event; nil for never.
    var next: Duration?
}
