import AdCore
import SystemLock

/// Asks servers on this machine for what one creative wants of them: the browser lets no page do that.
final class NeighbourServer: Sendable {
    /// How much a creative may want.
    struct Limits: Hashable, Sendable {
        /// So many are asked at once.
        var atOnce = 4
        /// So many more wait for their turn.
        var waiting = 256
        /// The longest answer, in bytes: it goes to the browser as one message, a third longer than it is, and four
        /// creatives may have one on its way at the same time.
        var longest = 32 << 20
        /// What all answers together may have, in bytes.
        var most = SessionWatch.mostBytes
    }

    /// What the browser is to be told, and what the app is where a bound was passed for the first time.
    typealias Answer = @Sendable (DevToolsCommand, BlockedAttempt?) async -> Void

    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var loaded = 0
        var hasTakenTooMuch = false
        var isFull = false
        var isOver = false
    }

    private let transport: any Transport
    private let limits: Limits
    private let lanes: Lanes
    /// One answer at a time goes to the browser, and the next when that one has arrived.
    private let door = Lanes(1)
    private let state = Locked(State())
    /// Headers that are about a connection, or that the browser makes for itself.
    private static let ownHeaders: Set<String> = [
        "connection", "content-length", "transfer-encoding", "content-encoding", "keep-alive", "host", "te", "trailer",
        "upgrade", "proxy-authorization", "proxy-authenticate",
        // Twice in an answer it would allow nobody.
        "access-control-allow-origin",
    ]

    init(_ transport: any Transport, _ limits: Limits = Limits()) {
        self.transport = transport
        self.limits = limits
        self.lanes = Lanes(limits.atOnce)
    }

    /// Asks, and gives what the browser is to be told to a closure; what is over answers nothing.
    func serve(_ request: PausedRequest, answer: @escaping Answer) {
        self.state.withLock { state in
            guard !state.isOver else { return }
            state.last += 1
            let number = state.last
            let hasRoom = state.tasks.count < self.limits.atOnce + self.limits.waiting
            state.tasks[number] = Task {
                if hasRoom { await self.ask(request, answer) } else { await self.turnAway(request, answer) }
                self.state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Nobody waits for anything any more: what is under way is given up.
    func end() {
        let tasks = self.state.withLock { state in
            state.isOver = true
            defer { state.tasks = [:] }
            return state.tasks.values
        }
        for task in tasks { task.cancel() }
    }

    /// Too many wait already.
    private func turnAway(_ request: PausedRequest, _ answer: Answer) async {
        let isNew = self.state.withLock { state in
            defer { state.isFull = true }
            return !state.isFull
        }
        let words = "more than \(self.limits.waiting) requests wait for servers on this machine; no more are taken"
        await answer(request.refusal("BlockedByClient"), isNew ? BlockedAttempt(.other, words) : nil)
    }

    private func ask(_ request: PausedRequest, _ answer: Answer) async {
        guard let lane = await self.lanes.enter() else { return }
        defer { lane.leave() }
        guard self.state.withLock({ $0.loaded < self.limits.most }) else { return await self.refuse(request, answer) }
        guard let wanted = self.wanted(request) else { return await answer(request.refusal("Failed"), nil) }
        do throws(TransportError) {
            let reply = try await self.transport.send(wanted)
            let isTaken = self.state.withLock { state in
                state.loaded += reply.body.count
                return state.loaded <= self.limits.most
            }
            guard isTaken else { return await self.refuse(request, answer) }
            let kept = reply.headers.fields.filter { !NeighbourServer.ownHeaders.contains($0.name.asciiLowercased) }
            // A page of another site asks, and this machine's test servers seldom say whom they allow.
            let list = kept.map { ($0.name, $0.value) } + [("Access-Control-Allow-Origin", "*")]
            guard let door = await self.door.enter() else { return }
            defer { door.leave() }
            await answer(request.answer(reply.status, list, reply.body), nil)
        } catch {
            guard !Task.isCancelled else { return }
            var attempt: BlockedAttempt?
            if case .tooLarge = error.phase {
                // So much of it was read.
                self.state.withLock { $0.loaded += self.limits.longest }
                let place = Redaction.address(request.url.excerpt(500))
                attempt = BlockedAttempt(.other, "an answer of more than \(self.limits.longest >> 20) MB: \(place)")
            }
            await answer(request.refusal("ConnectionFailed"), attempt)
        }
    }

    /// All of them together have taken too much.
    private func refuse(_ request: PausedRequest, _ answer: Answer) async {
        let isNew = self.state.withLock { state in
            defer { state.hasTakenTooMuch = true }
            return !state.hasTakenTooMuch
        }
        let words = "more than \(self.limits.most / 1_000_000) MB came from servers on this machine; there is no more"
        await answer(request.refusal("BlockedByClient"), isNew ? BlockedAttempt(.other, words) : nil)
    }

    /// What we ask for it; nil where it is nothing that we ask.
    private func wanted(_ request: PausedRequest) -> HTTPRequest? {
        guard let url = HTTPURL(request.url), let method = HTTPRequest.Method(rawValue: request.method) else {
            return nil
        }
        var headers = HTTPHeaders()
        for member in request.headers {
            guard let value = member.value.string, !NeighbourServer.ownHeaders.contains(member.name.asciiLowercased)
            else {
                continue
            }
            headers[member.name] = value
        }
        // By this a server knows a page from a program. The browser says it only when it sends a request itself.
        let page = (request.header("origin") ?? request.header("referer")).flatMap { HTTPURL($0)?.origin }
        headers["Sec-Fetch-Site"] = page == url.origin ? "same-origin" : "cross-site"
        // The page follows redirects by itself, so that each of them is looked at.
        let limits = HTTPRequest.Limits(total: .seconds(30), body: self.limits.longest, redirects: 0)
        // What counts at its server is sent once.
        return HTTPRequest(
            method,
            url,
            headers: headers,
            body: request.body.map { Array($0.utf8) },
            limits: limits,
            repetition: .counted
        )
    }
}
