/// What a stage saw of a creative that decides nothing: it explains why an ad looks as it does.
public enum CreativeDiagnostic: Hashable, Sendable {
    /// Something that the creative needs could not be loaded.
    case requestFailed(FailedRequest)
    /// A script of the creative threw, or does not parse.
    case scriptError(ScriptError)
    /// The creative was on screen and nothing of it could be seen.
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

/// A request of a creative that brought nothing.
public struct FailedRequest: Hashable, Sendable {
    /// What was asked for, without secrets.
    public let url: String
    /// Why it failed, as in `status 404` or `net::ERR_NAME_NOT_RESOLVED`.
    public let reason: String

    /// A failed request.
    public init(url: String, reason: String) {
        self.url = url
        self.reason = reason
    }
}

/// An error of a creative's script that nothing caught.
public struct ScriptError: Hashable, Sendable {
    /// The error's text, as in `Uncaught ReferenceError: gsap is not defined`.
    public let message: String
    /// The script's address; nil for one in the markup.
    public let url: String?
    /// The line, from 1; for a script in the markup, the document's.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?

    /// A script error.
    public init(_ message: String, url: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.url = url
        self.line = line
        self.column = column
    }
}

/// A creative of which nothing could be seen, and what may explain that.
public struct BlankCreative: Hashable, Sendable {
    /// The requests that had failed by then.
    public let requests: [FailedRequest]
    /// The script errors by then.
    public let errors: [ScriptError]
    /// The addresses that had been requested and had not answered by then, without secrets.
    public let waiting: [String]

    /// A blank creative.
    public init(requests: [FailedRequest] = [], errors: [ScriptError] = [], waiting: [String] = []) {
        self.requests = requests
        self.errors = errors
        self.waiting = waiting
    }
}
