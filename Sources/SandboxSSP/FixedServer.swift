package import AdCore
import LoopbackServer

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
        let listener = try SandboxError.converting { () throws(ServerError) in try HTTPServer.Listener(port: 0) }
        let respond: @Sendable (ServerRequest) -> ServerResponse = { _ in
            onRequest()
            var response = ServerResponse(
                status: 200,
                headers: ["Content-Type": "application/json"],
                body: .bytes(json)
            )
            response.delay = delay
            return response
        }
        self.server = try SandboxError.converting { () throws(ServerError) in
            try HTTPServer(listener, respond: respond)
        }
        guard let url = HTTPURL("http://127.0.0.1:\(listener.port)/") else {
            preconditionFailure("The loopback URL is invalid.")
        }
        self.url = url
    }

    /// Closes all connections.
    package func stop() { self.server.stop() }
}
