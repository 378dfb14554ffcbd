import AdCore
import AdRuntime

/// Lets beacons go one after the other, and only when everything else is at rest.
///
/// In virtual time a whole life passes in a moment, and the network would decide anew in every run what comes before a
/// beacon's arrival. Requests for ads are not held up: whoever asks for one holds time meanwhile.
struct OrderedTransport: Transport {
    let next: any Transport
    let clock: any AdClock

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if request.headers["Idempotency-Key"] != nil {
            // Once until everything else is at rest, and once for what was waiting for that as well: a user who leaves
            // at this moment does so first, whoever began to wait first.
            for _ in 0..<2 { await self.clock.rest(until: self.clock.now) }
        }
        return try await self.next.send(request)
    }
}
