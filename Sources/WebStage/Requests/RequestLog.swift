import AdCore

/// Collects the network events of requests until each request is finished.
struct RequestLog: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let url: String
        let method: String
        let kind: String
        let start: Duration
        var status = 0
        var type: String?
        /// The bytes that have arrived.
        var bytes = 0
    }

    /// The maximum number of logged requests.
    static let limit = 5_000

    private var open: [String: Entry] = [:]
    private var count = 0
    /// The files beside the document; nil for none.
    private let files: StageFiles?

    init(_ files: StageFiles? = nil) { self.files = files }

    /// The maximum number of pending URLs.
    private static let waitingLimit = 5

    /// The URLs of pending requests, oldest first.
    var waiting: [String] {
        let oldest = self.open.values.sorted { ($0.start, $0.url) < ($1.start, $1.url) }
        return oldest.prefix(RequestLog.waitingLimit).map(\.url)
    }

    /// Handles an event; returns the request when it is finished.
    mutating func handle(_ event: NetworkEvent, at now: Duration) -> StageRequest? {
        switch event {
        case .sent(let id, _, _, _, nil) where self.open[id] != nil: return nil
        case .sent(let id, let url, let method, let kind, let redirect):
            // A redirected request continues with the same identifier.
            let ended = redirect.flatMap { self.end(id, at: now, .responded($0)) }
            self.start(id, url: url, method: method, kind: kind, at: now)
            return ended
        case .responded(let id, let response, _, _):
            self.open[id]?.status = response.status
            self.open[id]?.type = response.type?.excerpt(100)
            return nil
        case .socketCreated(let id, let url, _):
            self.start(id, url: url, method: "GET", kind: .webSocket, at: now)
            return nil
        case .socketOpened(let id, let response): return self.end(id, at: now, .responded(response))
        // A WebSocket that was opened is finished already.
        case .socketClosed(let id): return self.end(id, at: now, .failed(.other("the WebSocket was not opened")))
        case .finished(let id, let bytes): return self.end(id, at: now, .finished(bytes: bytes))
        case .failed(let id, .other(let reason), _): return self.end(id, at: now, .failed(.other(reason.excerpt(200))))
        case .failed(let id, let failure, _): return self.end(id, at: now, .failed(failure))
        case .received(let id, let bytes):
            if let id { self.open[id]?.bytes += min(max(0, bytes), 1 << 40) }
            return nil
        }
    }

    /// Starts a request that the stage lets proceed or sends itself, if it was not started yet.
    ///
    /// In a flood of messages the one that it was sent may be dropped, while the one that it is held is read.
    mutating func start(_ request: EngineRequest, at now: Duration) {
        guard !request.load.isEmpty, self.open[request.load] == nil else { return }
        self.start(request.load, url: request.url, method: request.method, kind: request.kind, at: now)
    }

    private enum End {
        case responded(NetworkResponse)
        /// The ad closes before it.
        case unfinished
        case finished(bytes: Int)
        case failed(StageRequest.Failure)
    }

    private mutating func start(_ id: String, url: String?, method: String?, kind: EngineRequest.Kind, at now: Duration)
    {
        guard self.count < RequestLog.limit, let url, url.hasPrefix("http") || url.hasPrefix("ws"),
            !StageDomain.hostPage.contains(url)
        else { return }
        // Of relative requests without files only `mraid.js` is logged: the creative's document has no base URL.
        let isRelative = StageDomain.creative.contains(url)
        let isFile = isRelative && self.files != nil && kind != .document
        guard !isRelative || isFile || MRAIDScript.isNamed(by: url) else { return }
        self.count += 1
        self.open[id] = Entry(
            url: isFile
                ? (self.files?.listedName(url) ?? "").excerpt(2_000)
                : isRelative ? "mraid.js" : Redaction.address(url.excerpt(2_000)),
            method: (method ?? "GET").excerpt(20),
            kind: kind.rawValue,
            start: now
        )
    }

    /// Ends all open requests; returns them, the oldest first.
    mutating func end(at now: Duration) -> [StageRequest] {
        self.open.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }.compactMap { id, _ in
            self.end(id, at: now, .unfinished)
        }
    }

    private mutating func end(_ id: String, at now: Duration, _ end: End) -> StageRequest? {
        guard let entry = self.open.removeValue(forKey: id) else { return nil }
        let outcome: StageRequest.Outcome =
            switch end {
            case .responded(let response):
                .answered(status: response.status, type: response.type?.excerpt(100), bytes: response.bytes)
            case .finished(let bytes): .answered(status: entry.status, type: entry.type, bytes: bytes)
            case .failed(let failure): .failed(failure)
            case .unfinished where entry.status > 0:
                .answered(status: entry.status, type: entry.type, bytes: entry.bytes)
            case .unfinished: .failed(.other("no response before the ad was closed"))
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
