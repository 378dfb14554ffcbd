public import AdCore
import SystemThread

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
///     let answer = try await transport.send(HTTPRequest(.get, url))
///     print(answer.status, answer.body.count)
/// }
/// ```
public final class CurlTransport: Transport {
    private let mailbox: Mailbox
    let sockets: SocketService

    /// Makes a transport and starts its thread, which sleeps until there is something to do.
    public convenience init(_ configuration: Configuration = Configuration()) throws(SetupError) {
        try self.init(configuration, onEnd: {})
    }

    /// The same, told when the thread has ended and everything is closed.
    init(_ configuration: Configuration, onEnd: @escaping @Sendable () -> Void) throws(SetupError) {
        let mailbox = Mailbox()
        let trust = try Trust(adding: configuration.caFile)
        let engine = try Engine(configuration, trust: trust, mailbox: mailbox, onEnd: onEnd)
        guard OwnThread.start("yabbi-curl", { engine.run() }) else {
            throw SetupError(description: "The system gave no thread for the transport; close some and try again.")
        }
        self.mailbox = mailbox
        self.sockets = SocketService(configuration, trust)
    }

    deinit { self.shutDown() }

    /// Carries one request out, or says how far it came.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await CurlTransport.send(request, through: self.mailbox)
    }

    /// Ends all requests under way and closes every connection, open sockets included.
    ///
    /// Later requests fail as not sent, and later sockets as not opened.
    public func shutDown() {
        self.mailbox.close()
        self.sockets.shutDown()
    }

    /// Sends without holding the transport, so that it may go while requests are under way.
    static func send(
        _ request: HTTPRequest,
        through mailbox: Mailbox
    ) async throws(TransportError) -> HTTPResponse {
        let deadline = ContinuousClock.now + request.limits.total
        var chain = RedirectChain(request)
        while true {
            switch await mailbox.carry(chain.request, until: deadline) {
            case .failure(let error): throw chain.located(error)
            case .success(var answer):
                answer.redirects = chain.followed
                guard try chain.follow(answer) else { return answer }
            }
        }
    }

    /// Gives a test the way in that `send` takes.
    var inlet: Mailbox { self.mailbox }
}
