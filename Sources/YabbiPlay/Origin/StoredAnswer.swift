import AdCore

/// An ad response or a tag that is at hand already, in place of a server's.
///
/// The runtime knows ad responses as answers to HTTP requests. So it sends one to an address that no network has
/// (RFC 6761 §6.4 reserves `.invalid`), and is answered here.
struct StoredAnswer: Sendable {
    let body: [UInt8]
    /// The address that stands for the document.
    let address: HTTPURL

    init?(_ document: SourceDocument) {
        guard let address = HTTPURL("http://answer.invalid/") else { return nil }
        switch document.content {
        case .answer(let bytes, _), .tag(let bytes): self.body = bytes
        case .markup: return nil
        }
        self.address = address
    }

    /// Answers requests for the document, and sends all others.
    struct Transport: AdCore.Transport {
        let answer: StoredAnswer
        let next: any AdCore.Transport

        func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
            guard request.url == self.answer.address else { return try await self.next.send(request) }
            return AdHTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/json"],
                body: self.answer.body,
                url: request.url
            )
        }
    }
}
