import AdCore
import AdRuntime

/// A request for ads of one provider, which can be made several times.
///
/// It keeps one loader, so that the provider remembers from one ad to the next what its rules need.
struct AdRequest: Sendable {
    /// What is asked for, as it is printed: a unit, or the kind of ad.
    let name: String
    /// A new ad that is not loaded yet, and the others that are served with it.
    let ads: @Sendable () -> (first: Ad, others: @Sendable () async -> [Ad])
    /// The exact HTTP request.
    let httpRequest: @Sendable () async throws(AdError) -> AdHTTPRequest
    /// The message for a failed load.
    let explanation: @Sendable (AdError) -> String

    /// A request for a placement; a list loads everything that is served for it, and otherwise the first ad alone.
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
