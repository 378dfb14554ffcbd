public import AdCore
public import AdProviders
public import AdRuntime

/// The client of AttentionMarket: a card that matches what the user has just asked.
///
/// ```swift
/// let market = AttentionMarket(apiKey: "…", agentId: "…", supabaseAnonKey: "…", services: services)
/// if let ad = try await market.getAd(userMessage: message, conversationHistory: history.messages) {
///     try await ad.show(on: presenter)
/// }
/// ```
public struct AttentionMarket: Sendable {
    private let provider: AttentionMarketProvider
    private let loader: AdLoader<AttentionMarketPlacement>

    /// Creates a client with these keys; the API key is never recorded.
    public init(
        apiKey: String,
        agentId: String,
        supabaseAnonKey: String,
        baseURL: HTTPURL = AttentionMarketProvider.standardBase,
        device: AttentionMarketDevice = .ios,
        allowedSchemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce,
        services: AdServices
    ) {
        let keys = AttentionMarketKeys(apiKey: apiKey, agentID: agentId, anonKey: supabaseAnonKey)
        self.provider = AttentionMarketProvider(
            keys: keys,
            base: baseURL,
            device: device,
            allowedSchemes: allowedSchemes,
            guarantee: guarantee
        )
        self.loader = AdLoader(self.provider, services: services)
    }

    /// Loads a card for a message; nil if there is none.
    ///
    /// A card that was prefetched, or loaded and not shown, is returned for the same message within a minute, unless an
    /// `Ad` holds it or it was shown.
    public func getAd(
        userMessage: String,
        conversationHistory: [String]? = nil,
        placement: String = AttentionMarketPlacement.standardPlacement
    ) async throws(AdError) -> Ad? {
        try await self.loader.loadIfAny(Self.makePlacement(userMessage, conversationHistory, placement))
    }

    /// Loads cards for several messages, in their order: for each a card, nil if there is none, or the error.
    ///
    /// Four requests run at a time.
    public func getAds(_ placements: [AttentionMarketPlacement]) async -> [Result<Ad?, AdError>] {
        await withTaskGroup(of: (Int, Result<Ad?, AdError>).self) { group in
            var results = Array(repeating: Result<Ad?, AdError>.success(nil), count: placements.count)
            for (index, placement) in placements.enumerated() {
                if index >= AttentionMarket.maxConcurrentRequests, let (done, result) = await group.next() {
                    results[done] = result
                }
                group.addTask { (index, await self.result(of: placement)) }
            }
            for await (done, result) in group { results[done] = result }
            return results
        }
    }

    private static let maxConcurrentRequests = 4

    private func result(of placement: AttentionMarketPlacement) async -> Result<Ad?, AdError> {
        do throws(AdError) {
            return .success(try await self.loader.loadIfAny(placement))
        } catch {
            return .failure(error)
        }
    }

    /// Loads a card for a message that is likely to come, on Wi-Fi only, and returns whether there is one.
    @discardableResult
    public func prefetch(
        userMessage: String,
        conversationHistory: [String]? = nil,
        placement: String = AttentionMarketPlacement.standardPlacement
    ) async throws(AdError) -> Bool {
        let services = self.loader.services
        guard (services.context.known.network ?? services.beacons.network) == .wifi else { return false }
        return try await self.loader.prefetch(Self.makePlacement(userMessage, conversationHistory, placement))
    }

    private static func makePlacement(
        _ message: String,
        _ history: [String]?,
        _ placement: String
    ) -> AttentionMarketPlacement {
        AttentionMarketPlacement(userMessage: message, conversationHistory: history ?? [], placement: placement)
    }

    /// Records a click on a card that the app shows without a presenter; an ad on a presenter records its own.
    ///
    /// The beacon is recorded when this returns, once per token, however often this is called.
    public func trackClick(trackingToken: String) async throws(AdError) {
        guard !trackingToken.trimmed.isEmpty else {
            throw AdError(.invalidRequest, "the tracking token is empty; use the one in the ad")
        }
        try self.provider.keys.check()
        await self.loader.record(try self.provider.click(trackingToken))
    }
}
