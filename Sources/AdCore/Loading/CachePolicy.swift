/// How long a response is cached, and which of its ads are served from the cache.
public struct CachePolicy: Hashable, Sendable {
    /// How long the response is cached.
    public let duration: Duration
    /// Whether an ad that was shown may be served again.
    public let includesShown: Bool

    /// Creates a policy; a negative duration counts as zero.
    public init(_ duration: Duration, includesShown: Bool) {
        self.duration = max(.zero, duration)
        self.includesShown = includesShown
    }
}
