import AdCore

/// What failed in a creative so far: requests that brought nothing, and errors of its scripts.
///
/// Each is kept and reported once, and no more than `most` of each kind.
struct CreativeTroubles: Hashable, Sendable {
    /// A creative that fails more often has been understood by then.
    static let most = 50

    /// The requests, in the order in which they failed.
    private(set) var requests: [FailedRequest] = []
    /// The errors, in their order.
    private(set) var errors: [ScriptError] = []

    /// Takes a failed request; what is reported of it.
    mutating func note(_ request: FailedRequest) -> [StageOutput] {
        guard self.requests.count < CreativeTroubles.most, !self.requests.contains(request) else { return [] }
        self.requests.append(request)
        return [.report(.diagnostic(.requestFailed(request)))]
    }

    /// Takes a script error; what is reported of it.
    mutating func note(_ error: ScriptError) -> [StageOutput] {
        guard self.errors.count < CreativeTroubles.most, !self.errors.contains(error) else { return [] }
        self.errors.append(error)
        return [.report(.diagnostic(.scriptError(error)))]
    }
}

extension FailedRequest {
    /// A request for something beside a creative, which has no address of its own.
    init(relative url: String) {
        let path =
            url.firstRange(of: ".\(ClickThroughVerdict.placeholderDomain)/").map { url[$0.upperBound...] } ?? url[...]
        let reason =
            "the address is relative, and the creative has no address of its own: write it whole, from https:// on"
        self.init(url: Redaction.address(path.excerpt(500)), reason: reason)
    }

    /// A request of a creative that is over; nil where it brought something, was stopped by a rule of ours ("inspector"),
    /// which is reported as blocked, or was given up by the page itself.
    init?(_ request: StageRequest) {
        switch request.outcome {
        case .answered(let status, _, _) where status >= 400: self.init(url: request.url, reason: "status \(status)")
        case .failed("net::ERR_ABORTED"), .failed("net::ERR_BLOCKED_BY_CLIENT"), .answered, .blocked("inspector"):
            return nil
        case .blocked(let rule): self.init(url: request.url, reason: BrowserRefusal.reason(rule, for: request.url))
        case .failed(let reason): self.init(url: request.url, reason: reason)
        }
    }
}

extension ScriptError {
    /// Longer messages are cut.
    private static let longest = 300

    /// An uncaught exception or a rejected promise, as `Runtime.exceptionThrown` tells of it.
    init?(exception event: DevToolsEvent) {
        guard event.method == "Runtime.exceptionThrown", let details = event.params["exceptionDetails"] else {
            return nil
        }
        let thrown = details["exception"]
        let value = thrown?["value"].map { $0.string ?? $0.text() }
        // The description has the stack behind its first line.
        let words = thrown?["description"]?.string ?? value ?? ""
        let first = words.prefix(2_000).prefix { $0 != "\n" }
        let text = details["text"]?.string ?? "Uncaught"
        self.init(details, "\(text) \(first)", at: details)
    }

    /// A call of `console.error`, as `Runtime.consoleAPICalled` tells of it.
    init?(console event: DevToolsEvent) {
        guard event.method == "Runtime.consoleAPICalled", event.params["type"] == "error" else { return nil }
        let words = (event.params["args"]?.array ?? []).prefix(10).map { argument in
            let text = argument["value"].map { $0.string ?? $0.text() } ?? argument["description"]?.string ?? "?"
            return String(text.prefix(2_000).prefix { $0 != "\n" })
        }
        let frame = event.params["stackTrace"]?["callFrames"]?.array?.first
        self.init(frame, "console.error: \(words.joined(separator: " "))", at: frame)
    }

    /// The error with the column that its place has in the markup as it was written: `columns` were put in front of it.
    func written(behind columns: Int) -> ScriptError {
        guard self.url == nil, self.line == 1, let column, column > columns else { return self }
        return ScriptError(self.message, url: nil, line: 1, column: column - columns)
    }

    private init(_ source: JSON?, _ message: String, at place: JSON?) {
        let url = source?["url"]?.string ?? ""
        // A creative's own markup lies at a name that stands for it.
        let isOwn = url.isEmpty || url.contains(".\(ClickThroughVerdict.placeholderDomain)/")
        func number(_ name: String) -> Int? { place?[name]?.number.flatMap(Int.init(exactly:)).map { $0 + 1 } }
        self.init(
            Redaction.address(message.excerpt(ScriptError.longest)),
            url: isOwn ? nil : Redaction.address(url.excerpt(500)),
            line: number("lineNumber"),
            column: number("columnNumber")
        )
    }
}
