package import AdCore
import SystemSupport

/// Uses the files that creatives share again, if their servers allow it (`FetchCache`).
package final class CachingTransport: Transport, SocketTransport {
    private let next: any Transport & SocketTransport
    private let cache = Locked(FetchCache())
    private let start = ContinuousClock.now

    package init(_ next: any Transport & SocketTransport) { self.next = next }

    package func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        let now = .now - self.start
        if let response = self.cache.withLock({ $0.response(to: request, at: now) }) { return response }
        let response = try await self.next.send(request)
        self.cache.withLock { $0.keep(response, to: request, at: now) }
        return response
    }

    package func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        self.next.open(request, report: report)
    }
}
