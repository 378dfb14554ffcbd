import AdCore

/// Where the offers of an auction's participant come from.
struct BidSource: Sendable {
    /// The provider, how its links are opened, and its services.
    let context: ProviderContext
    /// Requests the offers; errors of wrappers are recorded as beacons of the ad.
    let load: @Sendable (Ad) async throws(AdError) -> BidBatch
    /// Resolves the wrappers of a video until a moment.
    let resolve: @Sendable (VideoProposal, Ad, Moment) async -> Result<Offer, AdError>
}

/// The offers of a response in an auction.
struct BidBatch: Sendable {
    var offers: [AuctionOffer]
    var rejected: [RejectedBid] = []
    var issues: [AdIssue] = []
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
        }
    }
}

extension OfferLoading {
    /// The offers for a placement as an auction's participant.
    func bidSource(for placement: Placement, _ pricing: AuctionMachine.Participant.Pricing) -> BidSource {
        BidSource(
            context: self.context,
            load: { ad async throws(AdError) -> BidBatch in
                try await self.bids(for: placement, pricing == .bids ? .bids : .offer, to: ad)
            },
            resolve: { video, ad, deadline in await self.resolve(video, to: ad, deadline) }
        )
    }

    private func bids(
        for placement: Placement,
        _ goal: LoadMachine.Goal,
        to ad: Ad
    ) async throws(AdError) -> BidBatch {
        let outcome = try await self.load(goal, for: placement, to: ad)
        let now = self.context.services.clock.now
        switch outcome {
        case .bids(let batch):
            let offers = batch.proposals.prefix(AuctionMachine.offerLimit).map {
                AuctionOffer(proposal: $0, arrival: now)
            }
            return BidBatch(offers: offers, rejected: batch.rejected, issues: batch.issues)
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
}
