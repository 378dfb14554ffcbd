import AdCore
import AdProviders
import AdRuntime
import PlayConsole
import SandboxSSP
import YabbiAds

// The participants of an auction.

extension RunContext {
    /// A bidder as a participant: one with a price set by hand, one whose answers bring prices, or one without a price.
    func participant(
        _ bidder: BidderOption,
        unit named: String?,
        _ format: AdFormat?
    ) throws(PlayError) -> AdAuction.Participant {
        // Bidders accept any unit; the placements of the built-in server are its creatives.
        let unit = bidder.unit ?? named ?? "auction"
        let creative = bidder.unit ?? named ?? self.origin.unit(of: format ?? .banner) ?? unit
        let (services, guarantee) = (self.services, self.options.guarantee)
        switch bidder.server {
        case .url(let url): return self.exchange(url, bidder, unit, format)
        case .sandbox(Sandbox.prebidName):
            let stored = format == nil || format == .banner ? Sandbox.storedBanner : Sandbox.storedVideo
            let endpoint = try self.origin.endpoint(Sandbox.prebidPath)
            return self.exchange(endpoint, bidder, unit, format, stored: stored)
        case .sandbox(let name):
            return self.exchange(try self.origin.endpoint(Sandbox.bidderPath + name), bidder, unit, format)
        case .provider(.openrtb):
            return self.exchange(
                try self.origin.endpoint(PlacementQuery.Language.openrtb.path),
                bidder,
                creative,
                format
            )
        case .provider(.attentionmarket), .provider(.ceedads), .provider(.activeads), .provider(.smartico):
            return try self.cards(bidder)
        case .provider(.yabbi):
            let endpoint = try self.origin.endpoint(PlacementQuery.Language.yabbi.path)
            let provider = YabbiProvider(endpoint: endpoint, app: self.plan.app.app, guarantee: guarantee)
            return self.direct(AdLoader(provider, services: services), self.placement(creative, format), bidder)
        }
    }

    private func cards(_ bidder: BidderOption) throws(PlayError) -> AdAuction.Participant {
        let guarantee = self.options.guarantee
        let base = try self.origin.endpoint(CardQuery.activeAds(.feed).path)
        switch bidder.server {
        case .provider(.attentionmarket):
            let placement = AttentionMarketPlacement(userMessage: "which fern should I buy?")
            guard case .attentionMarket(let keys, _, _) = CardQuery.testing(placement) else { break }
            let provider = AttentionMarketProvider(keys: keys, base: base, guarantee: guarantee)
            return self.direct(AdLoader(provider, services: self.services), placement, bidder)
        case .provider(.ceedads):
            let placement = CeedAdsPlacement(
                conversationID: "auction",
                messageID: "1",
                contextText: "I want to learn English before my journey"
            )
            let query = CardQuery.testing(placement)
            guard case .ceedAds(let app, _) = query else { break }
            let base = try self.origin.endpoint(query.path)
            let provider = CeedAdsProvider(app: app, base: base, guarantee: guarantee)
            return self.direct(AdLoader(provider, services: self.services), placement, bidder)
        default: break
        }
        let provider = ActiveAdsProvider(base: base, guarantee: guarantee)
        return self.direct(AdLoader(provider, services: self.services), .feed, bidder)
    }

    private func exchange(
        _ url: HTTPURL,
        _ bidder: BidderOption,
        _ unit: String,
        _ format: AdFormat?,
        stored: String? = nil
    ) -> AdAuction.Participant {
        var additions = RequestAdditions()
        additions.storedImpressionID = bidder.stored ?? stored
        let loader = AdLoader.openRTB(
            url,
            app: self.plan.app.app,
            services: self.services,
            additions: additions,
            guarantee: self.options.guarantee
        )
        let placement = self.placement(unit, format)
        guard bidder.price == nil else { return self.direct(loader, placement, bidder) }
        return .bidder(
            loader,
            placement,
            name: bidder.name,
            priority: bidder.priority,
            floor: bidder.floor,
            timeout: bidder.timeout.map(self.plan.scaled)
        )
    }

    /// A participant with the price that is set by hand, or without one.
    private func direct<Placement>(
        _ loader: AdLoader<Placement>,
        _ placement: Placement,
        _ bidder: BidderOption
    ) -> AdAuction.Participant {
        let timeout = bidder.timeout.map(self.plan.scaled)
        if let price = bidder.price {
            return .priced(
                loader,
                placement,
                at: price,
                name: bidder.name,
                priority: bidder.priority,
                timeout: timeout
            )
        }
        return .unpriced(loader, placement, name: bidder.name, priority: bidder.priority, timeout: timeout)
    }
}
