public import AdCore
public import AdProviders
public import AdRuntime

/// AttentionMarket in its own words: a card that suits what the user has just asked.
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

    /// A client with these keys; the API key is never written down.
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

    /// A card for a message; nil where there is none.
    ///
    /// A card that was asked ahead, or was not shown, waits a minute for the same question; one that somebody holds, or
    /// that was shown, serves nobody else.
    public func getAd(
        userMessage: String,
        conversationHistory: [String]? = nil,
        placement: String = AttentionMarketPlacement.standardPlacement
    ) async throws(AdError) -> Ad? {
        try await self.loader.loadIfAny(Self.moment(userMessage, conversationHistory, placement))
    }

    /// Cards for several moments at once, in their order: for each a card, nil where there is none, or why it failed.
    ///
    /// A few requests at a time go out side by side.
    public func getAds(_ moments: [AttentionMarketPlacement]) async -> [Result<Ad?, AdError>] {
        await withTaskGroup(of: (Int, Result<Ad?, AdError>).self) { group in
            var results = Array(repeating: Result<Ad?, AdError>.success(nil), count: moments.count)
            for (index, moment) in moments.enumerated() {
                if index >= AttentionMarket.sideBySide, let (done, result) = await group.next() {
                    results[done] = result
                }
                group.addTask { (index, await self.result(of: moment)) }
            }
            for await (done, result) in group { results[done] = result }
            return results
        }
    }

    /// How many requests go out at a time.
    private static let sideBySide = 4

    private func result(of moment: AttentionMarketPlacement) async -> Result<Ad?, AdError> {
        do throws(AdError) {
            return .success(try await self.loader.loadIfAny(moment))
        } catch {
            return .failure(error)
        }
    }

    /// Asks ahead for a message that is likely to come, on Wi-Fi only; says whether a card waits for it.
    @discardableResult
    public func prefetch(
        userMessage: String,
        conversationHistory: [String]? = nil,
        placement: String = AttentionMarketPlacement.standardPlacement
    ) async throws(AdError) -> Bool {
        let services = self.loader.services
        guard (services.context.known.network ?? services.beacons.network) == .wifi else { return false }
        return try await self.loader.prefetch(Self.moment(userMessage, conversationHistory, placement))
    }

    private static func moment(
        _ message: String,
        _ history: [String]?,
        _ placement: String
    ) -> AttentionMarketPlacement {
        AttentionMarketPlacement(userMessage: message, conversationHistory: history ?? [], placement: placement)
    }

    /// Tells of a click on a card that the app shows by itself; ads that are shown on a presenter tell of theirs.
    ///
    /// It is written down before this returns, and told once for each token, however often this is called.
    public func trackClick(trackingToken: String) async throws(AdError) {
        guard !trackingToken.trimmed.isEmpty else {
            throw AdError(.invalidRequest, "the tracking token is empty; give the one that came with the ad")
        }
        try self.provider.keys.check()
        await self.loader.tell(try self.provider.click(trackingToken))
    }
}
