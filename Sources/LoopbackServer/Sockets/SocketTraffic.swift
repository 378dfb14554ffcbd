package import WebSocketCodec

/// The upgrade of a request to a socket.
package struct SocketUpgrade: Hashable, Sendable {
    /// The name of the socket's fault; nil when there is none.
    package var fault: String?

    package init(fault: String? = nil) { self.fault = fault }
}

/// An event of a socket.
package enum ServerSocketEvent: Hashable, Sendable {
    /// A socket was opened, with its number.
    case opened(Int, SocketUpgrade)
    /// A text or binary message arrived.
    case received(Int, WebSocketMessage)
    /// A socket was closed.
    case closed(Int)
}

/// An action for one socket; without effect when the socket is closed.
package struct SocketCommand: Hashable, Sendable {
    package let socket: Int
    package let action: SocketAction

    package init(_ action: SocketAction, on socket: Int) {
        self.socket = socket
        self.action = action
    }
}

/// What the server does on a socket.
package enum SocketAction: Hashable, Sendable {
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
package struct SocketOutput: Hashable, Sendable {
    /// The commands, in order.
    package var commands: [SocketCommand] = []
    /// When to call the handler again without an event; nil for never.
    package var next: Duration?

    package init(commands: [SocketCommand] = [], next: Duration? = nil) {
        self.commands = commands
        self.next = next
    }
}
