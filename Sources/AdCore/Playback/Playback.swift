/// Plays what an ad has to play: which spot's turn it is, what was passed, and whom that concerns.
///
/// A plain value beside the lifecycle, which gives it the stage's news and carries out the steps that it returns. Each
/// thing that the specifications want told once is told once, however often a player repeats itself.
package struct Playback: Equatable, Sendable {
    package enum Phase: Equatable, Sendable {
        case waiting, playing, paused, over
    }

    let terms: VideoRules
    let isRewarded: Bool
    /// How far the current spot is.
    private(set) var phase = Phase.waiting
    /// Whether the user may skip the current spot now.
    private(set) var isSkippable = false
    var run: SpotProgress
    /// The next planned spot, and the next that stands in.
    private var upcoming = 1
    private var spare: Int
    /// Whether any spot was played to its end.
    private var hasCompleted = false
    /// Whether the break's beginning was told.
    private var hasBegun = false
    private var isClosed = false
    /// Whether the video fills the screen; nil where nobody has said so.
    private var isLarge: Bool?
    /// The lengths of the spots that have started, by the players' own word where there is one.
    private(set) var real: [Int: Duration] = [:]

    package init(_ terms: VideoRules, isRewarded: Bool) {
        self.terms = terms
        self.isRewarded = isRewarded
        self.run = SpotProgress(0, terms.first)
        self.spare = terms.planned
    }

    /// The spot whose turn it is.
    package var spot: Int { self.run.index }
    /// Whether the current spot's picture is moving.
    var isPlaying: Bool { self.phase == .playing }
    /// How far the current spot is.
    package var position: Duration { self.run.position }
    /// The current spot's length, where it is known.
    package var duration: Duration? { self.run.duration }

    /// Takes what a stage says of a spot.
    mutating func handle(_ event: VideoEvent, of spot: Int, isSeen: Bool) -> PlaybackResult {
        guard spot == self.run.index else { return .ignored("this spot is not the one whose turn it is") }
        switch event {
        case .partShown(let part): return self.shown(part)
        case .partFailed(let part, let code, _):
            if let part, !self.run.has(part) { return .ignored("this spot has no such part") }
            guard let step = self.run.again(.error, code: code) else {
                return .ignored("too much has failed to tell of all")
            }
            return .steps([step] + self.gone(part))
        default: break
        }
        guard self.phase != .over else { return .ignored("the video is over") }
        switch event {
        case .loaded:
            guard let step = self.run.once("loaded") else { return .ignored("the video is loaded already") }
            return .steps([step])
        case .started(let duration): return self.started(duration, isSeen: isSeen)
        case .progressed(let position): return .steps(self.progressed(position, isSeen: isSeen))
        case .sought(let position): return self.sought(position)
        case .muted(let isMuted):
            guard isMuted != self.run.isMuted else { return .ignored("the sound is so already") }
            self.run.isMuted = isMuted
            return .steps(self.run.hasStarted ? self.again(isMuted ? "mute" : "unmute") : [])
        case .paused:
            guard self.phase == .playing else { return .ignored("the video does not play") }
            self.phase = .paused
            return .steps(self.again("pause"))
        case .resumed:
            guard self.phase == .paused else { return .ignored("the video is not paused") }
            self.phase = .playing
            return .steps(self.again("resume"))
        case .enlarged(let isLarge):
            guard self.run.hasStarted else { return .ignored("the video has not started") }
            guard isLarge != self.isLarge else { return .ignored("the video is so large already") }
            self.isLarge = isLarge
            return .steps(
                isLarge
                    ? self.again("playerExpand", "fullscreen", "expand")
                    : self.again("playerCollapse", "exitFullscreen", "collapse")
            )
        case .interacted(let interaction):
            guard self.run.hasStarted else { return .ignored("the video has not started") }
            return .steps(self.interacted(interaction))
        case .completed:
            guard self.phase != .waiting else { return .ignored("the video has not started") }
            return .steps(self.completed())
        case .failed(let code, let text): return .steps(self.failed(code, text))
        case .partShown, .partFailed: return .steps([])
        }
    }

    /// What is told each time, unless that was so often that it is told no more.
    private mutating func again(_ events: BeaconEvent...) -> [PlaybackStep] {
        events.compactMap { self.run.again($0) }
    }

    // MARK: Playing

    private mutating func started(_ duration: Duration?, isSeen: Bool) -> PlaybackResult {
        let isNews = self.run.measure(duration)
        // A player may know the length only later.
        guard isNews || !self.run.isAnnounced else { return .ignored("the video has started already") }
        self.run.isAnnounced = true
        self.real[self.run.index] = self.run.duration
        // A player may have told of its progress first.
        let steps = self.run.hasStarted ? [] : self.begin(isSeen: isSeen)
        return .steps(steps + self.passed(self.run.advance(to: self.run.position)) + self.considerSkip())
    }

    /// The first frame is on screen.
    private mutating func begin(isSeen: Bool) -> [PlaybackStep] {
        self.run.hasStarted = true
        self.phase = .playing
        var steps: [PlaybackStep] = []
        if !self.hasBegun {
            self.hasBegun = true
            steps.append(.tell(TrackingEvent("breakStart", spot: nil)))
        }
        if isSeen { steps += self.seen() }
        let first: [BeaconEvent] = self.run.isOverlay ? ["creativeView"] : ["creativeView", "start"]
        steps += first.compactMap { self.run.once($0) }
        if !self.run.isOverlay { steps.append(.quartile(0, spot: self.run.index)) }
        // No script that came with the ad is run, and whoever sent one is told: 2, not supported.
        for number in 0..<self.run.terms.verifications {
            steps += [self.run.once("verificationNotExecuted", part: .verification(number), code: 2)].compactMap { $0 }
        }
        return steps + self.considerSkip()
    }

    /// The spot can be seen while it plays: that is its impression.
    mutating func seen() -> [PlaybackStep] {
        guard self.run.hasStarted, self.phase == .playing, !self.run.isImpressed else { return [] }
        self.run.isImpressed = true
        return [self.run.once(.impression)].compactMap { $0 }
    }

    private mutating func progressed(_ position: Duration, isSeen: Bool) -> [PlaybackStep] {
        // News of the position may come after that of a pause; only `resumed` ends one.
        var steps = self.run.hasStarted ? [] : self.begin(isSeen: isSeen)
        steps += self.passed(self.run.advance(to: max(.zero, position))) + self.considerSkip()
        if let least = self.run.least, position >= least { steps += self.completed() }
        return steps
    }

    private mutating func sought(_ position: Duration) -> PlaybackResult {
        guard self.run.hasStarted else { return .ignored("the video has not started") }
        let position = max(.zero, position)
        if position < self.run.position {
            let steps = self.again("rewind")
            self.run.move(to: position)
            return .steps(steps)
        }
        self.run.jump()
        return .steps(self.passed(self.run.advance(to: position)) + self.considerSkip())
    }

    private mutating func considerSkip() -> [PlaybackStep] {
        guard !self.isRewarded, !self.isSkippable, let skipAt = self.run.skipAt, self.run.position >= skipAt else {
            return []
        }
        self.isSkippable = true
        return [.skip(visible: true)]
    }

    private mutating func passed(_ marks: [SpotProgress.Mark]) -> [PlaybackStep] {
        marks.flatMap { mark -> [PlaybackStep] in
            switch mark.kind {
            case .quartile(let percent):
                let names: [Int: BeaconEvent] = [25: "firstQuartile", 50: "midpoint", 75: "thirdQuartile"]
                let told = names[percent].flatMap { self.run.once($0) }
                return [told].compactMap { $0 } + [.quartile(percent, spot: self.run.index)]
            case .progress(let offset):
                return [self.run.once(.progress(offset))].compactMap { $0 }
            case .part(let part, let visible): return [.part(part, visible: visible)]
            }
        }
    }

    private mutating func interacted(_ interaction: VideoInteraction) -> [PlaybackStep] {
        switch interaction {
        case .acceptInvitation:
            let names: [BeaconEvent] =
                self.run.isOverlay ? ["acceptInvitation"] : ["acceptInvitationLinear", "acceptInvitation"]
            return names.compactMap { self.run.once($0) } + self.overlayEnded()
        case .minimize: return self.again("minimize") + self.overlayEnded()
        case .expand: return self.again("adExpand", "expand")
        case .collapse: return self.again("adCollapse", "collapse")
        case .interactiveStart: return [self.run.once("interactiveStart")].compactMap { $0 }
        case .customClick: return self.again("customClick")
        case .other: return self.again("otherAdInteraction")
        }
    }

    /// How long an overlay was shown by itself is told once, when that time is over.
    private mutating func overlayEnded() -> [PlaybackStep] {
        guard self.run.isOverlay, self.run.hasStarted else { return [] }
        return [self.run.once("overlayViewDuration")].compactMap { $0 }
    }

    // MARK: Parts

    private mutating func shown(_ part: VideoPartID) -> PlaybackResult {
        guard self.run.has(part) else { return .ignored("this spot has no such part") }
        let event: BeaconEvent
        switch part {
        case .icon: event = "iconView"
        case .companion: event = "creativeView"
        case .verification: return .ignored("a script can't be shown")
        }
        guard let step = self.run.once(event, part: part) else { return .ignored("this part was shown before") }
        return .steps([step])
    }

    private func gone(_ part: VideoPartID?) -> [PlaybackStep] {
        part.map { [.part($0, visible: false)] } ?? []
    }

    /// A part was clicked by the user.
    mutating func clicked(_ part: VideoPartID) -> [PlaybackStep] {
        switch part {
        case .icon: [self.run.again("iconClick", part: part)].compactMap { $0 }
        case .companion: [self.run.once("companionClick", part: part)].compactMap { $0 }
        case .verification: []
        }
    }

    /// The spot itself was clicked by the user.
    mutating func clicked() -> [PlaybackStep] {
        guard self.run.hasStarted else { return [] }
        return [self.run.once("clickTracking")].compactMap { $0 }
    }

    // MARK: Ends

    private mutating func completed() -> [PlaybackStep] {
        var steps: [PlaybackStep] = []
        // Whoever moved it to its end, or never saw it, has not watched it.
        let isWatched = !self.isRewarded || (self.run.isImpressed && !self.run.hasJumped)
        if isWatched { self.hasCompleted = true }
        if self.run.isOverlay {
            steps += self.overlayEnded()
        } else {
            steps += self.passed(self.run.finish())
            steps += [self.run.once("complete")].compactMap { $0 } + [.quartile(100, spot: self.run.index)]
        }
        return steps + self.leave(isWatched ? .completed : .unwatched)
    }

    /// The user skips the spot; nil where that is not possible now.
    mutating func skip() -> [PlaybackStep]? {
        guard self.phase != .over, self.isSkippable else { return nil }
        return [self.run.once("skip")].compactMap { $0 } + self.leave(.skipped)
    }

    private mutating func failed(_ code: Int, _ text: String) -> [PlaybackStep] {
        [self.run.failed(code)] + self.leave(.failed(text))
    }

    /// The ad can't be shown at all; `code` says why where that is the ad's fault.
    mutating func abandon(_ code: Int?) -> [PlaybackStep] {
        guard let code else { return self.close(byUser: false) }
        self.phase = .over
        return [self.run.failed(code)] + self.close(byUser: false)
    }

    /// Whoever plays has crashed: there is nothing more to be played, and nothing to be believed.
    mutating func crash() -> [PlaybackStep] {
        guard self.phase != .over else { return [] }
        self.phase = .over
        // Whatever keeps a video from being played has a number, if only the general one.
        var steps = [self.run.failed(400)] + self.settled(isKnown: false)
        if self.isSkippable { steps.append(.skip(visible: false)) }
        self.isSkippable = false
        if self.hasBegun { steps.append(.tell(TrackingEvent("breakEnd", spot: nil))) }
        return steps + [.over(self.hasCompleted ? .completed : .failed("it crashed"))]
    }

    /// Leaves the current spot for the next one, or for good.
    private mutating func leave(_ end: PlaybackEnd) -> [PlaybackStep] {
        var steps = self.settled(isKnown: true)
        if self.isSkippable { steps.append(.skip(visible: false)) }
        self.isSkippable = false
        steps += self.run.visibleParts.map { .part($0, visible: false) }
        if let next = self.successor(of: end) {
            let isMuted = self.run.isMuted
            self.run = SpotProgress(next, self.terms.spots[next])
            self.run.isMuted = isMuted
            self.phase = .waiting
            return steps + [.next(spot: next)]
        }
        self.phase = .over
        if self.hasBegun { steps.append(.tell(TrackingEvent("breakEnd", spot: nil))) }
        // Where one spot was watched to its end, the failure of another takes nothing from the user.
        switch end {
        case .failed where self.hasCompleted, .unwatched where self.hasCompleted: return steps + [.over(.completed)]
        case .completed, .unwatched, .skipped, .failed: return steps + [.over(end)]
        }
    }

    /// A spot that failed is replaced where something stands in for it.
    private mutating func successor(of end: PlaybackEnd) -> Int? {
        if case .failed = end, self.spare < self.terms.spots.count {
            defer { self.spare += 1 }
            return self.spare
        }
        guard self.upcoming < self.terms.planned else { return nil }
        defer { self.upcoming += 1 }
        return self.upcoming
    }

    /// What is told of a spot when it is left: whether it could be seen.
    private mutating func settled(isKnown: Bool) -> [PlaybackStep] {
        guard self.run.isImpressed, self.run.viewable != .told else { return [] }
        self.run.viewable = .told
        return [self.run.once(isKnown ? "notViewable" : "viewUndetermined")].compactMap { $0 } + [.unwatch]
    }

    /// The ad goes off the screen, or never came there; what was not played is told to be unused.
    mutating func close(byUser: Bool, isKnown: Bool = true) -> [PlaybackStep] {
        guard !self.isClosed else { return [] }
        self.isClosed = true
        var steps: [PlaybackStep] = []
        if self.phase != .over, self.hasBegun {
            // Nothing of the current spot is on screen where its turn has only come.
            if self.run.hasStarted {
                if byUser {
                    // Early versions have the one name for both.
                    let names: [BeaconEvent] = self.run.isOverlay ? ["close"] : ["closeLinear", "close"]
                    steps += names.compactMap { self.run.once($0) }
                }
                steps += self.overlayEnded() + self.settled(isKnown: isKnown)
            }
            steps.append(.tell(TrackingEvent("breakEnd", spot: nil)))
        } else if self.phase == .over, self.run.isOverlay, byUser {
            steps += [self.run.once("close")].compactMap { $0 }
        }
        var unused = Array(self.upcoming..<max(self.upcoming, self.terms.planned))
        unused += Array(self.spare..<max(self.spare, self.terms.spots.count))
        if self.phase == .waiting { unused.insert(self.run.index, at: 0) }
        return steps + unused.map { .tell(TrackingEvent("notUsed", spot: $0)) }
    }

    /// A spot that nobody can see any more, or can again; half of it for two seconds is what counts as viewable.
    mutating func look(isEnough: Bool, at now: Moment) -> [PlaybackStep] {
        let isEnough = isEnough && self.phase == .playing && self.run.isImpressed
        switch (self.run.viewable, isEnough) {
        case (.due, true):
            self.run.viewable = .counting(since: now)
            return [.watch(until: now + ViewabilityPolicy.mrcVideo.duration)]
        case (.counting(let since), _) where now >= since + ViewabilityPolicy.mrcVideo.duration:
            self.run.viewable = .told
            return [.unwatch] + [self.run.once("viewable")].compactMap { $0 }
        case (.counting, false):
            self.run.viewable = .due
            return [.unwatch]
        case (.due, false), (.counting, true), (.told, _):
            return []
        }
    }
}

extension BeaconEvent {
    /// The media has played up to an offset.
    package static func progress(_ offset: MediaOffset) -> BeaconEvent { BeaconEvent("progress-\(offset)") }
}
