// From a loaded ad to one that is on screen.

extension AdLifecycle {
    mutating func show(_ command: CommandID, at now: Moment) -> AdInputResult {
        switch self.state {
        case .loaded(let loaded) where now >= loaded.expires:
            self.move(to: .expired)
            let error = AdLifecycle.expiredError
            self.trackUnused(loaded.rules)
            self.settleSale(loaded.rules, .lost(.expired))
            self.act(
                .cancelTimer(.expiry),
                .emit(.expired),
                .emit(.showFailed(error)),
                .release,
                .finish(command, error)
            )
            return .refused(.expired)
        case .loaded(let loaded):
            self.move(to: .presenting(Presenting(rules: loaded.boxedRules, show: command)))
            self.act(
                .cancelTimer(.expiry),
                .setTimer(.presenting, at: now + self.timing.presenting),
                .present
            )
            return .accepted
        case .idle:
            return self.refuseShow(command, AdError(.notLoaded, "this ad is not loaded; load it first"))
        case .loading:
            return self.refuseShow(command, AdError(.notLoaded, "the ad is still being loaded; wait for the load"))
        case .presenting, .replacing, .showing:
            return self.refuseShow(command, AdLifecycle.shownError)
        case .closed(let closed):
            let error = AdError(.destroyed, "the ad was destroyed; load another")
            return self.refuseShow(command, closed.isDestroyed ? error : AdLifecycle.shownError)
        case .failed(let error):
            return self.refuseShow(command, error)
        case .expired:
            return self.refuseShow(command, AdLifecycle.expiredError)
        }
    }

    /// Refuses a show that a frequency cap does not allow, or continues it with the auction's next offer.
    ///
    /// A refused ad stays loaded. Without a loaded ad, that is the error.
    mutating func showCapped(_ command: CommandID, _ error: AdError, at now: Moment) -> AdInputResult {
        guard case .loaded(let loaded) = self.state, now < loaded.expires else { return self.show(command, at: now) }
        guard loaded.rules.sale.hasSuccessor else { return self.refuseShow(command, error) }
        var unused = Presenting(rules: loaded.boxedRules, show: command)
        for step in unused.playback?.close(byUser: false) ?? [] where self.track(step) { unused.pendingTracking += 1 }
        self.act(.cancelTimer(.expiry))
        self.requestNext(after: unused, error, .filtered, at: now)
        return .accepted
    }

    private static var shownError: AdError { AdError(.alreadyShown, "an ad is shown once; load another") }
    private static var expiredError: AdError {
        AdError(.expired, "the ad was loaded too long ago to be shown; load another")
    }

    private mutating func refuseShow(_ command: CommandID, _ error: AdError) -> AdInputResult {
        self.act(.emit(.showFailed(error)), .finish(command, error))
        return .refused(error.code)
    }

    mutating func presentFailed(_ error: AdError, at now: Moment) -> AdInputResult {
        guard case .presenting(let presenting) = self.state else { return .ignored("the ad is not being presented") }
        // 400 is the general error of a linear ad (VAST 4.3 §2.3.6.3).
        self.replace(presenting, error, code: error.vastCode ?? 400, at: now)
        return .accepted
    }

    mutating func presentingTimedOut(at now: Moment) -> AdInputResult {
        let text = "the stage did not show the creative within \(self.timing.presenting.inSeconds) s"
        return self.presentFailed(AdError(.stageTimedOut, text, vastCode: 304), at: now)
    }

    /// Fails a show, or continues it with the auction's next offer.
    ///
    /// `code` is the VAST error code to report, nil if it was reported.
    private mutating func replace(_ presenting: Presenting, _ error: AdError, code: Int? = nil, at now: Moment) {
        guard presenting.rules.sale.hasSuccessor else { return self.failShow(presenting, error, code: code) }
        var current = presenting
        for step in current.playback?.abandon(code) ?? [] where self.track(step) { current.pendingTracking += 1 }
        self.act(.cancelTimer(.presenting), .stage(.close(.neverShown)))
        self.requestNext(after: current, error, .internalError, at: now)
    }

    /// A next offer arrives at once, unless its video must be resolved; the wait is limited as that of a load is.
    private mutating func requestNext(
        after failed: Presenting,
        _ error: AdError,
        _ reason: LossReason,
        at now: Moment
    ) {
        self.act(.emit(.offerFailed(error)), .setTimer(.loading, at: now + self.timing.loading), .requestNext(reason))
        self.move(to: .replacing(Replacing(failed, error)))
    }

    /// Shows the auction's next offer.
    mutating func presentNext(_ replacing: Replacing, _ rules: Boxed<ShowRules>, at now: Moment) {
        self.move(to: .presenting(Presenting(replacing, with: rules)))
        self.act(.cancelTimer(.loading), .setTimer(.presenting, at: now + self.timing.presenting), .present)
    }

    /// Fails a show of which no offer could be shown.
    mutating func failReplacing(_ replacing: Replacing, _ error: AdError) {
        self.move(to: .failed(error))
        self.act(
            .settle(.lost(AdLifecycle.lossReason(of: error))),
            .cancelTimer(.loading),
            .emit(.showFailed(error)),
            .release,
            .finish(replacing.show, error)
        )
    }

    /// Why no bid has won if a show fails with this error.
    private static func lossReason(of error: AdError) -> LossReason {
        error.code == .cancelled ? .expired : .internalError
    }

    /// Lets the auction that sold the offer send its notices.
    mutating func settleSale(_ rules: ShowRules, _ outcome: SaleOutcome) {
        if rules.sale.isAuctioned { self.act(.settle(outcome)) }
    }

    /// Fails a show; `code` is the VAST error code to report, nil if the ad did not cause the failure.
    mutating func failShow(_ presenting: Presenting, _ error: AdError, code: Int? = nil) {
        self.move(to: .failed(error))
        var playback = presenting.playback
        for step in playback?.abandon(code) ?? [] { self.track(step) }
        self.settleSale(presenting.rules, .lost(AdLifecycle.lossReason(of: error)))
        self.act(
            .cancelTimer(.presenting),
            .stage(.close(.neverShown)),
            .emit(.showFailed(error)),
            .release,
            .finish(presenting.show, error)
        )
    }

    mutating func stage(_ event: StageEvent, at now: Moment) -> AdInputResult {
        switch self.state {
        case .idle, .loading, .loaded, .replacing: return .ignored("there is no stage yet")
        case .closed, .failed, .expired: return .ignored("the ad is over")
        case .presenting(let presenting): return self.stage(event, presenting, at: now)
        case .showing(let showing): return self.stage(event, showing, at: now)
        }
    }

    private mutating func stage(_ event: StageEvent, _ presenting: Presenting, at now: Moment) -> AdInputResult {
        var presenting = presenting
        switch event {
        case .ready:
            guard !presenting.isReady else { return .ignored("the creative is ready already") }
            presenting.isReady = true
            self.move(to: .presenting(presenting))
            self.act(.stage(.reveal))
            return .accepted
        case .revealed:
            self.reveal(presenting, at: now)
            return .accepted
        case .visible(let ratio):
            presenting.exposure.setVisibleRatio(ratio)
            self.move(to: .presenting(presenting))
            return .accepted
        case .blocked(let attempt):
            let result = self.block(attempt, &presenting.blocked)
            self.move(to: .presenting(presenting))
            return result
        case .diagnostic(let diagnostic):
            let result = self.report(diagnostic, &presenting.diagnostics)
            self.move(to: .presenting(presenting))
            return result
        case .tap:
            return .ignored("the ad is not on screen yet")
        case .click(let link, _, _), .partClicked(_, let link, _, _):
            let attempt = BlockedAttempt(.click, link?.text ?? "a click before the ad was on screen")
            let result = self.block(attempt, &presenting.blocked)
            self.move(to: .presenting(presenting))
            return result
        case .crashed(let text, _):
            return self.presentFailed(
                AdError(.stageFailed, "the creative crashed before it was shown: \(text)"),
                at: now
            )
        case .video(let event, let spot):
            return self.video(event, of: spot, presenting, at: now)
        case .message:
            return .ignored("messages of a page are handled by its session")
        case .gone:
            return self.presentFailed(AdError(.stageFailed, "the stage disappeared before the ad was shown"), at: now)
        case .closeRequested(by: .creative):
            return self.presentFailed(AdError(.stageFailed, "the creative closed itself before it was shown"), at: now)
        case .closeRequested(by: .user), .skipRequested:
            return .ignored("the ad is not on screen yet")
        }
    }

    /// Handles the events that a video may have before it is on screen: loaded, muted, failed, its size and scripts.
    private mutating func video(
        _ event: VideoEvent,
        of spot: Int,
        _ current: Presenting,
        at now: Moment
    ) -> AdInputResult {
        var presenting = current
        guard var playback = presenting.playback else { return .ignored("this ad has no video") }
        switch event {
        case .loaded, .muted, .enlarged, .failed, .partFailed, .verification, .interactiveLoading: break
        default: return .ignored("the ad is not on screen yet")
        }
        let steps: [PlaybackStep]
        switch playback.handle(event, of: spot, isVisible: false) {
        case .ignored(let reason): return .ignored(reason)
        case .steps(let list): steps = list
        }
        self.reportFailure(event, of: spot)
        for step in steps {
            if self.track(step) { presenting.pendingTracking += 1 }
            if case .next(let spot) = step { self.act(.stage(.video(.next(spot: spot)))) }
        }
        presenting.playback = playback
        self.move(to: .presenting(presenting))
        if case .failed(let code, let text) = event, playback.phase == .over {
            // The error was tracked by `handle` already.
            let error = AdError(.stageFailed, "the video can't be played: \(text)", vastCode: code)
            self.replace(presenting, error, at: now)
        }
        return .accepted
    }

    private mutating func reveal(_ presenting: Presenting, at now: Moment) {
        var showing = Showing(presenting, timing: self.timing, at: now)
        self.act(.cancelTimer(.presenting), .emit(.shown))
        if presenting.rules.sale.isAuctioned {
            showing.unrecorded.insert(.win)
            self.act(.settle(.won))
        }
        self.act(.finish(presenting.show, nil))
        if let watchdog = showing.watchdog { self.act(.setTimer(.watchdog, at: watchdog)) }
        if showing.closeAfter == .zero { self.makeClosable(&showing, .immediate) }
        self.startPlayback(&showing)
        self.exposureChanged(&showing, at: now)
        self.move(to: .showing(showing))
    }
}
