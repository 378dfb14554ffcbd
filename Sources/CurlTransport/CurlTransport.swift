public import AdCore
import SystemSupport

/// HTTP requests and WebSockets over libcurl: all requests share one thread, all sockets another.
///
/// - A request waits for a free connection, is sent, and its response is read, all within `limits.total`, redirects
///   included. TLS certificates are verified. Nothing is stored: no cookies, no cache, no `.netrc`.
/// - A `counted` request uses a connection of its own, and the transport never sends it twice. A `harmless` one can use
///   a kept-alive connection, and is repeated once if that connection is dead (RFC 9112 §9.3.1).
/// - Cancelling the task ends the transfer at once. After `send` returns, nothing of the request is left.
/// - WebSockets use the same library and the same trusted authorities. Their thread starts with the first one.
/// - The transport owns its threads and connections. They end with `shutDown()`, or when it is deallocated.
///
/// ```swift
/// let transport = try CurlTransport()
/// if let url = HTTPURL("https://ads.example/load") {
///     let response = try await transport.send(AdHTTPRequest(.get, url))
///     print(response.status, response.body.count)
/// }
/// ```
public final class CurlTransport: Transport {
    private let queue: TransferQueue
    let sockets: SocketService

    /// Creates a transport and starts its thread, which sleeps until there is a request.
    public convenience init(_ configuration: Configuration = Configuration()) throws(AdSetupError) {
        try self.init(configuration, onEnd: {})
    }

    /// Creates a transport; `onEnd` is called when its thread has ended and all connections are closed.
    init(_ configuration: Configuration, onEnd: @escaping @Sendable () -> Void) throws(AdSetupError) {
        let queue = TransferQueue()
        let trustStore = try TrustStore(adding: configuration.caFile)
        let engine = try TransferLoop(configuration, trustStore: trustStore, queue: queue, onEnd: onEnd)
        guard DedicatedThread.start("yabbi-curl", { engine.run() }) else {
            throw AdSetupError(
                description: "The system can't create a thread for the transport; end some and try again."
            )
        }
        self.queue = queue
        self.sockets = SocketService(configuration, trustStore)
    }

    deinit { self.shutDown() }

    /// Sends a request and returns its response, or throws how far it got.
    public func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        try await CurlTransport.send(request, through: self.queue)
    }

    /// Ends all requests and closes all connections, WebSockets included.
    ///
    /// Later requests fail as not sent, later sockets as not opened.
    public func shutDown() {
        self.queue.close()
        self.sockets.shutDown()
    }

    /// Sends a request without retaining the transport, so that it can be deallocated meanwhile.
    static func send(
        _ request: AdHTTPRequest,
        through queue: TransferQueue
    ) async throws(TransportError) -> AdHTTPResponse {
        let deadline = ContinuousClock.now + request.limits.total
        return try await RedirectChain.send(request) { await queue.send($0, until: deadline) }
    }

    /// The queue that `send` uses; for tests.
    var transferQueue: TransferQueue { self.queue }
}
