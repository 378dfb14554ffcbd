// Asking the participants, and ranking what they offer.

extension AuctionMachine {
    mutating func start(_ bidsUntil: Moment, _ until: Moment, at now: Moment) -> [Action] {
        guard self.phase == .idle else { return [] }
        self.phase = .collecting
        self.started = now
        self.end = until
        for (index, participant) in self.participants.enumerated() {
            if participant.pricing == .unknown {
                let kind = Candidate.Kind.participant(index)
                self.ranked.append(
                    Candidate(kind: kind, priority: participant.priority, amount: nil, order: (index, 0))
                )
            } else {
                self.waiting.insert(index)
            }
        }
        let asks = self.waiting.sorted().map(Action.ask)
        guard !asks.isEmpty else { return [.setTimer(.end, until)] + self.chooseBest(at: now) }
        return [.setTimer(.end, until), .setTimer(.bids, min(bidsUntil, until))] + asks
    }

    mutating func responded(_ index: Int, _ result: Result<[Bid], AdError>, at now: Moment) -> [Action] {
        guard self.participants.indices.contains(index) else { return [] }
        let isInTime = self.waiting.remove(index) != nil
        let actions = self.admit(index, result, isInTime: isInTime, at: now)
        switch self.phase {
        case .collecting where self.waiting.isEmpty: return actions + self.endBids(at: now)
        case .asking(index): return actions + self.chooseBest(at: now)
        default: return actions
        }
    }

    /// Ranks the offers of a response; those that can't win are told at once.
    private mutating func admit(
        _ index: Int,
        _ result: Result<[Bid], AdError>,
        isInTime: Bool,
        at now: Moment
    ) -> [Action] {
        let participant = self.participants[index]
        let offers: [Bid]
        switch result {
        case .success(let bids): offers = Array(bids.prefix(AuctionMachine.offerLimit))
        case .failure(let error):
            offers = []
            if isInTime {
                self.errors.append(error)
                self.lose(participant, nil, error.message)
            }
        }
        if isInTime, case .success = result, offers.isEmpty { self.lose(participant, nil, "it has no ad") }
        var best: AdPrice?
        var actions: [Action] = []
        for (position, bid) in offers.enumerated() {
            let id = BidID(participant: index, index: position)
            let price = participant.price(of: bid)
            best = self.higher(best, price)
            guard let reason = isInTime ? self.refusal(participant, price) : .expired else {
                self.bids[id] = bid
                self.insert(
                    Candidate(
                        kind: .offer(id),
                        priority: participant.priority,
                        amount: participant.pricing == .onlyBids ? price?.amount : price.flatMap(self.rates.amount),
                        order: (index, position)
                    )
                )
                continue
            }
            if isInTime { self.lose(participant, price, self.text(reason, price)) }
            actions.append(.tellLoss(id, reason, minimum: reason == .belowFloor ? self.floorPrice?.amount(in: price) : nil))
        }
        if isInTime {
            let reason: String? =
                if case .failure(let error) = result { error.message } else { offers.isEmpty ? "it has no ad" : nil }
            let report = AuctionBid(
                participant: participant.name,
                price: best,
                offers: offers.count,
                reason: reason,
                time: now - self.started
            )
            actions.append(.reportBid(report))
        }
        return actions
    }

    private func higher(_ left: AdPrice?, _ right: AdPrice?) -> AdPrice? {
        guard let left, let right else { return left ?? right }
        guard let first = self.rates.amount(of: left), let second = self.rates.amount(of: right) else { return left }
        return second > first ? right : left
    }

    /// Why an offer can't win whatever the others bid; nil if it can.
    private func refusal(_ participant: Participant, _ price: AdPrice?) -> LossReason? {
        guard participant.pricing != .unknown, participant.pricing != .onlyBids else { return nil }
        guard let price, let amount = self.rates.amount(of: price) else { return .invalidBid }
        guard let floor, amount < floor else { return nil }
        return .belowFloor
    }

    private func text(_ reason: LossReason, _ price: AdPrice?) -> String {
        switch (reason, price) {
        case (.belowFloor, _): "\(reason.text) of \(self.floorPrice.map { "\($0)" } ?? "")"
        case (.invalidBid, let price?): "there is no rate for \(price.currency)"
        case (.invalidBid, nil): "the bid has no price in a known currency"
        default: reason.text
        }
    }

    private mutating func insert(_ candidate: Candidate) {
        let index = self.ranked.firstIndex { candidate.precedes($0) } ?? self.ranked.endIndex
        self.ranked.insert(candidate, at: index)
    }

    mutating func lose(_ participant: Participant, _ price: AdPrice?, _ reason: String) {
        self.lost.append(.init(participant: participant.name, price: price, outcome: .lost(reason)))
    }

    /// The time for bids is over, or all have responded.
    mutating func endBids(at now: Moment) -> [Action] {
        var actions: [Action] = [.cancelTimer(.bids)]
        actions += self.stopWaiting(at: now)
        return actions + self.chooseBest(at: now)
    }

    /// Gives up the participants that have not responded.
    mutating func stopWaiting(at now: Moment) -> [Action] {
        let late = self.waiting.sorted()
        self.waiting = []
        return late.flatMap { index -> [Action] in
            let participant = self.participants[index]
            let time = now - self.started
            let reason = "it did not respond in time"
            self.lose(participant, nil, reason)
            self.errors.append(AdError(.timedOut, "\(participant.name) did not respond within \(time.inSeconds) s"))
            let bid = AuctionBid(participant: participant.name, price: nil, offers: 0, reason: reason, time: time)
            return [.stopAsking(index), .reportBid(bid)]
        }
    }
}

extension AuctionMachine.Participant {
    /// The price of one of its offers.
    func price(of bid: AuctionMachine.Bid) -> AdPrice? {
        switch self.pricing {
        case .bids, .onlyBids: bid.price
        case .fixed(let price): price
        case .unknown: nil
        }
    }
}

extension AdPrice {
    /// The amount, if the other price is in the same currency.
    func amount(in other: AdPrice?) -> AdDecimal? { self.currency == other?.currency ? self.amount : nil }
}
