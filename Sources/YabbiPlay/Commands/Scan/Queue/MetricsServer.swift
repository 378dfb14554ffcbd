import AdCore
import LoopbackServer
import PlayConsole

/// Serves a text at `/metrics`, for Prometheus.
final class MetricsServer: Sendable {
    /// Where it listens.
    struct Place: Hashable, Sendable {
        let port: Int
        /// Whether on all addresses, or on loopback only.
        let isEverywhere: Bool
    }

    private let server: HTTPServer

    /// The URL of the text.
    var url: String { "http://127.0.0.1:\(self.server.port)/metrics" }

    init(_ place: Place, _ text: @escaping @Sendable () -> String) throws(PlayError) {
        do throws(ServerError) {
            let listener = try HTTPServer.Listener(port: place.port, everywhere: place.isEverywhere)
            let address = LoopbackAddress(port: listener.port)
            self.server = try HTTPServer(listener) { request in
                // On loopback, pages of other sites have no business here.
                guard place.isEverywhere || address.matchesHost(of: request) else {
                    return .failure(403, "the host is not this server's")
                }
                guard request.path == "/metrics" else { return .failure(404, "the text is at /metrics") }
                guard request.method == "GET" else { return .failure(405, "use GET") }
                return .text(text(), type: "text/plain; version=0.0.4; charset=utf-8")
            }
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    func stop() { self.server.stop() }
}
