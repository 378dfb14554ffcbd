import AdCore
import AdTrace
import SystemSupport

/// Loads offers for placements of one type, without naming the provider's type.
protocol OfferLoading<Placement>: Sendable {
    associatedtype Placement: Sendable

    var context: ProviderContext { get }

    /// The exact request that a load would send now.
    func request(for placement: Placement) async throws(AdError) -> AdHTTPRequest

    /// Runs a load to its end; cancelling the task cancels the load.
    ///
    /// The error URLs of wrappers that fail are recorded as beacons of `ad`, which the offer is for.
    func load(
        _ goal: LoadMachine.Goal,
        for placement: Placement,
        to ad: Ad?
    ) async throws(AdError) -> LoadMachine.Outcome

    /// Returns a lease that returns the offer to the cache when its last reference is released.
    func lease(_ mark: OfferCache.Mark) -> OfferLease
}

/// A load in progress and its current task.
///
/// It is not generic, because collections of an unspecialized generic type are slow.
private struct RunningLoad {
    /// The provider's placement.
    let placement: any Sendable
    let ad: Ad?
    let result = OneShot<Result<LoadMachine.Outcome, AdError>>()
    let wait: ClockWait
    var requestContext = AdContext()
    var task: Task<Void, Never>?
    var alarm: AlarmID?
}

/// The shell that executes the actions of one provider's `LoadMachine`.
final class OfferPipeline<Provider: AdProvider>: OfferLoading {
    private typealias ID = LoadMachine.ID

    let context: ProviderContext
    private let provider: Provider
    private let machine: Locked<LoadMachine>
    private let mailbox = SerialMailbox<LoadMachine.Input>()
    private let running = Locked<[LoadMachine.ID: RunningLoad]>([:])
    private let memory: Locked<Provider.Memory>

    private var services: AdServices { self.context.services }

    init(_ provider: Provider, services: AdServices) {
        self.provider = provider
        self.context = ProviderContext(provider: provider.name, openMode: provider.openMode, services: services)
        self.machine = Locked(LoadMachine(provider: provider.name, retries: provider.retries))
        self.memory = Locked(provider.memory)
        for (name, secret) in provider.credentials {
            services.credentials[name] = secret
            services.trace?.hide(secret)
        }
    }

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
        to ad: Ad?
    ) async throws(AdError) -> LoadMachine.Outcome {
        let id = self.machine.withLock { $0.makeID() }
        let load = RunningLoad(placement: placement, ad: ad, wait: ClockWait(self.services.clock))
        self.running.withLock { $0[id] = load }
        let deadline = self.services.clock.now + self.services.timing.loading
        return try await withTaskCancellationHandler {
            self.post(.start(id, goal, deadline: deadline))
            // The load's own tasks count as work meanwhile, so this caller's work is suspended.
            await load.wait.wait()
            return await load.result.value
        } onCancel: {
            self.post(.cancel(id))
        }.get()
    }

    func lease(_ mark: OfferCache.Mark) -> OfferLease { OfferLease(mark, of: self.machine) }

    // MARK: The machine

    private func post(_ input: LoadMachine.Input) {
        self.mailbox.post(input) { input in
            let now = self.services.clock.now
            let actions = self.machine.withLock { $0.handle(input, at: now, random: self.services.random) }
            for action in actions { self.execute(action) }
        }
    }

    private func execute(_ action: LoadMachine.Action) {
        switch action {
        case .prepare(let id): self.start(id) { await self.prepare(id) }
        case .send(let id, let request):
            self.start(id) {
                do throws(TransportError) {
                    let response = try await self.services.transport.send(request)
                    self.post(.responded(id, .success(response)))
                } catch {
                    self.post(.responded(id, .failure(error)))
                }
            }
        case .parse(let id, let response): self.parse(id, response)
        case .choose(let id, let proposals): self.choose(id, proposals)
        case .resolve(let id, let video, let deadline): self.start(id) { await self.resolve(id, video, deadline) }
        case .cancelWork(let id): self.running.withLock { $0[id]?.task }?.cancel()
        case .setTimer(let id, let moment): self.setTimer(id, moment)
        case .cancelTimer(let id): self.cancelTimer(id)
        case .finish(let id, let result): self.finish(id, result)
        }
    }

    private func placement(of id: ID) -> Provider.Placement? {
        self.running.withLock { $0[id]?.placement } as? Provider.Placement
    }

    private func start(_ id: ID, _ body: @escaping @Sendable () async -> Void) {
        let task = self.services.clock.startWorkImmediately(body)
        self.running.withLock { $0[id]?.task = task }
    }

    private func prepare(_ id: ID) async {
        guard let placement = self.placement(of: id) else { return }
        let now = self.services.clock.now
        if let refusal = self.memory.withLock({ self.provider.refusal(for: placement, with: $0, at: now) }) {
            return self.post(.prepared(id, .failure(refusal)))
        }
        let context = await self.requestContext()
        self.running.withLock { $0[id]?.requestContext = context }
        do throws(AdError) {
            let request = try self.provider.request(for: placement, in: context)
            let query = LoadMachine.Query(request, cachePolicy: self.provider.cachePolicy(in: context))
            self.post(.prepared(id, .success(query)))
        } catch {
            self.post(.prepared(id, .failure(error)))
        }
    }

    private func requestContext() async -> AdContext {
        var context = await self.services.context.context(by: self.services.clock)
        context.network = context.network ?? self.services.beacons.network
        self.services.trace?.hide(context)
        context.requestID = AdID(bits: self.services.random()).rawValue
        return context
    }

    private func parse(_ id: ID, _ response: AdHTTPResponse) {
        guard let load = self.running.withLock({ $0[id] }), let placement = load.placement as? Provider.Placement
        else { return }
        let result: Result<OfferBatch, AdError>
        do throws(AdError) {
            result = .success(try self.provider.offers(from: response, for: placement, in: load.requestContext))
        } catch {
            result = .failure(error)
        }
        let now = self.services.clock.now
        self.memory.withLock { self.provider.remember(result, for: placement, in: &$0, at: now) }
        self.post(.parsed(id, result, bytes: response.body.count))
    }

    private func choose(_ id: ID, _ proposals: [Proposal]) {
        guard let placement = self.placement(of: id) else { return }
        var random = SplitMix(seed: self.services.random())
        self.post(.chosen(id, self.provider.choice(among: proposals, for: placement, random: &random)))
    }

    /// Resolves a video's wrappers, and records their error beacons before the load ends.
    private func resolve(_ id: ID, _ video: VideoProposal, _ deadline: Moment) async {
        // Wrappers stop before the load's deadline, so that the load can still report its outcome.
        let margin = min(.milliseconds(500), self.services.timing.loading / 20)
        let load = VideoLoad(services: self.services, proposal: video, deadline: deadline - margin)
        let outcome = await load.run()
        // A cancelled load is not a failure of the video; a load that ran out of time is.
        if Task.isCancelled, self.services.clock.now < load.deadline {
            let place = AdError.Place(provider: video.provider)
            return self.post(.resolved(id, .failure(AdError(.cancelled, "the load was cancelled", at: place))))
        }
        await self.running.withLock({ $0[id]?.ad })?.recordErrorBeacons(outcome.errorCalls)
        self.post(.resolved(id, outcome.result))
    }

    private func setTimer(_ id: ID, _ moment: Moment) {
        let alarm = self.services.clock.schedule(at: moment) {
            self.services.clock.workStarted()
            self.post(.timerFired(id))
            self.services.clock.workEnded()
        }
        self.running.withLock { $0[id]?.alarm = alarm }
    }

    private func cancelTimer(_ id: ID) {
        let alarm = self.running.withLock { running in
            defer { running[id]?.alarm = nil }
            return running[id]?.alarm
        }
        if let alarm { self.services.clock.cancel(alarm) }
    }

    private func finish(_ id: ID, _ result: Result<LoadMachine.Outcome, AdError>) {
        guard let load = self.running.withLock({ $0.removeValue(forKey: id) }) else { return }
        if let alarm = load.alarm { self.services.clock.cancel(alarm) }
        load.result.resolve(result)
        load.wait.end()
    }
}
