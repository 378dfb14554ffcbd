/// How long an answer may be kept and used again, and what of it.
public struct CachePolicy: Hashable, Sendable {
    /// For how long.
    public let duration: Duration
    /// Whether an ad that was shown may be served once more.
    public let includesShown: Bool

    /// Kept for so long.
    public init(_ duration: Duration, includesShown: Bool) {
        self.duration = max(.zero, duration)
        self.includesShown = includesShown
    }
}
