/// A report of a stage that explains why an ad looks as it does; no decision depends on it.
public enum CreativeDiagnostic: Hashable, Sendable {
    /// A request of the creative failed.
    case requestFailed(FailedRequest)
    /// A script of the creative threw an uncaught error or has a syntax error.
    case scriptError(ScriptError)
    /// The creative was on screen without visible content.
    case blank(BlankCreative)

    /// The diagnostic's name in traces and in `--json`.
    public var name: String {
        switch self {
        case .requestFailed: "requestFailed"
        case .scriptError: "scriptError"
        case .blank: "blank"
        }
    }
}

/// A request of a creative that failed.
public struct FailedRequest: Hashable, Sendable {
    /// The requested URL, redacted.
    public let url: String
    /// Why it failed, as in `status 404`, or as the browser engine words it.
    public let reason: String

    /// Creates a failed request.
    public init(url: String, reason: String) {
        self.url = url
        self.reason = reason
    }
}

/// An uncaught error of a creative's script.
public struct ScriptError: Hashable, Sendable {
    /// The error's text, as in `Uncaught ReferenceError: gsap is not defined`.
    public let message: String
    /// The script's URL; nil for an inline script.
    public let url: String?
    /// The line, from 1; for an inline script, the line of the document.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?

    /// Creates a script error.
    public init(_ message: String, url: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.url = url
        self.line = line
        self.column = column
    }
}

/// A creative without visible content, and what may explain that.
public struct BlankCreative: Hashable, Sendable {
    /// The requests that had failed by that time.
    public let requests: [FailedRequest]
    /// The script errors by that time.
    public let errors: [ScriptError]
    /// The URLs of requests without a response by that time, redacted.
    public let waiting: [String]

    /// Creates a blank creative.
    public init(requests: [FailedRequest] = [], errors: [ScriptError] = [], waiting: [String] = []) {
        self.requests = requests
        self.errors = errors
        self.waiting = waiting
    }
}
