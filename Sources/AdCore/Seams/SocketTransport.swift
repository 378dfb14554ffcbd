/// Opens WebSocket connections (RFC 6455); `CurlTransport` implements it, on Apple's systems `URLSessionTransport`.
///
/// ```swift
/// let connection = sockets.open(SocketRequest(socket)) { event in print(event) }
/// connection.send("{}")
/// ```
public protocol SocketTransport: Sendable {
    /// Opens a connection and reports its events.
    ///
    /// `report` is called from any thread, one event at a time and in order: `opened` at most once and first, `closed`
    /// exactly once and last. It must return quickly, because nothing is read while it runs. The connection closes when
    /// the returned object is released.
    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection
}

/// One connection, from `open` to its `closed` event.
public protocol SocketConnection: Sendable {
    /// Sends a text, in the order of the calls; texts sent before `opened` or after `closed` are lost.
    func send(_ text: String)
    /// Closes the connection after everything is sent; `closed` is reported within a few seconds.
    func close()
}

/// The parameters of a WebSocket connection.
public struct SocketRequest: Hashable, Sendable {
    /// Where to connect; the scheme decides whether TLS is used (RFC 6455 §3).
    public let url: SocketURL
    /// Headers besides those of the protocol.
    public let headers: AdHTTPHeaders
    /// The limits of this connection.
    public let limits: Limits

    /// Limits of time and size.
    public struct Limits: Hashable, Sendable {
        /// The time limit until the connection is open.
        public var connect: Duration
        /// The longest message in bytes; a longer one is discarded.
        public var message: Int
        /// The longest discarded message in bytes; a longer one closes the connection.
        public var skippedMessage: Int
        /// The maximum number of bytes that wait to be sent; more close the connection.
        public var unsent: Int

        /// Creates limits.
        public init(
            connect: Duration = .seconds(15),
            message: Int = 1 << 20,
            skippedMessage: Int = 1 << 30,
            unsent: Int = 1 << 20
        ) {
            self.connect = connect
            self.message = message
            self.skippedMessage = max(message, skippedMessage)
            self.unsent = unsent
        }
    }

    /// Creates a request.
    public init(_ url: SocketURL, headers: AdHTTPHeaders = [:], limits: Limits = Limits()) {
        self.url = url
        self.headers = headers
        self.limits = limits
    }
}

/// An absolute `ws` or `wss` URL.
public struct SocketURL: Hashable, Sendable, CustomStringConvertible {
    /// The same URL with `http` or `https`, for the opening handshake (RFC 6455 §4.1).
    public let http: HTTPURL

    /// Parses a URL; nil if its scheme is neither `ws` nor `wss`, or if it is invalid.
    public init?(_ text: String) {
        let text = text.trimmed
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            ["ws", "wss"].contains(text[..<colon].asciiLowercased), let http = HTTPURL("http" + text.dropFirst(2))
        else { return nil }
        self.http = http
    }

    /// Creates a URL from its `http` or `https` form.
    public init(_ http: HTTPURL) { self.http = http }

    /// The URL as text.
    public var text: String { "ws" + self.http.text.dropFirst(4) }
    /// The URL as text.
    public var description: String { self.text }
}

/// An event of a connection.
public enum SocketEvent: Hashable, Sendable {
    /// The connection is open.
    case opened
    /// A text message was received.
    case text(String)
    /// A binary message of this length was received and discarded.
    case binary(count: Int)
    /// A message above the limit is being received; this many bytes of it have arrived.
    ///
    /// It is reported repeatedly, as a sign that the peer is alive.
    case skippingMessage(bytes: Int)
    /// A message above the limit was received completely and discarded.
    case skippedMessage(bytes: Int)
    /// The connection is closed.
    case closed(SocketEnd)
}

/// How a connection ended.
public struct SocketEnd: Hashable, Sendable, CustomStringConvertible {
    /// The cause of the end.
    public enum Cause: Hashable, Sendable {
        /// The connection could not be opened; the HTTP status if the server refused the upgrade.
        case notOpened(status: Int? = nil)
        /// The peer sent a Close frame, with its status code if it has one (RFC 6455 §5.5.1).
        case byPeer(code: UInt16?)
        /// The connection was lost.
        case lost
        /// The peer violated the protocol or a limit; the status code was sent to it (RFC 6455 §7.4.1).
        case violation(code: UInt16)
        /// The limit of unsent bytes was exceeded.
        case overflow
        /// This side closed the connection.
        case byUs
    }

    /// The cause of the end.
    public let cause: Cause
    /// What happened, in one sentence.
    public let message: String

    /// Creates an end.
    public init(_ cause: Cause, _ message: String) {
        self.cause = cause
        self.message = message
    }

    /// The message.
    public var description: String { self.message }
}
