public import AdCore
import SystemSupport

/// Loads ads from one provider.
///
/// ```swift
/// let loader = AdLoader(provider, services: services)
/// let ad = try await loader.load(placement)
/// try await ad.show(on: presenter)
/// ```
public struct AdLoader<Placement: Sendable>: Sendable {
    /// The services that this loader shares with others.
    public var services: AdServices { self.pipeline.context.services }
    /// The provider that ads are requested from.
    public var provider: ProviderName { self.pipeline.context.provider }

    private let pipeline: any OfferLoading<Placement>
    /// What its ads share.
    var context: ProviderContext { self.pipeline.context }

    /// Creates a loader for a provider's placements.
    ///
    /// Copies of a loader share its cache; two loaders of one provider share none.
    public init(_ provider: some AdProvider<Placement>, services: AdServices) {
        let pipeline = OfferPipeline(provider, services: services)
        self.pipeline = provider.sendsBids ? BidderLoading(pipeline: pipeline) : pipeline
    }

    /// Creates a loader for offers of another kind.
    init(_ pipeline: any OfferLoading<Placement>) { self.pipeline = pipeline }

    /// The offers for a placement as an auction's participant.
    func bidSource(for placement: Placement) -> BidSource { self.pipeline.bidSource(for: placement) }

    /// Creates a loader for a provider whose server serves a document, which errors name.
    package init(_ provider: some AdProvider<Placement>, serving document: String, services: AdServices) {
        let pipeline = OfferPipeline(provider, services: services, document: document)
        self.pipeline = provider.sendsBids ? BidderLoading(pipeline: pipeline) : pipeline
    }

    /// Creates a loader for a response that was read before, which sends no requests.
    package init(_ response: StoredResponse<Placement>, services: AdServices) {
        self.pipeline = OfferPipeline(response, services: services, document: response.document, stored: response)
    }

    /// Loads an ad, or throws the reason why there is none.
    ///
    /// Cancelling the task ends the load.
    public func load(_ placement: Placement) async throws(AdError) -> Ad {
        let ad = self.ad(for: placement)
        try await ad.load()
        return ad
    }

    /// Loads all ads of one response for a placement, in the provider's order, or throws the reason why there is none.
    ///
    /// Each ad has its own view and click. An ad that fails to load is left out, unless it is the first one.
    public func loadAll(_ placement: Placement) async throws(AdError) -> [Ad] {
        let list = self.list(for: placement)
        try await list.first.load()
        let ads = [list.first] + (await list.others())
        // A cancelled load returns no partial list.
        if Task.isCancelled { throw AdError(.cancelled, "the load was cancelled", at: .init(provider: self.provider)) }
        return ads
    }

    /// All ads of one response: the first, which sends the request when it is loaded, and then the others.
    package func list(for placement: Placement) -> (first: Ad, others: @Sendable () async -> [Ad]) {
        let loaded = Locked<LoadMachine.Loaded?>(nil)
        let first = self.ad(for: placement, .offer) { new in loaded.withLock { $0 = new } }
        return (first, { await self.others(loaded.withLock { $0 }, for: placement) })
    }

    private func others(_ loaded: LoadMachine.Loaded?, for placement: Placement) async -> [Ad] {
        guard let loaded else { return [] }
        var ads: [Ad] = []
        for candidate in loaded.rest {
            let ad = self.ad(for: placement, .candidate(candidate, at: loaded.place))
            // An ad that can't be loaded reports so in its events.
            if (try? await ad.load()) != nil { ads.append(ad) }
        }
        return ads
    }

    /// Requests an ad ahead of time and returns whether the response is cached for the next load of this placement.
    ///
    /// Sends no request when the provider's responses may not be cached.
    @discardableResult
    public func prefetch(_ placement: Placement) async throws(AdError) -> Bool {
        self.services.clock.workStarted()
        defer { self.services.clock.workEnded() }
        guard
            case .prefetched(let isKept) = try await self.pipeline.load(.prefetch, for: placement, by: .init(), to: nil)
        else {
            return false
        }
        return isKept
    }

    /// Creates an ad without loading it, so that a host can observe its events from the first one on.
    public func ad(for placement: Placement) -> Ad {
        self.ad(for: placement, .offer)
    }

    /// The exact request that a load would send now.
    public func request(for placement: Placement) async throws(AdError) -> AdHTTPRequest {
        self.services.clock.workStarted()
        defer { self.services.clock.workEnded() }
        return try await self.pipeline.request(for: placement)
    }

    private func ad(
        for placement: Placement,
        _ goal: LoadMachine.Goal,
        onLoaded: @escaping @Sendable (LoadMachine.Loaded) -> Void = { _ in }
    ) -> Ad {
        let pipeline = self.pipeline
        let source = Ad.OfferSource { (ad) async throws(AdError) -> Offer in
            guard case .offer(let loaded) = try await pipeline.load(goal, for: placement, by: .init(), to: ad) else {
                preconditionFailure("A load for an offer ended as a prefetch.")
            }
            let reservation = loaded.reservation.flatMap { pipeline.reservation(of: $0) }
            // A released ad holds no offer, so its reservation ends here.
            if let reservation { ad.parts.withLock { if !$0.isReleased { $0.reservation = reservation } } }
            onLoaded(loaded)
            return loaded.offer
        }
        let name = pipeline.placementName(of: placement)
        return Ad(id: AdID(bits: self.services.random()), pipeline.context, placementName: name, source: source)
    }
}
