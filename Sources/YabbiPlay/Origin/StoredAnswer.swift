import AdCore

/// An ad response or a tag that was already read, in place of a server's response.
///
/// The runtime expects ad responses as HTTP responses. So it sends a request to a host under `.invalid`, which RFC 6761
/// §6.4 reserves, and `Transport` answers it.
struct StoredAnswer: Sendable {
    let body: [UInt8]
    /// The URL that stands for the document.
    let address: HTTPURL

    init?(_ document: SourceDocument) {
        guard let address = HTTPURL("http://answer.invalid/") else { return nil }
        switch document.content {
        case .answer(let bytes, _), .tag(let bytes): self.body = bytes
        case .markup: return nil
        }
        self.address = address
    }

    /// Answers requests for the document, and forwards all others.
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
