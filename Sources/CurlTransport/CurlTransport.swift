public import AdCore
import SystemSupport

/// Carries HTTP requests and sockets over libcurl: all requests on one thread of its own, all sockets on another.
///
/// What happens to a request, and who owns what:
/// - It waits for its turn at its host, connects, is sent, and its answer is read, all within `limits.total`; redirects
///   are followed within the same time. TLS is verified. Nothing is stored: no cookies, no cache, no `.netrc`.
/// - A `counted` request goes over a connection of its own and is never sent twice by the transport. A `harmless` one
///   may use a kept-alive connection, and is repeated once where that connection turns out to be dead.
/// - Cancelling the task ends the transfer at once. When `send` has returned, nothing of the request is left.
/// - A socket is opened over the same library with the same trust. Its thread starts with the first one.
/// - The transport owns its threads and its connections. They end with it, or earlier with `shutDown()`.
///
/// ```swift
/// let transport = try CurlTransport()
/// if let url = HTTPURL("https://ads.example/load") {
///     let answer = try await transport.send(AdHTTPRequest(.get, url))
///     print(answer.status, answer.body.count)
/// }
/// ```
public final class CurlTransport: Transport {
    private let queue: TransferQueue
    let sockets: SocketService

    /// Makes a transport and starts its thread, which sleeps until there is something to do.
    public convenience init(_ configuration: Configuration = Configuration()) throws(AdSetupError) {
        try self.init(configuration, onEnd: {})
    }

    /// The same, told when the thread has ended and everything is closed.
    init(_ configuration: Configuration, onEnd: @escaping @Sendable () -> Void) throws(AdSetupError) {
        let queue = TransferQueue()
        let trust = try Trust(adding: configuration.caFile)
        let engine = try Engine(configuration, trust: trust, queue: queue, onEnd: onEnd)
        guard DedicatedThread.start("yabbi-curl", { engine.run() }) else {
            throw AdSetupError(description: "The system gave no thread for the transport; close some and try again.")
        }
        self.queue = queue
        self.sockets = SocketService(configuration, trust)
    }

    deinit { self.shutDown() }

    /// Carries one request out, or says how far it came.
    public func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        try await CurlTransport.send(request, through: self.queue)
    }

    /// Ends all requests under way and closes every connection, open sockets included.
    ///
    /// Later requests fail as not sent, and later sockets as not opened.
    public func shutDown() {
        self.queue.close()
        self.sockets.shutDown()
    }

    /// Sends without holding the transport, so that it may go while requests are under way.
    static func send(
        _ request: AdHTTPRequest,
        through queue: TransferQueue
    ) async throws(TransportError) -> AdHTTPResponse {
        let deadline = ContinuousClock.now + request.limits.total
        var chain = RedirectChain(request)
        while true {
            switch await queue.send(chain.request, until: deadline) {
            case .failure(let error): throw chain.located(error)
            case .success(var answer):
                answer.redirects = chain.followed
                guard try chain.follow(answer) else { return answer }
            }
        }
    }

    /// Gives a test the way in that `send` takes.
    var inlet: TransferQueue { self.queue }
}
