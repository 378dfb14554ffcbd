package import AdCore

/// Watches an ad from outside and holds it to the nine invariants.
///
/// It keeps its own books of what the stage and the host reported, and knows nothing of the machine's states.
package struct LifecycleAudit {
    package let terms: ShowRules
    package let timing: AdTiming
    package private(set) var violations: [String] = []
    package private(set) var timers: [AdTimer: Moment] = [:]

    private var open: Set<CommandID> = []
    private var loadedAt: Moment?
    private var revealedAt: Moment?
    private var presents = 0
    private var shown = 0
    private var closed = 0
    private var views = 0
    private var clickRecords = 0
    private var userClicks = 0
    /// Clicks on icons lead somewhere and are none on the ad.
    private var iconClicks = 0
    private var isClickWrittenDown = false
    private var opens = 0
    private var rewards = 0
    private var closeAvailable = 0
    private var releases = 0
    private var isDestroyed = false

    private var visible = 0.0
    private var isCovered = false
    private var isInBackground = false
    private var hasCrashed = false
    private var isPlaying = false
    private var isPaused = false
    private var hasPlayed = false
    /// Whether what plays is over when all of this news is told.
    private var isEnding = false
    /// What players said of the lengths of spots.
    private var real: [Int: Duration] = [:]
    /// What was told of the video, by path, event and time.
    private var told: Set<String> = []
    private var quartiles: [Int: Int] = [:]
    private var seen: Duration = .zero
    private var last: Moment = .origin
    private var steadySince: Moment?

    package init(_ terms: ShowRules, _ timing: AdTiming) {
        self.terms = terms
        self.timing = timing
    }

    private var media: Duration? { self.terms.video?.length(real: self.real) }
    private var isSeen: Bool { self.visible > 0 && !self.isCovered && !self.isInBackground }
    private var isOnScreen: Bool { self.shown > 0 && self.closed == 0 }
    private var isViewable: Bool {
        self.isSeen && self.visible >= self.terms.viewPolicy.share && (self.terms.video == nil || self.isPlaying)
    }

    private mutating func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { self.violations.append(sentence()) }
    }

    package mutating func take(_ input: AdInput, _ verdict: AdInputResult, _ actions: [AdAction], at now: Moment) {
        if self.isOnScreen, self.isSeen { self.seen += now - self.last }
        self.last = now
        if case .timer(let timer) = input { self.timers[timer] = nil }
        self.note(input, verdict, at: now)
        let wasDestroyed = self.isDestroyed
        for action in actions { self.take(action, input, at: now) }
        let answeredBefore = actions.prefix { $0 != .release }.contains { if case .finish = $0 { true } else { false } }
        self.require(!actions.contains(.release) || !answeredBefore, "9: who waits heard of the end before the release")
        if self.isEnding { self.isPlaying = false }
        self.isEnding = false
        if case .destroy = input { self.isDestroyed = true }
        if wasDestroyed {
            let quiet = actions.allSatisfy { action in
                switch action {
                case .finish(_, .some), .emit(.loadFailed), .emit(.showFailed): true
                default: false
                }
            }
            self.require(quiet, "9: something happened after destroy: \(actions)")
        }
        self.note(steady: now)
    }

    /// Whether the ad has a click-through URL for clicks that bring none.
    private var hasClickThrough: Bool {
        self.terms.clickThrough != nil || self.terms.video?.spots.contains { $0.clickThrough != nil } ?? false
    }

    private mutating func note(_ input: AdInput, _ verdict: AdInputResult, at now: Moment) {
        switch input {
        case .load(let command), .show(let command):
            self.open.insert(command)
        case .stage(.visible(let ratio)) where self.presents > 0:
            self.visible = ratio.isNaN || self.hasCrashed ? 0 : min(max(0, ratio), 1)
        case .stage(.crashed) where self.isOnScreen:
            self.hasCrashed = true
            self.visible = 0
        case .signal(.covered(let covered)) where self.presents > 0: self.isCovered = covered
        case .signal(.background(let background)) where self.presents > 0: self.isInBackground = background
        case .stage(.click(let link, byUser: true, _))
        where self.isOnScreen && !self.isCovered && !self.isInBackground && !self.hasCrashed:
            if link != nil || self.hasClickThrough { self.userClicks += 1 }
        case .stage(.partClicked(let part, _, byUser: true, _)) where self.isOnScreen && verdict == .accepted:
            if case .icon = part { self.iconClicks += 1 } else { self.userClicks += 1 }
        case .stage(.video(let event, let spot)) where self.isOnScreen && verdict == .accepted:
            self.note(event, of: spot)
        case .stage(.skipRequested) where verdict == .accepted: (self.isPlaying, self.isPaused) = (false, false)
        case .recorded(.click), .timer(.record):
            if self.clickRecords > 0 { self.isClickWrittenDown = true }
        default: break
        }
    }

    private mutating func note(_ event: VideoEvent, of spot: Int) {
        switch event {
        case .started(let duration):
            let known = self.terms.video?.spots[spot].length
            self.real[spot] = duration.flatMap { $0 > .zero ? $0 : nil } ?? self.real[spot] ?? known
            if !self.isPaused { self.isPlaying = true }
            self.hasPlayed = true
        case .progressed(let position):
            // What was paused stays so.
            if !self.isPaused { self.isPlaying = true }
            self.hasPlayed = true
            // An overlay that was there for as long as it wanted is over.
            if case .overlay(let least?) = self.terms.video?.spots[spot].form, position >= least {
                self.isEnding = true
                self.isPaused = false
            }
        case .resumed: (self.isPlaying, self.isPaused) = (true, false)
        case .paused: (self.isPlaying, self.isPaused) = (false, true)
        case .completed, .failed: (self.isPlaying, self.isPaused) = (false, false)
        case .loaded, .sought, .muted, .enlarged, .interacted, .partShown, .partFailed: break
        }
    }

    /// What a video tells: nothing twice, nothing that was not so.
    private mutating func take(_ fact: TrackingEvent, _ input: AdInput) {
        let key = "\(fact.path)/\(fact.event)/\(fact.ordinal)"
        self.require(self.told.insert(key).inserted, "10: \(key) was told twice")
        self.require(
            self.terms.video != nil && self.releases == 0,
            "10: \(key) was told of an ad without a video, or over"
        )
        let spot = "\(fact.spot.map { "spot-\($0 + 1)" } ?? "break")"
        switch fact.event {
        case .impression:
            self.require(self.isOnScreen && self.isSeen && self.isPlaying, "10: an impression of what nobody saw")
            self.require(!self.told.contains("\(spot)/notUsed/0"), "10: an impression of what was not used")
        case "notUsed":
            self.require(!self.told.contains("\(spot)/impression/0"), "10: what was seen was told to be unused")
        case "skip": self.require(input == .stage(.skipRequested), "10: a skip that nobody asked for")
        case "viewable": self.require(self.told.contains("\(spot)/impression/0"), "10: viewable before it was seen")
        case "complete":
            self.require(self.quartiles[fact.spot ?? 0, default: -1] >= 0, "10: complete, and never begun")
        default: break
        }
    }

    private mutating func take(quartile percent: Int, of spot: Int) {
        let before = self.quartiles[spot, default: -1]
        self.require(percent > before, "10: quartile \(percent) of spot \(spot) after \(before)")
        self.quartiles[spot] = percent
    }

    /// Since when the ad has been viewable without a break.
    private mutating func note(steady now: Moment) {
        if self.isOnScreen, self.isViewable {
            if self.steadySince == nil { self.steadySince = now }
        } else {
            self.steadySince = nil
        }
    }

    private mutating func take(_ action: AdAction, _ input: AdInput, at now: Moment) {
        switch action {
        case .finish(let command, let error):
            self.require(self.open.remove(command) != nil, "1: \(command) ended twice")
            if case .load = input { self.require(error != nil, "1: a load ended well before an answer came") }
        case .setTimer(let timer, let moment): self.timers[timer] = moment
        case .cancelTimer(let timer): self.timers[timer] = nil
        case .present:
            self.presents += 1
            self.require(self.presents == 1, "6: presented twice")
            let expires = (self.loadedAt ?? now) + self.terms.effectiveLifetime
            self.require(self.loadedAt != nil && now < expires, "7: an expired ad was presented")
        case .record(.view): self.take(viewAt: now)
        case .record:
            self.clickRecords += 1
            self.require(self.clickRecords == 1, "3: the click was recorded twice")
            self.require(self.userClicks > 0, "3: a click was recorded without a user's gesture and a URL to open")
        case .open:
            self.opens += 1
            self.require(
                self.isClickWrittenDown || self.opens <= self.iconClicks,
                "3: a link was opened before its click was written down"
            )
            self.require(self.opens <= self.userClicks + self.iconClicks, "3: more links than clicks were opened")
        case .release:
            self.releases += 1
            self.require(self.releases == 1 || self.isDestroyed || input == .destroy, "9: released twice")
            self.timers = [:]
        case .emit(.quartile(let percent, let spot)): self.take(quartile: percent, of: spot)
        case .emit(let event): self.take(event, at: now)
        case .tell(let fact): self.take(fact, input)
        case .request, .cancelRequest, .stage: break
        }
    }

    private mutating func take(viewAt now: Moment) {
        self.views += 1
        self.require(self.views == 1, "2: the view was recorded twice")
        self.require(self.revealedAt != nil && self.closed == 0, "2: a view was recorded off the screen")
        let policy = self.terms.viewPolicy
        if policy.duration == .zero {
            self.require(self.isViewable, "2: a view was recorded while nothing could be seen")
        } else {
            let enough = self.steadySince.map { now - $0 >= policy.duration } ?? false
            self.require(enough, "2: a view was recorded before its time")
        }
    }

    private mutating func take(_ event: AdEvent, at now: Moment) {
        self.require(self.closed == 0 || AdLifecycle.mayFollowTheEnd(event), "1: \(event.name) after closed")
        switch event {
        case .loaded: self.loadedAt = now
        case .shown:
            self.shown += 1
            self.revealedAt = now
            self.require(self.shown == 1, "6: shown twice")
        case .rewarded:
            self.rewards += 1
            self.require(self.rewards == 1 && self.terms.isRewarded && self.hasPlayed, "4: a reward nobody earned")
        case .closed(let closing):
            self.closed += 1
            self.require(self.shown == 1 && self.closed == 1, "1: closed without shown, or twice")
            self.require(closing.rewarded == (self.rewards == 1), "4: closed does not tell of the reward")
            if closing.reason == .user { self.require(self.closeAvailable == 1, "5: closed before it could be") }
        case .closeAvailable(let rule):
            self.closeAvailable += 1
            self.require(self.closeAvailable == 1, "5: the close button appeared twice")
            self.take(rule, at: now)
        case .expired:
            self.require(self.presents == 0, "7: an ad on its stage expired")
        default: break
        }
    }

    private mutating func take(_ rule: CloseRule, at now: Moment) {
        guard let revealedAt else {
            self.violations.append("5: the close button appeared before the ad")
            return
        }
        switch rule {
        case .closeDelay:
            self.require(self.seen >= self.timeout, "5, 8: the close time-out had not been seen")
            self.require(!self.terms.isRewarded, "5: a rewarded ad could be closed by a time-out")
        case .immediate:
            self.require(self.timeout <= .zero, "5: at once, in spite of a time-out")
        case .watchdog:
            self.require(now - revealedAt >= self.deadline, "5: the watchdog was early")
        case .completed, .endCard, .skipOffset:
            self.require(self.terms.video != nil && self.hasPlayed, "5: the end of a video that never played")
        case .failed, .crashed: break
        case .creative, .host, .stage: self.violations.append("5: \(rule) shows no button")
        }
    }

    /// The close time-out that is honoured: ten minutes at most.
    private var timeout: Duration { min(max(.zero, self.terms.closeDelay ?? .zero), .seconds(600)) }

    private var deadline: Duration {
        guard self.terms.isRewarded else {
            return self.timeout + self.timing.watchdog
        }
        guard let media, media > .zero else { return self.timing.watchdog }
        return min(media, ClosePlan.longestMedia) + self.timing.rewardedGrace
    }

    /// What must hold whenever all timers that were due have fired.
    package mutating func settle(at now: Moment) {
        guard self.isOnScreen, let revealedAt, self.terms.closeControl == .button else { return }
        let longest = max(self.deadline, self.timing.watchdog)
        if now - revealedAt >= longest {
            self.require(self.closeAvailable == 1, "5: no way out after \(now - revealedAt)")
        }
        if !self.terms.isRewarded, self.terms.video == nil, self.terms.closeDelay != nil, self.seen >= self.timeout {
            self.require(self.closeAvailable == 1, "5: no way out although the close time-out was seen")
        }
    }

    /// What must hold after the ad was destroyed.
    package mutating func finish() {
        self.require(self.open.isEmpty, "1: a command has no outcome")
        self.require(self.shown == self.closed, "1: shown and not closed, or closed and not shown")
        self.require(self.releases >= 1, "9: nothing was released")
        self.require(self.timers.isEmpty, "9: a timer still runs")
    }
}

extension AdLifecycle {
    /// After `closed`, links that were clicked before may still open, and late commands are refused.
    static func mayFollowTheEnd(_ event: AdEvent) -> Bool {
        switch event {
        case .linkOpened, .loadFailed, .showFailed: true
        default: false
        }
    }
}
