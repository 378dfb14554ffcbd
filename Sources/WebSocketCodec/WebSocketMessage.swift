/// What one side says to the other.
public enum WebSocketMessage: Hashable, Sendable {
    /// A text.
    case text(String)
    /// Bytes.
    case binary([UInt8])
    /// Asks whether the other side is still there; at most 125 bytes, which come back.
    case ping([UInt8])
    /// Says that this side is still there.
    case pong([UInt8])
    /// This side says nothing more.
    case close(WebSocketClosure)
}

/// What becomes of a message that is longer than is taken: nothing of it is kept.
public enum WebSocketOverlong: Hashable, Sendable {
    /// So many bytes of it have come, and more will.
    case coming(bytes: Int)
    /// It is whole, and had so many bytes.
    case over(bytes: Int)
}

/// Which end of a connection somebody is.
public enum WebSocketRole: Hashable, Sendable {
    /// Whoever opened it: its frames are masked.
    case client
    /// Whoever was asked: its frames are not.
    case server
}

/// Why a connection was ended, as far as it was said.
public struct WebSocketClosure: Hashable, Sendable {
    /// The code; nil where none was sent.
    public let code: Code?
    /// In words, for those who debug; at most 123 bytes are sent of them.
    public let reason: String

    /// A closure.
    public init(_ code: Code?, _ reason: String = "") {
        self.code = code
        self.reason = code == nil ? "" : reason
    }

    /// Why, as a number.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number.
        public let rawValue: UInt16

        /// A number; nil where no closure may have it.
        public init?(rawValue: UInt16) {
            switch rawValue {
            case 1000...1003, 1007...1014, 3000...4999: self.rawValue = rawValue
            default: return nil
            }
        }

        private init(_ known: UInt16) { self.rawValue = known }

        /// Everything is said.
        public static let normal = Code(1000)
        /// Somebody leaves.
        public static let goingAway = Code(1001)
        /// What was sent is against the protocol.
        public static let protocolError = Code(1002)
        /// What was sent is of a kind that nobody takes here.
        public static let unacceptable = Code(1003)
        /// A text was no UTF-8.
        public static let invalidText = Code(1007)
        /// A message was longer than is taken.
        public static let tooLarge = Code(1009)
        /// Something went wrong on the server.
        public static let internalError = Code(1011)
    }
}

/// What the other side sent is none of the protocol: the connection is to be ended with this code.
public struct WebSocketFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code to end it with.
    public let code: WebSocketClosure.Code
    /// What is wrong, in one sentence.
    public let message: String

    init(_ code: WebSocketClosure.Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { self.message }
}
