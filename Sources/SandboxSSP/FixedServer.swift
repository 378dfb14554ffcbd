package import AdCore

/// A loopback server that gives every request the same answer: what measures a client, and nothing else.
package final class FixedServer: Sendable {
    /// Where it answers.
    package let url: HTTPURL
    private let server: HTTPServer

    /// Serves a JSON text on a port that the system picks, and says when a request has arrived.
    package init(json: [UInt8], onRequest: @escaping @Sendable () -> Void = {}) throws(SandboxError) {
        let listener = try HTTPServer.Listener(port: 0)
        self.server = try HTTPServer(listener) { _ in
            onRequest()
            return SandboxReply(status: 200, headers: ["Content-Type": "application/json"], body: .bytes(json))
        }
        guard let url = HTTPURL("http://127.0.0.1:\(listener.port)/") else {
            preconditionFailure("The loopback address is no address.")
        }
        self.url = url
    }

    /// Ends all connections.
    package func stop() { self.server.stop() }
}
