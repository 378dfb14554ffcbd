package import AdCore
import SystemSupport

/// Sends the requests of one creative to allowed hosts on this computer and network, which engines don't let pages
/// call.
package final class AllowedHostFetcher: Sendable {
    struct Limits: Hashable, Sendable {
        /// The maximum number of concurrent requests.
        let concurrent: Int
        /// The maximum number of waiting requests.
        let waiting: Int
        /// The maximum size of a response, in bytes: the engine gets it as one base64 message, and four creatives may
        /// do so at the same time.
        let responseBytes: Int
        /// The maximum size of all responses together, in bytes.
        let totalBytes: Int

        init(
            concurrent: Int = 4,
            waiting: Int = 256,
            responseBytes: Int = 32 << 20,
            totalBytes: Int = PagePolicy.byteLimit
        ) {
            self.concurrent = concurrent
            self.waiting = waiting
            self.responseBytes = responseBytes
            self.totalBytes = totalBytes
        }
    }

    /// Receives the answer to the request, and a report when a limit is exceeded for the first time.
    package typealias Answer = @Sendable (EngineCommand, BlockedAttempt?) async -> Void

    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var loaded = 0
        var isOverLimit = false
        var isFull = false
        var isOver = false
    }

    private let transport: any Transport
    private let limits: Limits
    private let permits: AsyncSemaphore
    /// Sends one answer at a time to the engine.
    private let answering = AsyncSemaphore(1)
    private let state = Locked(State())
    /// Headers of the connection (RFC 9110 §7.6.1), or that the browser sets itself; they are not passed on.
    private static let ownHeaders: Set<String> = [
        "connection", "content-length", "transfer-encoding", "content-encoding", "keep-alive", "host", "te", "trailer",
        "upgrade", "proxy-authorization", "proxy-authenticate",
        // Two of them would be invalid (Fetch Standard, "CORS check").
        "access-control-allow-origin",
    ]

    package convenience init(_ transport: any Transport) { self.init(transport, Limits()) }

    init(_ transport: any Transport, _ limits: Limits) {
        self.transport = transport
        self.limits = limits
        self.permits = AsyncSemaphore(limits.concurrent)
    }

    /// Sends a request, and passes the answer to a closure; after `end` there are no answers.
    func serve(_ request: EngineRequest, answer: @escaping Answer) {
        self.state.withLock { state in
            guard !state.isOver else { return }
            state.last += 1
            let number = state.last
            let hasRoom = state.tasks.count < self.limits.concurrent + self.limits.waiting
            state.tasks[number] = Task {
                if hasRoom { await self.fetch(request, answer) } else { await self.refuseWaiting(request, answer) }
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Cancels all requests when the stage closes.
    func end() {
        let tasks = self.state.withLock { state in
            state.isOver = true
            defer { state.tasks = [:] }
            return state.tasks.values
        }
        for task in tasks { task.cancel() }
    }

    /// Refuses a request because too many are waiting.
    private func refuseWaiting(_ request: EngineRequest, _ answer: Answer) async {
        let isNew = self.state.withLock { state in
            defer { state.isFull = true }
            return !state.isFull
        }
        let text = "more than \(self.limits.waiting) requests wait for servers on this computer; others are blocked"
        await answer(request.failing(.blocked), isNew ? BlockedAttempt(.other, text) : nil)
    }

    private func fetch(_ request: EngineRequest, _ answer: Answer) async {
        guard let permit = await self.permits.acquire() else { return }
        defer { permit.release() }
        guard self.state.withLock({ $0.loaded < self.limits.totalBytes }) else {
            return await self.refuse(request, answer)
        }
        guard let own = self.httpRequest(for: request) else { return await answer(request.failing(.other), nil) }
        do throws(TransportError) {
            let reply = try await self.transport.send(own)
            let isAccepted = self.state.withLock { state in
                state.loaded += reply.body.count
                return state.loaded <= self.limits.totalBytes
            }
            guard isAccepted else { return await self.refuse(request, answer) }
            let kept = reply.headers.fields.filter { !AllowedHostFetcher.ownHeaders.contains($0.name.asciiLowercased) }
            // The page is cross-site, and local test servers seldom send this header.
            let list =
                kept.map { EngineHeader($0.name, $0.value) } + [EngineHeader("Access-Control-Allow-Origin", "*")]
            guard let turn = await self.answering.acquire() else { return }
            defer { turn.release() }
            await answer(request.response(reply.status, list, reply.body), nil)
        } catch {
            guard !Task.isCancelled else { return }
            var attempt: BlockedAttempt?
            if case .tooLarge = error.phase {
                // This much was read.
                self.state.withLock { $0.loaded += self.limits.responseBytes }
                let place = Redaction.address(request.url.excerpt(500))
                attempt = BlockedAttempt(
                    .other,
                    "a response of more than \(self.limits.responseBytes >> 20) MB: \(place)"
                )
            }
            await answer(request.failing(.unreachable), attempt)
        }
    }

    /// Refuses a request because all responses together are too large.
    private func refuse(_ request: EngineRequest, _ answer: Answer) async {
        let isNew = self.state.withLock { state in
            defer { state.isOverLimit = true }
            return !state.isOverLimit
        }
        let text =
            "more than \(self.limits.totalBytes / 1_000_000) MB were loaded from servers on this computer; others are blocked"
        await answer(request.failing(.blocked), isNew ? BlockedAttempt(.other, text) : nil)
    }

    /// The HTTP request for an engine's request; nil for URLs and methods that can't be sent.
    private func httpRequest(for request: EngineRequest) -> AdHTTPRequest? {
        guard let url = HTTPURL(request.url), let method = AdHTTPRequest.Method(rawValue: request.method) else {
            return nil
        }
        var headers = AdHTTPHeaders()
        for header in request.headers {
            guard !AllowedHostFetcher.ownHeaders.contains(header.name.asciiLowercased) else { continue }
            headers[header.name] = header.value
        }
        // Fetch Metadata: the engine adds it only to requests that it sends itself.
        let page = (request.header("origin") ?? request.header("referer")).flatMap { HTTPURL($0)?.origin }
        headers["Sec-Fetch-Site"] = page == url.origin ? "same-origin" : "cross-site"
        // The page follows redirects itself, so that each one is held and decided on.
        let limits = AdHTTPRequest.Limits(total: .seconds(30), body: self.limits.responseBytes, redirects: 0)
        // Requests may be counted by the server, so they are not repeated.
        var own = AdHTTPRequest(
            method,
            url,
            headers: headers,
            body: request.body,
            limits: limits,
            repetition: .counted
        )
        own.purpose = .creative
        return own
    }
}
