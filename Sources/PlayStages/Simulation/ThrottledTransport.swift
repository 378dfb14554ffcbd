package import AdCore
import SystemSupport
package import WebStage

/// A transport over a simulated network, which may change while ads are shown.
package final class ThrottledTransport: Transport {
    private let next: any Transport
    private let network: Locked<EngineNetwork?>
    private let exempt: String?
    private let now: @Sendable () -> Moment
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a transport over the real time of this computer; nil for its own network.
    ///
    /// Requests for ads to a server with the origin `exempt` are not slowed down.
    package convenience init(next: any Transport, network: EngineNetwork?, except exempt: String? = nil) {
        let start = ContinuousClock.now
        self.init(next: next, network: network, except: exempt, now: { .origin + (.now - start) }) {
            try await Task.sleep(for: $0)
        }
    }

    init(
        next: any Transport,
        network: EngineNetwork?,
        except exempt: String? = nil,
        now: @escaping @Sendable () -> Moment,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.next = next
        self.network = Locked(network)
        self.exempt = exempt
        self.now = now
        self.sleep = sleep
    }

    /// Changes the network for further requests; nil for that of this computer.
    package func set(_ network: EngineNetwork?) { self.network.withLock { $0 = network } }

    package func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        let isExempt = request.purpose == .load && self.exempt == request.url.origin
        guard let network = self.network.withLock({ $0 }), !isExempt else { return try await self.next.send(request) }
        guard !network.isOffline else {
            throw TransportError(.notSent(.nameNotResolved), "the simulated network is offline")
        }
        let end = self.now() + request.limits.total
        let sending = ThrottledTransport.time(of: request.body?.count ?? 0, at: network.upload)
        try await self.wait(network.latency + sending, until: end, isSent: false)
        var request = request
        request.limits.total = max(.zero, end - self.now())
        let response = try await self.next.send(request)
        let receiving = ThrottledTransport.time(of: response.body.count, at: network.download)
        try await self.wait(receiving, until: end, isSent: true)
        return response
    }

    /// Waits for a time, or throws when the request's time is over.
    private func wait(_ time: Duration, until end: Moment, isSent: Bool) async throws(TransportError) {
        let limit = max(.zero, end - self.now())
        do {
            try await self.sleep(min(time, limit))
        } catch {
            throw TransportError(.cancelled(sent: isSent), "the request was cancelled")
        }
        guard time <= limit else {
            let phase: TransportError.Phase = isSent ? .ambiguous(.timedOut) : .notSent(.connectTimedOut)
            throw TransportError(phase, "the request took too long on the simulated network")
        }
    }

    private static func time(of bytes: Int, at rate: Int?) -> Duration {
        rate.map { .seconds(Double(bytes) / Double(max(1, $0))) } ?? .zero
    }
}
