import AdCore

/// The requests that are under way, as the browser tells of them.
struct RequestLog: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let url: String
        let method: String
        let kind: String
        let start: Duration
        var status = 0
        var type: String?
    }

    /// So many are told; a creative that makes more has been understood by then.
    static let most = 5_000

    private var open: [String: Entry] = [:]
    private var count = 0

    /// How many of the requests that are under way are named.
    private static let mostWaiting = 5

    /// The addresses of the requests that are under way, the oldest first.
    var waiting: [String] {
        let oldest = self.open.values.sorted { ($0.start, $0.url) < ($1.start, $1.url) }
        return oldest.prefix(RequestLog.mostWaiting).map(\.url)
    }

    /// Takes news of a request; gives the request when it is over.
    mutating func hear(_ event: DevToolsEvent, at now: Duration) -> StageRequest? {
        guard let number = event.params["requestId"]?.string else { return nil }
        switch event.method {
        case "Network.requestWillBeSent":
            // Where an answer pointed elsewhere, the same request begins anew under its number.
            let redirect = event.params["redirectResponse"]
            let ended = redirect.flatMap { self.end(number, at: now, .answered($0)) }
            let request = event.params["request"]
            let kind = event.params["type"]?.string
            self.begin(number, url: request?["url"]?.string, method: request?["method"]?.string, kind: kind, at: now)
            return ended
        case "Network.responseReceived":
            guard let response = event.params["response"] else { return nil }
            self.open[number]?.status = Self.whole(response["status"])
            self.open[number]?.type = response["mimeType"]?.string?.excerpt(100)
            return nil
        case "Network.webSocketCreated":
            self.begin(number, url: event.params["url"]?.string, method: "GET", kind: "WebSocket", at: now)
            return nil
        case "Network.webSocketHandshakeResponseReceived":
            return self.end(number, at: now, .answered(event.params["response"] ?? .null))
        // One that was open has been told.
        case "Network.webSocketClosed": return self.end(number, at: now, .failed("it was not opened"))
        case "Network.loadingFinished":
            return self.end(number, at: now, .finished(bytes: Self.whole(event.params["encodedDataLength"])))
        case "Network.loadingFailed":
            let reason = (event.params["errorText"]?.string ?? "it failed").excerpt(200)
            if let rule = event.params["blockedReason"]?.string { return self.end(number, at: now, .blocked(rule)) }
            return self.end(number, at: now, .failed(reason))
        default: return nil
        }
    }

    private enum End {
        case answered(JSON)
        case finished(bytes: Int)
        case failed(String)
        case blocked(String)
    }

    private mutating func begin(_ number: String, url: String?, method: String?, kind: String?, at now: Duration) {
        guard self.count < RequestLog.most, let url, url.hasPrefix("http") || url.hasPrefix("ws"),
            !url.contains(".yabbi-stage.invalid/")
        else { return }
        // The host's own script lies beside a creative that came without an address, and has no other.
        let isBeside = url.contains(".yabbi-creative.invalid/")
        guard !isBeside || MRAIDScript.isNamed(by: url) else { return }
        self.count += 1
        self.open[number] = Entry(
            url: isBeside ? "mraid.js" : Redaction.address(url.excerpt(2_000)),
            method: (method ?? "GET").excerpt(20),
            kind: kind ?? "Other",
            start: now
        )
    }

    private mutating func end(_ number: String, at now: Duration, _ end: End) -> StageRequest? {
        guard let entry = self.open.removeValue(forKey: number) else { return nil }
        let outcome: StageRequest.Outcome =
            switch end {
            case .answered(let response):
                .answered(
                    status: Self.whole(response["status"]),
                    type: response["mimeType"]?.string?.excerpt(100),
                    bytes: Self.whole(response["encodedDataLength"])
                )
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

    private static func whole(_ json: JSON?) -> Int { json?.number.flatMap { Int(exactly: $0.rounded()) } ?? 0 }
}
