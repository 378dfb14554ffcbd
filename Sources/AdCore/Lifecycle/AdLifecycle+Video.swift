// A video on screen: what it tells, when it can be skipped, what it earns, and what comes behind it.

extension AdLifecycle {
    mutating func video(_ event: VideoEvent, of spot: Int, _ current: Showing, at now: Moment) -> AdInputResult {
        var showing = current
        guard var playback = showing.playback else { return .ignored("this ad has no video") }
        guard !showing.exposure.hasCrashed else { return .ignored("the creative has crashed") }
        let steps: [PlaybackStep]
        switch playback.handle(event, of: spot, isSeen: showing.exposure.isSeen) {
        case .ignored(let reason): return .ignored(reason)
        case .steps(let list): steps = list
        }
        showing.playback = playback
        if case .started(let duration) = event {
            self.extendWatchdog(&showing)
            self.compare(duration, of: spot, playback.terms)
        }
        self.noteFailure(event, of: spot)
        self.carryOn(&showing, steps, at: now)
        return .accepted
    }

    /// Markup that does not tell the film's real length misleads whoever plans by it.
    private mutating func compare(_ duration: Duration?, of spot: Int, _ terms: VideoRules) {
        guard let duration, let told = terms.spots[spot].duration, max(duration - told, told - duration) > .seconds(1)
        else { return }
        let text = "it takes \(duration.inSeconds) s, and its markup says \(told.inSeconds) s"
        self.act(.emit(.issue(AdIssue("video.duration", at: .field("spot \(spot + 1)"), text))))
    }

    /// Whoever watches the ad learns what could not be played or shown.
    mutating func noteFailure(_ event: VideoEvent, of spot: Int) {
        switch event {
        case .failed(_, let text):
            self.act(.emit(.issue(AdIssue("video.failed", at: .field("spot \(spot + 1)"), text))))
        case .partFailed(_, _, let text):
            self.act(.emit(.issue(AdIssue("video.part.failed", at: .field("spot \(spot + 1)"), text))))
        default: break
        }
    }

    /// The stage has crashed, and with it whatever was played.
    mutating func crashVideo(_ showing: inout Showing) {
        guard var playback = showing.playback else { return }
        for step in playback.crash() {
            if self.tell(step) { showing.untold += 1 }
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
            return .ignored("the ad is not in front, and nobody can have skipped it")
        }
        guard let steps = playback.skip() else {
            let isNever = showing.terms.isRewarded || playback.run.terms.skipOffset == nil
            return .ignored(isNever ? "the video can't be skipped" : "the video can't be skipped yet")
        }
        showing.playback = playback
        self.act(.emit(.skipped))
        self.carryOn(&showing, steps, at: now)
        return .accepted
    }

    /// Does what follows from a video's news, and stays on screen unless that ends the ad.
    private mutating func carryOn(_ showing: inout Showing, _ steps: [PlaybackStep], at now: Moment) {
        var end: PlaybackEnd?
        for step in steps {
            if self.tell(step) { showing.untold += 1 }
            switch step {
            case .tell, .unwatch, .watch: break
            case .quartile(let percent, let spot): self.act(.emit(.quartile(percent, spot: spot)))
            case .skip(visible: true): self.act(.stage(.control(.skip, visible: true)), .emit(.skipAvailable))
            case .skip(visible: false): self.act(.stage(.control(.skip, visible: false)))
            case .part(let part, let visible): self.act(.stage(.video(.part(part, visible: visible))))
            case .next(let spot):
                self.act(.stage(.video(.next(spot: spot))))
                self.playOrHold(&showing)
            case .over(let how): end = how
            }
        }
        if let end, self.over(&showing, end, at: now) { return }
        self.exposureChanged(&showing, at: now)
        self.move(to: .showing(showing))
    }

    /// The last spot is over: what comes behind it is shown, and there is a way out.
    ///
    /// Returns whether that was the end of the ad.
    private mutating func over(_ showing: inout Showing, _ end: PlaybackEnd, at now: Moment) -> Bool {
        let hasEndCard = showing.playback?.run.terms.hasEndCard ?? false
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

    /// What there was to watch was watched.
    private mutating func reward(_ showing: inout Showing) {
        guard showing.terms.isRewarded else { return }
        showing.isRewarded = true
        self.act(.emit(.rewarded))
    }

    /// Plays the current spot, unless it can't be seen now.
    mutating func playOrHold(_ showing: inout Showing) {
        guard let playback = showing.playback, playback.phase != .over else { return }
        if showing.exposure.isSeen {
            self.act(.stage(.video(.play)))
        } else {
            showing.isHeld = true
        }
    }

    /// Pauses a video that nobody can see, and plays on what we paused.
    mutating func holdOrPlay(_ showing: inout Showing) {
        guard let phase = showing.playback?.phase else { return }
        switch (showing.exposure.isSeen, showing.isHeld) {
        case (false, false) where phase == .playing || phase == .waiting:
            showing.isHeld = true
            self.act(.stage(.video(.pause)))
        case (true, true):
            showing.isHeld = false
            if phase != .over { self.act(.stage(.video(.play))) }
        case (true, false), (false, _):
            break
        }
    }

    /// A rewarded video's watchdog follows the media's real length as soon as the player knows it, and waits for what
    /// stands in for others.
    private mutating func extendWatchdog(_ showing: inout Showing) {
        guard showing.terms.isRewarded, showing.closable == nil, showing.watchdog != nil,
            let playback = showing.playback,
            let length = playback.terms.length(real: playback.real)
        else { return }
        let watchdog = showing.revealed + ClosePlan.rewardedWatchdog(media: length, timing: self.timing)
        showing.watchdog = watchdog
        self.act(.setTimer(.watchdog, at: watchdog))
    }

    // MARK: What is told

    /// Lets a fact be written down, or a timer be set for one; returns whether there is something to wait for.
    @discardableResult
    mutating func tell(_ step: PlaybackStep) -> Bool {
        switch step {
        case .tell(let fact):
            self.act(.tell(fact))
            return true
        case .watch(let moment): self.act(.setTimer(.viewable, at: moment))
        case .unwatch: self.act(.cancelTimer(.viewable))
        case .quartile, .skip, .part, .next, .over: break
        }
        return false
    }

    /// An ad that was never shown tells so.
    mutating func tellUnused(_ terms: ShowRules) {
        guard let video = terms.video else { return }
        var playback = Playback(video, isRewarded: terms.isRewarded)
        for step in playback.close(byUser: false) { self.tell(step) }
    }

    /// The spot's impression, and whether it is viewable, when what can be seen has changed.
    mutating func considerImpression(_ showing: inout Showing, at now: Moment) {
        guard var playback = showing.playback else { return }
        let isEnough = showing.exposure.isInFront && ViewabilityPolicy.mrcVideo.accepts(showing.exposure.visible)
        let steps = (showing.exposure.isSeen ? playback.seen() : []) + playback.look(isEnough: isEnough, at: now)
        showing.playback = playback
        for step in steps where self.tell(step) { showing.untold += 1 }
    }

    /// The time is over after which a spot may be viewable; false where nobody waits for it.
    mutating func lookAgain(_ showing: inout Showing, at now: Moment) -> Bool {
        let before = showing.playback?.run.viewable
        self.considerImpression(&showing, at: now)
        return before != showing.playback?.run.viewable
    }

    /// The ad goes off the screen: what was not played is unused.
    mutating func closeVideo(_ showing: inout Showing, _ reason: CloseReason) {
        guard var playback = showing.playback else { return }
        let isKnown = reason != .stageGone && !showing.exposure.hasCrashed
        for step in playback.close(byUser: reason == .user, isKnown: isKnown) where self.tell(step) {
            showing.untold += 1
        }
        showing.playback = playback
    }

    /// The ledger has written a fact down, or has failed to.
    mutating func told() -> AdInputResult {
        switch self.state {
        case .presenting(var presenting) where presenting.untold > 0:
            presenting.untold -= 1
            self.move(to: .presenting(presenting))
        case .showing(var showing) where showing.untold > 0:
            showing.untold -= 1
            self.move(to: .showing(showing))
        case .closed(var closed) where closed.untold > 0:
            closed.untold -= 1
            self.settle(closed)
        case .idle, .loading, .loaded, .presenting, .showing, .closed, .failed, .expired:
            return .ignored("nothing waits for this record")
        }
        return .accepted
    }

    // MARK: Clicks on parts

    /// An icon explains the ad and is no click on it; a companion stands for the ad itself.
    mutating func click(
        _ part: VideoPartID,
        of spot: Int,
        _ link: ClickThroughURL?,
        byUser: Bool,
        _ current: Showing,
        at now: Moment
    ) -> AdInputResult {
        var showing = current
        guard var playback = showing.playback, spot == playback.spot, playback.run.has(part) else {
            return .ignored("there is no such part")
        }
        let target = link ?? playback.run.terms.parts.first { $0.id == part }?.clickThrough
        guard byUser, showing.exposure.isInFront, !showing.exposure.hasCrashed else {
            return self.click(target, byUser: byUser, isPart: true, showing, at: now)
        }
        for step in playback.clicked(part) where self.tell(step) { showing.untold += 1 }
        showing.playback = playback
        // An icon has click trackers of its own (VAST 4.3 §3.11.2), and is no click on the ad.
        guard case .icon = part else { return self.click(target, byUser: byUser, isPart: true, showing, at: now) }
        guard let target else { return self.tap(.nothing("the icon has no IconClickThrough"), on: nil, showing) }
        _ = self.open(target, &showing)
        self.move(to: .showing(showing))
        return .accepted
    }
}
