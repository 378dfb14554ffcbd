import AdCore
import PlayConsole
import PlayStages

/// Sends beacons one after the other, in the order of the sequencer.
///
/// Requests for ads and videos are not delayed, because their callers hold virtual time.
struct OrderedTransport: Transport {
    let next: any Transport
    let sequencer: VirtualTimeSequencer

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        if let key = request.headers["Idempotency-Key"] { await self.sequencer.request(key) }
        return try await self.next.send(request)
    }
}
