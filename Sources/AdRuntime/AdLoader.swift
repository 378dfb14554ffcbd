public import AdCore

/// Asks one provider for ads.
///
/// ```swift
/// let loader = AdLoader(provider, services: services)
/// let ad = try await loader.load(placement)
/// try await ad.show(on: presenter)
/// ```
public struct AdLoader<Placement: Sendable>: Sendable {
    /// What this loader shares with others.
    public var services: AdServices { self.house.services }
    /// Who is asked.
    public var provider: ProviderName { self.house.provider }

    private let house: AdHouse
    private let makeRequest: @Sendable (Placement, AdContext) throws(AdError) -> HTTPRequest
    private let readAnswer: @Sendable (HTTPResponse, Placement, AdContext) throws(AdError) -> OfferBatch

    /// A loader for a provider's placements.
    public init(_ provider: some AdProvider<Placement>, services: AdServices) {
        self.house = AdHouse(provider: provider.name, openMode: provider.openMode, services: services)
        self.makeRequest = { (placement, context) throws(AdError) in
            try provider.request(for: placement, in: context)
        }
        self.readAnswer = { (response, placement, context) throws(AdError) in
            try provider.offers(from: response, for: placement, in: context)
        }
    }

    /// Loads an ad, or says why there is none.
    ///
    /// Cancelling the task ends the load.
    public func load(_ placement: Placement) async throws(AdError) -> Ad {
        let ad = self.ad(for: placement)
        try await ad.load()
        return ad
    }

    /// An ad that is not loaded yet, for a host that wants to see its events from the first one on.
    public func ad(for placement: Placement) -> Ad {
        Ad(id: AdID(bits: self.services.random()), self.house) { (ad) async throws(AdError) -> Offer in
            try await self.offer(for: placement, to: ad)
        }
    }

    /// The exact request that a load would send now.
    public func request(for placement: Placement) async throws(AdError) -> HTTPRequest {
        self.services.clock.workBegan()
        defer { self.services.clock.workEnded() }
        let context = await self.context()
        return try self.located { () throws(AdError) in try self.makeRequest(placement, context) }
    }

    private func context() async -> AdContext {
        var context = await self.services.context.context(by: self.services.clock)
        context.requestID = AdID(bits: self.services.random()).rawValue
        return context
    }

    private func offer(for placement: Placement, to ad: Ad) async throws(AdError) -> Offer {
        let deadline = self.services.clock.now + self.services.timing.loading
        let context = await self.context()
        var request = try self.located { () throws(AdError) in try self.makeRequest(placement, context) }
        // The load's own time is all that counts: real time for the network even where a test's time stands still.
        request.limits.total = self.services.timing.loading
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await self.services.transport.send(request)
        } catch {
            throw AdError(error, to: request, at: self.place(of: request))
        }
        let batch: OfferBatch
        do throws(AdError) {
            batch = try self.readAnswer(response, placement, context)
        } catch {
            throw error.located(self.place(of: request))
        }
        var first: AdError?
        var issues = batch.issues
        for proposal in batch.proposals {
            // Whoever has no time left, or does not want the ad any more, asks for nothing else.
            if let first, Task.isCancelled { throw first }
            switch proposal {
            case .offer(let offer): return offer.adding(issues)
            case .video(let video):
                do throws(AdError) {
                    return try await self.offer(video, to: ad, by: deadline).adding(issues)
                } catch {
                    first = first ?? error.located(self.place(of: request))
                    issues.append(Issue("video.passedOver", at: .whole, "a video was passed over: \(error.message)"))
                }
            }
        }
        if let first { throw first }
        // Why there is none is known to the answer alone.
        let reason = batch.issues.first.map { " (\($0.message))" } ?? ""
        let text = "the server has no ad for this placement now\(reason); ask again later"
        throw AdError(.noFill, text, at: self.place(of: request), issues: batch.issues)
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

    private func place(of request: HTTPRequest) -> AdError.Place {
        AdError.Place(provider: self.provider, url: Redaction.address(request.url.text))
    }

    private func located<R>(_ body: () throws(AdError) -> R) throws(AdError) -> R {
        do throws(AdError) { return try body() } catch { throw error.located(.init(provider: self.provider)) }
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
