import AdCore
import AdRuntime

/// What a round asks for: a placement of one provider, whichever that is.
///
/// One wish is one loader, which remembers what its provider wants remembered from round to round.
struct Wish: Sendable {
    /// What is asked for, in words.
    let name: String
    let services: AdServices
    /// An ad that is not loaded yet, and what else is served with it.
    let ads: @Sendable () -> (first: Ad, others: @Sendable () async -> [Ad])
    /// The exact request.
    let request: @Sendable () async throws(AdError) -> HTTPRequest

    /// A placement; with `all`, everything that is served for it at once.
    init<Placement: Sendable>(_ name: String, _ loader: AdLoader<Placement>, _ placement: Placement, all: Bool = false)
    {
        self.name = name
        self.services = loader.services
        self.ads = { all ? loader.list(for: placement) : (loader.ad(for: placement), { [] }) }
        self.request = { () async throws(AdError) in try await loader.request(for: placement) }
    }
}
