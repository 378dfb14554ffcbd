import WebSocketCodec

/// A request that becomes a socket, as its answer says it.
struct SocketOpening: Hashable, Sendable {
    /// What goes wrong on it; nil where all goes normally.
    var fault: Sandbox.SocketFault?
}

/// What happened on the sockets.
enum SocketEvent: Hashable, Sendable {
    /// A socket is open from here on, under a number of its own.
    case opened(Int, SocketOpening)
    /// A text or bytes arrived.
    case received(Int, WebSocketMessage)
    /// Nothing comes from there any more, and nothing goes there.
    case closed(Int)
}

/// What is to be done on a socket; one that is not there any more does nothing.
struct SocketOrder: Hashable, Sendable {
    let socket: Int
    let act: SocketAct

    init(_ act: SocketAct, on socket: Int) {
        self.socket = socket
        self.act = act
    }
}

/// What one end of a socket does.
enum SocketAct: Hashable, Sendable {
    /// Sends a message.
    case send(WebSocketMessage)
    /// Sends bytes as they are, whether or not they are frames.
    case raw([UInt8])
    /// Says why nothing more comes, and ends the connection.
    case close(WebSocketClosure)
    /// Ends the connection without a word.
    case breakOff
}

/// What comes of what happened.
struct SocketWork: Hashable, Sendable {
    /// What is to be done, in this order.
    var orders: [SocketOrder] = []
    /// After which time there is something to do although nothing has happened; nil: never.
    var next: Duration?
}
