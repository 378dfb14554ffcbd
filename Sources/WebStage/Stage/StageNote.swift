/// What a stage tells observers, besides what it reports to the ad.
public enum StageNote: Hashable, Sendable {
    /// Its stage has begun to work; times of requests are counted from here.
    case began
    /// The creative, or the browser for it, asked a server for something.
    case request(StageRequest)
}

/// A request of a creative, when it is over.
public struct StageRequest: Hashable, Sendable {
    /// What became of it.
    public enum Outcome: Hashable, Sendable {
        /// An answer came.
        case answered(status: Int, type: String?, bytes: Int)
        /// None came, and why.
        case failed(String)
        /// A rule blocked it.
        case blocked(String)
    }

    /// Where it went.
    public let url: String
    /// As in `GET`.
    public let method: String
    /// What the browser requested it for, as in `Image`.
    public let kind: String
    /// When it began, since the stage did.
    public let start: Duration
    /// How long it took.
    public let length: Duration
    /// What became of it.
    public let outcome: Outcome
}
