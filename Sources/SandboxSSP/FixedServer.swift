package import AdCore

/// A loopback server with one response for all requests, to benchmark clients.
package final class FixedServer: Sendable {
    /// The server's URL.
    package let url: HTTPURL
    private let server: HTTPServer

    /// Serves a JSON text on a free port, after a delay; `onRequest` is called when a request has arrived.
    package init(
        json: [UInt8],
        delay: Duration = .zero,
        onRequest: @escaping @Sendable () -> Void = {}
    ) throws(SandboxError) {
        let listener = try HTTPServer.Listener(port: 0)
        self.server = try HTTPServer(listener) { _ in
            onRequest()
            var response = SandboxResponse(
                status: 200,
                headers: ["Content-Type": "application/json"],
                body: .bytes(json)
            )
            response.delay = delay
            return response
        }
        guard let url = HTTPURL("http://127.0.0.1:\(listener.port)/") else {
            preconditionFailure("The loopback URL is invalid.")
        }
        self.url = url
    }

    /// Closes all connections.
    package func stop() { self.server.stop() }
}
