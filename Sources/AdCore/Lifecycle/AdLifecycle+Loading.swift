// Loading, expiry, cancellation and destruction.

extension AdLifecycle {
    mutating func load(_ command: CommandID, at now: Moment) -> AdInputResult {
        switch self.state {
        case .idle:
            self.move(to: .loading(command))
            self.act(.emit(.loadStarted), .setTimer(.loading, at: now + self.timing.loading), .request)
            return .accepted
        case .loading:
            return self.refuseLoad(command, .alreadyLoading, "this ad is being loaded; wait for that load to end")
        case .loaded:
            return self.refuseLoad(command, .alreadyLoaded, "this ad is loaded already; show it, or load another")
        case .presenting, .replacing, .showing, .expired:
            return self.refuseLoad(command, .alreadyLoaded, "an ad is loaded once; load another with the loader")
        case .closed(let closed):
            return closed.isDestroyed
                ? self.refuseLoad(command, .destroyed, "this ad was destroyed; load another with the loader")
                : self.refuseLoad(command, .alreadyLoaded, "an ad is loaded once; load another with the loader")
        case .failed(let error):
            return self.refuseLoad(command, error.code, error.message)
        }
    }

    private mutating func refuseLoad(_ command: CommandID, _ code: AdError.Code, _ message: String) -> AdInputResult {
        let error = AdError(code, message)
        self.act(.emit(.loadFailed(error)), .finish(command, error))
        return .refused(code)
    }

    mutating func offerArrived(_ boxedRules: Boxed<ShowRules>, at now: Moment) -> AdInputResult {
        if case .replacing(let replacing) = self.state {
            self.presentNext(replacing, boxedRules, at: now)
            return .accepted
        }
        guard case .loading(let command) = self.state else { return .ignored("the ad is not being loaded") }
        let rules = boxedRules.value
        let expires = now + max(.zero, rules.effectiveLifetime)
        self.move(to: .loaded(Loaded(boxedRules: boxedRules, expires: expires)))
        self.act(
            .cancelTimer(.loading),
            .setTimer(.expiry, at: expires),
            .emit(.loaded)
        )
        if let delay = rules.closeDelay, delay > ClosePlan.maximumCloseDelay {
            let text = "it is longer than ten minutes, and ten minutes are used"
            self.act(.emit(.issue(AdIssue("closeTimeout.huge", at: .field("closeTimeout"), text))))
        }
        self.act(.finish(command, nil))
        return .accepted
    }

    mutating func loadFailed(_ error: AdError) -> AdInputResult {
        if case .replacing(let replacing) = self.state {
            self.failReplacing(replacing, replacing.error)
            return .accepted
        }
        guard case .loading(let command) = self.state else { return .ignored("the ad is not being loaded") }
        self.failLoad(command, error)
        return .accepted
    }

    private mutating func failLoad(_ command: CommandID, _ error: AdError) {
        self.move(to: .failed(error))
        self.act(.cancelTimer(.loading), .emit(.loadFailed(error)), .release, .finish(command, error))
    }

    mutating func loadingTimedOut() -> AdInputResult {
        if case .replacing(let replacing) = self.state {
            self.act(.cancelRequest)
            self.failReplacing(replacing, replacing.error)
            return .accepted
        }
        guard case .loading(let command) = self.state else { return .ignored("the ad is not being loaded") }
        self.act(.cancelRequest)
        let text =
            "the ad was not loaded within \(self.timing.loading.inSeconds) s; check the network, or raise loadTimeout"
        self.failLoad(command, AdError(.timedOut, text))
        return .accepted
    }

    mutating func expiryTimedOut() -> AdInputResult {
        guard case .loaded(let loaded) = self.state else { return .ignored("the ad is not waiting to be shown") }
        self.move(to: .expired)
        self.trackUnused(loaded.rules)
        self.settleSale(loaded.rules, .lost(.expired))
        self.act(.emit(.expired), .release)
        return .accepted
    }

    mutating func cancel(_ command: CommandID) -> AdInputResult {
        switch self.state {
        case .loading(command):
            self.act(.cancelRequest)
            self.failLoad(command, AdError(.cancelled, "the task that waited for the load was cancelled"))
            return .accepted
        case .presenting(let presenting) where presenting.show == command:
            self.failShow(presenting, AdError(.cancelled, "the task that waited for the show was cancelled"))
            return .accepted
        case .replacing(let replacing) where replacing.show == command:
            self.act(.cancelRequest)
            self.failReplacing(replacing, AdError(.cancelled, "the task that waited for the show was cancelled"))
            return .accepted
        case .idle, .loading, .loaded, .presenting, .replacing, .showing, .closed, .failed, .expired:
            return .ignored("the command has finished already")
        }
    }

    mutating func destroy(at now: Moment) -> AdInputResult {
        let error = AdError(.destroyed, "the ad was destroyed by the host")
        var waiting: CommandID?
        switch self.state {
        case .closed(let closed) where closed.isDestroyed:
            return .ignored("the ad is destroyed already")
        case .loading(let command):
            self.act(.cancelTimer(.loading), .cancelRequest, .emit(.loadFailed(error)))
            waiting = command
        case .presenting(let presenting):
            var playback = presenting.playback
            for step in playback?.abandon(nil) ?? [] { self.track(step) }
            self.settleSale(presenting.rules, .lost(.expired))
            self.act(.cancelTimer(.presenting), .stage(.close(.destroyed)))
            self.act(.emit(.showFailed(error)))
            waiting = presenting.show
        case .replacing(let replacing):
            self.act(.settle(.lost(.expired)), .cancelTimer(.loading), .cancelRequest, .emit(.showFailed(error)))
            waiting = replacing.show
        case .showing(let showing):
            self.end(showing, .destroyed, .host, at: now)
        case .loaded(let loaded):
            self.trackUnused(loaded.rules)
            self.settleSale(loaded.rules, .lost(.expired))
            self.act(.cancelTimer(.expiry))
        case .idle, .closed, .failed, .expired:
            break
        }
        self.move(to: .closed(Closed(clicks: Clicks(), isDestroyed: true)))
        self.act(.release)
        if let waiting { self.act(.finish(waiting, error)) }
        return .accepted
    }
}
