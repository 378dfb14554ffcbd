package import AdCore
import SystemSupport

/// Calls servers on this machine that the host allows, for the requests of one creative: an engine lets no page call them.
package final class AllowedHostFetcher: Sendable {
    struct Limits: Hashable, Sendable {
        /// Requests that are sent at once.
        let concurrent: Int
        /// Requests that wait for their turn.
        let waiting: Int
        /// The bytes of a response: the engine gets it as one message, a third longer than it is, and four creatives may
        /// have one on its way at the same time.
        let responseBytes: Int
        /// The bytes of all responses together.
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

    /// The answer to the request, and what is reported where a limit was passed for the first time.
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
    /// One answer at a time goes to the engine, and the next when that one has arrived.
    private let answering = AsyncSemaphore(1)
    private let state = Locked(State())
    /// Headers that are about a connection, or that the browser makes for itself.
    private static let ownHeaders: Set<String> = [
        "connection", "content-length", "transfer-encoding", "content-encoding", "keep-alive", "host", "te", "trailer",
        "upgrade", "proxy-authorization", "proxy-authenticate",
        // Twice in a response it would allow no origin.
        "access-control-allow-origin",
    ]

    package convenience init(_ transport: any Transport) { self.init(transport, Limits()) }

    init(_ transport: any Transport, _ limits: Limits) {
        self.transport = transport
        self.limits = limits
        self.permits = AsyncSemaphore(limits.concurrent)
    }

    /// Calls the server, and gives the answer to a closure; after `end` nothing is answered.
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

    /// The stage is over: all requests are given up.
    func end() {
        let tasks = self.state.withLock { state in
            state.isOver = true
            defer { state.tasks = [:] }
            return state.tasks.values
        }
        for task in tasks { task.cancel() }
    }

    /// Too many wait already.
    private func refuseWaiting(_ request: EngineRequest, _ answer: Answer) async {
        let isNew = self.state.withLock { state in
            defer { state.isFull = true }
            return !state.isFull
        }
        let text = "more than \(self.limits.waiting) requests wait for servers on this machine; no more are taken"
        await answer(request.failing(.blocked), isNew ? BlockedAttempt(.other, text) : nil)
    }

    private func fetch(_ request: EngineRequest, _ answer: Answer) async {
        guard let permit = await self.permits.acquire() else { return }
        defer { permit.release() }
        guard self.state.withLock({ $0.loaded < self.limits.totalBytes }) else {
            return await self.refuse(request, answer)
        }
        guard let own = self.own(request) else { return await answer(request.failing(.other), nil) }
        do throws(TransportError) {
            let reply = try await self.transport.send(own)
            let isTaken = self.state.withLock { state in
                state.loaded += reply.body.count
                return state.loaded <= self.limits.totalBytes
            }
            guard isTaken else { return await self.refuse(request, answer) }
            let kept = reply.headers.fields.filter { !AllowedHostFetcher.ownHeaders.contains($0.name.asciiLowercased) }
            // The page is of another site, and test servers on this machine seldom have the header.
            let list =
                kept.map { EngineHeader($0.name, $0.value) } + [EngineHeader("Access-Control-Allow-Origin", "*")]
            guard let turn = await self.answering.acquire() else { return }
            defer { turn.release() }
            await answer(request.answered(reply.status, list, reply.body), nil)
        } catch {
            guard !Task.isCancelled else { return }
            var attempt: BlockedAttempt?
            if case .tooLarge = error.phase {
                // So much of it was read.
                self.state.withLock { $0.loaded += self.limits.responseBytes }
                let place = Redaction.address(request.url.excerpt(500))
                attempt = BlockedAttempt(
                    .other,
                    "an answer of more than \(self.limits.responseBytes >> 20) MB: \(place)"
                )
            }
            await answer(request.failing(.unreachable), attempt)
        }
    }

    /// All responses together were too long.
    private func refuse(_ request: EngineRequest, _ answer: Answer) async {
        let isNew = self.state.withLock { state in
            defer { state.isOverLimit = true }
            return !state.isOverLimit
        }
        let text =
            "more than \(self.limits.totalBytes / 1_000_000) MB came from servers on this machine; there is no more"
        await answer(request.failing(.blocked), isNew ? BlockedAttempt(.other, text) : nil)
    }

    /// The request that is sent in its place; nil where it has an address or a method that is never sent.
    private func own(_ request: EngineRequest) -> AdHTTPRequest? {
        guard let url = HTTPURL(request.url), let method = AdHTTPRequest.Method(rawValue: request.method) else {
            return nil
        }
        var headers = AdHTTPHeaders()
        for header in request.headers {
            guard !AllowedHostFetcher.ownHeaders.contains(header.name.asciiLowercased) else { continue }
            headers[header.name] = header.value
        }
        // By this a server can tell a page from a program. The engine adds it only to requests that it sends itself.
        let page = (request.header("origin") ?? request.header("referer")).flatMap { HTTPURL($0)?.origin }
        headers["Sec-Fetch-Site"] = page == url.origin ? "same-origin" : "cross-site"
        // The page follows redirects by itself, so that each of them is looked at.
        let limits = AdHTTPRequest.Limits(total: .seconds(30), body: self.limits.responseBytes, redirects: 0)
        // What counts at its server is sent once.
        return AdHTTPRequest(
            method,
            url,
            headers: headers,
            body: request.body.map { Array($0.utf8) },
            limits: limits,
            repetition: .counted
        )
    }
}
