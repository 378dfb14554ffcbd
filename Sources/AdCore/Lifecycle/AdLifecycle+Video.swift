// A video on screen: tracking, skipping, the reward and the end card.

extension AdLifecycle {
    mutating func video(_ event: VideoEvent, of spot: Int, _ current: Showing, at now: Moment) -> AdInputResult {
        var showing = current
        guard var playback = showing.playback else { return .ignored("this ad has no video") }
        guard !showing.exposure.hasCrashed else { return .ignored("the creative has crashed") }
        let steps: [PlaybackStep]
        switch playback.handle(event, of: spot, isVisible: showing.exposure.isVisible) {
        case .ignored(let reason): return .ignored(reason)
        case .steps(let list): steps = list
        }
        showing.playback = playback
        if case .started(let duration) = event {
            self.extendWatchdog(&showing)
            self.checkDuration(duration, of: spot, playback.rules)
        }
        self.reportFailure(event, of: spot)
        let isSkip = steps.contains { if case .track(let tracked) = $0 { tracked.event == "skip" } else { false } }
        if case .skipped = event, isSkip { self.act(.emit(.skipped)) }
        self.apply(&showing, steps, at: now)
        return .accepted
    }

    /// Reports a Duration (VAST 4.3 §3.8.1) that differs from the real one by more than a second.
    private mutating func checkDuration(_ duration: Duration?, of spot: Int, _ rules: VideoRules) {
        guard let duration, let stated = rules.spots[spot].duration,
            max(duration - stated, stated - duration) > .seconds(1)
        else { return }
        let text = "it takes \(duration.inSeconds) s, and its markup says \(stated.inSeconds) s"
        self.act(.emit(.issue(AdIssue("video.duration", at: .field("spot \(spot + 1)"), text))))
    }

    /// Emits an issue for a video or a part that could not be displayed.
    mutating func reportFailure(_ event: VideoEvent, of spot: Int) {
        switch event {
        case .failed(_, let text):
            self.act(.emit(.issue(AdIssue("video.failed", at: .field("spot \(spot + 1)"), text))))
        case .partFailed(_, _, let text):
            self.act(.emit(.issue(AdIssue("video.part.failed", at: .field("spot \(spot + 1)"), text))))
        case .verification(let number, .notExecuted(_, let text)):
            let place = "spot \(spot + 1), verification \(number + 1)"
            self.act(.emit(.issue(AdIssue("video.verification", at: .field(place), text))))
        default: break
        }
    }

    /// Ends the video after a crash of the stage.
    mutating func crashVideo(_ showing: inout Showing) {
        guard var playback = showing.playback else { return }
        for step in playback.crash() {
            if self.track(step) { showing.pendingTracking += 1 }
            if case .skip = step { self.act(.stage(.control(.skip, visible: false))) }
            if step == .over(.completed) { self.reward(&showing) }
        }
        showing.playback = playback
    }

    mutating func skip(_ current: Showing, at now: Moment) -> AdInputResult {
        var showing = current
        guard var playback = showing.playback else { return .ignored("this ad has no video") }
        guard playback.phase != .over else { return .ignored("the video is over") }
        guard showing.exposure.isInFront else {
            return .ignored("the ad is not in front, so no user can have skipped it")
        }
        guard let steps = playback.skip() else {
            let isNever = showing.rules.isRewarded || playback.current.rules.skipOffset == nil
            return .ignored(isNever ? "the video can't be skipped" : "the video can't be skipped yet")
        }
        showing.playback = playback
        self.act(.emit(.skipped))
        self.apply(&showing, steps, at: now)
        return .accepted
    }

    /// Turns the steps of a video event into actions; the ad stays on screen unless they end it.
    private mutating func apply(_ showing: inout Showing, _ steps: [PlaybackStep], at now: Moment) {
        var end: PlaybackEnd?
        for step in steps {
            if self.track(step) { showing.pendingTracking += 1 }
            switch step {
            case .track, .cancelViewableTimer, .setViewableTimer: break
            case .quartile(let percent, let spot): self.act(.emit(.quartile(percent, spot: spot)))
            case .skip(visible: true): self.act(.stage(.control(.skip, visible: true)), .emit(.skipAvailable))
            case .skip(visible: false): self.act(.stage(.control(.skip, visible: false)))
            case .part(let part, let visible): self.act(.stage(.video(.part(part, visible: visible))))
            case .next(let spot):
                self.act(.stage(.video(.next(spot: spot))))
                self.startPlayback(&showing)
            case .over(let how): end = how
            }
        }
        if let end, self.over(&showing, end, at: now) { return }
        self.exposureChanged(&showing, at: now)
        self.move(to: .showing(showing))
    }

    /// Handles the end of the last spot: the end card appears and the ad can be closed.
    ///
    /// Returns whether the ad has ended.
    private mutating func over(_ showing: inout Showing, _ end: PlaybackEnd, at now: Moment) -> Bool {
        let hasEndCard = showing.playback?.current.rules.hasEndCard ?? false
        let rule: CloseRule
        switch end {
        case .completed:
            self.reward(&showing)
            rule = hasEndCard ? .endCard : .completed
        case .unwatched: rule = hasEndCard ? .endCard : .completed
        case .skipped where hasEndCard: rule = .endCard
        case .skipped:
            self.end(showing, .skipped, .skipOffset, at: now)
            return true
        case .failed: rule = .failed
        }
        if hasEndCard { self.act(.stage(.video(.showEndCard))) }
        self.makeClosable(&showing, rule)
        return false
    }

    /// Grants the reward of a rewarded ad.
    private mutating func reward(_ showing: inout Showing) {
        guard showing.rules.isRewarded else { return }
        showing.isRewarded = true
        showing.unrecorded.insert(.reward)
        self.act(.record(.reward), .emit(.rewarded(showing.rules.reward ?? AdReward())))
    }

    /// Plays the current spot; if it is not visible, it stays paused until it is.
    mutating func startPlayback(_ showing: inout Showing) {
        guard let playback = showing.playback, playback.phase != .over else { return }
        if showing.exposure.isVisible {
            self.act(.stage(.video(.play)))
        } else {
            showing.isAutoPaused = true
        }
    }

    /// Pauses a video that is not visible, and resumes a video that was paused so.
    mutating func pauseOrResume(_ showing: inout Showing) {
        guard let phase = showing.playback?.phase else { return }
        switch (showing.exposure.isVisible, showing.isAutoPaused) {
        case (false, false) where phase == .playing || phase == .waiting:
            showing.isAutoPaused = true
            self.act(.stage(.video(.pause)))
        case (true, true):
            showing.isAutoPaused = false
            if phase != .over { self.act(.stage(.video(.play))) }
        case (true, false), (false, _):
            break
        }
    }

    /// Extends a rewarded video's watchdog to the real durations of its spots, those of fallback ads included.
    private mutating func extendWatchdog(_ showing: inout Showing) {
        guard showing.rules.isRewarded, showing.closable == nil, showing.watchdog != nil,
            let playback = showing.playback,
            let length = playback.rules.length(real: playback.knownDurations)
        else { return }
        let watchdog = showing.revealed + ClosePlan.rewardedWatchdog(media: length, timing: self.timing)
        showing.watchdog = watchdog
        self.act(.setTimer(.watchdog, at: watchdog))
    }

    // MARK: Tracking

    /// Executes the tracking part of a step; returns whether a record is pending now.
    @discardableResult
    mutating func track(_ step: PlaybackStep) -> Bool {
        switch step {
        case .track(let event):
            self.act(.track(event))
            return true
        case .setViewableTimer(let moment): self.act(.setTimer(.viewable, at: moment))
        case .cancelViewableTimer: self.act(.cancelTimer(.viewable))
        case .quartile, .skip, .part, .next, .over: break
        }
        return false
    }

    /// Tracks `notUsed` for an ad that was never shown.
    mutating func trackUnused(_ rules: ShowRules) {
        guard let video = rules.video else { return }
        var playback = Playback(video, isRewarded: rules.isRewarded)
        for step in playback.close(byUser: false) { self.track(step) }
    }

    /// Updates the spot's impression and viewability after a change of visibility.
    mutating func updateImpression(_ showing: inout Showing, at now: Moment) {
        guard var playback = showing.playback else { return }
        let isEnough = showing.exposure.isInFront && ViewabilityPolicy.mrcVideo.accepts(showing.exposure.visibleRatio)
        let steps =
            (showing.exposure.isVisible ? playback.trackImpression() : [])
            + playback.updateViewable(isEnough: isEnough, at: now)
        showing.playback = playback
        for step in steps where self.track(step) { showing.pendingTracking += 1 }
    }

    /// Handles the timer of a spot's viewability; returns false if it changed nothing.
    mutating func viewableTimerFired(_ showing: inout Showing, at now: Moment) -> Bool {
        let before = showing.playback?.current.viewable
        self.updateImpression(&showing, at: now)
        return before != showing.playback?.current.viewable
    }

    /// Tracks the end of the video when the ad leaves the screen: spots that were not played are `notUsed`.
    mutating func closeVideo(_ showing: inout Showing, _ reason: CloseReason) {
        guard var playback = showing.playback else { return }
        let isKnown = reason != .stageGone && !showing.exposure.hasCrashed
        for step in playback.close(byUser: reason == .user, isKnown: isKnown) where self.track(step) {
            showing.pendingTracking += 1
        }
        showing.playback = playback
    }

    /// The ledger has recorded a tracking event or failed to.
    mutating func tracked() -> AdInputResult {
        switch self.state {
        case .presenting(var presenting) where presenting.pendingTracking > 0:
            presenting.pendingTracking -= 1
            self.move(to: .presenting(presenting))
        case .showing(var showing) where showing.pendingTracking > 0:
            showing.pendingTracking -= 1
            self.move(to: .showing(showing))
        case .closed(var closed) where closed.pendingTracking > 0:
            closed.pendingTracking -= 1
            self.settle(closed)
        case .replacing(var replacing) where replacing.pendingTracking > 0:
            replacing.pendingTracking -= 1
            self.move(to: .replacing(replacing))
        case .idle, .loading, .loaded, .presenting, .replacing, .showing, .closed, .failed, .expired:
            return .ignored("no record is pending")
        }
        return .accepted
    }

    // MARK: Clicks on parts

    /// Handles a click on a companion or icon; only a companion's counts as a click on the ad.
    mutating func click(
        _ part: VideoPartID,
        of spot: Int,
        _ link: ClickThroughURL?,
        byUser: Bool,
        _ current: Showing,
        at now: Moment
    ) -> AdInputResult {
        var showing = current
        guard var playback = showing.playback, spot == playback.spot, playback.current.has(part) else {
            return .ignored("the current spot has no such part")
        }
        let target = link ?? playback.current.rules.parts.first { $0.id == part }?.clickThrough
        guard byUser, showing.exposure.isInFront, !showing.exposure.hasCrashed else {
            return self.click(target, byUser: byUser, isPart: true, showing, at: now)
        }
        for step in playback.trackClick(on: part) where self.track(step) { showing.pendingTracking += 1 }
        showing.playback = playback
        // An icon has its own click trackers (VAST 4.3 §3.11.5); its click is not a click on the ad.
        guard case .icon = part else { return self.click(target, byUser: byUser, isPart: true, showing, at: now) }
        guard let target else { return self.tap(.nothing("the icon has no IconClickThrough"), on: nil, showing) }
        _ = self.open(target, &showing)
        self.move(to: .showing(showing))
        return .accepted
    }
}
