package import AdCore
import SystemSupport
package import WebStage

/// A transport over a simulated network, which may change while ads are shown.
package final class ThrottledTransport: Transport {
    private let next: any Transport
    private let network: Locked<EngineNetwork?>

    package init(next: any Transport, network: EngineNetwork?) {
        self.next = next
        self.network = Locked(network)
    }

    /// Changes the network for further requests; nil for that of this computer.
    package func set(_ network: EngineNetwork?) { self.network.withLock { $0 = network } }

    package func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        guard let network = self.network.withLock({ $0 }) else { return try await self.next.send(request) }
        guard !network.isOffline else {
            throw TransportError(.notSent(.nameNotResolved), "the simulated network is offline")
        }
        let start = ContinuousClock.now
        let sending = ThrottledTransport.time(of: request.body?.count ?? 0, at: network.upload)
        try await self.wait(network.latency + sending, within: request.limits.total, isSent: false)
        var request = request
        request.limits.total -= min(request.limits.total, .now - start)
        let response = try await self.next.send(request)
        let receiving = ThrottledTransport.time(of: response.body.count, at: network.download)
        try await self.wait(receiving, within: request.limits.total - (.now - start), isSent: true)
        return response
    }

    /// Waits for a time, or throws at the request's time limit.
    private func wait(_ time: Duration, within limit: Duration, isSent: Bool) async throws(TransportError) {
        do {
            try await Task.sleep(for: min(time, max(.zero, limit)))
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
