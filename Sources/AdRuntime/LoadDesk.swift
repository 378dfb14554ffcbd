import AdCore
import SystemLock

/// One provider as its loader sees it: what to ask, what an answer means, and what is remembered from load to load.
final class LoadDesk<Placement: Sendable>: Sendable {
    /// Something that can be made an ad of.
    struct Serving: Sendable {
        let proposal: Proposal
        let mark: OfferCache.Mark
    }

    /// What came of asking.
    struct Servings: Sendable {
        var all: [Serving]
        /// Whether the answer serves the next one who asks the same as well.
        let isKept: Bool
        /// What was repaired in the answer as a whole, and on the way to it.
        let issues: [Issue]
        /// Who was asked for them.
        let request: HTTPRequest
    }

    let house: AdHouse
    private let makeRequest: @Sendable (Placement, AdContext) throws(AdError) -> HTTPRequest
    private let readAnswer: @Sendable (HTTPResponse, Placement, AdContext) throws(AdError) -> OfferBatch
    private let refusal: @Sendable (Placement, Moment) -> AdError?
    private let remember: @Sendable (OfferBatch, Placement, Moment) -> Void
    private let choice: @Sendable ([Proposal], Placement, UInt64) -> [Int]
    private let retries: RetryPolicy

    private var services: AdServices { self.house.services }

    init<Provider: AdProvider<Placement>>(_ provider: Provider, services: AdServices) {
        self.house = AdHouse(provider: provider.name, openMode: provider.openMode, services: services)
        self.retries = provider.retries
        for (name, secret) in provider.credentials { services.credentials[name] = secret }
        self.makeRequest = { (placement, context) throws(AdError) in
            try provider.request(for: placement, in: context)
        }
        self.readAnswer = { (response, placement, context) throws(AdError) in
            try provider.offers(from: response, for: placement, in: context)
        }
        let memory = Locked(provider.memory)
        self.refusal = { placement, now in
            memory.withLock { provider.refusal(for: placement, with: $0, at: now) }
        }
        self.remember = { batch, placement, now in
            memory.withLock { provider.remember(batch, for: placement, in: &$0, at: now) }
        }
        self.choice = { proposals, placement, bits in
            var random = SplitMix(seed: bits)
            return provider.choice(among: proposals, for: placement, random: &random)
        }
    }

    /// The exact request that would be sent now.
    func request(for placement: Placement) async throws(AdError) -> HTTPRequest {
        try await self.question(placement).request
    }

    /// What may be served for a placement, best first: of an answer that was kept, or of the server's.
    func servings(for placement: Placement, by deadline: Moment) async throws(AdError) -> Servings {
        if let refusal = self.refusal(placement, self.services.clock.now) {
            throw refusal.located(.init(provider: self.house.provider))
        }
        let (request, context) = try await self.question(placement)
        let key = OfferCache.Key(request)
        if let kept = self.house.cache.withLock({ $0.kept(for: key, at: self.services.clock.now) }) {
            return self.servings(kept, placement, kept.batch.issues, request)
        }
        let (response, issues) = try await self.response(to: request, by: deadline)
        let batch: OfferBatch
        do throws(AdError) {
            batch = try self.readAnswer(response, placement, context)
        } catch {
            throw error.located(self.place(of: request)).adding(issues)
        }
        let now = self.services.clock.now
        self.remember(batch, placement, now)
        let kept = self.house.cache.withLock { $0.keep(batch, size: response.body.count, for: key, at: now) }
        return self.servings(kept, placement, issues + batch.issues, request)
    }

    private func servings(
        _ kept: OfferCache.Kept,
        _ placement: Placement,
        _ issues: [Issue],
        _ request: HTTPRequest
    ) -> Servings {
        Servings(all: self.chosen(kept, placement), isKept: kept.isKept, issues: issues, request: request)
    }

    /// Says that there is no ad, and why as far as the answer says it.
    func noFill(_ servings: Servings) -> AdError {
        // That it was asked twice is no reason.
        let reason = servings.issues.first { $0.code != "load.again" }.map { " (\($0.message))" } ?? ""
        let text = "the server has no ad for this placement now\(reason); ask again later"
        return AdError(.noFill, text, at: self.place(of: servings.request), issues: servings.issues)
    }

    private func chosen(_ kept: OfferCache.Kept, _ placement: Placement) -> [Serving] {
        let all = kept.batch.proposals
        let open = kept.open ?? Array(all.indices)
        var places = open
        if open.count > 1 {
            var seen: Set<Int> = []
            let proposals = kept.open == nil ? all : open.map { all[$0] }
            places = self.choice(proposals, placement, self.services.random())
                .filter { open.indices.contains($0) && seen.insert($0).inserted }
                .map { open[$0] }
        }
        return places.map { Serving(proposal: all[$0], mark: kept.mark($0)) }
    }

    private func question(_ placement: Placement) async throws(AdError) -> (request: HTTPRequest, context: AdContext) {
        var context = await self.services.context.context(by: self.services.clock)
        context.requestID = AdID(bits: self.services.random()).rawValue
        context.network = context.network ?? self.services.beacons.network
        do throws(AdError) {
            return (try self.makeRequest(placement, context), context)
        } catch {
            throw error.located(.init(provider: self.house.provider))
        }
    }

    /// How long one attempt may take: where it would take all that the load has, no more than its share, or there would
    /// never be another.
    private var attemptPatience: Duration? {
        let whole = self.services.timing.loading
        return self.retries.patience.map { $0 < whole ? $0 : whole / self.retries.attempts }
    }

    /// Asks, once more where the provider allows it and something passed by itself.
    private func response(
        to request: HTTPRequest,
        by deadline: Moment
    ) async throws(AdError) -> (response: HTTPResponse, issues: [Issue]) {
        let clock = self.services.clock
        var issues: [Issue] = []
        var attempt = 0
        while true {
            attempt += 1
            var request = request
            // The load's own time is all that counts: real time for the network even where a test's time stands still.
            let left = attempt == 1 ? self.services.timing.loading : deadline - clock.now
            request.limits.total = min(left, self.attemptPatience ?? left)
            let outcome: Result<HTTPResponse, TransportError>
            do throws(TransportError) {
                outcome = .success(try await self.services.transport.send(request))
            } catch {
                outcome = .failure(error)
            }
            let failure: RetryPolicy.Failure
            let words: String
            switch outcome {
            case .success(let response): (failure, words) = (.status(response.status), "status \(response.status)")
            case .failure(let error): (failure, words) = (.transport(error.phase), error.message)
            }
            let pause = self.retries.pause(after: attempt, failure, bits: self.services.random())
            guard let pause, clock.now + pause < deadline, !Task.isCancelled else {
                switch outcome {
                case .success(let response): return (response, issues)
                case .failure(let error): throw AdError(error, to: request, at: self.place(of: request)).adding(issues)
                }
            }
            issues.append(Issue("load.again", at: .whole, "attempt \(attempt) failed (\(words)), and another was made"))
            await clock.rest(until: clock.now + pause)
            if Task.isCancelled {
                throw AdError(.cancelled, "the load was cancelled", at: self.place(of: request))
            }
        }
    }

    /// Where something went wrong on the way to an offer.
    func place(of request: HTTPRequest) -> AdError.Place {
        AdError.Place(provider: self.house.provider, url: Redaction.address(request.url.text))
    }
}
