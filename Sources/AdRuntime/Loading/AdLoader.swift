public import AdCore
import SystemLock

/// Asks one provider for ads.
///
/// ```swift
/// let loader = AdLoader(provider, services: services)
/// let ad = try await loader.load(placement)
/// try await ad.show(on: presenter)
/// ```
public struct AdLoader<Placement: Sendable>: Sendable {
    /// What this loader shares with others.
    public var services: AdServices { self.desk.house.services }
    /// Who is asked.
    public var provider: ProviderName { self.desk.house.provider }

    private let desk: LoadDesk<Placement>

    /// A loader for a provider's placements.
    ///
    /// Copies of a loader remember together; two loaders of one provider know nothing of each other.
    public init(_ provider: some AdProvider<Placement>, services: AdServices) {
        self.desk = LoadDesk(provider, services: services)
    }

    /// Loads an ad, or says why there is none.
    ///
    /// Cancelling the task ends the load.
    public func load(_ placement: Placement) async throws(AdError) -> Ad {
        let ad = self.ad(for: placement)
        try await ad.load()
        return ad
    }

    /// Loads all ads that the provider serves at once for a placement, in its order, or says why there is none.
    ///
    /// Each is an ad of its own, with its own view and click. What can't be shown is left out where others can.
    public func loadAll(_ placement: Placement) async throws(AdError) -> [Ad] {
        let list = self.list(for: placement)
        try await list.first.load()
        let ads = [list.first] + (await list.others())
        // Whoever gives up gets no part of a list for the whole.
        if Task.isCancelled { throw AdError(.cancelled, "the load was cancelled", at: .init(provider: self.provider)) }
        return ads
    }

    /// All ads that the provider serves at once: the first asks for all of them when it is loaded, and then the others
    /// can be had.
    package func list(for placement: Placement) -> (first: Ad, others: @Sendable () async -> [Ad]) {
        let left = Locked<LoadDesk<Placement>.Servings?>(nil)
        let first = self.ad { (ad) async throws(AdError) -> Offer in
            let (offer, rest) = try await self.best(for: placement, to: ad)
            left.withLock { $0 = rest }
            return offer
        }
        return (first, { await self.others(left.withLock { $0 }) })
    }

    private func others(_ servings: LoadDesk<Placement>.Servings?) async -> [Ad] {
        guard let servings else { return [] }
        let deadline = self.deadline
        var ads: [Ad] = []
        for serving in servings.all {
            let ad = self.ad { (ad) async throws(AdError) -> Offer in
                let offer = try await self.offer(serving, [], from: servings.request, to: ad, by: deadline)
                guard let offer else { throw AdError(.noFill, "another ad has taken this one meanwhile") }
                return offer
            }
            // Whoever can't be loaded has said so in its events.
            if (try? await ad.load()) != nil { ads.append(ad) }
        }
        return ads
    }

    /// Asks ahead, where the answer may be kept; says whether an ad waits now for whoever loads this placement next.
    ///
    /// Of a provider whose answers may not be kept nothing is asked: it would be asked for nobody.
    @discardableResult
    public func prefetch(_ placement: Placement) async throws(AdError) -> Bool {
        self.services.clock.workBegan()
        defer { self.services.clock.workEnded() }
        return try await self.desk.askAhead(for: placement, by: self.deadline)
    }

    /// An ad that is not loaded yet, for a host that wants to see its events from the first one on.
    public func ad(for placement: Placement) -> Ad {
        self.ad { (ad) async throws(AdError) -> Offer in
            try await self.best(for: placement, to: ad).offer
        }
    }

    /// The exact request that a load would send now.
    public func request(for placement: Placement) async throws(AdError) -> HTTPRequest {
        self.services.clock.workBegan()
        defer { self.services.clock.workEnded() }
        return try await self.desk.request(for: placement)
    }

    private var deadline: Moment { self.services.clock.now + self.services.timing.loading }

    private func ad(_ ask: @escaping Ad.Ask) -> Ad {
        Ad(id: AdID(bits: self.services.random()), self.desk.house, ask: ask)
    }

    /// The best offer that can be shown, and what else is served.
    private func best(
        for placement: Placement,
        to ad: Ad
    ) async throws(AdError) -> (offer: Offer, rest: LoadDesk<Placement>.Servings) {
        let deadline = self.deadline
        // Others may take what was just seen; whoever is too late a few times in a row finds nothing.
        for _ in 0..<4 {
            var servings = try await self.desk.servings(for: placement, by: deadline)
            guard !servings.all.isEmpty else { throw self.desk.noFill(servings) }
            var first: AdError?
            var issues = servings.issues
            while !servings.all.isEmpty {
                // Whoever has no time left, or does not want the ad any more, asks for nothing else.
                if let first, Task.isCancelled { throw first }
                let serving = servings.all.removeFirst()
                do throws(AdError) {
                    let offer = try await self.offer(serving, issues, from: servings.request, to: ad, by: deadline)
                    if let offer { return (offer, servings) }
                } catch {
                    first = first ?? error
                    issues.append(Issue("video.passedOver", at: .whole, "a video was passed over: \(error.message)"))
                }
            }
            if let first { throw first }
        }
        throw AdError(.noFill, "others have taken every ad for this placement; ask again later")
    }

    /// An offer for an ad; nil where another ad has it.
    private func offer(
        _ serving: LoadDesk<Placement>.Serving,
        _ issues: [Issue],
        from request: HTTPRequest,
        to ad: Ad,
        by deadline: Moment
    ) async throws(AdError) -> Offer? {
        var hold: OfferHold?
        if let mark = serving.mark, mark.isExclusive {
            hold = OfferHold(mark, of: self.desk.house)
            guard hold != nil else { return nil }
        }
        let offer: Offer
        switch serving.proposal {
        case .offer(let ready): offer = ready
        case .video(let video):
            do throws(AdError) {
                offer = try await self.offer(video, to: ad, by: deadline)
            } catch {
                // What was given up says nothing of the video.
                if let mark = serving.mark, !Task.isCancelled { self.desk.house.cache.withLock { $0.failed(mark) } }
                throw error.located(self.desk.place(of: request))
            }
        }
        // An ad that is over holds nothing.
        ad.parts.withLock { if !$0.isReleased { $0.hold = hold } }
        return issues.isEmpty ? offer : offer.adding(issues)
    }

    /// Follows a video's wrappers; whoever is to be told that something failed is, before the load ends.
    private func offer(_ video: VideoProposal, to ad: Ad, by deadline: Moment) async throws(AdError) -> Offer {
        // The load itself must have time to say how it ended.
        let margin = min(.milliseconds(500), self.services.timing.loading / 20)
        let load = VideoLoad(services: self.services, proposal: video, deadline: deadline - margin)
        let outcome = await load.run()
        // A host that ends the load is no failure of anybody's; a load whose time is over is.
        if Task.isCancelled, self.services.clock.now < load.deadline {
            throw AdError(.cancelled, "the load was cancelled", at: AdError.Place(provider: video.provider))
        }
        await ad.recordPings(outcome.pings)
        return try outcome.result.get()
    }
}

extension AdError {
    /// What a transport's failure means for the load that sent a request.
    init(_ error: TransportError, to request: HTTPRequest, at place: Place) {
        let (code, cure): (Code, String) =
            switch error.phase {
            case .notSent: (.unreachable, "check the address and the network")
            case .ambiguous(.timedOut): (.timedOut, "the server took too long; try again, or allow more time")
            case .ambiguous(.tooManyRedirects), .ambiguous(.badRedirect):
                (.serverStatus, "check the address: its redirects lead to no answer")
            case .ambiguous: (.connectionLost, "the connection ended early; try again")
            case .tooLarge:
                (.answerTooLarge, "an answer may have \(request.limits.body) bytes; ask for a smaller creative")
            case .cancelled: (.cancelled, "the load was cancelled")
            }
        self.init(code, "\(error.message); \(cure)", at: place, underlying: error)
    }
}
