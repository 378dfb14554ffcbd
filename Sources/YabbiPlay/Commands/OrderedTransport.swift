import AdCore

/// Lets beacons go one after the other, and only when everything else is at rest.
///
/// Requests for ads and films are not held up: whoever asks for one holds time meanwhile.
struct OrderedTransport: Transport {
    let next: any Transport
    let turnstile: Turnstile

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if let key = request.headers["Idempotency-Key"] { await self.turnstile.call(key) }
        return try await self.next.send(request)
    }
}
