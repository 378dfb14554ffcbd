/// A notification for observers of a stage.
public enum StageNotification: Hashable, Sendable {
    /// The stage has started; request times are relative to this moment.
    case started
    /// A request of the creative is finished.
    case request(StageRequest)
}

/// A finished request of a creative.
public struct StageRequest: Hashable, Sendable {
    /// The outcome of a request.
    public enum Outcome: Hashable, Sendable {
        /// A response was received.
        case answered(status: Int, type: String?, bytes: Int)
        /// The request failed; the reason.
        case failed(String)
        /// The request was blocked; the rule.
        case blocked(String)
    }

    /// The URL, redacted.
    public let url: String
    /// The HTTP method.
    public let method: String
    /// The resource type as in DevTools, for example `Image`.
    public let kind: String
    /// The start, relative to the start of the stage.
    public let start: Duration
    /// The duration.
    public let length: Duration
    /// The outcome.
    public let outcome: Outcome
}
