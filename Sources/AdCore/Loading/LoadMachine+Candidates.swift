// From a response to an offer: candidates are tried in the provider's order until one can be shown.
extension LoadMachine {
    /// How often a load is tried in all if other loads take every candidate.
    static let roundLimit = 4

    mutating func serve(_ id: ID, _ query: Query, _ served: OfferCache.Served, at now: Moment) -> [Action] {
        guard let load = self.loads[id] else { return [] }
        if case .prefetch = load.goal {
            // The candidates may be reserved for other loads; what counts is whether a later load finds one.
            let isCached = self.cache.lookUp(for: OfferCache.Key(query.request), at: now) != nil
            return self.finish(id, .success(.prefetched(isCached)))
        }
        return self.choose(id, served)
    }

    /// Lets the provider choose among the proposals of a response.
    mutating func choose(_ id: ID, _ served: OfferCache.Served) -> [Action] {
        if case .bids = self.loads[id]?.goal {
            let issues = (self.loads[id]?.issues ?? []) + served.batch.issues
            if served.batch.proposals.isEmpty, served.batch.rejected.isEmpty {
                self.loads[id]?.issues = issues
                return self.finish(id, .failure(self.noFill(id)))
            }
            return self.finish(id, .success(.bids(served.batch.replacingIssues(issues))))
        }
        self.loads[id]?.issues += served.batch.issues
        self.loads[id]?.phase = .choosing(served)
        let places = served.places
        guard places.count > 1 else { return self.chosen(id, Array(places.indices)) }
        let isWhole = places.count == served.batch.proposals.count
        return [.choose(id, isWhole ? served.batch.proposals : places.map { served.batch.proposals[$0] })]
    }

    /// Handles the provider's choice of proposals, best first; repeated and invalid indices are ignored.
    mutating func chosen(_ id: ID, _ chosen: [Int]) -> [Action] {
        guard case .choosing(let served)? = self.loads[id]?.phase else { return [] }
        let places = served.places
        var isTaken = Array(repeating: false, count: places.count)
        var order: [Int] = []
        for index in chosen where places.indices.contains(index) && !isTaken[index] {
            isTaken[index] = true
            order.append(places[index])
        }
        let candidates = Candidates(served, places: order)
        self.loads[id]?.candidates = candidates
        guard !candidates.isEmpty else { return self.finish(id, .failure(self.noFill(id))) }
        return self.tryNext(id)
    }

    /// Tries the remaining candidates until one is an offer or a video to resolve.
    mutating func tryNext(_ id: ID) -> [Action] {
        while let load = self.loads[id], let candidate = self.loads[id]?.candidates.next() {
            if load.isCancelled { return self.finish(id, .failure(load.firstFailure ?? self.cancelled(load))) }
            if let proposalID = candidate.proposalID, !self.cache.reserve(proposalID) { continue }
            guard self.hasCaps else { return self.use(candidate, id) }
            self.loads[id]?.phase = .checking(candidate)
            return [.check(id, candidate.proposal.info)]
        }
        return self.exhausted(id)
    }

    /// Handles what the frequency caps say of a candidate; one that they refuse stays for other loads.
    mutating func checked(_ id: ID, _ error: AdError?) -> [Action] {
        guard let load = self.loads[id], case .checking(let candidate) = load.phase else { return [] }
        guard let error else { return self.use(candidate, id) }
        if let reservation = candidate.reservation { self.cache.release(reservation) }
        let issue = AdIssue("cap.reached", at: .whole, "an ad was not used: \(error.message)")
        self.loads[id]?.issues.append(issue)
        self.loads[id]?.firstFailure = load.firstFailure ?? error.located(load.place.inErrors)
        return self.tryNext(id)
    }

    private mutating func use(_ candidate: Candidate, _ id: ID) -> [Action] {
        switch candidate.proposal {
        case .offer(let offer): return self.succeed(id, offer, candidate)
        case .video, .served:
            guard let deadline = self.loads[id]?.deadline else { return [] }
            self.loads[id]?.phase = .trying(candidate)
            return [.resolve(id, candidate.proposal, deadline: deadline)]
        }
    }

    mutating func resolved(_ id: ID, _ result: Result<Offer, AdError>) -> [Action] {
        guard let load = self.loads[id], case .trying(let candidate) = load.phase else { return [] }
        switch result {
        case .success(let offer): return self.succeed(id, offer, candidate)
        case .failure(let error):
            if let proposalID = candidate.proposalID {
                if candidate.reservation != nil { self.cache.release(proposalID) }
                // A cancelled resolution is no failure of the video.
                if !load.isCancelled { self.cache.markFailed(proposalID) }
            }
            let error = error.located(load.place.inErrors)
            let issue = AdIssue("video.passedOver", at: .whole, "a video could not be used: \(error.message)")
            self.loads[id]?.issues.append(issue)
            self.loads[id]?.firstFailure = load.firstFailure ?? error
            return self.tryNext(id)
        }
    }

    private mutating func succeed(_ id: ID, _ offer: Offer, _ candidate: Candidate) -> [Action] {
        guard let load = self.loads[id] else { return [] }
        let loaded = Loaded(
            offer: load.issues.isEmpty ? offer : offer.adding(load.issues),
            reservation: candidate.reservation,
            rest: load.candidates,
            place: load.place
        )
        return self.finish(id, .success(.offer(loaded)))
    }

    /// No candidate is left.
    private mutating func exhausted(_ id: ID) -> [Action] {
        guard let load = self.loads[id] else { return [] }
        if let error = load.firstFailure { return self.finish(id, .failure(error)) }
        if case .candidate = load.goal {
            return self.finish(id, .failure(AdError(.noFill, "this ad is used by another load; load again")))
        }
        guard load.rounds + 1 < LoadMachine.roundLimit else {
            let text = "every ad for this placement is used by other loads; try again later"
            return self.finish(id, .failure(AdError(.noFill, text)))
        }
        var again = Load(goal: load.goal, deadline: load.deadline, place: self.place)
        again.rounds = load.rounds + 1
        again.isCancelled = load.isCancelled
        self.loads[id] = again
        return [.prepare(id)]
    }

    /// The error of a response without an ad, with the reason that the response gives.
    private func noFill(_ id: ID) -> AdError {
        let load = self.loads[id]
        let issues = load?.issues ?? []
        // A retry is not a reason for no fill.
        let reason = issues.first { $0.code != "load.again" }.map { " (\($0.message))" } ?? ""
        let text = "the server has no ad for this placement now\(reason); try again later"
        return AdError(.noFill, text, at: (load?.place ?? self.place).inErrors, issues: issues)
    }
}

extension LoadMachine.Candidate {
    /// The id of an offer that only one ad may use at a time.
    var reservation: OfferCache.ProposalID? { self.proposalID.flatMap { $0.isExclusive ? $0 : nil } }
}

extension OfferCache.Served {
    /// The indices of the proposals that may be served.
    var places: [Int] { self.open ?? Array(self.batch.proposals.indices) }
}
