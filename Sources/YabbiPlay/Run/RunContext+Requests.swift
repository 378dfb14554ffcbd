import AdCore
import AdLint
import AdMarkup
import AdProviders
import AdRuntime
import PlayConsole

// Ad requests, by provider.

extension RunContext {
    /// A placement of YABBI or OpenRTB.
    func request(for query: PlacementQuery) throws(PlayError) -> AdRequest {
        let unit = try self.origin.unit(query.unit, for: self.plan.command)
        let placement = self.placement(unit, query.format)
        let language = try self.origin.language(requested: query.language)
        let endpoint = try self.origin.endpoint(language?.path ?? "")
        let (app, guarantee) = (self.plan.app, self.options.guarantee)
        switch language {
        case nil:
            let tag = TagProvider(address: endpoint, bundle: app.bundle, guarantee: guarantee)
            return self.request(unit, tag, placement, query.format)
        case .yabbi:
            let provider = YabbiProvider(endpoint: endpoint, app: app.app, guarantee: guarantee)
            return self.anySlot(unit, provider, placement, query.format)
        case .openrtb:
            let provider = YabbiRTBProvider(endpoint: endpoint, app: app.app, guarantee: guarantee)
            return self.anySlot(unit, provider, placement, query.format)
        }
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

    /// A request for the chosen format.
    ///
    /// Without one the response decides.
    private func anySlot<Provider: AdProvider>(
        _ unit: String,
        _ provider: Provider,
        _ placement: YabbiPlacement,
        _ format: AdFormat?
    ) -> AdRequest where Provider.Placement == YabbiPlacement, Provider.Memory == NoMemory {
        guard format == nil else { return self.request(unit, provider, placement, format) }
        return self.request(unit, AnySlotProvider(base: provider), placement, format)
    }

    private func request<Provider: AdProvider>(
        _ name: String,
        _ provider: Provider,
        _ placement: Provider.Placement,
        _ format: AdFormat? = nil,
        isList: Bool = false
    ) -> AdRequest {
        let loader = AdLoader(provider, services: self.services)
        return AdRequest(name, loader, placement, isList: isList) { [origin] error in
            origin.explanation(of: error, unit: name, format: format)
        }
    }

    private func placement(_ unit: String, _ format: AdFormat?) -> YabbiPlacement {
        switch format ?? self.origin.format(of: unit) {
        case .interstitial: .interstitial(unit: unit)
        case .rewarded: .rewarded(unit: unit)
        case .banner, .card, .engagement: .banner(unit: unit, size: self.options.container)
        }
    }
}
