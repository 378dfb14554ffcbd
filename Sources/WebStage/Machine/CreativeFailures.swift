package import AdCore

/// The failed requests and script errors of a creative.
///
/// Each is stored and reported once, up to `limit` of each kind.
struct CreativeFailures: Hashable, Sendable {
    /// The maximum number of reports of each kind.
    static let limit = 50

    /// The failed requests, oldest first.
    private(set) var requests: [FailedRequest] = []
    /// The script errors, oldest first.
    private(set) var errors: [ScriptError] = []

    /// Stores and reports a failed request.
    mutating func add(_ request: FailedRequest) -> [StageOutput] {
        // A request to which the stage has responded with a status is already listed, with a better reason.
        let isKnown = self.requests.contains {
            $0 == request || $0.url == request.url && request.reason == "status 404"
        }
        guard self.requests.count < CreativeFailures.limit, !isKnown else { return [] }
        self.requests.append(request)
        return [.report(.diagnostic(.requestFailed(request)))]
    }

    /// Stores and reports a script error.
    mutating func add(_ error: ScriptError) -> [StageOutput] {
        guard self.errors.count < CreativeFailures.limit, !self.errors.contains(error) else { return [] }
        self.errors.append(error)
        return [.report(.diagnostic(.scriptError(error)))]
    }
}

extension FailedRequest {
    /// A request with a relative URL: the creative's document has no base URL.
    init(relative url: String) {
        let path =
            url.firstRange(of: ".\(StageDomain.creative.name)/").map { url[$0.upperBound...] } ?? url[...]
        let reason =
            "the URL is relative, and the creative has no base URL: use an absolute URL"
        self.init(url: Redaction.address(path.excerpt(500)), reason: reason)
    }

    /// A finished request that failed; nil if it succeeded, was cancelled by the page, or was blocked by the stage, which
    /// is reported as a blocked attempt.
    init?(_ request: StageRequest) {
        switch request.outcome {
        case .answered(let status, _, _) where status >= 400: self.init(url: request.url, reason: "status \(status)")
        case .answered, .failed(.cancelled), .failed(.blockedByStage): return nil
        case .failed(let failure): self.init(url: request.url, reason: failure.reason(for: request.url))
        }
    }
}

extension EngineRefusal {
    var failedRequest: FailedRequest {
        FailedRequest(
            url: Redaction.address(self.url.excerpt(500)),
            reason: self.rule.reason(for: self.url)
        )
    }
}

extension StageRequest.Failure {
    /// Why a request of this URL failed.
    func reason(for url: String) -> String {
        switch self {
        case .cancelled: "the page cancelled the request"
        case .blockedByStage: "the stage blocked the request"
        case .refused(let rule): rule.reason(for: url)
        case .other(let reason): reason
        }
    }
}

extension StageRequest.Rule {
    /// Why the engine refused a request.
    fileprivate func reason(for url: String) -> String {
        switch self {
        case .mixedContent: "mixed content: use \(url.hasPrefix("ws") ? "wss" : "https")://"
        case .contentSecurityPolicy: "blocked by the creative's own Content-Security-Policy"
        case .other(let name): "refused by the browser: \(name.excerpt(100))"
        }
    }
}

extension ScriptError {
    /// The maximum length of a message.
    private static let messageLimit = 300

    /// An error as an engine reports it, with zero-based line and column.
    package init(reported message: String, url: String, line: Int?, column: Int?) {
        // The creative's own document has a placeholder URL.
        let isOwn = url.isEmpty || StageDomain.creative.contains(url)
        self.init(
            Redaction.address(message.excerpt(ScriptError.messageLimit)),
            url: isOwn ? nil : Redaction.address(url.excerpt(500)),
            line: line.map { $0 + 1 },
            column: column.map { $0 + 1 }
        )
    }

    /// The error with its column in the original markup, before the stage put `columns` characters in front of it.
    func removingColumns(_ columns: Int) -> ScriptError {
        guard self.url == nil, self.line == 1, let column, column > columns else { return self }
        return ScriptError(self.message, url: nil, line: 1, column: column - columns)
    }
}
