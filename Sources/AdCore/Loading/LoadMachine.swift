/// The state machine of all loads of one provider: cache, shared requests, retries and fallback to the next candidate.
///
/// A load prepares its request, takes a response from the cache, from another load or from the server, and tries the
/// candidates until one is an offer. Its shell executes the actions and reports their results as inputs.
package struct LoadMachine: Sendable {
    /// Identifies a load.
    package struct ID: Hashable, Sendable {
        package let number: UInt64

        package init(_ number: UInt64) { self.number = number }
    }

    /// What a load is started for.
    package indirect enum Goal: Sendable {
        /// An offer and the remaining candidates.
        case offer
        /// The offer of a candidate that another load has left over.
        case candidate(Candidate, at: LoadPlace)
        /// A cached response for a later load.
        case prefetch
        /// All proposals of the response in the server's order, for an auction.
        case bids
    }

    /// A request and the cache policy of its response.
    package struct Query: Sendable {
        package let request: AdHTTPRequest
        package let cachePolicy: CachePolicy?

        package init(_ request: AdHTTPRequest, cachePolicy: CachePolicy?) {
            self.request = request
            self.cachePolicy = cachePolicy.flatMap { $0.duration > .zero ? $0 : nil }
        }
    }

    /// A proposal that may become an offer.
    package struct Candidate: Sendable {
        package let proposal: Proposal
        /// Its reference into the cache; nil if the response is not cached.
        let proposalID: OfferCache.ProposalID?
    }

    /// The candidates that are left, in order; each is created when it is next.
    package struct Candidates: Sequence, IteratorProtocol, Sendable {
        private var first: Candidate?
        private let served: OfferCache.Served?
        private var places: ArraySlice<Int>

        /// No candidates, or one that another load has left over.
        init(_ candidate: Candidate? = nil) {
            self.first = candidate
            self.served = nil
            self.places = []
        }

        init(_ served: OfferCache.Served, places: [Int]) {
            self.first = nil
            self.served = served
            self.places = places[...]
        }

        var isEmpty: Bool { self.first == nil && self.places.isEmpty }

        package mutating func next() -> Candidate? {
            if let first = self.first.take() { return first }
            guard let served, let place = self.places.popFirst() else { return nil }
            return Candidate(proposal: served.batch.proposals[place], proposalID: served.proposalID(place))
        }
    }

    /// How a load succeeded.
    package indirect enum Outcome: Sendable {
        case offer(Loaded)
        /// Whether a later load of the same request finds an offer in the cache.
        case prefetched(Bool)
        /// The response; its videos are not resolved.
        case bids(OfferBatch)

        /// The same outcome with these issues in front of its own.
        package func adding(_ issues: [AdIssue]) -> Outcome {
            guard !issues.isEmpty else { return self }
            switch self {
            case .offer(let loaded):
                return .offer(
                    Loaded(
                        offer: loaded.offer.adding(issues),
                        reservation: loaded.reservation,
                        rest: loaded.rest,
                        place: loaded.place
                    )
                )
            case .bids(let batch): return .bids(batch.replacingIssues(issues + batch.issues))
            case .prefetched: return self
            }
        }
    }

    /// An offer and the remaining candidates of its response.
    package struct Loaded: Sendable {
        package let offer: Offer
        /// Must be returned by `release` or used up by `markShown`; nil if the offer is not reserved.
        package let reservation: OfferCache.ProposalID?
        package let rest: Candidates
        /// The place of errors of the remaining candidates.
        package let place: LoadPlace

        init(offer: Offer, reservation: OfferCache.ProposalID?, rest: Candidates, place: LoadPlace) {
            self.offer = offer
            self.reservation = reservation
            self.rest = rest
            self.place = place
        }

        /// An offer without other candidates.
        package init(_ offer: Offer) {
            let place = LoadPlace(provider: offer.provider, document: nil)
            self.init(offer: offer, reservation: nil, rest: Candidates(), place: place)
        }
    }

    package indirect enum Input: Sendable {
        case start(ID, Goal, deadline: Moment)
        case prepared(ID, Result<Query, AdError>)
        /// The response was read before, and was parsed without a request.
        case read(ID, Result<OfferBatch, AdError>)
        case responded(ID, Result<AdHTTPResponse, TransportError>)
        case parsed(ID, Result<OfferBatch, AdError>, bytes: Int)
        case chosen(ID, [Int])
        /// A candidate may be shown, or a frequency cap does not allow it.
        case checked(ID, AdError?)
        case resolved(ID, Result<Offer, AdError>)
        case timerFired(ID)
        /// The load's caller was cancelled; the result of a running `send` or `resolve` still follows.
        case cancel(ID)
    }

    package indirect enum Action: Sendable {
        /// Collect the context and let the provider build the request: `prepared`, or `read` if none is needed.
        case prepare(ID)
        /// Send the request: `responded`.
        case send(ID, AdHTTPRequest)
        /// Let the provider parse the response: `parsed`.
        case parse(ID, AdHTTPResponse)
        /// Let the provider choose and order the proposals: `chosen`.
        case choose(ID, [Proposal])
        /// Ask the frequency caps whether a candidate may be shown: `checked`.
        case check(ID, OfferInfo)
        /// Resolve the wrappers of a video, or fetch the markup of a bid: `resolved`.
        case resolve(ID, Proposal, deadline: Moment)
        /// Set the load's only timer: `timerFired`.
        case setTimer(ID, Moment)
        case cancelTimer(ID)
        case finish(ID, Result<Outcome, AdError>)

        /// The load that the action belongs to.
        package var load: ID {
            switch self {
            case .prepare(let id), .send(let id, _), .parse(let id, _), .choose(let id, _), .check(let id, _),
                .resolve(let id, _, _), .setTimer(let id, _), .cancelTimer(let id), .finish(let id, _):
                id
            }
        }
    }

    indirect enum Phase: Sendable {
        case preparing
        /// Another load sends the same request.
        case waiting(Query, until: Moment)
        case sending(Query, attempt: Int)
        case pausing(Query, attempt: Int)
        case parsing(Query)
        case choosing(OfferCache.Served)
        case checking(Candidate)
        case trying(Candidate)
    }

    struct Load: Sendable {
        let goal: Goal
        let deadline: Moment
        var phase = Phase.preparing
        var isCancelled = false
        /// How often all candidates were used by other loads.
        var rounds = 0
        /// The issues of the response and of retries.
        var issues: [AdIssue] = []
        var place: LoadPlace
        var candidates = Candidates()
        /// The failure of the first video that could not be resolved.
        var firstFailure: AdError?
    }

    let provider: ProviderName
    let retries: RetryPolicy
    /// The name in errors of the document that was read before, or that the server serves; nil for other servers.
    let document: String?
    /// Whether there are frequency caps, which candidates are checked against.
    let hasCaps: Bool
    var cache = OfferCache()
    var loads: [ID: Load] = [:]
    /// By request: the load that sends it, and the loads that wait for its response, in order.
    var shared: [OfferCache.Key: (leader: ID, waiting: [ID])] = [:]
    private var lastNumber: UInt64 = 0

    /// Creates a machine without loads.
    package init(provider: ProviderName, retries: RetryPolicy, document: String? = nil, hasCaps: Bool = false) {
        self.provider = provider
        self.retries = retries
        self.document = document
        self.hasCaps = hasCaps
    }

    /// A new load's identifier.
    package mutating func makeID() -> ID {
        self.lastNumber += 1
        return ID(self.lastNumber)
    }

    /// The number of running loads.
    package var count: Int { self.loads.count }

    /// Handles an input and returns the actions to execute; inputs of a finished load are ignored.
    ///
    /// `random` provides the jitter of the pause before a retry.
    package mutating func handle(_ input: Input, at now: Moment, random: () -> UInt64) -> [Action] {
        switch input {
        case .start(let id, let goal, let deadline): self.start(id, goal, deadline, at: now)
        case .prepared(let id, let result): self.prepared(id, result, at: now)
        case .read(let id, let result): self.read(id, result)
        case .responded(let id, let result): self.responded(id, result, at: now, random)
        case .parsed(let id, let result, let bytes): self.parsed(id, result, bytes: bytes, at: now)
        case .chosen(let id, let places): self.chosen(id, places)
        case .checked(let id, let error): self.checked(id, error)
        case .resolved(let id, let result): self.resolved(id, result)
        case .timerFired(let id): self.timerFired(id, at: now)
        case .cancel(let id): self.cancel(id, at: now)
        }
    }

    /// Marks an offer as shown, so that no cached response serves it again.
    package mutating func markShown(_ reservation: OfferCache.ProposalID) { self.cache.markShown(reservation) }

    /// Ends the reservation of an offer whose ad is over; unless it was shown, another load may use it.
    package mutating func release(_ reservation: OfferCache.ProposalID) { self.cache.release(reservation) }

    // MARK: From the start to a request

    private mutating func start(_ id: ID, _ goal: Goal, _ deadline: Moment, at now: Moment) -> [Action] {
        self.loads[id] = Load(goal: goal, deadline: deadline, place: self.place)
        guard case .candidate(let candidate, let place) = goal else { return [.prepare(id)] }
        self.loads[id]?.place = place
        self.loads[id]?.candidates = Candidates(candidate)
        return self.tryNext(id)
    }

    private mutating func prepared(_ id: ID, _ result: Result<Query, AdError>, at now: Moment) -> [Action] {
        guard let load = self.loads[id], case .preparing = load.phase else { return [] }
        let query: Query
        switch result {
        case .success(let made): query = made
        case .failure(let error): return self.finish(id, .failure(error.located(load.place.inErrors)))
        }
        self.loads[id]?.place.url = query.request.url
        guard query.cachePolicy != nil else {
            // A prefetched response is of no use if it may not be cached.
            if case .prefetch = load.goal { return self.finish(id, .success(.prefetched(false))) }
            return self.send(id, query, attempt: 1, at: now)
        }
        let key = OfferCache.Key(query.request)
        if let served = self.cache.lookUp(for: key, at: now) { return self.serve(id, query, served, at: now) }
        guard self.shared[key] != nil else {
            self.shared[key] = (id, [])
            return self.send(id, query, attempt: 1, at: now)
        }
        // Half of the remaining time is kept for a request of its own.
        let limit = now + (load.deadline - now) / 2
        self.shared[key]?.waiting.append(id)
        self.loads[id]?.phase = .waiting(query, until: limit)
        return [.setTimer(id, limit)]
    }

    private mutating func read(_ id: ID, _ result: Result<OfferBatch, AdError>) -> [Action] {
        guard let load = self.loads[id], case .preparing = load.phase else { return [] }
        switch (result, load.goal) {
        case (.failure(let error), _): return self.finish(id, .failure(error.located(load.place.inErrors)))
        // It stays for a later load as well.
        case (.success(let batch), .prefetch): return self.finish(id, .success(.prefetched(!batch.proposals.isEmpty)))
        case (.success(let batch), _): return self.choose(id, OfferCache.Served(uncached: batch))
        }
    }

    mutating func send(_ id: ID, _ query: Query, attempt: Int, at now: Moment) -> [Action] {
        guard let load = self.loads[id] else { return [] }
        self.loads[id]?.phase = .sending(query, attempt: attempt)
        var request = query.request
        let left = max(.zero, load.deadline - now)
        request.limits.total = min(left, self.retries.attemptTimeout ?? left)
        return [.send(id, request)]
    }

    // MARK: The end

    mutating func finish(_ id: ID, _ result: Result<Outcome, AdError>) -> [Action] {
        guard self.loads.removeValue(forKey: id) != nil else { return [] }
        return [.finish(id, result.mapError(self.naming))]
    }

    /// No fill of a document: a retry would not help.
    private func naming(_ error: AdError) -> AdError {
        guard let document, error.code == .noFill else { return error }
        return AdError(
            .noFill,
            "no ad in \(document)\(error.issues.first.map { ": \($0.message)" } ?? "")",
            at: error.place,
            underlying: error.underlying,
            vastCode: error.vastCode,
            issues: error.issues
        )
    }

    /// The place of errors before a request.
    var place: LoadPlace { LoadPlace(provider: self.provider, document: self.document) }

    func cancelled(_ load: Load) -> AdError {
        AdError(.cancelled, "the load was cancelled", at: load.place.inErrors)
    }
}

/// Where a load gets its ad from, for its errors.
///
/// Most loads have none, so the URL is redacted only when an error names it.
package struct LoadPlace: Sendable {
    let provider: ProviderName
    let document: String?
    /// The URL of the request; nil before there is one.
    var url: HTTPURL?

    /// The place as errors name it.
    var inErrors: AdError.Place {
        AdError.Place(provider: self.provider, url: self.document ?? self.url.map { Redaction.address($0.text) })
    }
}
