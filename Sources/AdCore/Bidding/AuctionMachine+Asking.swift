// Asking the participants, and ranking what they offer.

extension AuctionMachine {
    mutating func start(_ bidsUntil: Moment, _ until: Moment, at now: Moment) -> [Action] {
        guard self.phase == .idle else { return [] }
        self.phase = .collecting
        self.started = now
        self.end = until
        self.bidTime = min(bidsUntil, until) - now
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
        let asks = self.waiting.sorted().flatMap { self.ask($0, at: now) }
        guard !asks.isEmpty else { return [.setTimer(.end, until)] + self.chooseBest(at: now) }
        return [.setTimer(.end, until), .setTimer(.bids, min(bidsUntil, until))] + asks
    }

    /// Asks a participant, with a timer if it has a time of its own.
    func ask(_ index: Int, at now: Moment) -> [Action] {
        guard let timeout = self.participants[index].timeout else { return [.ask(index)] }
        return [.setTimer(.participant(index), min(now + timeout, self.end)), .ask(index)]
    }

    /// The time of one participant is over.
    mutating func stopWaiting(for index: Int, at now: Moment) -> [Action] {
        guard self.waiting.contains(index) else { return [] }
        let actions = self.giveUp([index], at: now)
        switch self.phase {
        case .collecting where self.waiting.isEmpty: return actions + self.endBids(at: now)
        case .asking(index): return actions + self.chooseBest(at: now)
        default: return actions
        }
    }

    mutating func responded(_ index: Int, _ result: Result<[Bid], AdError>, at now: Moment) -> [Action] {
        guard self.participants.indices.contains(index) else { return [] }
        let isInTime = self.waiting.remove(index) != nil
        let timer = isInTime ? self.timerEnd(of: index) : []
        let actions = timer + self.admit(index, result, isInTime: isInTime, at: now)
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
        if isInTime { self.times[index] = now - self.started }
        let offers: [Bid]
        switch result {
        case .success(let bids):
            offers = Array(bids.prefix(2 * AuctionMachine.offerLimit))
            if isInTime, offers.isEmpty { self.lose(index, nil, .noBid, "it has no ad") }
            if isInTime, let refusal = offers.first?.refusal, offers.allSatisfy({ $0.refusal != nil }) {
                self.errors.append(AdError(refusal.code, refusal.text))
            }
        case .failure(let error):
            offers = []
            if isInTime {
                self.errors.append(error)
                self.lose(index, nil, AuctionBid.Outcome(error.code), error.message)
            }
        }
        var actions: [Action] = []
        for (position, bid) in offers.enumerated() {
            let id = BidID(participant: index, index: position)
            let price = participant.price(of: bid)
            if isInTime, let refusal = bid.refusal {
                let outcome: AuctionBid.Outcome = refusal.code == .frequencyCapped ? .lost : .invalid
                self.lose(index, price, outcome, refusal.text)
                actions.append(.tellLoss(id, refusal.reason, minimum: nil))
                continue
            }
            guard let reason = isInTime ? self.refusal(index, price) : .expired else {
                self.bids[id] = bid
                let isComparable = participant.pricing != .onlyBids
                self.insert(
                    Candidate(
                        kind: .offer(id),
                        priority: participant.priority,
                        amount: isComparable ? price.flatMap(self.rates.amount) : price?.amount,
                        order: (index, position)
                    )
                )
                continue
            }
            if isInTime {
                let outcome: AuctionBid.Outcome = reason == .belowFloor ? .belowFloor : .invalid
                self.lose(index, price, outcome, self.text(reason, price, self.floor(of: index)))
            }
            let minimum = reason == .belowFloor ? self.floor(of: index)?.amount(in: participant.ownPrice(of: bid)) : nil
            actions.append(.tellLoss(id, reason, minimum: minimum))
        }
        return actions
    }

    /// Why an offer can't win whatever the others bid; nil if it can.
    private func refusal(_ index: Int, _ price: AdPrice?) -> LossReason? {
        let pricing = self.participants[index].pricing
        guard pricing != .unknown, pricing != .onlyBids else { return nil }
        guard let price, let amount = self.rates.amount(of: price) else { return .invalidBid }
        guard let floor = self.floor(of: index).flatMap(self.rates.amount), amount < floor else { return nil }
        return .belowFloor
    }

    private func text(_ reason: LossReason, _ price: AdPrice?, _ floor: AdPrice?) -> String {
        switch (reason, price) {
        case (.belowFloor, _): "\(reason.text) of \(floor.map { "\($0)" } ?? "")"
        case (.invalidBid, let price?): "there is no rate for \(price.currency)"
        case (.invalidBid, nil): "the bid has no price in a known currency"
        default: reason.text
        }
    }

    private mutating func insert(_ candidate: Candidate) {
        let index = self.ranked.firstIndex { candidate.precedes($0) } ?? self.ranked.endIndex
        self.ranked.insert(candidate, at: index)
    }

    mutating func lose(_ index: Int, _ price: AdPrice?, _ outcome: AuctionBid.Outcome, _ reason: String) {
        self.lost.append(self.bid(of: index, price, outcome, reason))
    }

    /// What is reported of an offer, or of a participant without one.
    func bid(of index: Int, _ price: AdPrice?, _ outcome: AuctionBid.Outcome, _ reason: String? = nil) -> AuctionBid {
        AuctionBid(
            participant: self.participants[index].name,
            price: price,
            outcome: outcome,
            reason: reason,
            time: self.times[index]
        )
    }

    /// The time for bids is over, or all have responded.
    mutating func endBids(at now: Moment) -> [Action] {
        var actions: [Action] = [.cancelTimer(.bids)]
        actions += self.stopWaiting(at: now)
        return actions + self.chooseBest(at: now)
    }

    /// Gives up the participants that have not responded.
    mutating func stopWaiting(at now: Moment) -> [Action] { self.giveUp(self.waiting.sorted(), at: now) }

    /// Cancels the timer of a participant that has one.
    func timerEnd(of index: Int) -> [Action] {
        self.participants[index].timeout == nil ? [] : [.cancelTimer(.participant(index))]
    }

    private mutating func giveUp(_ late: [Int], at now: Moment) -> [Action] {
        self.waiting.subtract(late)
        return late.flatMap { index in
            let time = now - self.started
            self.times[index] = time
            self.lose(index, nil, .timedOut, "it did not respond in time")
            let name = self.participants[index].name
            self.errors.append(AdError(.timedOut, "\(name) did not respond within \(time.wholeMilliseconds) ms"))
            return self.timerEnd(of: index) + [.stopAsking(index)]
        }
    }
}

extension AuctionBid.Outcome {
    /// The outcome of a participant that responded with an error.
    fileprivate init(_ code: AdError.Code) {
        self =
            switch code {
            case .noFill, .frequencyCapped, .coolingDown: .noBid
            case .timedOut: .timedOut
            default: .failed
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

    /// The price that its bidder has bid, with which its notices compare others; nil if that does not count.
    func ownPrice(of bid: AuctionMachine.Bid) -> AdPrice? {
        switch self.pricing {
        case .bids, .onlyBids: bid.price
        case .fixed, .unknown: nil
        }
    }
}

extension AdPrice {
    /// The amount, if the other price is in the same currency.
    func amount(in other: AdPrice?) -> AdDecimal? { self.currency == other?.currency ? self.amount : nil }
}
