import AdCore
import AdTrace
import SystemLock

/// One provider as its loader sees it: what to ask, what an answer means, and what is remembered from load to load.
final class LoadDesk<Placement: Sendable>: Sendable {
    /// Something that can be made an ad of.
    struct Serving: Sendable {
        let proposal: Proposal
        /// Where it stands in an answer that is kept; nil where it is not.
        let mark: OfferCache.Mark?
    }

    /// What came of asking.
    struct Servings: Sendable {
        var all: [Serving]
        /// What was repaired in the answer as a whole, and on the way to it.
        let issues: [Issue]
        /// Who was asked for them.
        let request: HTTPRequest
    }

    /// What a server said.
    private struct Answer {
        let batch: OfferBatch
        /// What happened on the way to it.
        let issues: [Issue]
        /// About how many bytes it takes.
        let size: Int
    }

    /// What is asked, and how long its answer may be kept.
    private struct Question {
        let placement: Placement
        let request: HTTPRequest
        let context: AdContext
        let keeping: Keeping?
    }

    let house: AdHouse
    private let makeRequest: @Sendable (Placement, AdContext) throws(AdError) -> HTTPRequest
    private let readAnswer: @Sendable (HTTPResponse, Placement, AdContext) throws(AdError) -> OfferBatch
    private let refusal: @Sendable (Placement, Moment) -> AdError?
    private let remember: @Sendable (Result<OfferBatch, AdError>, Placement, Moment) -> Void
    private let keeping: @Sendable (AdContext) -> Keeping?
    private let choice: @Sendable ([Proposal], Placement, UInt64) -> [Int]
    private let retries: RetryPolicy
    private let same: SameQuestions<Result<Answer, AdError>>

    private var services: AdServices { self.house.services }

    init<Provider: AdProvider<Placement>>(_ provider: Provider, services: AdServices) {
        self.house = AdHouse(provider: provider.name, openMode: provider.openMode, services: services)
        self.retries = provider.retries
        self.same = SameQuestions(services.clock)
        self.keeping = { context in provider.keeping(in: context).flatMap { $0.duration > .zero ? $0 : nil } }
        for (name, secret) in provider.credentials {
            services.credentials[name] = secret
            services.trace?.hide(secret)
        }
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
        self.remember = { answer, placement, now in
            memory.withLock { provider.remember(answer, for: placement, in: &$0, at: now) }
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

    /// What may be served for a placement, best first: of an answer that is kept, or of the server's.
    ///
    /// Of an answer that serves each ad once, an ad has to be taken before it is used.
    func servings(for placement: Placement, by deadline: Moment) async throws(AdError) -> Servings {
        let question = try await self.admitted(placement)
        guard let keeping = question.keeping else {
            let answer = try await self.answer(to: question, by: deadline).get()
            return self.servings(OfferCache.Served(unkept: answer.batch), question, answer.issues)
        }
        return try await self.servings(question, keeping, by: deadline)
    }

    /// Asks where an answer may be kept and none waits; says whether an ad waits then for whoever loads this placement.
    func askAhead(for placement: Placement, by deadline: Moment) async throws(AdError) -> Bool {
        let question = try await self.admitted(placement)
        guard let keeping = question.keeping else { return false }
        _ = try await self.servings(question, keeping, by: deadline)
        // What the answer holds may be in another's hands: the next load finds what this look finds, and nothing else.
        return self.kept(OfferCache.Key(question.request)) != nil
    }

    private func admitted(_ placement: Placement) async throws(AdError) -> Question {
        if let refusal = self.refusal(placement, self.services.clock.now) {
            throw refusal.located(.init(provider: self.house.provider))
        }
        return try await self.question(placement)
    }

    private func servings(
        _ question: Question,
        _ keeping: Keeping,
        by deadline: Moment
    ) async throws(AdError) -> Servings {
        let key = OfferCache.Key(question.request)
        if let kept = self.kept(key) { return self.servings(kept, question) }
        // Whoever waits for another's answer has time left to ask for one.
        let now = self.services.clock.now
        let patience = now + (deadline - now) / 2
        while true {
            let role = await self.same.begin(key, waitingUntil: patience)
            if case .asks(let turn) = role {
                return try await self.asked(question, keeping, key, by: deadline, telling: turn)
            }
            if Task.isCancelled { throw self.cancelled(question.request) }
            if let kept = self.kept(key) { return self.servings(kept, question) }
            switch role {
            case .knows(.failure(let error)): throw error
            case .knows(.success(let answer)) where answer.batch.proposals.isEmpty:
                return self.servings(OfferCache.Served(unkept: answer.batch), question, answer.issues)
            // Whoever was to ask has given up: it is somebody else's turn.
            case .knows(nil) where self.services.clock.now < patience: continue
            // What came is in others' hands, or nothing came in time.
            case .knows, .asks: return try await self.asked(question, keeping, key, by: deadline)
            }
        }
    }

    /// Asks on behalf of all who have the same question; whoever gives up leaves the turn to the next one.
    private func asked(
        _ question: Question,
        _ keeping: Keeping,
        _ key: OfferCache.Key,
        by deadline: Moment,
        telling turn: SameQuestions<Result<Answer, AdError>>.Turn
    ) async throws(AdError) -> Servings {
        // It may have been answered since it was looked for, and the load given up.
        if Task.isCancelled {
            self.same.end(turn, with: nil)
            throw self.cancelled(question.request)
        }
        if let kept = self.kept(key) {
            self.same.end(turn, with: nil)
            return self.servings(kept, question)
        }
        let answer = await withTaskCancellationHandler {
            await self.answer(to: question, by: deadline)
        } onCancel: {
            self.same.end(turn, with: nil)
        }
        let served = answer.map { self.keep($0, keeping, key) }
        self.same.end(turn, with: Task.isCancelled ? nil : answer)
        return self.servings(try served.get(), question, try answer.get().issues)
    }

    /// Asks for oneself.
    private func asked(
        _ question: Question,
        _ keeping: Keeping,
        _ key: OfferCache.Key,
        by deadline: Moment
    ) async throws(AdError) -> Servings {
        let answer = try await self.answer(to: question, by: deadline).get()
        return self.servings(self.keep(answer, keeping, key), question, answer.issues)
    }

    /// Keeps an answer; returns what is served of it.
    private func keep(_ answer: Answer, _ keeping: Keeping, _ key: OfferCache.Key) -> OfferCache.Served {
        let now = self.services.clock.now
        return self.house.cache.withLock { $0.keep(answer.batch, keeping, size: answer.size, for: key, at: now) }
    }

    private func kept(_ key: OfferCache.Key) -> OfferCache.Served? {
        let now = self.services.clock.now
        return self.house.cache.withLock { $0.look(for: key, at: now) }
    }

    /// What the server answers, with what happened on the way to it.
    private func answer(to question: Question, by deadline: Moment) async -> Result<Answer, AdError> {
        do throws(AdError) {
            let (response, issues) = try await self.response(to: question.request, by: deadline)
            let batch: Result<OfferBatch, AdError>
            do throws(AdError) {
                batch = .success(try self.readAnswer(response, question.placement, question.context))
            } catch {
                batch = .failure(error.located(self.place(of: question.request)).adding(issues))
            }
            self.remember(batch, question.placement, self.services.clock.now)
            return .success(Answer(batch: try batch.get(), issues: issues, size: response.body.count))
        } catch {
            return .failure(error)
        }
    }

    private func servings(_ served: OfferCache.Served, _ question: Question, _ issues: [Issue] = []) -> Servings {
        Servings(
            all: self.chosen(served, question.placement),
            issues: issues + served.batch.issues,
            request: question.request
        )
    }

    private func cancelled(_ request: HTTPRequest) -> AdError {
        AdError(.cancelled, "the load was cancelled", at: self.place(of: request))
    }

    /// Says that there is no ad, and why as far as the answer says it.
    func noFill(_ servings: Servings) -> AdError {
        // That it was asked twice is no reason.
        let reason = servings.issues.first { $0.code != "load.again" }.map { " (\($0.message))" } ?? ""
        let text = "the server has no ad for this placement now\(reason); ask again later"
        return AdError(.noFill, text, at: self.place(of: servings.request), issues: servings.issues)
    }

    private func chosen(_ served: OfferCache.Served, _ placement: Placement) -> [Serving] {
        let all = served.batch.proposals
        let open = served.open ?? Array(all.indices)
        var chosen = Array(open.indices)
        if open.count > 1 {
            var seen: Set<Int> = []
            let proposals = served.open == nil ? all : open.map { all[$0] }
            chosen = self.choice(proposals, placement, self.services.random())
                .filter { open.indices.contains($0) && seen.insert($0).inserted }
        }
        return chosen.map { Serving(proposal: all[open[$0]], mark: served.mark(open[$0])) }
    }

    private func question(_ placement: Placement) async throws(AdError) -> Question {
        var context = await self.context()
        context.requestID = AdID(bits: self.services.random()).rawValue
        do throws(AdError) {
            return Question(
                placement: placement,
                request: try self.makeRequest(placement, context),
                context: context,
                keeping: self.keeping(context)
            )
        } catch {
            throw error.located(.init(provider: self.house.provider))
        }
    }

    private func context() async -> AdContext {
        var context = await self.services.context.context(by: self.services.clock)
        context.network = context.network ?? self.services.beacons.network
        self.services.trace?.hide(context)
        return context
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
            let left = max(.zero, deadline - clock.now)
            request.limits.total = min(left, self.retries.patience ?? left)
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
            if Task.isCancelled { throw self.cancelled(request) }
        }
    }

    /// Where something went wrong on the way to an offer.
    func place(of request: HTTPRequest) -> AdError.Place {
        AdError.Place(provider: self.house.provider, url: Redaction.address(request.url.text))
    }
}
