public import AdCore

/// HTTP requests and WebSockets over URLSession, for apps on Apple's systems.
///
/// - A request waits for a free connection, is sent, and its response is read, all within `limits.total`, redirects
///   included. This package follows redirects itself, so that credentials stay with their origin. Nothing is stored: no
///   cookies, no cache, no credentials.
/// - A `counted` request has a session, and so a connection, of its own: URLSession silently repeats a GET if a
///   persistent connection is dead, and does so on no new one.
/// - Whether a failed request was sent is read from URLSession's metrics. What they don't say counts as sent.
/// - Cancelling the task ends the transfer at once. After `send` returns, nothing of the request is left.
/// - The system's proxies apply, except to requests limited to public addresses. So does App Transport Security: an app
///   needs an exception from it for `http` URLs.
/// - The transport owns its sessions. They end with `shutDown()`, or when it is deallocated.
///
/// ```swift
/// let transport = URLSessionTransport()
/// if let url = HTTPURL("https://ads.example/load") {
///     let response = try await transport.send(AdHTTPRequest(.get, url))
///     print(response.status, response.body.count)
/// }
/// ```
///
/// ## What URLSession does not allow
///
/// - It has no limit for connecting: `limits.connecting` limits the look-up of a `publicOnly` request only. A request
///   that can't connect fails at `limits.total`, as not sent.
/// - It chooses the address of a host itself. For `publicOnly` the host is looked up before, and refused if any of its
///   addresses is private. If the name then changes to a private address, the request is sent there; its response is
///   discarded, and it fails as `ambiguous`.
/// - It sends no body with GET: such a request fails as not sent. A body without a `Content-Type` is sent as
///   `application/octet-stream`.
/// - Foundation's `URL` holds no brackets outside of a host: they are sent as `%5B` and `%5D`.
/// - It adds `Accept`, `Accept-Language`, `Accept-Encoding` and `User-Agent` where the request has none.
/// - It joins response fields of one name, keeps no order of names, and decodes the header itself, so that a redirect
///   to a URL that is not UTF-8 may lead elsewhere. The limits of the header apply after it was received.
/// - It offers HTTP/2 also for a `counted` request. It may repeat a stream that the server refused, which then was not
///   handled (RFC 9113 §8.7).
/// - It trusts the system's authorities, and no others.
/// - A socket holds a whole message in memory. One above its limit is discarded up to 8 MiB, without `skippingMessage`;
///   a longer one closes the connection with code 1009. Other violations of the protocol are reported as `lost`.
///
/// It builds on Linux, where its requests are tested. Apps there use `CurlTransport`: swift-corelibs-foundation has no
/// metrics, so more requests count as sent, and a server that closes within a header ends the process.
public final class URLSessionTransport: Transport {
    let queue: ExchangeQueue
    private let sessions: TransferSessions
    /// Those of Apple's systems: elsewhere `URLSessionTransport` is no `SocketTransport`.
    let sockets = SocketSessions()

    /// Creates a transport; its sessions are created with the first requests.
    public init(_ configuration: Configuration = Configuration()) {
        self.queue = ExchangeQueue(perHost: configuration.connectionsPerHost, total: configuration.connections)
        self.sessions = TransferSessions(configuration)
    }

    deinit { self.shutDown() }

    /// Sends a request and returns its response, or throws how far it got.
    public func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        let deadline = ContinuousClock.now + request.limits.total
        let (queue, sessions) = (self.queue, self.sessions)
        return try await RedirectChain.send(request) {
            await Exchange.send($0, until: deadline, in: queue, over: sessions)
        }
    }

    /// Ends all requests and closes all connections, WebSockets included.
    ///
    /// Later requests fail as not sent, later sockets as not opened.
    public func shutDown() {
        self.queue.shutDown()
        self.sessions.close()
        self.sockets.close()
    }
}
