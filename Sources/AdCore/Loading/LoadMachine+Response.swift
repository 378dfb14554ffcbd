// The response: retries, loads that share it, and the cache.
extension LoadMachine {
    mutating func responded(
        _ id: ID,
        _ result: Result<AdHTTPResponse, TransportError>,
        at now: Moment,
        _ random: () -> UInt64
    ) -> [Action] {
        guard let load = self.loads[id], case .sending(let query, let attempt) = load.phase else { return [] }
        let failure: RetryPolicy.Failure
        let text: String
        switch result {
        case .success(let response): (failure, text) = (.status(response.status), "status \(response.status)")
        case .failure(let error): (failure, text) = (.transport(error.phase), error.message)
        }
        if !load.isCancelled, let pause = self.retries.pause(after: attempt, failure, bits: random()),
            now + pause < load.deadline
        {
            let text = "attempt \(attempt) failed (\(text)), and the request was sent again"
            self.loads[id]?.issues.append(AdIssue("load.again", at: .whole, text))
            self.loads[id]?.phase = .pausing(query, attempt: attempt)
            return [.setTimer(id, now + pause)]
        }
        switch result {
        case .success(let response):
            self.loads[id]?.phase = .parsing(query)
            return [.parse(id, response)]
        case .failure(let error):
            let error = AdError(error, to: query.request, at: load.place.inErrors).adding(load.issues)
            return self.finish(id, .failure(error)) + self.share(query, of: id, .failure(error), at: now)
        }
    }

    mutating func parsed(_ id: ID, _ result: Result<OfferBatch, AdError>, bytes: Int, at now: Moment) -> [Action] {
        guard let load = self.loads[id], case .parsing(let query) = load.phase else { return [] }
        switch result {
        case .failure(let error):
            let error = error.located(load.place.inErrors).adding(load.issues)
            return self.finish(id, .failure(error)) + self.share(query, of: id, .failure(error), at: now)
        case .success(let batch):
            let served =
                query.cachePolicy.map {
                    self.cache.store(batch, $0, size: bytes, for: OfferCache.Key(query.request), at: now)
                } ?? OfferCache.Served(uncached: batch)
            let own =
                load.isCancelled
                ? self.finish(id, .failure(self.cancelled(load))) : self.serve(id, query, served, at: now)
            return own + self.share(query, of: id, .success(batch), at: now)
        }
    }

    /// Passes a load's result on to the loads that wait for it.
    private mutating func share(
        _ query: Query,
        of leader: ID,
        _ result: Result<OfferBatch, AdError>,
        at now: Moment
    ) -> [Action] {
        guard query.cachePolicy != nil else { return [] }
        let key = OfferCache.Key(query.request)
        guard let group = self.shared[key], group.leader == leader else { return [] }
        self.shared[key] = nil
        return group.waiting.flatMap { id -> [Action] in
            guard case .waiting(let query, _)? = self.loads[id]?.phase else { return [] }
            return [.cancelTimer(id)] + self.shared(id, query, result, key, at: now)
        }
    }

    private mutating func shared(
        _ id: ID,
        _ query: Query,
        _ result: Result<OfferBatch, AdError>,
        _ key: OfferCache.Key,
        at now: Moment
    ) -> [Action] {
        if let served = self.cache.lookUp(for: key, at: now) { return self.serve(id, query, served, at: now) }
        switch result {
        case .failure(let error): return self.finish(id, .failure(error))
        case .success(let batch) where batch.proposals.isEmpty:
            return self.serve(id, query, OfferCache.Served(uncached: batch), at: now)
        // Every ad of the response is reserved for other loads.
        case .success: return self.send(id, query, attempt: 1, at: now)
        }
    }

    // MARK: Time and cancellation

    mutating func timerFired(_ id: ID, at now: Moment) -> [Action] {
        switch self.loads[id]?.phase {
        case .pausing(let query, let attempt): return self.send(id, query, attempt: attempt + 1, at: now)
        case .waiting(let query, _):
            self.leave(id, query)
            return self.send(id, query, attempt: 1, at: now)
        default: return []
        }
    }

    mutating func cancel(_ id: ID, at now: Moment) -> [Action] {
        guard let load = self.loads[id], !load.isCancelled else { return [] }
        self.loads[id]?.isCancelled = true
        switch load.phase {
        case .preparing, .choosing: return self.finish(id, .failure(load.firstFailure ?? self.cancelled(load)))
        case .waiting(let query, _):
            self.leave(id, query)
            return [.cancelTimer(id)] + self.finish(id, .failure(self.cancelled(load)))
        case .pausing(let query, _):
            let error = self.cancelled(load)
            return [.cancelTimer(id)] + self.finish(id, .failure(error)) + self.passOn(query, from: id, at: now)
        case .sending(let query, _), .parsing(let query): return self.passOn(query, from: id, at: now)
        case .checking, .trying: return []
        }
    }

    /// Removes a load from those that wait.
    private mutating func leave(_ id: ID, _ query: Query) {
        self.shared[OfferCache.Key(query.request)]?.waiting.removeAll { $0 == id }
    }

    /// Lets the next waiting load send the request in place of a cancelled one.
    private mutating func passOn(_ query: Query, from leader: ID, at now: Moment) -> [Action] {
        let key = OfferCache.Key(query.request)
        guard query.cachePolicy != nil, let group = self.shared[key], group.leader == leader else { return [] }
        guard let next = group.waiting.first, case .waiting(let query, _)? = self.loads[next]?.phase else {
            self.shared[key] = nil
            return []
        }
        self.shared[key] = (next, Array(group.waiting.dropFirst()))
        return [.cancelTimer(next)] + self.send(next, query, attempt: 1, at: now)
    }
}

extension AdError {
    /// Creates the error of a load whose request failed.
    package init(_ error: TransportError, to request: AdHTTPRequest, at place: Place) {
        let (code, fix): (Code, String) =
            switch error.phase {
            case .notSent: (.unreachable, "check the URL and the network")
            case .ambiguous(.timedOut): (.timedOut, "the server took too long; try again, or raise the time limit")
            case .ambiguous(.tooManyRedirects), .ambiguous(.badRedirect):
                (.serverStatus, "check the URL: its redirects lead to no response")
            case .ambiguous: (.connectionLost, "the connection ended early; try again")
            case .tooLarge:
                (.responseTooLarge, "a response may have \(request.limits.body) bytes; use a smaller creative")
            case .cancelled: (.cancelled, "the load was cancelled")
            }
        self.init(code, "\(error.message); \(fix)", at: place, underlying: error)
    }
}
