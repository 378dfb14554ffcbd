/// Speaks one ad server's language.
///
/// Pure: two functions, no network, no clock.
///
/// ```swift
/// struct MyProvider: AdProvider {
///     let name: ProviderName = "mine"
///     func request(for placement: String, in context: AdContext) throws(AdError) -> HTTPRequest { … }
///     func offers(from response: HTTPResponse, for placement: String, in context: AdContext) throws(AdError)
///         -> OfferBatch { … }
/// }
/// ```
public protocol AdProvider<Placement>: Sendable {
    /// What the provider must know to choose an ad.
    associatedtype Placement: Sendable

    /// The provider's name in events, errors and traces.
    var name: ProviderName { get }
    /// Where a click's link is opened.
    var openMode: OpenMode { get }
    /// The request that asks for an ad.
    func request(for placement: Placement, in context: AdContext) throws(AdError) -> HTTPRequest
    /// The offers in an answer. None is no fill; what can't be used is an error that says why.
    func offers(
        from response: HTTPResponse,
        for placement: Placement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch
}

extension AdProvider {
    /// The user's own browser.
    public var openMode: OpenMode { .systemBrowser }
}
