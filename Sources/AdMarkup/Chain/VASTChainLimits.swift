/// Limits of wrapper resolution.
public struct VASTChainLimits: Hashable, Sendable {
    /// The most wrappers around one ad; five by default (VAST 4.3 §2.3.5).
    public var hops = 5
    /// The most requests in all.
    public var requests = 30
    /// The most open requests at a time.
    public var parallel = 6
    /// The time limit of each request.
    public var hopTime = Duration.seconds(5)

    /// The default limits.
    public static let standard = VASTChainLimits()

    /// Creates the default limits.
    public init() {}
}
