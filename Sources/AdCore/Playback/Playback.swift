/// The state machine of a video ad: the current spot, its progress and its tracking events.
///
/// The lifecycle passes it the stage's video events and applies the steps that it returns. The tracking events are
/// those of VAST 4.3 §3.14.1 with their names of older versions, and the break events of VMAP 1.0.1. An event that may happen
/// once is tracked once, however often a player repeats it.
package struct Playback: Equatable, Sendable {
    package enum Phase: Equatable, Sendable {
        case waiting, playing, paused, over
    }

    let rules: VideoRules
    let isRewarded: Bool
    /// The phase of the current spot.
    private(set) var phase = Phase.waiting
    /// Whether the user may skip the current spot now.
    private(set) var isSkippable = false
    var current: SpotProgress
    /// The index of the next planned spot.
    private var nextPlanned = 1
    /// The index of the next fallback ad.
    private var nextFallback: Int
    /// Whether any spot was played to its end.
    private var hasCompleted = false
    /// Whether `breakStart` was tracked.
    private var hasBreakStarted = false
    private var isClosed = false
    /// The durations of the spots that have started: the player's if it reports one, else the markup's.
    private(set) var knownDurations: [Int: Duration] = [:]

    package init(_ rules: VideoRules, isRewarded: Bool) {
        self.rules = rules
        self.isRewarded = isRewarded
        self.current = SpotProgress(0, rules.first)
        self.nextFallback = rules.planned
    }

    /// The index of the current spot.
    package var spot: Int { self.current.index }
    /// Whether the current spot is playing.
    var isPlaying: Bool { self.phase == .playing }
    /// The position in the current spot.
    package var position: Duration { self.current.position }
    /// The current spot's duration; nil if unknown.
    package var duration: Duration? { self.current.duration }

    /// Handles a video event that a stage reports of a spot.
    mutating func handle(_ event: VideoEvent, of spot: Int, isVisible: Bool) -> PlaybackResult {
        guard spot == self.current.index else { return .ignored("this is not the current spot") }
        switch event {
        case .partShown(let part): return self.trackView(of: part)
        case .partFailed(let part, let code, _):
            if let part, !self.current.has(part) { return .ignored("this spot has no such part") }
            guard let step = self.current.trackEach(.error, code: code) else {
                return .ignored("too many errors were tracked already")
            }
            return .steps([step] + self.hide(part))
        case .verification(let number, let state):
            guard self.phase != .over else { return .ignored("the video is over") }
            guard self.current.set(state, ofVerification: number) else {
                return .ignored("this spot has no such verification script, or what became of it is known")
            }
            return .steps(self.current.trackVerifications())
        default: break
        }
        guard self.phase != .over else { return .ignored("the video is over") }
        if let failure = self.refuseMissingInteractive(event) { return .steps(failure) }
        switch event {
        case .interactiveLoading:
            guard self.current.rules.interactive != nil, !self.current.hasStarted else {
                return .ignored("this spot has no interactive part, or has started")
            }
            self.current.runsInteractive = true
            return .steps([])
        case .loaded:
            guard let step = self.current.trackOnce("loaded") else { return .ignored("the video is loaded already") }
            return .steps([step])
        case .started(let duration): return self.handleStart(duration, isVisible: isVisible)
        case .progressed(let position): return .steps(self.handleProgress(to: position, isVisible: isVisible))
        case .sought(let position): return self.handleSeek(to: position)
        case .muted(let isMuted):
            guard isMuted != self.current.isMuted else { return .ignored("the sound is in this state already") }
            self.current.isMuted = isMuted
            // Tracked at each change, in both directions (§3.14.1).
            return .steps(self.current.hasStarted ? self.trackEach(isMuted ? "mute" : "unmute") : [])
        case .paused:
            guard self.phase == .playing else { return .ignored("the video is not playing") }
            self.phase = .paused
            return .steps(self.trackEach("pause"))
        case .resumed:
            guard self.phase == .paused else { return .ignored("the video is not paused") }
            self.phase = .playing
            return .steps(self.trackEach("resume"))
        case .enlarged(let isEnlarged):
            guard isEnlarged != self.current.isFullScreen else { return .ignored("the video is in this state already") }
            self.current.isFullScreen = isEnlarged
            // Only a user makes it larger or smaller (§3.14.1); before its start it says how it starts.
            guard self.current.hasStarted else { return .steps([]) }
            return .steps(
                isEnlarged
                    ? self.trackEach("playerExpand", "fullscreen", "expand")
                    : self.trackEach("playerCollapse", "exitFullscreen", "collapse")
            )
        case .interacted(let interaction):
            guard self.current.hasStarted else { return .ignored("the video has not started") }
            return .steps(self.track(interaction))
        case .completed:
            guard self.phase != .waiting else { return .ignored("the video has not started") }
            return .steps(self.complete())
        case .extended:
            guard self.phase != .waiting, !self.current.isOverlay else {
                return .ignored("the video has not started, or is an overlay")
            }
            self.markWatched()
            return .steps(self.handle(self.current.finish()) + self.trackQuartile(.complete))
        case .stopped:
            guard self.phase != .waiting else { return .ignored("the video has not started") }
            let end: PlaybackEnd = self.current.isTracked("complete") ? .completed : .unwatched
            return .steps(self.trackOverlayViewDuration() + self.leave(end))
        case .skipped:
            guard self.phase != .waiting else { return .ignored("the video has not started") }
            // What was watched to its end is not skipped any more.
            return .steps(self.current.isTracked("complete") ? self.leave(.completed) : self.trackSkip())
        case .failed(let code, let text): return .steps(self.fail(code, text))
        case .partShown, .partFailed, .verification: return .steps([])
        }
    }

    /// Fails an ad that starts on a stage that does not run the interactive part that it consists of.
    private mutating func refuseMissingInteractive(_ event: VideoEvent) -> [PlaybackStep]? {
        guard case .alone(let code) = self.current.rules.interactive, !self.current.runsInteractive,
            !self.current.hasStarted
        else { return nil }
        switch event {
        case .started, .progressed: return self.fail(code, "its interactive part is not run here")
        default: return nil
        }
    }

    /// Tracks events that may happen repeatedly, up to a limit.
    private mutating func trackEach(_ events: BeaconEvent...) -> [PlaybackStep] {
        events.compactMap { self.current.trackEach($0) }
    }

    // MARK: Playing

    private mutating func handleStart(_ duration: Duration?, isVisible: Bool) -> PlaybackResult {
        let isNewDuration = self.current.measure(duration)
        // A player may know the duration only later.
        guard isNewDuration || !self.current.hasReportedStart else { return .ignored("the video has started already") }
        self.current.hasReportedStart = true
        self.knownDurations[self.current.index] = self.current.duration
        // A player may report progress before its start.
        let steps = self.current.hasStarted ? [] : self.start(isVisible: isVisible)
        return .steps(steps + self.handle(self.current.advance(to: self.current.position)) + self.updateSkip())
    }

    /// Starts the current spot: its first frame is on screen.
    private mutating func start(isVisible: Bool) -> [PlaybackStep] {
        self.current.hasStarted = true
        self.phase = .playing
        var steps: [PlaybackStep] = []
        if !self.hasBreakStarted {
            self.hasBreakStarted = true
            steps.append(.track(TrackingEvent("breakStart", spot: nil)))
        }
        if isVisible { steps += self.trackImpression() }
        steps += [self.current.trackOnce("creativeView")].compactMap { $0 }
        if !self.current.isOverlay { steps += self.trackQuartile(.start) }
        if self.current.rules.interactive == .besideVideo, !self.current.runsInteractive {
            // 409: the interactive part is not run (VAST 4.3 §2.3.6.3).
            steps += [self.current.trackEach(.error, code: 409)].compactMap { $0 }
        }
        return steps + self.current.trackVerifications() + self.updateSkip()
    }

    /// Tracks the impression (VAST 4.3 §3.4.4) of a spot that is visible while it plays.
    mutating func trackImpression() -> [PlaybackStep] {
        guard self.current.hasStarted, self.phase == .playing, !self.current.hasImpression else { return [] }
        self.current.hasImpression = true
        return [self.current.trackOnce(.impression)].compactMap { $0 }
    }

    private mutating func handleProgress(to position: Duration, isVisible: Bool) -> [PlaybackStep] {
        // A position may be reported after a pause; only `resumed` ends the pause.
        var steps = self.current.hasStarted ? [] : self.start(isVisible: isVisible)
        steps += self.handle(self.current.advance(to: max(.zero, position))) + self.updateSkip()
        if let minimumDuration = self.current.minimumDuration, position >= minimumDuration { steps += self.complete() }
        return steps
    }

    private mutating func handleSeek(to position: Duration) -> PlaybackResult {
        guard self.current.hasStarted else { return .ignored("the video has not started") }
        let position = max(.zero, position)
        if position < self.current.position {
            let steps = self.trackEach("rewind")
            self.current.move(to: position)
            return .steps(steps)
        }
        self.current.jump()
        return .steps(self.handle(self.current.advance(to: position)) + self.updateSkip())
    }

    private mutating func updateSkip() -> [PlaybackStep] {
        guard !self.isRewarded, !self.isSkippable, let skipAt = self.current.skipAt, self.current.position >= skipAt
        else {
            return []
        }
        self.isSkippable = true
        return [.skip(visible: true)]
    }

    private mutating func handle(_ marks: [SpotProgress.Mark]) -> [PlaybackStep] {
        marks.flatMap { mark -> [PlaybackStep] in
            switch mark.kind {
            case .quartile(let quartile): return self.trackQuartile(quartile)
            case .progress(let offset):
                return [self.current.trackOnce(.progress(offset))].compactMap { $0 }
            case .part(let part, let visible): return [.part(part, visible: visible)]
            }
        }
    }

    /// Tracks and reports a quartile.
    private mutating func trackQuartile(_ quartile: Quartile) -> [PlaybackStep] {
        [self.current.trackOnce(quartile.event)].compactMap { $0 }
            + [.quartile(quartile.percent, spot: self.current.index)]
    }

    private mutating func track(_ interaction: VideoInteraction) -> [PlaybackStep] {
        switch interaction {
        case .acceptInvitation:
            let names: [BeaconEvent] =
                self.current.isOverlay ? ["acceptInvitation"] : ["acceptInvitationLinear", "acceptInvitation"]
            return names.compactMap { self.current.trackOnce($0) } + self.trackOverlayViewDuration()
        case .minimize: return self.trackEach("minimize") + self.trackOverlayViewDuration()
        case .expand: return self.trackEach("adExpand", "expand")
        case .collapse: return self.trackEach("adCollapse", "collapse")
        case .interactiveStart: return [self.current.trackOnce("interactiveStart")].compactMap { $0 }
        case .customClick: return self.trackEach("customClick")
        case .other: return self.trackEach("otherAdInteraction")
        }
    }

    /// Tracks `overlayViewDuration` (§3.14.1) once: at the end of an overlay, `close`, `minimize` or `acceptInvitation`.
    private mutating func trackOverlayViewDuration() -> [PlaybackStep] {
        guard self.current.isOverlay, self.current.hasStarted else { return [] }
        return [self.current.trackOnce("overlayViewDuration")].compactMap { $0 }
    }

    // MARK: Parts

    private mutating func trackView(of part: VideoPartID) -> PlaybackResult {
        guard self.current.has(part) else { return .ignored("this spot has no such part") }
        let event: BeaconEvent
        switch part {
        case .icon: event = "iconView"
        case .companion: event = "creativeView"
        case .verification: return .ignored("a verification script can't be shown")
        }
        guard let step = self.current.trackOnce(event, part: part) else {
            return .ignored("this part was shown before")
        }
        return .steps([step])
    }

    private func hide(_ part: VideoPartID?) -> [PlaybackStep] {
        part.map { [.part($0, visible: false)] } ?? []
    }

    /// Tracks a user's click on a part: IconClickTracking (VAST 4.3 §3.11.5), CompanionClickTracking (§3.13.4).
    mutating func trackClick(on part: VideoPartID) -> [PlaybackStep] {
        switch part {
        case .icon: [self.current.trackEach("iconClick", part: part)].compactMap { $0 }
        case .companion: [self.current.trackOnce("companionClick", part: part)].compactMap { $0 }
        case .verification: []
        }
    }

    /// Tracks a user's click on the spot itself.
    mutating func trackClick() -> [PlaybackStep] {
        guard self.current.hasStarted else { return [] }
        return [self.current.trackOnce("clickTracking")].compactMap { $0 }
    }

    // MARK: Ends

    private mutating func complete() -> [PlaybackStep] {
        var steps: [PlaybackStep] = []
        let isWatched = self.markWatched()
        if self.current.isOverlay {
            steps += self.trackOverlayViewDuration()
        } else {
            steps += self.handle(self.current.finish())
            if !self.current.isTracked("complete") { steps += self.trackQuartile(.complete) }
        }
        return steps + self.leave(isWatched ? .completed : .unwatched)
    }

    /// Marks the spot as played to its end: a user who sought there or never saw the video has not watched it.
    @discardableResult
    private mutating func markWatched() -> Bool {
        let isWatched = !self.isRewarded || (self.current.hasImpression && !self.current.hasJumped)
        if isWatched { self.hasCompleted = true }
        return isWatched
    }

    /// Skips the spot with the event `skip` (§3.14.1); nil if it can't be skipped now.
    mutating func skip() -> [PlaybackStep]? {
        guard self.phase != .over, self.isSkippable else { return nil }
        return self.trackSkip()
    }

    private mutating func trackSkip() -> [PlaybackStep] {
        [self.current.trackOnce("skip")].compactMap { $0 } + self.leave(.skipped)
    }

    private mutating func fail(_ code: Int, _ text: String) -> [PlaybackStep] {
        [self.current.trackError(code)] + self.leave(.failed(text))
    }

    /// Ends a video that was never shown; `code` is the VAST error code if the ad caused that.
    mutating func abandon(_ code: Int?) -> [PlaybackStep] {
        guard let code else { return self.close(byUser: false) }
        self.phase = .over
        return [self.current.trackError(code)] + self.close(byUser: false)
    }

    /// Ends the video after a crash of the player.
    mutating func crash() -> [PlaybackStep] {
        guard self.phase != .over else { return [] }
        self.phase = .over
        // 400 is the general error of a linear ad (VAST 4.3 §2.3.6.3).
        var steps = [self.current.trackError(400)] + self.trackViewability(isKnown: false)
        steps += self.current.trackVerifications(atEnd: true)
        if self.isSkippable { steps.append(.skip(visible: false)) }
        self.isSkippable = false
        if self.hasBreakStarted { steps.append(.track(TrackingEvent("breakEnd", spot: nil))) }
        return steps + [.over(self.hasCompleted ? .completed : .failed("it crashed"))]
    }

    /// Leaves the current spot for the next one, or ends the playback.
    private mutating func leave(_ end: PlaybackEnd) -> [PlaybackStep] {
        var steps = self.trackViewability(isKnown: true) + self.current.trackVerifications(atEnd: true)
        if self.isSkippable { steps.append(.skip(visible: false)) }
        self.isSkippable = false
        steps += self.current.visibleParts.map { .part($0, visible: false) }
        if let next = self.successor(of: end) {
            let (isMuted, isFullScreen) = (self.current.isMuted, self.current.isFullScreen)
            self.current = SpotProgress(next, self.rules.spots[next])
            (self.current.isMuted, self.current.isFullScreen) = (isMuted, isFullScreen)
            self.phase = .waiting
            return steps + [.next(spot: next)]
        }
        self.phase = .over
        if self.hasBreakStarted { steps.append(.track(TrackingEvent("breakEnd", spot: nil))) }
        // One spot watched to its end earns the reward, even if another one fails.
        switch end {
        case .failed where self.hasCompleted, .unwatched where self.hasCompleted,
            .skipped where self.isRewarded && self.hasCompleted:
            return steps + [.over(.completed)]
        case .completed, .unwatched, .skipped, .failed: return steps + [.over(end)]
        }
    }

    /// The spot after the current one: after a failure a fallback ad if there is one (VAST 4.3 §3.3.1), else the next
    /// planned spot.
    private mutating func successor(of end: PlaybackEnd) -> Int? {
        if case .failed = end, self.nextFallback < self.rules.spots.count {
            defer { self.nextFallback += 1 }
            return self.nextFallback
        }
        guard self.nextPlanned < self.rules.planned else { return nil }
        defer { self.nextPlanned += 1 }
        return self.nextPlanned
    }

    /// Tracks NotViewable or ViewUndetermined (VAST 4.3 §3.5) for a spot that is left without having been viewable.
    private mutating func trackViewability(isKnown: Bool) -> [PlaybackStep] {
        guard self.current.hasImpression, self.current.viewable != .tracked else { return [] }
        self.current.viewable = .tracked
        return [self.current.trackOnce(isKnown ? "notViewable" : "viewUndetermined")].compactMap { $0 } + [
            .cancelViewableTimer
        ]
    }

    /// Tracks the end of an ad that leaves the screen or was never shown; spots that were not played are
    /// `notUsed` (§3.14.1).
    mutating func close(byUser: Bool, isKnown: Bool = true) -> [PlaybackStep] {
        guard !self.isClosed else { return [] }
        self.isClosed = true
        var steps: [PlaybackStep] = []
        if self.phase != .over, self.hasBreakStarted {
            // A spot that has not started is not on screen.
            if self.current.hasStarted {
                if byUser {
                    // VAST 2.0 has only `close`, for linear ads, too.
                    let names: [BeaconEvent] = self.current.isOverlay ? ["close"] : ["closeLinear", "close"]
                    steps += names.compactMap { self.current.trackOnce($0) }
                }
                steps += self.trackOverlayViewDuration() + self.trackViewability(isKnown: isKnown)
                steps += self.current.trackVerifications(atEnd: true)
            }
            steps.append(.track(TrackingEvent("breakEnd", spot: nil)))
        } else if self.phase == .over, self.current.isOverlay, byUser {
            steps += [self.current.trackOnce("close")].compactMap { $0 }
        }
        var unused = Array(self.nextPlanned..<max(self.nextPlanned, self.rules.planned))
        unused += Array(self.nextFallback..<max(self.nextFallback, self.rules.spots.count))
        if self.phase == .waiting { unused.insert(self.current.index, at: 0) }
        return steps + unused.map { .track(TrackingEvent("notUsed", spot: $0)) }
    }

    /// Updates the viewability of the current spot: Viewable (VAST 4.3 §3.5.1) when at least 50 % of the area was visible
    /// for 2 s in a row (MRC video viewability).
    mutating func updateViewable(isEnough: Bool, at now: Moment) -> [PlaybackStep] {
        let isEnough = isEnough && self.phase == .playing && self.current.hasImpression
        switch (self.current.viewable, isEnough) {
        case (.due, true):
            self.current.viewable = .counting(since: now)
            return [.setViewableTimer(at: now + ViewabilityPolicy.mrcVideo.duration)]
        case (.counting(let since), _) where now >= since + ViewabilityPolicy.mrcVideo.duration:
            self.current.viewable = .tracked
            return [.cancelViewableTimer] + [self.current.trackOnce("viewable")].compactMap { $0 }
        case (.counting, false):
            self.current.viewable = .due
            return [.cancelViewableTimer]
        case (.due, false), (.counting, true), (.tracked, _):
            return []
        }
    }
}

extension BeaconEvent {
    /// The media was played up to an offset: `progress` of VAST with the offset in its name.
    package static func progress(_ offset: MediaOffset) -> BeaconEvent { BeaconEvent("progress-\(offset)") }
}
