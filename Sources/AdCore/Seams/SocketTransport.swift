/// Opens connections over which both sides speak when they like.
///
/// `CurlTransport` is the real one.
///
/// ```swift
/// let connection = sockets.open(SocketRequest(socket)) { event in print(event) }
/// connection.send("{}")
/// ```
public protocol SocketTransport: Sendable {
    /// Opens a connection and tells what becomes of it.
    ///
    /// `report` is called from any thread, one event at a time and in order: `opened` at most once and first, `closed`
    /// exactly once and last. It returns quickly: while it runs, nothing more is read. Whoever lets go of the connection
    /// closes it.
    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection
}

/// One connection, from `open` to its `closed` event.
public protocol SocketConnection: Sendable {
    /// Sends a text, in the order of the calls; what is sent before the connection is open, or after it was closed, is lost.
    func send(_ text: String)
    /// Ends the connection: what was sent before still goes out, and `closed` is told within a few seconds.
    func close()
}

/// What to connect to, and how much of it.
public struct SocketRequest: Hashable, Sendable {
    /// The address.
    public let url: SocketURL
    /// Headers besides those of the protocol.
    public let headers: AdHTTPHeaders
    /// The bounds.
    public let limits: Limits

    /// How long and how much.
    public struct Limits: Hashable, Sendable {
        /// How long it may take until both sides can speak.
        public var connect: Duration
        /// The longest message that is taken, in bytes; of a longer one nothing is kept.
        public var message: Int
        /// The longest message that is passed over, in bytes; a longer one ends the connection.
        public var passedOver: Int
        /// How many bytes may wait to be sent; more end the connection.
        public var unsent: Int

        /// Bounds.
        public init(
            connect: Duration = .seconds(15),
            message: Int = 1 << 20,
            passedOver: Int = 1 << 30,
            unsent: Int = 1 << 20
        ) {
            self.connect = connect
            self.message = message
            self.passedOver = max(message, passedOver)
            self.unsent = unsent
        }
    }

    /// A request.
    public init(_ url: SocketURL, headers: AdHTTPHeaders = [:], limits: Limits = Limits()) {
        self.url = url
        self.headers = headers
        self.limits = limits
    }
}

/// An absolute `ws` or `wss` address.
public struct SocketURL: Hashable, Sendable, CustomStringConvertible {
    /// The same address as `http` or `https`: that is how a connection begins.
    public let http: HTTPURL

    /// Reads an address; nil where it is none of `ws` or `wss`, or can't be called.
    public init?(_ text: String) {
        let text = text.trimmed
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            ["ws", "wss"].contains(text[..<colon].asciiLowercased), let http = HTTPURL("http" + text.dropFirst(2))
        else { return nil }
        self.http = http
    }

    /// The address that an `http` or `https` address becomes.
    public init(_ http: HTTPURL) { self.http = http }

    /// The address itself.
    public var text: String { "ws" + self.http.text.dropFirst(4) }
    /// The address itself.
    public var description: String { self.text }
}

/// What becomes of a connection.
public enum SocketEvent: Hashable, Sendable {
    /// Both sides can speak now.
    case opened
    /// The other side said something.
    case text(String)
    /// The other side sent so many bytes that are no text.
    case binary(count: Int)
    /// The other side is sending a message that is longer than is taken: so many bytes of it have come by now.
    ///
    /// It is told again and again while such a message comes: the other side is there.
    case passingOver(bytes: Int)
    /// A message of so many bytes was longer than is taken; it is whole, and nothing of it was kept.
    case passedOver(bytes: Int)
    /// It is over.
    case closed(SocketEnd)
}

/// How a connection ended.
public struct SocketEnd: Hashable, Sendable, CustomStringConvertible {
    /// What ended it.
    public enum Cause: Hashable, Sendable {
        /// It never was open: the host was not found, refused, was no socket, or took too long.
        case notOpened(status: Int? = nil)
        /// The other side said that it ends; its code, where it gave one.
        case byPeer(code: UInt16?)
        /// The connection broke.
        case lost
        /// The other side sent what is none of the protocol, or too much; the code that it was told.
        case fault(code: UInt16)
        /// More waited to be sent than may.
        case overflow
        /// This side ended it.
        case byUs
    }

    /// What ended it.
    public let cause: Cause
    /// What happened, in one sentence.
    public let message: String

    /// Says how.
    public init(_ cause: Cause, _ message: String) {
        self.cause = cause
        self.message = message
    }

    /// The message.
    public var description: String { self.message }
}
