import AdCore

/// Requests only public servers, and those that are allowed.
///
/// A creative that is scanned must not reach the network of the computer that scans it.
struct PublicTransport: Transport, SocketTransport {
    private let next: any Transport & SocketTransport
    private let allowed: Set<String>

    init(_ next: any Transport & SocketTransport, except allowed: [HTTPURL]) {
        self.next = next
        self.allowed = Set(allowed.map(\.origin))
    }

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        var request = request
        if !self.allowed.contains(request.url.origin) { request.reach = .publicOnly }
        return try await self.next.send(request)
    }

    /// A connection of a provider's session, which no creative in a queue can start.
    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        self.next.open(request, report: report)
    }
}
