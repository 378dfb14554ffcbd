package import AdCore

/// A loopback server that gives every request the same answer: what measures a client, and nothing else.
package final class FixedServer: Sendable {
    /// Where it answers.
    package let url: HTTPURL
    private let server: HTTPServer

    /// Serves a JSON text on a port that the system picks, so long after a request has arrived, and says when it has.
    package init(
        json: [UInt8],
        delay: Duration = .zero,
        onRequest: @escaping @Sendable () -> Void = {}
    ) throws(SandboxError) {
        let listener = try HTTPServer.Listener(port: 0)
        self.server = try HTTPServer(listener) { _ in
            onRequest()
            var reply = SandboxReply(status: 200, headers: ["Content-Type": "application/json"], body: .bytes(json))
            reply.delay = delay
            return reply
        }
        guard let url = HTTPURL("http://127.0.0.1:\(listener.port)/") else {
            preconditionFailure("The loopback address is no address.")
        }
        self.url = url
    }

    /// Ends all connections.
    package func stop() { self.server.stop() }
}
