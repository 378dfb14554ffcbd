import AdCore

/// Answers one address with bytes that are here already, and passes everything else on.
struct CannedTransport: Transport {
    let address: HTTPURL
    let body: [UInt8]
    let next: any Transport

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        guard request.url == self.address else { return try await self.next.send(request) }
        return HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/json"],
            body: self.body,
            url: request.url
        )
    }
}
