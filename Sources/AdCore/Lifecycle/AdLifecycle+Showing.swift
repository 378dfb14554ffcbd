// The ad on screen: its view, when it can be closed, and its end.

extension AdLifecycle {
    mutating func stage(_ event: StageEvent, _ current: Showing, at now: Moment) -> AdInputResult {
        var showing = current
        switch event {
        case .ready, .revealed:
            return .ignored("the ad is on screen already")
        case .visible(let ratio):
            showing.exposure.setVisibleRatio(ratio)
            self.pauseOrResume(&showing)
            self.exposureChanged(&showing, at: now)
            self.move(to: .showing(showing))
            return .accepted
        case .click(let link, let byUser, let place):
            return self.click(link, byUser: byUser, on: place, showing, at: now)
        case .tap(let tap, let place):
            return self.tap(tap, on: place, showing)
        case .diagnostic(let diagnostic):
            let result = self.report(diagnostic, &showing.diagnostics)
            self.move(to: .showing(showing))
            return result
        case .blocked(let attempt):
            let result = self.block(attempt, &showing.blocked)
            self.move(to: .showing(showing))
            return result
        case .closeRequested(by: .user):
            guard let rule = showing.closable else { return .ignored("the ad can't be closed yet") }
            self.end(showing, .user, rule, at: now)
            return .accepted
        case .closeRequested(by: .creative):
            guard !showing.rules.isRewarded || showing.closable != nil else {
                return .ignored("a rewarded ad can't be closed yet")
            }
            self.end(showing, .creative, .creative, at: now)
            return .accepted
        case .skipRequested:
            return self.skip(showing, at: now)
        case .video(let event, let spot):
            return self.video(event, of: spot, showing, at: now)
        case .partClicked(let part, let link, let byUser, let spot):
            return self.click(part, of: spot, link, byUser: byUser, showing, at: now)
        case .crashed(let text, let cause):
            self.act(.emit(.issue(AdIssue(cause.rawValue, at: .whole, text))))
            self.makeClosable(&showing, .crashed)
            showing.exposure.crash()
            // A view whose duration was reached before the crash counts, and is recorded first.
            self.exposureChanged(&showing, at: now)
            self.crashVideo(&showing)
            self.move(to: .showing(showing))
            return .accepted
        case .message:
            return .ignored("messages of a page are handled by its session")
        case .gone:
            self.end(showing, .stageGone, .stage, at: now)
            return .accepted
        }
    }

    /// Reports a blocked attempt, up to a limit for each kind.
    mutating func block(_ attempt: BlockedAttempt, _ log: inout BlockedLog) -> AdInputResult {
        guard log.admit(attempt) else { return .ignored("too many attempts of this kind were reported already") }
        self.act(.emit(.blocked(attempt)))
        return .accepted
    }

    /// Emits a diagnostic.
    ///
    /// A blank ad is always reported; failed requests and script errors up to a limit, because a creative can cause any
    /// number of them.
    mutating func report(_ diagnostic: CreativeDiagnostic, _ count: inout Int) -> AdInputResult {
        if case .blank = diagnostic {
            self.act(.emit(.diagnostic(diagnostic)))
            return .accepted
        }
        guard count < AdLifecycle.diagnosticLimit else { return .ignored("too many of these were reported already") }
        count += 1
        self.act(.emit(.diagnostic(diagnostic)))
        return .accepted
    }

    /// The limit of reported failed requests and script errors of one ad.
    static let diagnosticLimit = 50

    mutating func signal(_ signal: HostSignal, at now: Moment) -> AdInputResult {
        switch self.state {
        case .presenting(var presenting):
            guard presenting.exposure.handle(signal) else { return .ignored("it has no effect on visibility") }
            self.move(to: .presenting(presenting))
            return .accepted
        case .showing(var showing):
            guard showing.exposure.handle(signal) else { return .ignored("it has no effect on visibility") }
            self.pauseOrResume(&showing)
            self.exposureChanged(&showing, at: now)
            self.move(to: .showing(showing))
            return .accepted
        case .replacing(var replacing):
            guard replacing.exposure.handle(signal) else { return .ignored("it has no effect on visibility") }
            self.move(to: .replacing(replacing))
            return .accepted
        case .idle, .loading, .loaded, .closed, .failed, .expired:
            return .ignored("the ad is not on a stage")
        }
    }

    /// Updates the visible time, the close timer and the view; called whenever the visibility may have changed.
    mutating func exposureChanged(_ showing: inout Showing, at now: Moment) {
        let wasVisible = showing.exposure.isCounting
        showing.exposure.updateVisibleTime(at: now)
        if showing.closable == nil, let closeAfter = showing.closeAfter {
            switch (wasVisible, showing.exposure.isCounting) {
            case (false, true):
                let rest = closeAfter - showing.exposure.visibleTime(until: now)
                self.act(.setTimer(.close, at: now + max(.zero, rest)))
            case (true, false):
                self.act(.cancelTimer(.close))
            case (true, true), (false, false):
                break
            }
        }
        self.updateImpression(&showing, at: now)
        self.updateView(&showing, at: now)
    }

    private mutating func updateView(_ showing: inout Showing, at now: Moment) {
        let policy = showing.rules.viewPolicy
        let hasPicture = showing.playback?.isPlaying ?? true
        let isEnough = hasPicture && showing.exposure.isInFront && policy.accepts(showing.exposure.visibleRatio)
        switch (showing.view, isEnough) {
        case (.due, true) where policy.duration > .zero:
            showing.view = .counting(since: now)
            self.act(.setTimer(.view, at: now + policy.duration))
        case (.due, true):
            self.recordView(&showing)
        case (.counting(let since), true) where now >= since + policy.duration:
            self.act(.cancelTimer(.view))
            self.recordView(&showing)
        case (.counting(let since), false):
            self.act(.cancelTimer(.view))
            // The ad was visible for long enough; only the timer was late.
            if now >= since + policy.duration {
                self.recordView(&showing)
            } else {
                showing.view = .due
            }
        case (.due, false), (.counting, true), (.recorded, _):
            break
        }
    }

    private mutating func recordView(_ showing: inout Showing) {
        showing.view = .recorded
        showing.unrecorded.insert(.view)
        self.act(.record(.view), .emit(.view(showing.rules.viewPolicy)))
        if let revenue = showing.rules.sale.revenue { self.act(.emit(.paid(revenue))) }
    }

    mutating func timer(_ timer: AdTimer, at now: Moment) -> AdInputResult {
        switch timer {
        case .loading: return self.loadingTimedOut()
        case .expiry: return self.expiryTimedOut()
        case .presenting: return self.presentingTimedOut(at: now)
        case .record: return self.recordTimedOut()
        case .settling: return self.settlingTimedOut()
        case .close, .watchdog, .view, .viewable: break
        }
        guard case .showing(var showing) = self.state else { return .ignored("the ad is not on screen") }
        switch timer {
        case .close:
            guard showing.closable == nil, let closeAfter = showing.closeAfter,
                showing.exposure.visibleTime(until: now) >= closeAfter
            else { return .ignored("the close delay has not passed, or no longer applies") }
            self.makeClosable(&showing, .closeDelay)
        case .watchdog:
            guard showing.closable == nil, let watchdog = showing.watchdog, now >= watchdog else {
                return .ignored("the watchdog is not due, or no longer applies")
            }
            self.makeClosable(&showing, .watchdog)
        case .view:
            guard case .counting(let since) = showing.view, now >= since + showing.rules.viewPolicy.duration else {
                return .ignored("the ad has not been visible long enough, or was viewed already")
            }
            self.recordView(&showing)
        case .viewable:
            guard self.viewableTimerFired(&showing, at: now) else {
                return .ignored("the viewability is known already")
            }
        case .loading, .expiry, .presenting, .record, .settling:
            break
        }
        self.move(to: .showing(showing))
        return .accepted
    }

    mutating func makeClosable(_ showing: inout Showing, _ rule: CloseRule) {
        guard showing.closable == nil, showing.rules.closeControl == .button else { return }
        showing.closable = rule
        self.act(
            .cancelTimer(.close),
            .cancelTimer(.watchdog),
            .stage(.control(.close, visible: true)),
            .emit(.closeAvailable(rule))
        )
    }

    mutating func closeByHost(at now: Moment) -> AdInputResult {
        switch self.state {
        case .showing(let showing):
            self.end(showing, .host, .host, at: now)
            return .accepted
        case .presenting(let presenting):
            self.failShow(presenting, AdError(.cancelled, "the host closed the ad before it was on screen"))
            return .accepted
        case .replacing(let replacing):
            self.failReplacing(replacing, AdError(.cancelled, "the host closed the ad before it was on screen"))
            return .accepted
        case .idle, .loading, .loaded, .closed, .failed, .expired:
            return .ignored("the ad is not on screen")
        }
    }

    /// Takes the ad off the screen; only this function leaves the state `showing`, so it happens exactly once.
    mutating func end(_ showing: Showing, _ reason: CloseReason, _ rule: CloseRule, at now: Moment) {
        var showing = showing
        for timer in [AdTimer.close, .watchdog, .view] { self.act(.cancelTimer(timer)) }
        self.closeVideo(&showing, reason)
        if let issue = showing.blocked.issue { self.act(.emit(.issue(issue))) }
        let closing = CloseDetails(reason: reason, rewarded: showing.isRewarded, rule: rule)
        self.act(.stage(.close(reason)), .emit(.closed(closing)))
        let closed = Closed(
            clicks: showing.clicks,
            unrecorded: showing.unrecorded,
            pendingTracking: showing.pendingTracking,
            isDestroyed: false
        )
        self.move(to: .closed(closed))
        guard reason != .destroyed else { return }
        if closed.isSettled {
            self.act(.release)
        } else {
            self.act(.setTimer(.settling, at: now + self.timing.settling))
        }
    }
}
