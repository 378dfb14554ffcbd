import AdCore

/// Where the offers of an auction's participant come from.
struct BidSource: Sendable {
    /// The provider, how its links are opened, and its services.
    let context: ProviderContext
    /// The placement's name, by which frequency caps count its views.
    let placementName: String?
    /// Requests the offers; errors of wrappers are recorded as beacons of the ad.
    let load: @Sendable (AdContext.LoadTerms.Bids, Ad) async throws(AdError) -> BidBatch
    /// Fetches markup that is served by a notice, and resolves the wrappers of a video, until a moment.
    let resolve: @Sendable (Proposal, Ad, Moment) async -> Result<Offer, AdError>
}

/// The offers of a response in an auction.
struct BidBatch: Sendable {
    var offers: [AuctionOffer]
    var rejected: [RejectedBid] = []
    var issues: [AdIssue] = []
    /// Why bids were left out that could be shown otherwise.
    var capped: AdError?
}

/// An offer in an auction.
struct AuctionOffer: Sendable {
    var proposal: Proposal
    /// The exclusive right to an offer of a cached response, until the auction is over.
    var reservation: OfferReservation?
    /// When it came.
    let arrival: Moment
    /// The issues of its response.
    var issues: [AdIssue] = []

    /// The same offer with the issues of its response.
    func adding(_ issues: [AdIssue]) -> AuctionOffer {
        guard !issues.isEmpty else { return self }
        var offer = self
        offer.issues = issues
        return offer
    }

    /// The offer as the machine sees it.
    var bid: AuctionMachine.Bid {
        switch self.proposal {
        case .offer(let offer):
            AuctionMachine.Bid(price: offer.info.price, expires: self.arrival + offer.rules.effectiveLifetime)
        case .video(let video):
            AuctionMachine.Bid(
                price: video.info.price,
                needsResolving: true,
                expires: self.arrival + (video.lifetime ?? ShowRules(.interstitial).effectiveLifetime)
            )
        case .served(let markup):
            AuctionMachine.Bid(
                price: markup.info.price,
                needsResolving: true,
                expires: self.arrival + (markup.lifetime ?? ShowRules(.interstitial).effectiveLifetime)
            )
        }
    }
}

extension OfferLoading {
    /// The offers for a placement as an auction's participant.
    func bidSource(for placement: Placement, _ pricing: AuctionMachine.Participant.Pricing) -> BidSource {
        BidSource(
            context: self.context,
            placementName: self.placementName(of: placement),
            load: { terms, ad async throws(AdError) -> BidBatch in
                try await self.bids(for: placement, pricing == .bids ? .bids : .offer, by: terms, to: ad)
            },
            resolve: { proposal, ad, deadline in await self.resolve(proposal, to: ad, deadline) }
        )
    }

    private func bids(
        for placement: Placement,
        _ goal: LoadMachine.Goal,
        by terms: AdContext.LoadTerms.Bids,
        to ad: Ad
    ) async throws(AdError) -> BidBatch {
        let outcome = try await self.load(goal, for: placement, by: terms, to: ad)
        let now = self.context.services.clock.now
        switch outcome {
        case .bids(let batch):
            return self.uncapped(batch, for: self.placementName(of: placement), at: now)
        case .offer(let loaded):
            let offer = AuctionOffer(
                proposal: .offer(loaded.offer),
                reservation: loaded.reservation.flatMap(self.reservation),
                arrival: now
            )
            return BidBatch(offers: [offer])
        case .prefetched:
            return BidBatch(offers: [])
        }
    }

    /// The bids of a response that the frequency caps allow; the others are rejected.
    private func uncapped(_ batch: OfferBatch, for placement: String?, at now: Moment) -> BidBatch {
        var bids = BidBatch(offers: [], rejected: batch.rejected, issues: batch.issues)
        for proposal in batch.proposals.prefix(AuctionMachine.offerLimit) {
            if let error = self.context.services.refusal(of: proposal.info.capped(placement: placement)) {
                if let notices = proposal.info.notices { bids.rejected.append(RejectedBid(notices, .filtered, error)) }
                bids.capped = bids.capped ?? error
                bids.issues.append(AdIssue("cap.reached", at: .whole, "a bid was not used: \(error.message)"))
            } else {
                bids.offers.append(AuctionOffer(proposal: proposal, arrival: now))
            }
        }
        return bids
    }
}
