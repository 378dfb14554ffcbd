// The end of an auction: its notices and its result.

extension AuctionMachine {
    mutating func settle(_ outcome: SaleOutcome) -> [Action] {
        let winner: BidID? = if case .chosen(let id) = self.phase, outcome == .won { id } else { nil }
        guard self.phase != .over, winner != nil || outcome != .won else { return [] }
        let stops = self.stop()
        self.phase = .over
        var actions = winner.map { [Action.tellWin($0)] } ?? []
        for (id, bid) in self.bids.sorted(by: { $0.key < $1.key }) where id != winner {
            switch (outcome, winner) {
            case (.won, let winner?):
                let (reason, minimum) = self.loss(id, bid, to: winner)
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
    private func loss(_ id: BidID, _ bid: Bid, to winner: BidID) -> (LossReason, AdDecimal?) {
        let (mine, other) = (self.participants[id.participant], self.participants[winner.participant])
        guard mine.priority == other.priority else { return (.outranked, nil) }
        let price = self.bids[winner].flatMap(other.price)
        return (.outbid, price?.amount(in: mine.price(of: bid)))
    }

    mutating func cancel() -> [Action] {
        switch self.phase {
        case .collecting, .resolving, .asking: self.settle(.lost(.expired))
        case .idle, .chosen, .over: []
        }
    }

    /// Stops what runs.
    mutating func stop() -> [Action] {
        var actions: [Action] = self.waiting.sorted().map(Action.stopAsking)
        self.waiting = []
        if case .resolving(let id) = self.phase { actions.append(.stopResolving(id)) }
        switch self.phase {
        case .collecting: actions += [.cancelTimer(.bids), .cancelTimer(.end)]
        case .resolving, .asking: actions.append(.cancelTimer(.end))
        case .idle, .chosen, .over: break
        }
        return actions
    }

    /// The result, once: what happens later are events of the ad.
    mutating func report(_ chosen: BidID?) -> [Action] {
        guard !self.isReported else { return [] }
        self.isReported = true
        func standing(_ id: BidID, _ outcome: AuctionResult.Standing.Outcome) -> AuctionResult.Standing {
            let participant = self.participants[id.participant]
            return .init(participant: participant.name, price: self.bids[id].flatMap(participant.price), outcome: outcome)
        }
        let next = self.ranked.map { candidate -> AuctionResult.Standing in
            switch candidate.kind {
            case .offer(let id): standing(id, .next)
            case .participant(let index): .init(participant: self.participants[index].name, price: nil, outcome: .next)
            }
        }
        return [.reportResult(AuctionResult((chosen.map { [standing($0, .chosen)] } ?? []) + next + self.lost))]
    }

    /// Why no offer can be shown.
    var error: AdError {
        // Without others, a participant's own error says more.
        if self.participants.count == 1, let error = self.errors.first { return error }
        let reasons = self.lost.map { standing -> String in
            guard case .lost(let reason) = standing.outcome else { return standing.participant }
            return "\(standing.participant): \(reason)"
        }
        let text = reasons.isEmpty ? "the auction has no participants" : reasons.prefix(10).joined(separator: "; ")
        let isTimeout = !self.errors.isEmpty && self.errors.allSatisfy { $0.code == .timedOut }
        return AdError(
            isTimeout ? .timedOut : .noFill,
            "no participant of the auction has an ad that can be shown (\(text))",
            underlying: self.errors.first
        )
    }
}
