import AdCore
import SystemSupport
import WebStage

/// Sends the requests of one page that the stage lets proceed.
///
/// No other process of the engine uses the network.
final class PageFetcher: Sendable {
    /// The result of a request.
    enum Outcome: Sendable {
        case answered(EngineResponse)
        case failed(String)
    }

    /// The maximum size of a response, in bytes.
    private static let byteLimit = 32 << 20
    /// The maximum number of concurrent requests, as browsers have for one page.
    private static let concurrent = 16
    /// The maximum number of waiting requests.
    private static let waiting = 256
    private let transport: any Transport
    private let permits = AsyncSemaphore(concurrent)
    private let state = Locked<(tasks: [String: Task<Void, Never>], isOver: Bool)>(([:], false))

    init(_ transport: any Transport) { self.transport = transport }

    /// Sends a request; `done` is called unless it is cancelled.
    func send(_ request: EngineRequest, done: @escaping @Sendable (Outcome) -> Void) {
        let number = request.id.number
        let hasRoom = self.state.withLock { state in
            guard !state.isOver else { return true }
            guard state.tasks.count < PageFetcher.concurrent + PageFetcher.waiting else { return false }
            state.tasks[number] = Task {
                if let outcome = await self.outcome(of: request) { done(outcome) }
                self.state.withLock { $0.tasks[number] = nil }
            }
            return true
        }
        if !hasRoom { done(.failed("more than \(PageFetcher.waiting) requests of the page wait")) }
    }

    /// Cancels a request that the page has cancelled.
    func cancel(_ number: String) { self.state.withLock { $0.tasks.removeValue(forKey: number) }?.cancel() }

    /// Cancels all requests; with `forever` no more are sent.
    func cancelAll(forever: Bool) {
        let tasks = self.state.withLock { state in
            state.isOver = state.isOver || forever
            defer { state.tasks = [:] }
            return state.tasks.values
        }
        for task in tasks { task.cancel() }
    }

    private func outcome(of request: EngineRequest) async -> Outcome? {
        guard let permit = await self.permits.acquire() else { return nil }
        defer { permit.release() }
        guard let own = PageFetcher.httpRequest(for: request) else {
            return .failed("the method \(request.method.excerpt(20)) or the URL can't be sent")
        }
        do throws(TransportError) {
            let response = try await self.transport.send(own)
            return .answered(PageFetcher.response(response))
        } catch {
            return Task.isCancelled ? nil : .failed(error.message)
        }
    }

    /// Headers of the connection (RFC 9110 §7.6.1), or that the transport sets itself; they are not passed on.
    private static let connectionHeaders: Set<String> = [
        "connection", "content-length", "transfer-encoding", "content-encoding", "keep-alive", "host", "te", "trailer",
        "upgrade", "proxy-authorization", "proxy-authenticate", "proxy-connection", "accept-encoding",
    ]

    /// The HTTP request for an engine's request; nil for URLs and methods that can't be sent.
    static func httpRequest(for request: EngineRequest) -> AdHTTPRequest? {
        guard let url = HTTPURL(request.url), let method = AdHTTPRequest.Method(rawValue: request.method) else {
            return nil
        }
        var headers = AdHTTPHeaders()
        for header in request.headers where !self.connectionHeaders.contains(header.name.asciiLowercased) {
            headers.add(header.name, header.value)
        }
        var own = AdHTTPRequest(
            method,
            url,
            headers: headers,
            body: request.body,
            // The page follows redirects itself, so that each one is held and decided on.
            limits: AdHTTPRequest.Limits(total: .seconds(30), body: self.byteLimit, redirects: 0),
            repetition: method == .get ? .harmless : .counted,
            reach: .publicOnly
        )
        own.purpose = .creative
        return own
    }

    private static func response(_ response: AdHTTPResponse) -> EngineResponse {
        let kept = response.headers.fields.filter { !self.connectionHeaders.contains($0.name.asciiLowercased) }
        return EngineResponse(response.status, kept.map { EngineHeader($0.name, $0.value) }, response.body)
    }
}

extension EngineNetwork {
    /// How much later a response arrives in this network, for each request by itself.
    func delay(of response: EngineResponse) -> Duration {
        let size = Double(response.body?.count ?? 0)
        let transfer = self.download.map { Duration.seconds(size / Double(max(1, $0))) } ?? .zero
        return self.latency + transfer
    }
}
