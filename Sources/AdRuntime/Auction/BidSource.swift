import AdCore

/// Where the offers of an auction's participant come from.
struct BidSource: Sendable {
    /// The provider, how its links are opened, and its services.
    let context: ProviderContext
    /// The placement's name, by which frequency caps count its views.
    let placementName: String?
    /// Requests the offers; the error beacons of wrappers are recorded as those of the ad.
    let load: @Sendable (AdContext.LoadTerms.Bids, Ad) async throws(AdError) -> BidBatch
    /// Fetches markup that is served by a notice, and resolves the wrappers of a video, until a moment.
    let resolve: @Sendable (Proposal, Ad, Moment) async -> Result<Offer, AdError>
}

/// The offers of a response in an auction.
struct BidBatch: Sendable {
    var offers: [AuctionOffer]
    /// The bids that can't be shown.
    var rejected: [RejectedBid] = []
    var issues: [AdIssue] = []

    /// The bids as the machine sees them: those that can't be shown after the offers.
    var bids: [AuctionMachine.Bid] {
        self.offers.map(\.bid)
            + self.rejected.map { AuctionMachine.Bid(price: $0.info.price, refusal: .init($0.reason, $0.error)) }
    }
}

/// An offer in an auction.
struct AuctionOffer: Sendable {
    var proposal: Proposal
    /// The exclusive right to an offer of a cached response, until the auction is over.
    var reservation: OfferReservation?
    /// When it can't be shown any more.
    let expires: Moment
    /// The issues of its response.
    var issues: [AdIssue] = []

    init(_ proposal: Proposal, reservation: OfferReservation? = nil, arrivedAt arrival: Moment) {
        self.proposal = proposal
        self.reservation = reservation
        let other = ShowRules(.interstitial).effectiveLifetime
        switch proposal {
        case .offer(let offer): self.expires = arrival + offer.rules.effectiveLifetime
        case .video(let video): self.expires = arrival + (video.lifetime ?? other)
        case .served(let markup): self.expires = arrival + (markup.lifetime ?? other)
        }
    }

    /// The same offer with the issues of its response.
    func adding(_ issues: [AdIssue]) -> AuctionOffer {
        guard !issues.isEmpty else { return self }
        var offer = self
        offer.issues = issues
        return offer
    }

    /// The offer as the machine sees it.
    var bid: AuctionMachine.Bid {
        let needsResolving = if case .offer = self.proposal { false } else { true }
        return .init(price: self.proposal.info.price, needsResolving: needsResolving, expires: self.expires)
    }
}

extension OfferLoading {
    /// The offers for a placement as an auction's participant.
    ///
    /// All bids of a bidder take part, whatever sets their price, so that the auction tells each its outcome.
    func bidSource(for placement: Placement) -> BidSource {
        BidSource(
            context: self.context,
            placementName: self.placementName(of: placement),
            load: { terms, ad async throws(AdError) -> BidBatch in
                guard let goal = self.auctionGoal else {
                    let text = "an auction can't take part in an auction; pass its participants instead"
                    throw AdError(.invalidRequest, text)
                }
                return try await self.bids(for: placement, goal, by: terms, to: ad)
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
            let reservation = loaded.reservation.flatMap(self.reservation)
            return BidBatch(offers: [AuctionOffer(.offer(loaded.offer), reservation: reservation, arrivedAt: now)])
        case .prefetched:
            return BidBatch(offers: [])
        }
    }

    /// The bids of a response that the frequency caps allow; the others are rejected.
    private func uncapped(_ batch: OfferBatch, for placement: String?, at now: Moment) -> BidBatch {
        var bids = BidBatch(offers: [], issues: batch.issues)
        for proposal in batch.proposals.prefix(AuctionMachine.offerLimit) {
            if let error = self.context.services.refusal(
                of: proposal.info.capped(placement: placement, of: self.context.provider)
            ) {
                bids.rejected.append(RejectedBid(proposal.info, .filtered, error))
                bids.issues.append(AdIssue("cap.reached", at: .whole, "a bid was not used: \(error.message)"))
            } else {
                bids.offers.append(AuctionOffer(proposal, arrivedAt: now))
            }
        }
        // The first error is that of a load without offers: that one may be shown at another time.
        bids.rejected += batch.rejected
        return bids
    }
}
