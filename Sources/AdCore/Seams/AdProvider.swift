/// Speaks one ad server's language.
///
/// Pure: two functions, no network, no clock.
///
/// ```swift
/// struct MyProvider: AdProvider {
///     let name: ProviderName = "mine"
///     let url: HTTPURL
///
///     func request(for placement: String, in context: AdContext) -> AdHTTPRequest { AdHTTPRequest(.get, self.url) }
///     func offers(from response: AdHTTPResponse, for placement: String, in context: AdContext) -> OfferBatch { .noFill }
/// }
/// ```
public protocol AdProvider<Placement>: Sendable {
    /// What the provider must know to choose an ad.
    associatedtype Placement: Sendable

    /// The provider's name in events, errors and traces.
    var name: ProviderName { get }
    /// Where a click's link is opened.
    var openMode: LinkOpenMode { get }
    /// The request that asks for an ad.
    func request(for placement: Placement, in context: AdContext) throws(AdError) -> AdHTTPRequest
    /// The offers in an answer. None is no fill; what can't be used is an error that says why.
    func offers(
        from response: AdHTTPResponse,
        for placement: Placement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch

    /// What a loader remembers from one load to the next, where the provider's rules need that.
    associatedtype Memory: Sendable = NoMemory
    /// What there is to remember at the beginning.
    var memory: Memory { get }
    /// Why nothing is asked now; nil where it is.
    func refusal(for placement: Placement, with memory: Memory, at now: Moment) -> AdError?
    /// Remembers what an answer brought, or why nothing in it can be used.
    func remember(
        _ answer: Result<OfferBatch, AdError>,
        for placement: Placement,
        in memory: inout Memory,
        at now: Moment
    )
    /// How long an answer may be kept and used again, and what of it; nil where each load asks for itself.
    func cachePolicy(in context: AdContext) -> CachePolicy?
    /// Which of an answer's proposals are served, by their places, best first; asked where there are several.
    func choice(
        among proposals: [Proposal],
        for placement: Placement,
        random: inout some RandomNumberGenerator
    ) -> [Int]
    /// How often a request is sent.
    var retries: RetryPolicy { get }
    /// The secrets that its beacons need, by their names: a loader puts them where beacons look for them.
    var credentials: [CredentialName: String] { get }
}

/// Nothing to remember.
public struct NoMemory: Hashable, Sendable {
    /// Nothing.
    public init() {}
}

extension AdProvider {
    /// The user's own browser.
    public var openMode: LinkOpenMode { .systemBrowser }
    /// Nothing is refused.
    public func refusal(for placement: Placement, with memory: Memory, at now: Moment) -> AdError? { nil }
    /// Nothing is remembered.
    public func remember(
        _ answer: Result<OfferBatch, AdError>,
        for placement: Placement,
        in memory: inout Memory,
        at now: Moment
    ) {}
    /// Each load asks for itself.
    public func cachePolicy(in context: AdContext) -> CachePolicy? { nil }
    /// All of them, in the server's order.
    public func choice(
        among proposals: [Proposal],
        for placement: Placement,
        random: inout some RandomNumberGenerator
    ) -> [Int] { Array(proposals.indices) }
    /// Once.
    public var retries: RetryPolicy { .once }
    /// None.
    public var credentials: [CredentialName: String] { [:] }
}

extension AdProvider where Memory == NoMemory {
    /// Nothing.
    public var memory: NoMemory { NoMemory() }
}
