import AdCore
import AdLint
import AdMarkup
import AdProviders
import AdRuntime
import PlayConsole

/// What a run loads.
enum RequestedAds: Sendable {
    case request(AdRequest)
    /// Ads that a server pushes.
    case session(EngagementPlan)
}

// Ad requests, by provider.

extension RunContext {
    /// The ads of a query, from the origin of this run.
    func ads(for query: AdQuery) throws(PlayError) -> RequestedAds {
        switch query {
        case .placement(let query): .request(try self.request(for: query))
        case .cards(let query, _, _): .request(try self.request(for: query))
        case .engagement(let options): .session(try EngagementPlan(options, self))
        }
    }

    /// A placement of YABBI or OpenRTB.
    func request(for query: PlacementQuery) throws(PlayError) -> AdRequest {
        let unit = try self.origin.unit(query.unit, for: self.plan.command)
        let loader = try self.origin.loader(for: query, in: self)
        return self.request(unit, loader, self.placement(unit, query.format), query.format)
    }

    /// Cards of a provider's API.
    func request(for query: CardQuery) throws(PlayError) -> AdRequest {
        let base = try self.origin.endpoint(query.path)
        let guarantee = self.options.guarantee
        switch query {
        case .attentionMarket(let keys, let platform, let placement):
            let device = AttentionMarketDevice(platform: platform)
            let provider = AttentionMarketProvider(keys: keys, base: base, device: device, guarantee: guarantee)
            return self.request("card", provider, placement)
        case .ceedAds(let app, let placement):
            return self.request("card", CeedAdsProvider(app: app, base: base, guarantee: guarantee), placement)
        case .activeAds(let placement):
            let provider = ActiveAdsProvider(base: base, guarantee: guarantee)
            return self.request(placement.rawValue, provider, placement, isList: true)
        }
    }

    private func request<Provider: AdProvider>(
        _ name: String,
        _ provider: Provider,
        _ placement: Provider.Placement,
        isList: Bool = false
    ) -> AdRequest { self.request(name, AdLoader(provider, services: self.services), placement, isList: isList) }

    private func request<Placement>(
        _ name: String,
        _ loader: AdLoader<Placement>,
        _ placement: Placement,
        _ format: AdFormat? = nil,
        isList: Bool = false
    ) -> AdRequest {
        AdRequest(name, loader, placement, isList: isList) { [origin] error in
            origin.explanation(of: error, unit: name, format: format)
        }
    }

    func placement(_ unit: String, _ format: AdFormat?) -> YabbiPlacement {
        switch format ?? self.origin.format(of: unit) {
        case .interstitial: .interstitial(unit: unit)
        case .rewarded: .rewarded(unit: unit)
        case .banner, .card, .engagement: .banner(unit: unit, size: self.options.container)
        }
    }
}
