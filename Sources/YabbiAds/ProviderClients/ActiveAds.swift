public import AdCore
import AdProviders
public import AdRuntime

/// The client of ActiveAds: the same campaigns for all users, in a feed, in a carousel or as a popup.
///
/// ```swift
/// let ads = ActiveAds(baseURL: base, services: services)
/// let rows = ActiveAdsPlacement.feedRule.rows(of: posts, with: try await ads.feed())
/// ```
public struct ActiveAds: Sendable {
    private let provider: ActiveAdsProvider
    private let loader: AdLoader<ActiveAdsPlacement>

    /// Creates a client of the functions at a base URL that ends with `/functions/v1`.
    public init(
        baseURL: HTTPURL,
        allowedSchemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce,
        services: AdServices
    ) {
        self.provider = ActiveAdsProvider(base: baseURL, allowedSchemes: allowedSchemes, guarantee: guarantee)
        self.loader = AdLoader(self.provider, services: services)
    }

    /// At most three cards for a feed, chosen at random; empty if there is none.
    public func feed() async throws(AdError) -> [Ad] { try await self.all(.feed) }

    /// All cards of the carousel; empty if there is none.
    public func banner() async throws(AdError) -> [Ad] { try await self.all(.banner) }

    /// One card; nil if there is none.
    public func popup() async throws(AdError) -> Ad? { try await self.loader.loadIfAny(.popup) }

    /// Records a click on a card that the app shows without a presenter; an ad on a presenter records its own.
    ///
    /// The beacon is recorded when this returns.
    public func trackClick(campaignId: String) async throws(AdError) {
        guard !campaignId.trimmed.isEmpty else {
            throw AdError(.invalidRequest, "the campaign id is empty; use the one in the ad")
        }
        await self.loader.record(try self.provider.click(campaignId))
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
