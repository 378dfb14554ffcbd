package import AdCore

/// A notification for observers of a stage.
public enum StageNotification: Hashable, Sendable {
    /// The stage has started; request times are relative to this moment.
    case started
    /// A request of the creative is finished.
    case request(StageRequest)
    /// The creative did something that tools list.
    case activity(StageActivity)
}

/// Something that a creative did, as tools list it: a console message, a call of MRAID, a long task.
public struct StageActivity: Hashable, Sendable {
    package let activity: CreativeActivity

    package init(_ activity: CreativeActivity) { self.activity = activity }

    /// The activity's name in `--json`.
    public var name: String { self.activity.row.name }
}

/// A finished request of a creative.
public struct StageRequest: Hashable, Sendable {
    /// The outcome of a request.
    public enum Outcome: Hashable, Sendable {
        /// A response was received.
        case answered(status: Int, type: String?, bytes: Int)
        /// The request failed.
        case failed(Failure)
    }

    /// Why a request failed.
    public enum Failure: Hashable, Sendable {
        /// The page cancelled it, or it was a navigation that is not allowed.
        case cancelled
        /// The stage blocked it; a blocked attempt is reported too.
        case blockedByStage
        /// A rule of the browser engine blocked it.
        case refused(Rule)
        /// Another reason, as the engine words it, for example `net::ERR_NAME_NOT_RESOLVED`.
        case other(String)
    }

    /// A rule by which a browser engine blocks requests.
    public enum Rule: Hashable, Sendable {
        /// An https page can't load subresources over http (W3C Mixed Content).
        case mixedContent
        /// The Content-Security-Policy of the creative's own document (W3C Content Security Policy Level 3).
        case contentSecurityPolicy
        /// Another rule, by the engine's name of it.
        case other(String)

        /// The rule's name in reports.
        public var name: String {
            switch self {
            case .mixedContent: "mixed-content"
            case .contentSecurityPolicy: "csp"
            case .other(let name): name
            }
        }
    }

    /// The URL, redacted.
    public let url: String
    /// The HTTP method.
    public let method: String
    /// What was requested, for example `Image`, `Script` or `Fetch`.
    public let kind: String
    /// The start, relative to the start of the stage.
    public let start: Duration
    /// The duration.
    public let length: Duration
    /// The outcome.
    public let outcome: Outcome
}
