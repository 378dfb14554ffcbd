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
        doubt: BeaconCall.Doubt = .assumeDelivered,
        services: AdServices
    ) {
        let keys = AttentionMarketKeys(apiKey: apiKey, agentID: agentId, anonKey: supabaseAnonKey)
        self.provider = AttentionMarketProvider(
            keys: keys,
            base: baseURL,
            device: device,
            allowedSchemes: allowedSchemes,
            doubt: doubt
        )
        self.loader = AdLoader(self.provider, services: services)
    }

    /// A card for a message; nil where there is none.
    ///
    /// The same question is asked once a minute at most, and an ad that was shown is not served again for it.
    public func getAd(
        userMessage: String,
        conversationHistory: [String]? = nil,
        placement: String = AttentionMarketPlacement.standardPlacement
    ) async throws(AdError) -> Ad? {
        try await self.loader.loadIfAny(
            AttentionMarketPlacement(
                userMessage: userMessage,
                conversationHistory: conversationHistory ?? [],
                placement: placement
            )
        )
    }

    /// Cards for several moments at once, in their order; nil where there is none, for whatever reason.
    ///
    /// The requests go out side by side, and the same question goes out once.
    public func getAds(_ moments: [AttentionMarketPlacement]) async -> [Ad?] {
        var first: [AttentionMarketPlacement: Int] = [:]
        for (index, moment) in moments.enumerated() where first[moment] == nil { first[moment] = index }
        let asked = first.values.sorted()
        var ads = await withTaskGroup(of: (Int, Ad?).self, returning: [Ad?].self) { group in
            for index in asked { group.addTask { (index, try? await self.loader.load(moments[index])) } }
            return await group.reduce(into: Array(repeating: nil, count: moments.count)) { $0[$1.0] = $1.1 }
        }
        for (index, moment) in moments.enumerated() {
            // What was answered to the first one serves the others too.
            guard let leader = first[moment], leader != index, ads[leader] != nil else { continue }
            ads[index] = try? await self.loader.load(moment)
        }
        return ads
    }

    /// Asks ahead for a message that is likely to come, on Wi-Fi only; says whether a card waits for it.
    @discardableResult
    public func prefetch(
        userMessage: String,
        conversationHistory: [String]? = nil,
        placement: String = AttentionMarketPlacement.standardPlacement
    ) async throws(AdError) -> Bool {
        guard self.loader.services.beacons.network == .wifi else { return false }
        return try await self.loader.prefetch(
            AttentionMarketPlacement(
                userMessage: userMessage,
                conversationHistory: conversationHistory ?? [],
                placement: placement
            )
        )
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
