// The end of an auction: its notices and its result.

extension AuctionMachine {
    mutating func settle(_ outcome: SaleOutcome) -> [Action] {
        let winner: BidID? = if case .chosen(let id) = self.phase, outcome == .won { id } else { nil }
        guard self.phase != .over, winner != nil || outcome != .won else { return [] }
        let stops = self.stop()
        self.phase = .over
        var actions = winner.map { [Action.tellWin($0)] } ?? []
        for id in self.bids.keys.sorted() where id != winner {
            switch (outcome, winner) {
            case (.won, let winner?):
                let (reason, minimum) = self.loss(of: id, to: winner)
                actions.append(.tellLoss(id, reason, minimum: minimum))
            case (.lost(let reason), _): actions.append(.tellLoss(id, reason, minimum: nil))
            case (.won, nil): break
            }
        }
        self.bids = [:]
        self.ranked = []
        return stops.isEmpty ? actions : stops + actions + [.fail(AdError(.cancelled, "the load was cancelled"))]
    }

    /// Why an offer has lost to the winner, and what would have won.
    private func loss(of id: BidID, to winner: BidID) -> (reason: LossReason, minimum: AdDecimal?) {
        let (mine, other) = (self.participants[id.participant], self.participants[winner.participant])
        guard mine.priority == other.priority else { return (.outranked, nil) }
        return (.outbid, self.price(of: winner)?.amount(in: self.bids[id].flatMap(mine.ownPrice)))
    }

    /// The price of an offer that can still win.
    private func price(of id: BidID) -> AdPrice? { self.bids[id].flatMap(self.participants[id.participant].price) }

    mutating func cancel() -> [Action] {
        switch self.phase {
        case .collecting, .resolving, .asking: self.settle(.lost(.expired))
        case .idle, .chosen, .over: []
        }
    }

    /// Stops what runs.
    mutating func stop() -> [Action] {
        var actions = self.waiting.sorted().flatMap { self.timerEnd(of: $0) + [.stopAsking($0)] }
        self.waiting = []
        if case .resolving(let id) = self.phase { actions.append(.stopResolving(id)) }
        switch self.phase {
        case .collecting: actions += [.cancelTimer(.bids), .cancelTimer(.end)]
        case .resolving, .asking: actions.append(.cancelTimer(.end))
        case .idle, .chosen, .over: break
        }
        return actions
    }

    /// The result, once; afterwards the offer that takes the place of the chosen one.
    mutating func report(_ chosen: BidID?, at now: Moment) -> [Action] {
        let bids = chosen.map { [self.bid(of: $0.participant, self.price(of: $0), .won)] + self.others(than: $0) } ?? []
        guard !self.isReported else { return bids.prefix(1).map(Action.reportSuccessor) }
        self.isReported = true
        return [.report(AuctionResult(bids + self.lost, in: now - self.started))]
    }

    /// The offers and participants that come after the chosen offer.
    private func others(than chosen: BidID) -> [AuctionBid] {
        self.ranked.map { candidate in
            switch candidate.kind {
            case .offer(let id):
                self.bid(of: id.participant, self.price(of: id), .lost, self.loss(of: id, to: chosen).reason.text)
            case .participant(let index): self.bid(of: index, nil, .lost, "it was not asked, as another has an ad")
            }
        }
    }

    /// Why no offer can be shown.
    var error: AdError {
        // Without others, a participant's own error says more.
        if self.participants.count == 1, let error = self.errors.first { return error }
        let reasons = self.lost.map { "\($0.participant): \($0.reason ?? "")" }
        let text = reasons.isEmpty ? "the auction has no participants" : reasons.prefix(10).joined(separator: "; ")
        // Only a participant that responded can have no ad; if none did, another load may find one.
        let isNoFill =
            self.errors.isEmpty
            || self.lost.contains { $0.time != nil && $0.outcome != .timedOut && $0.outcome != .failed }
        return AdError(
            isNoFill ? .noFill : self.errors[0].code,
            "no participant of the auction has an ad that can be shown (\(text))",
            underlying: self.errors.first
        )
    }
}
