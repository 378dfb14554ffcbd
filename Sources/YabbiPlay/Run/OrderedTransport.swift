import AdCore
import PlayConsole
import PlayStages
import SystemSupport

/// Sends beacons and bid requests one after the other, in the order of the sequencer.
///
/// Other requests for ads, and those for videos, are not delayed, because their callers hold virtual time.
struct OrderedTransport: Transport {
    let next: any Transport
    let sequencer: VirtualTimeSequencer
    /// Limits the requests to one at a time, so that they end in the same order in every run.
    private let turns = AsyncSemaphore(1)

    init(next: any Transport, sequencer: VirtualTimeSequencer) {
        self.next = next
        self.sequencer = sequencer
    }

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        if let key = request.headers["Idempotency-Key"] { await self.sequencer.request(key) }
        if request.headers["x-openrtb-version"] != nil { await self.sequencer.bid(at: request.url.text) }
        guard let turn = await self.turns.acquire() else {
            throw TransportError(.cancelled(sent: false), "the request was cancelled")
        }
        defer { turn.release() }
        return try await self.next.send(request)
    }
}
