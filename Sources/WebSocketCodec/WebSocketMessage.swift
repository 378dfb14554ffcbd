/// A message or control frame.
package enum WebSocketMessage: Hashable, Sendable {
    /// A text message.
    case text(String)
    /// A binary message.
    case binary([UInt8])
    /// A ping with at most 125 bytes, which the pong repeats (RFC 6455 §5.5.2).
    case ping([UInt8])
    /// A pong (§5.5.3).
    case pong([UInt8])
    /// A Close frame, after which its sender sends nothing more (§5.5.1).
    case close(WebSocketClosure)
}

/// The progress of a message that exceeds the limit and is skipped.
package enum WebSocketSkippedMessage: Hashable, Sendable {
    /// A part was received, up to this number of bytes; more follows.
    case coming(bytes: Int)
    /// The message has ended, with this number of bytes.
    case over(bytes: Int)
}

/// The side of a connection.
package enum WebSocketRole: Hashable, Sendable {
    /// The side that opened the connection: it masks its frames (RFC 6455 §5.1).
    case client
    /// The side that accepted the connection: it doesn't mask its frames.
    case server
}

/// The content of a Close frame (RFC 6455 §5.5.1).
package struct WebSocketClosure: Hashable, Sendable {
    /// The status code; nil if the frame has none.
    package let code: Code?
    /// The reason, for debugging; at most 123 bytes of it are sent.
    package let reason: String

    /// Creates the content of a Close frame.
    package init(_ code: Code?, _ reason: String = "") {
        self.code = code
        self.reason = code == nil ? "" : reason
    }

    /// A status code (RFC 6455 §7.4).
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        package let rawValue: UInt16

        /// Creates a code; nil if a Close frame may not have it (§7.4.1, §7.4.2, and the IANA registry).
        package init?(rawValue: UInt16) {
            switch rawValue {
            case 1000...1003, 1007...1014, 3000...4999: self.rawValue = rawValue
            default: return nil
            }
        }

        private init(_ known: UInt16) { self.rawValue = known }

        /// 1000: the purpose of the connection is fulfilled.
        package static let normal = Code(1000)
        /// 1001: an endpoint is going away.
        package static let goingAway = Code(1001)
        /// 1002: the other side violated the protocol.
        package static let protocolError = Code(1002)
        /// 1003: the type of data is not supported.
        package static let unacceptable = Code(1003)
        /// 1007: a text is not valid UTF-8.
        package static let invalidText = Code(1007)
        /// 1009: a message exceeds the limit.
        package static let tooLarge = Code(1009)
        /// 1011: the server has an internal error.
        package static let internalError = Code(1011)
    }
}

/// A protocol violation or an exceeded limit, which fails the connection (RFC 6455 §7.1.7).
package struct WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code for the Close frame.
    package let code: WebSocketClosure.Code
    /// The error in one clause.
    package let message: String

    init(_ code: WebSocketClosure.Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { self.message }
}
