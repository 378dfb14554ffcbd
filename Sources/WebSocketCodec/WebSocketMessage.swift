/// A message or control frame.
public enum WebSocketMessage: Hashable, Sendable {
    /// A text message.
    case text(String)
    /// A binary message.
    case binary([UInt8])
    /// A ping with at most 125 bytes, which the pong repeats (RFC 6455, section 5.5.2).
    case ping([UInt8])
    /// A pong (section 5.5.3).
    case pong([UInt8])
    /// A Close frame, after which its sender sends nothing more (section 5.5.1).
    case close(WebSocketClosure)
}

/// The progress of a message that exceeds the limit and is skipped.
public enum WebSocketSkippedMessage: Hashable, Sendable {
    /// A part was received, up to this number of bytes; more follows.
    case coming(bytes: Int)
    /// The message has ended, with this number of bytes.
    case over(bytes: Int)
}

/// The side of a connection.
public enum WebSocketRole: Hashable, Sendable {
    /// The side that opened the connection: it masks its frames (RFC 6455, section 5.1).
    case client
    /// The side that accepted the connection: it doesn't mask its frames.
    case server
}

/// The content of a Close frame (RFC 6455, section 5.5.1).
public struct WebSocketClosure: Hashable, Sendable {
    /// The status code; nil if the frame has none.
    public let code: Code?
    /// The reason, for debugging; at most 123 bytes of it are sent.
    public let reason: String

    /// Creates the content of a Close frame.
    public init(_ code: Code?, _ reason: String = "") {
        self.code = code
        self.reason = code == nil ? "" : reason
    }

    /// A status code (RFC 6455, section 7.4).
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: UInt16

        /// Creates a code; nil if a Close frame may not have it (sections 7.4.1 and 7.4.2).
        public init?(rawValue: UInt16) {
            switch rawValue {
            case 1000...1003, 1007...1014, 3000...4999: self.rawValue = rawValue
            default: return nil
            }
        }

        private init(_ known: UInt16) { self.rawValue = known }

        /// 1000: the purpose of the connection is fulfilled.
        public static let normal = Code(1000)
        /// 1001: an endpoint is going away.
        public static let goingAway = Code(1001)
        /// 1002: the other side violated the protocol.
        public static let protocolError = Code(1002)
        /// 1003: the type of data is not supported.
        public static let unacceptable = Code(1003)
        /// 1007: a text is not valid UTF-8.
        public static let invalidText = Code(1007)
        /// 1009: a message exceeds the limit.
        public static let tooLarge = Code(1009)
        /// 1011: the server has an internal error.
        public static let internalError = Code(1011)
    }
}

/// A protocol violation or an exceeded limit, which fails the connection (RFC 6455, section 7.1.7).
public struct WebSocketFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code for the Close frame.
    public let code: WebSocketClosure.Code
    /// The error in one clause.
    public let message: String

    init(_ code: WebSocketClosure.Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { self.message }
}
