import AdCore
import PlayConsole

/// Answers the requests for a document that was already read, and forwards all others.
struct LocalTransport: Transport {
    let body: [UInt8]
    let next: any Transport

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        guard request.url == LocalDocument.url else { return try await self.next.send(request) }
        return LocalDocument.response(self.body)
    }
}
