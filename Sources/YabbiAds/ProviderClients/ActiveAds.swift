public import AdCore
import AdProviders
public import AdRuntime

/// ActiveAds in its own words: the same campaigns for everybody, in a feed, in a carousel or by themselves.
///
/// ```swift
/// let ads = ActiveAds(baseURL: base, services: services)
/// let rows = ActiveAdsPlacement.feedRule.rows(of: posts, with: try await ads.feed())
/// ```
public struct ActiveAds: Sendable {
    private let provider: ActiveAdsProvider
    private let loader: AdLoader<ActiveAdsPlacement>

    /// A client of the functions at an address, up to `/functions/v1`.
    public init(
        baseURL: HTTPURL,
        allowedSchemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce,
        services: AdServices
    ) {
        self.provider = ActiveAdsProvider(base: baseURL, allowedSchemes: allowedSchemes, guarantee: guarantee)
        self.loader = AdLoader(self.provider, services: services)
    }

    /// At most three cards for a feed, drawn at random where there are more; none where there is none.
    public func feed() async throws(AdError) -> [Ad] { try await self.all(.feed) }

    /// All cards of the carousel; none where there is none.
    public func banner() async throws(AdError) -> [Ad] { try await self.all(.banner) }

    /// One card by itself; nil where there is none.
    public func popup() async throws(AdError) -> Ad? { try await self.loader.loadIfAny(.popup) }

    /// Tells of a click on a card that the app shows by itself; ads that are shown on a presenter tell of theirs.
    ///
    /// It is written down before this returns.
    public func trackClick(campaignId: String) async throws(AdError) {
        guard !campaignId.trimmed.isEmpty else {
            throw AdError(.invalidRequest, "the campaign id is empty; give the one that came with the ad")
        }
        await self.loader.tell(try self.provider.click(campaignId))
    }

    private func all(_ placement: ActiveAdsPlacement) async throws(AdError) -> [Ad] {
        do throws(AdError) {
            return try await self.loader.loadAll(placement)
        } catch {
            guard error.code == .noFill else { throw error }
            return []
        }
    }
}
