import AdCore
import PlayConsole
import PlayStages

/// Sends beacons and bid requests one after the other, in the order of the sequencer.
///
/// Other requests for ads, and those for videos, are not delayed, because their callers hold virtual time.
struct OrderedTransport: Transport {
    let next: any Transport
    let sequencer: VirtualTimeSequencer

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        if let key = request.headers["Idempotency-Key"] { await self.sequencer.request(key) }
        if request.headers["x-openrtb-version"] != nil { await self.sequencer.bid(at: request.url.text) }
        return try await self.next.send(request)
    }
}
