import AdCore
import AdRuntime

/// A repeatable request for ads of one provider.
///
/// It keeps one loader, so that the provider's state persists between ads.
struct AdRequest: Sendable {
    /// The unit, or the kind of ad, for output.
    let name: String
    /// A new ad that is not loaded yet, and the other ads of the same response.
    let ads: @Sendable () -> (first: Ad, others: @Sendable () async -> [Ad])
    /// The exact HTTP request.
    let httpRequest: @Sendable () async throws(AdError) -> AdHTTPRequest
    /// The message for a failed load.
    let explanation: @Sendable (AdError) -> String

    /// A request for a placement.
    ///
    /// A list loads all ads of the response, and otherwise only the first.
    init<Placement: Sendable>(
        _ name: String,
        _ loader: AdLoader<Placement>,
        _ placement: Placement,
        isList: Bool = false,
        explanation: @escaping @Sendable (AdError) -> String
    ) {
        self.name = name
        self.ads = { isList ? loader.list(for: placement) : (loader.ad(for: placement), { [] }) }
        self.httpRequest = { () async throws(AdError) in try await loader.request(for: placement) }
        self.explanation = explanation
    }
}
