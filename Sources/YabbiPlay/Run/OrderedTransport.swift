import AdCore
import PlayConsole
import PlayStages

/// Lets beacons go one after the other, and only when everything else is at rest.
///
/// Requests for ads and videos are not delayed: their callers hold time meanwhile.
struct OrderedTransport: Transport {
    let next: any Transport
    let sequencer: VirtualTimeSequencer

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        if let key = request.headers["Idempotency-Key"] { await self.sequencer.call(key) }
        return try await self.next.send(request)
    }
}
