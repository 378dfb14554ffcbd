import AdCore
import AdTrace
import SystemSupport

/// Loads offers for placements of one type, without naming the provider's type.
protocol OfferLoading<Placement>: Sendable {
    associatedtype Placement: Sendable

    var context: ProviderContext { get }
    /// What an auction loads of it: all bids of a bidder, and the offer of another provider; nil if it can't take part.
    var auctionGoal: LoadMachine.Goal? { get }

    /// The placement's name, by which frequency caps count its views.
    func placementName(of placement: Placement) -> String?

    /// The exact request that a load would send now.
    func request(for placement: Placement) async throws(AdError) -> AdHTTPRequest

    /// Runs a load to its end; cancelling the task cancels the load.
    ///
    /// The error URLs of wrappers that fail are recorded as beacons of `ad`, which the offer is for.
    func load(
        _ goal: LoadMachine.Goal,
        for placement: Placement,
        by terms: AdContext.LoadTerms.Bids,
        to ad: Ad?
    ) async throws(AdError) -> LoadMachine.Outcome

    /// Fetches markup that is served by a notice, and resolves a video's wrappers, until a moment; the error beacons of
    /// wrappers are recorded as those of `ad`.
    func resolve(_ proposal: Proposal, to ad: Ad?, _ deadline: Moment) async -> Result<Offer, AdError>

    /// Returns a reservation that returns the offer to the cache when its last reference is released.
    func reservation(of proposalID: OfferCache.ProposalID) -> OfferReservation?
}

/// The shell that executes the actions of one provider's `LoadMachine`, those of a load in its caller's task.
final class OfferPipeline<Provider: AdProvider>: OfferLoading {
    let context: ProviderContext
    let auctionGoal: LoadMachine.Goal? = .offer
    private let provider: Provider
    /// The response that was read before; nil if responses are requested.
    private let stored: StoredResponse<Provider.Placement>?
    private let queue: LoadQueue
    private let memory: Locked<Provider.Memory>

    private var services: AdServices { self.context.services }

    /// `document` is the name of the document that takes the place of a server's ads, for errors.
    init(
        _ provider: Provider,
        services: AdServices,
        document: String? = nil,
        stored: StoredResponse<Provider.Placement>? = nil
    ) {
        self.provider = provider
        self.stored = stored
        self.context = ProviderContext(provider: provider.name, openMode: provider.openMode, services: services)
        let machine = LoadMachine(
            provider: provider.name,
            retries: provider.retries,
            document: document,
            hasCaps: services.views != nil
        )
        self.queue = LoadQueue(machine, services: services)
        self.memory = Locked(provider.memory)
        for (name, secret) in provider.credentials {
            services.credentials[name] = secret
            services.trace?.hide(secret)
        }
    }

    func placementName(of placement: Provider.Placement) -> String? { self.provider.placementName(of: placement) }

    func request(for placement: Provider.Placement) async throws(AdError) -> AdHTTPRequest {
        do throws(AdError) {
            return try self.provider.request(for: placement, in: await self.requestContext())
        } catch {
            throw error.located(.init(provider: self.provider.name))
        }
    }

    func load(
        _ goal: LoadMachine.Goal,
        for placement: Provider.Placement,
        by terms: AdContext.LoadTerms.Bids,
        to ad: Ad?
    ) async throws(AdError) -> LoadMachine.Outcome {
        // A participant of an auction has less time; the auction's own limit, which its errors name, comes before this one.
        let requesting = self.services.timing.requesting
        let time = terms.timeout.map { min($0 + .milliseconds(250), requesting) } ?? requesting
        let id = self.queue.add(goal, deadline: self.services.clock.now + time)
        return try await withTaskCancellationHandler {
            do throws(AdError) {
                return Result<LoadMachine.Outcome, AdError>.success(
                    try await self.run(id, for: placement, terms, to: ad)
                )
            } catch {
                return .failure(error)
            }
        } onCancel: {
            self.queue.post(.cancel(id))
        }.get()
    }

    func reservation(of proposalID: OfferCache.ProposalID) -> OfferReservation? {
        OfferReservation(proposalID, of: self.queue)
    }

    // MARK: Actions

    /// Executes the actions of a load until it is finished.
    private func run(
        _ id: LoadMachine.ID,
        for placement: Provider.Placement,
        _ terms: AdContext.LoadTerms.Bids,
        to ad: Ad?
    ) async throws(AdError) -> LoadMachine.Outcome {
        let name = self.provider.placementName(of: placement)
        var requestContext = AdContext()
        var issues: [AdIssue] = []
        var alarm: AlarmID?
        while true {
            let action = await self.queue.next(id)
            switch action {
            case .prepare:
                issues = await [self.services.views?.update()].compactMap { $0 }
                if let refusal = self.refusal(for: placement) ?? self.services.refusal(of: CappedAd(placement: name)) {
                    self.queue.post(.prepared(id, .failure(refusal)))
                } else {
                    requestContext = await self.requestContext(terms)
                    let setupIssues = self.services.setupIssues(requestContext)
                    issues = issues.isEmpty ? setupIssues : issues + setupIssues
                    self.queue.post(self.prepared(id, for: placement, in: requestContext))
                }
            case .send(_, let request):
                let result = await self.send(request)
                self.queue.post(.responded(id, result))
            case .parse(_, let response):
                let result = self.offers(from: response, for: placement, in: requestContext)
                self.queue.post(.parsed(id, result, bytes: response.body.count))
            case .choose(_, let proposals):
                var random = SplitMix(seed: self.services.random())
                self.queue.post(.chosen(id, self.provider.choice(among: proposals, for: placement, random: &random)))
            case .check(_, let info):
                let capped = info.capped(placement: name, of: self.provider.name)
                self.queue.post(.checked(id, self.services.refusal(of: capped)))
            case .resolve(_, let proposal, let deadline):
                let result = await self.resolve(proposal, to: ad, deadline)
                self.queue.post(.resolved(id, result))
            case .setTimer(_, let moment): alarm = self.schedule(id, at: moment)
            case .cancelTimer:
                if let set = alarm { self.services.clock.cancel(set) }
                alarm = nil
            case .finish(_, .success(let outcome)): return outcome.adding(issues)
            case .finish(_, .failure(let error)): throw error.adding(issues)
            }
        }
    }

    private func refusal(for placement: Provider.Placement) -> AdError? {
        let now = self.services.clock.now
        return self.memory.withLock { self.provider.refusal(for: placement, with: $0, at: now) }
    }

    private func prepared(
        _ id: LoadMachine.ID,
        for placement: Provider.Placement,
        in context: AdContext
    ) -> LoadMachine.Input {
        guard let stored else { return .prepared(id, self.query(for: placement, in: context)) }
        do throws(AdError) {
            return .read(id, .success(try stored.read(placement, context)))
        } catch {
            return .read(id, .failure(error))
        }
    }

    private func query(
        for placement: Provider.Placement,
        in context: AdContext
    ) -> Result<LoadMachine.Query, AdError> {
        do throws(AdError) {
            let request = try self.provider.request(for: placement, in: context)
            return .success(LoadMachine.Query(request, cachePolicy: self.provider.cachePolicy(in: context)))
        } catch {
            return .failure(error)
        }
    }

    private func requestContext(_ terms: AdContext.LoadTerms.Bids = .init()) async -> AdContext {
        var context = await self.services.context.context(by: self.services.clock)
        context.network = context.network ?? self.services.beacons.network
        self.services.trace?.hide(context)
        context.requestID = AdID(bits: self.services.random()).rawValue
        context.terms = AdContext.LoadTerms(self.services).limited(by: terms)
        return context
    }

    private func send(_ request: AdHTTPRequest) async -> Result<AdHTTPResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await self.services.transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func offers(
        from response: AdHTTPResponse,
        for placement: Provider.Placement,
        in context: AdContext
    ) -> Result<OfferBatch, AdError> {
        let result: Result<OfferBatch, AdError>
        do throws(AdError) {
            result = .success(try self.provider.offers(from: response, for: placement, in: context))
        } catch {
            result = .failure(error)
        }
        let now = self.services.clock.now
        self.memory.withLock { self.provider.remember(result, for: placement, in: &$0, at: now) }
        return result
    }

    func resolve(_ proposal: Proposal, to ad: Ad?, _ deadline: Moment) async -> Result<Offer, AdError> {
        switch proposal {
        case .offer(let offer): return .success(offer)
        case .video(let video): return await self.resolve(video, to: ad, deadline)
        case .served(let markup):
            do throws(AdError) {
                return await self.resolve(try await self.fetch(markup, deadline), to: ad, deadline)
            } catch {
                return .failure(error.located(.init(provider: self.provider.name)))
            }
        }
    }

    /// Fetches the markup of a bid; it is not served by another notice again.
    private func fetch(_ markup: ServedMarkup, _ deadline: Moment) async throws(AdError) -> Proposal {
        var request = markup.request
        request.limits.total = min(request.limits.total, max(.zero, deadline - self.services.clock.now))
        let response: AdHTTPResponse
        do throws(TransportError) {
            response = try await self.services.transport.send(request)
        } catch {
            throw AdError(error, to: request, at: .init(url: Redaction.address(request.url.text)))
        }
        return try markup.proposal(from: response)
    }

    /// Resolves a video's wrappers, and records their error beacons before the load ends.
    private func resolve(_ video: VideoProposal, to ad: Ad?, _ deadline: Moment) async -> Result<Offer, AdError> {
        let load = VideoLoad(services: self.services, proposal: video, deadline: deadline)
        let outcome = await load.run()
        // A cancelled load is not a failure of the video; a load that ran out of time is.
        if Task.isCancelled, self.services.clock.now < load.deadline {
            let place = AdError.Place(provider: video.provider)
            return .failure(AdError(.cancelled, "the load was cancelled", at: place))
        }
        await ad?.recordErrorBeacons(outcome.errorCalls)
        return outcome.result
    }

    private func schedule(_ id: LoadMachine.ID, at moment: Moment) -> AlarmID {
        self.services.clock.schedule(at: moment) {
            self.services.clock.workStarted()
            self.queue.post(.timerFired(id))
            self.services.clock.workEnded()
        }
    }
}
