// Choosing an offer, and the next one if it can't be shown.

extension AuctionMachine {
    /// Tries the candidates in their order until one is chosen, must be resolved or must be asked.
    mutating func chooseBest(at now: Moment) -> [Action] {
        var actions: [Action] = []
        while let candidate = self.ranked.first {
            self.ranked.removeFirst()
            switch candidate.kind {
            case .offer(let id):
                guard let bid = self.bids[id] else { continue }
                guard now < bid.expires else {
                    actions += self.drop(id, .expired)
                    continue
                }
                // Without time left, a video can't be resolved any more.
                if bid.needsResolving {
                    guard now < self.end else {
                        actions += self.drop(id, .expired)
                        continue
                    }
                    self.phase = .resolving(id)
                    return actions + [.resolve(id)]
                }
                return actions + self.choose(id, at: now)
            case .participant(let index):
                guard now < self.end else {
                    self.lose(index, nil, .lost, "its turn did not come in time")
                    continue
                }
                self.phase = .asking(index)
                self.waiting.insert(index)
                return actions + self.ask(index, at: now)
            }
        }
        self.phase = .over
        return actions + [.cancelTimer(.end)] + self.report(nil, at: now) + [.fail(self.error)]
    }

    private mutating func choose(_ id: BidID, at now: Moment) -> [Action] {
        self.phase = .chosen(id)
        let choice = Action.choose(id, hasSuccessor: !self.ranked.isEmpty)
        return [.cancelTimer(.end)] + self.report(id, at: now) + [choice]
    }

    mutating func resolved(_ id: BidID, _ error: AdError?, at now: Moment) -> [Action] {
        guard self.phase == .resolving(id) else { return [] }
        guard let error else { return self.choose(id, at: now) }
        self.errors.append(error)
        return self.drop(id, .filtered, error.message) + self.chooseBest(at: now)
    }

    /// Removes an offer that can't be shown.
    mutating func drop(_ id: BidID, _ reason: LossReason, _ text: String? = nil) -> [Action] {
        guard let bid = self.bids.removeValue(forKey: id) else { return [] }
        let price = self.participants[id.participant].price(of: bid)
        self.lose(id.participant, price, .lost, text ?? reason.text)
        return [.tellLoss(id, reason, minimum: nil)]
    }

    mutating func endAll(at now: Moment) -> [Action] {
        switch self.phase {
        case .collecting: return self.endBids(at: max(now, self.end))
        case .asking: return self.stopWaiting(at: now) + self.chooseBest(at: max(now, self.end))
        case .resolving(let id):
            let text = "its video was not resolved in time"
            self.errors.append(AdError(.timedOut, "\(self.participants[id.participant].name): \(text)"))
            return [.stopResolving(id)] + self.drop(id, .expired, text) + self.chooseBest(at: max(now, self.end))
        case .idle, .chosen, .over: return []
        }
    }

    mutating func next(_ reason: LossReason, _ until: Moment, at now: Moment) -> [Action] {
        guard case .chosen(let id) = self.phase else {
            // The ad is over since; the caller still waits for a result.
            return self.phase == .over ? [.fail(AdError(.cancelled, "the ad is over"))] : []
        }
        self.end = until
        let told = self.drop(id, reason)
        return [.setTimer(.end, until)] + told + self.chooseBest(at: now)
    }
}
