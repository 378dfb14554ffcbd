import AdCore

/// The requests that are under way, as the engine reports them.
struct RequestLog: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let url: String
        let method: String
        let kind: String
        let start: Duration
        var status = 0
        var type: String?
    }

    /// The most requests that are noted of a creative.
    static let limit = 5_000

    private var open: [String: Entry] = [:]
    private var count = 0

    /// How many of the requests that are under way are named.
    private static let waitingLimit = 5

    /// The addresses of the requests that are under way, the oldest first.
    var waiting: [String] {
        let oldest = self.open.values.sorted { ($0.start, $0.url) < ($1.start, $1.url) }
        return oldest.prefix(RequestLog.waitingLimit).map(\.url)
    }

    /// Handles an event of a request; gives the request when it is over.
    mutating func handle(_ event: NetworkEvent, at now: Duration) -> StageRequest? {
        switch event {
        case .sent(let id, let url, let method, let kind, let redirect):
            // Where a response redirected it, the same request begins anew under its identifier.
            let ended = redirect.flatMap { self.end(id, at: now, .responded($0)) }
            self.start(id, url: url, method: method, kind: kind, at: now)
            return ended
        case .responded(let id, let response, _, _):
            self.open[id]?.status = response.status
            self.open[id]?.type = response.type?.excerpt(100)
            return nil
        case .socketCreated(let id, let url):
            self.start(id, url: url, method: "GET", kind: "WebSocket", at: now)
            return nil
        case .socketOpened(let id, let response): return self.end(id, at: now, .responded(response))
        // One that was open is over already.
        case .socketClosed(let id): return self.end(id, at: now, .failed("it was not opened"))
        case .finished(let id, let bytes): return self.end(id, at: now, .finished(bytes: bytes))
        case .failed(let id, let reason, let rule, _):
            return self.end(id, at: now, rule.map(End.blocked) ?? .failed((reason ?? "it failed").excerpt(200)))
        case .received: return nil
        }
    }

    private enum End {
        case responded(NetworkResponse)
        case finished(bytes: Int)
        case failed(String)
        case blocked(String)
    }

    private mutating func start(_ id: String, url: String?, method: String?, kind: String?, at now: Duration) {
        guard self.count < RequestLog.limit, let url, url.hasPrefix("http") || url.hasPrefix("ws"),
            !url.contains(".yabbi-stage.invalid/")
        else { return }
        // The host's own script is requested relative to a creative that has no address of its own.
        let isRelative = url.contains(".yabbi-creative.invalid/")
        guard !isRelative || MRAIDScript.isNamed(by: url) else { return }
        self.count += 1
        self.open[id] = Entry(
            url: isRelative ? "mraid.js" : Redaction.address(url.excerpt(2_000)),
            method: (method ?? "GET").excerpt(20),
            kind: kind ?? "Other",
            start: now
        )
    }

    private mutating func end(_ id: String, at now: Duration, _ end: End) -> StageRequest? {
        guard let entry = self.open.removeValue(forKey: id) else { return nil }
        let outcome: StageRequest.Outcome =
            switch end {
            case .responded(let response):
                .answered(status: response.status, type: response.type?.excerpt(100), bytes: response.bytes)
            case .finished(let bytes): .answered(status: entry.status, type: entry.type, bytes: bytes)
            case .failed(let reason): .failed(reason)
            case .blocked(let rule): .blocked(rule)
            }
        return StageRequest(
            url: entry.url,
            method: entry.method,
            kind: entry.kind,
            start: entry.start,
            length: now - entry.start,
            outcome: outcome
        )
    }
}
