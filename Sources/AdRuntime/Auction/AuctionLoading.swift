import AdCore

/// Loads offers by auctions.
struct AuctionLoading: OfferLoading {
    let context: ProviderContext

    init(services: AdServices) {
        self.context = ProviderContext(provider: "auction", openMode: .systemBrowser, services: services)
    }

    var auctionGoal: LoadMachine.Goal? { nil }

    /// The placements of its participants have names.
    func placementName(of placement: AdAuction) -> String? { nil }

    func request(for placement: AdAuction) async throws(AdError) -> AdHTTPRequest {
        throw AdError(.invalidRequest, "an auction sends a request for each participant; ask their loaders")
    }

    func load(
        _ goal: LoadMachine.Goal,
        for auction: AdAuction,
        by terms: AdContext.LoadTerms.Bids,
        to ad: Ad?
    ) async throws(AdError) -> LoadMachine.Outcome {
        // The responses of bidders may not be cached.
        guard let ad else { return .prefetched(false) }
        let rules = auction.participants.map(\.rules)
        let machine = try AuctionMachine(rules, floor: auction.floor, rates: auction.rates)
        let run = AuctionRun(machine, auction.participants.map(\.source), ad: ad, reportsBids: true)
        return .offer(try await run.start(bidTimeout: auction.bidTimeout))
    }

    func resolve(_ proposal: Proposal, to ad: Ad?, _ deadline: Moment) async -> Result<Offer, AdError> {
        .failure(AdError(.invalidRequest, "an auction in an auction resolves its own videos"))
    }

    func reservation(of proposalID: OfferCache.ProposalID) -> OfferReservation? { nil }
}

/// Loads the bids of one provider: an auction with one participant, whose bidders get their notices.
struct BidderLoading<Placement: Sendable>: OfferLoading {
    let pipeline: any OfferLoading<Placement>

    var context: ProviderContext { self.pipeline.context }
    var auctionGoal: LoadMachine.Goal? { .bids }

    func placementName(of placement: Placement) -> String? { self.pipeline.placementName(of: placement) }

    func request(for placement: Placement) async throws(AdError) -> AdHTTPRequest {
        try await self.pipeline.request(for: placement)
    }

    func load(
        _ goal: LoadMachine.Goal,
        for placement: Placement,
        by terms: AdContext.LoadTerms.Bids,
        to ad: Ad?
    ) async throws(AdError) -> LoadMachine.Outcome {
        guard let ad, case .offer = goal else {
            return try await self.pipeline.load(goal, for: placement, by: terms, to: ad)
        }
        let name = self.context.provider.rawValue
        let participant = AuctionMachine.Participant(name: name, pricing: .onlyBids)
        let machine = try AuctionMachine([participant])
        let source = self.bidSource(for: placement)
        let run = AuctionRun(machine, [source], ad: ad, reportsBids: false)
        return .offer(try await run.start(bidTimeout: self.context.services.timing.loading))
    }

    func resolve(_ proposal: Proposal, to ad: Ad?, _ deadline: Moment) async -> Result<Offer, AdError> {
        await self.pipeline.resolve(proposal, to: ad, deadline)
    }

    func reservation(of proposalID: OfferCache.ProposalID) -> OfferReservation? {
        self.pipeline.reservation(of: proposalID)
    }
}
