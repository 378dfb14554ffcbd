package import AdCore

/// What failed in a creative so far: requests that brought nothing, and errors of its scripts.
///
/// Each is kept and reported once, and no more than `most` of each kind.
struct CreativeTroubles: Hashable, Sendable {
    /// A creative that fails more often has been understood by then.
    static let limit = 50

    /// The requests, in the order in which they failed.
    private(set) var requests: [FailedRequest] = []
    /// The errors, in their order.
    private(set) var errors: [ScriptError] = []

    /// Adds a failed request, and reports it.
    mutating func add(_ request: FailedRequest) -> [StageOutput] {
        guard self.requests.count < CreativeTroubles.limit, !self.requests.contains(request) else { return [] }
        self.requests.append(request)
        return [.report(.diagnostic(.requestFailed(request)))]
    }

    /// Adds a script error, and reports it.
    mutating func add(_ error: ScriptError) -> [StageOutput] {
        guard self.errors.count < CreativeTroubles.limit, !self.errors.contains(error) else { return [] }
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
        case .failed(NetworkName.aborted), .failed(NetworkName.blockedByClient), .answered,
            .blocked(NetworkName.blockedByStage):
            return nil
        case .blocked(let rule): self.init(url: request.url, reason: EngineRefusal.reason(rule, for: request.url))
        case .failed(let reason): self.init(url: request.url, reason: reason)
        }
    }
}

extension EngineRefusal {
    var failedRequest: FailedRequest {
        FailedRequest(
            url: Redaction.address(self.url.excerpt(500)),
            reason: EngineRefusal.reason(self.rule, for: self.url)
        )
    }

    /// Why an engine refused a request, by the name of its rule.
    static func reason(_ rule: String, for url: String) -> String {
        switch rule {
        // W3C Mixed Content §5: a page of https gets nothing by http.
        case "mixed-content": "mixed content: write \(url.hasPrefix("ws") ? "wss" : "https")://"
        case "csp": "forbidden by the creative's own Content-Security-Policy"
        default: "refused by the browser: \(rule.excerpt(100))"
        }
    }
}

extension ScriptError {
    /// Longer messages are cut.
    private static let messageLimit = 300

    /// An error as an engine reports it; line and column are from 0.
    package init(reported message: String, url: String, line: Int?, column: Int?) {
        // A creative's own markup has a placeholder as its address.
        let isOwn = url.isEmpty || url.contains(".\(ClickThroughVerdict.placeholderDomain)/")
        self.init(
            Redaction.address(message.excerpt(ScriptError.messageLimit)),
            url: isOwn ? nil : Redaction.address(url.excerpt(500)),
            line: line.map { $0 + 1 },
            column: column.map { $0 + 1 }
        )
    }

    /// The error with the column that its place has in the markup as it was written: `columns` were put in front of it.
    func written(behind columns: Int) -> ScriptError {
        guard self.url == nil, self.line == 1, let column, column > columns else { return self }
        return ScriptError(self.message, url: nil, line: 1, column: column - columns)
    }
}
