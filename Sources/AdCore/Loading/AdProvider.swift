/// Translates between the runtime and one ad server: builds its requests and reads its responses.
///
/// A provider is a value without I/O and without a clock.
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
    /// The provider's parameters of an ad request.
    associatedtype Placement: Sendable

    /// The provider's name in events, errors and traces.
    var name: ProviderName { get }
    /// Where click-through URLs are opened.
    var openMode: LinkOpenMode { get }
    /// The placement's name, by which frequency caps count its views; nil if it has none.
    func placementName(of placement: Placement) -> String?
    /// Builds the ad request.
    func request(for placement: Placement, in context: AdContext) throws(AdError) -> AdHTTPRequest
    /// Parses the offers of a response: none means no fill, and an unusable response is an error.
    func offers(
        from response: AdHTTPResponse,
        for placement: Placement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch

    /// State that the loader keeps between loads, for providers whose rules need it.
    associatedtype Memory: Sendable = NoMemory
    /// The initial memory.
    var memory: Memory { get }
    /// Refuses a load without a request, such as during a cooldown; nil to send the request.
    func refusal(for placement: Placement, with memory: Memory, at now: Moment) -> AdError?
    /// Updates the memory after a response.
    func remember(
        _ result: Result<OfferBatch, AdError>,
        for placement: Placement,
        in memory: inout Memory,
        at now: Moment
    )
    /// How responses are cached; nil if each load sends its own request.
    func cachePolicy(in context: AdContext) -> CachePolicy?
    /// Chooses among several proposals of a response: the indices of those to serve, best first.
    func choice(
        among proposals: [Proposal],
        for placement: Placement,
        random: inout some RandomNumberGenerator
    ) -> [Int]
    /// How often a failed request is sent again.
    var retries: RetryPolicy { get }
    /// Whether its offers are bids, whose bidders are told who won; their responses are not cached.
    var sendsBids: Bool { get }
    /// The secrets of its beacons by name; the loader adds them to the credentials.
    var credentials: [CredentialName: String] { get }
}

/// The memory of a provider without one.
public struct NoMemory: Hashable, Sendable {
    /// Creates an empty memory.
    public init() {}
}

extension AdProvider {
    /// Opens links in the system's browser.
    public var openMode: LinkOpenMode { .systemBrowser }
    /// No name: views of the placement are not counted.
    public func placementName(of placement: Placement) -> String? { nil }
    /// Refuses nothing.
    public func refusal(for placement: Placement, with memory: Memory, at now: Moment) -> AdError? { nil }
    /// Remembers nothing.
    public func remember(
        _ result: Result<OfferBatch, AdError>,
        for placement: Placement,
        in memory: inout Memory,
        at now: Moment
    ) {}
    /// Caches nothing.
    public func cachePolicy(in context: AdContext) -> CachePolicy? { nil }
    /// Chooses all proposals in the server's order.
    public func choice(
        among proposals: [Proposal],
        for placement: Placement,
        random: inout some RandomNumberGenerator
    ) -> [Int] { Array(proposals.indices) }
    /// Sends each request once.
    public var retries: RetryPolicy { .once }
    /// Its offers are no bids.
    public var sendsBids: Bool { false }
    /// Has no secrets.
    public var credentials: [CredentialName: String] { [:] }
}

extension AdProvider where Memory == NoMemory {
    /// An empty memory.
    public var memory: NoMemory { NoMemory() }
}
