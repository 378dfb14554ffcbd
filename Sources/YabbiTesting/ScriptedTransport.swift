public import AdCore
import AdRuntime
import SystemSupport

/// A transport that answers by a closure and keeps the requests.
///
/// ```swift
/// let transport = ScriptedTransport(clock: clock) { request in
///     request.url.host == "ssp.example" ? .json(#"{"type": 1}"#) : .status(204)
/// }
/// ```
public final class ScriptedTransport: Transport {
    /// The outcome of a request.
    public enum Outcome: Sendable {
        /// A complete response.
        case response(status: Int, headers: AdHTTPHeaders, body: [UInt8])
        /// An error of the transport.
        case failure(TransportError)
        /// No response until the request is cancelled.
        case silence
        /// Another answer after a time on the clock.
        indirect case after(Duration, Outcome)

        /// A response without a body.
        public static func status(_ status: Int) -> Outcome { .response(status: status, headers: [:], body: []) }

        /// A JSON response with status 200.
        public static func json(_ text: String) -> Outcome {
            .response(status: 200, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
        }
    }

    private struct State {
        var requests: [AdHTTPRequest] = []
        var cancelled = 0
        var waiting: [(count: Int, OneShot<Void>)] = []
    }

    private let clock: any AdClock
    private let script: @Sendable (AdHTTPRequest) -> Outcome
    private let state = Locked(State())

    /// Creates a transport that calls the closure for every request.
    public init(clock: any AdClock, _ script: @escaping @Sendable (AdHTTPRequest) -> Outcome) {
        self.clock = clock
        self.script = script
    }

    /// All requests so far, in order.
    public var requests: [AdHTTPRequest] { self.state.withLock { $0.requests } }

    /// How many requests were cancelled.
    public var cancellations: Int { self.state.withLock { $0.cancelled } }

    /// Waits until so many requests have been sent.
    public func waitForRequests(_ count: Int) async {
        let arrival = OneShot<Void>()
        let isThere = self.state.withLock { state in
            if state.requests.count < count { state.waiting.append((count, arrival)) }
            return state.requests.count >= count
        }
        if !isThere { await arrival.value }
    }

    /// Keeps a request and returns the closure's answer.
    public func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        guard !Task.isCancelled else {
            throw TransportError(.cancelled(sent: false), "the request was cancelled before it was sent")
        }
        let arrived = self.state.withLock { state in
            state.requests.append(request)
            let arrived = state.waiting.filter { $0.count <= state.requests.count }
            state.waiting.removeAll { $0.count <= state.requests.count }
            return arrived
        }
        for (_, arrival) in arrived { arrival.set(()) }
        return try await self.answer(self.script(request), to: request)
    }

    private func answer(_ answer: Outcome, to request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        switch answer {
        case .response(let status, let headers, let body):
            return AdHTTPResponse(status: status, headers: headers, body: body, url: request.url)
        case .failure(let error):
            throw error
        case .silence:
            await self.clock.rest(until: nil)
            throw self.cancelled()
        case .after(let duration, let later):
            await self.clock.rest(until: self.clock.now + duration)
            guard !Task.isCancelled else { throw self.cancelled() }
            return try await self.answer(later, to: request)
        }
    }

    private func cancelled() -> TransportError {
        self.state.withLock { $0.cancelled += 1 }
        return TransportError(.cancelled(sent: true), "the request was cancelled")
    }
}
