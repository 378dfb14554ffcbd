package import AdCore

/// Checks an ad's inputs and actions against the invariants of the lifecycle.
///
/// It keeps its own record of the inputs, independent of the machine's states. A violation begins with the number of its
/// invariant:
///
/// 1. Every command has one outcome, every shown ad is closed once, and only some events may follow.
/// 2. The view is recorded at most once, while the ad is viewable by its policy.
/// 3. A click is recorded once, after a user's gesture and before its link is opened.
/// 4. A reward is given at most once, only by a rewarded ad that has played, and recorded just before.
/// 5. The close button appears once, by a rule that applies, and in time.
/// 6. An ad is shown at most once, and presented once for each offer.
/// 7. An expired ad is not presented, and a presented ad does not expire.
/// 8. The close delay counts only time in view.
/// 9. The ad is released, only outcomes of commands follow destroy, and no timer remains.
/// 10. A tracking event of a video is tracked once for each offer, and only when it is true.
/// 11. An auction is settled once: won if the ad was shown, else lost. An impression with a price is paid once.
package struct LifecycleAudit {
    package let rules: ShowRules
    package let timing: AdTiming
    package private(set) var violations: [String] = []
    package private(set) var timers: [AdTimer: Moment] = [:]

    private var open: Set<CommandID> = []
    private var loadedAt: Moment?
    private var revealedAt: Moment?
    private var presents = 0
    /// How many offers were asked for after the first.
    private var replacements = 0
    private var outcomes: [SaleOutcome] = []
    private var payments = 0
    private var shown = 0
    private var closed = 0
    private var views = 0
    private var clickRecords = 0
    private var userClicks = 0
    /// Clicks on icons open a URL and do not count as clicks on the ad.
    private var iconClicks = 0
    private var isClickRecorded = false
    private var opens = 0
    private var rewards = 0
    private var rewardRecords = 0
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
    /// Whether the video ends with the current input.
    private var isEnding = false
    /// The spots' durations as reported by players.
    private var reportedDurations: [Int: Duration] = [:]
    /// The video's tracking events, by path, event and number.
    private var trackingEvents: Set<String> = []
    private var quartiles: [Int: Int] = [:]
    private var seen: Duration = .zero
    private var last: Moment = .origin
    private var viewableSince: Moment?

    package init(_ rules: ShowRules, _ timing: AdTiming) {
        self.rules = rules
        self.timing = timing
    }

    private var media: Duration? { self.rules.video?.length(real: self.reportedDurations) }
    private var isSeen: Bool { self.visible > 0 && !self.isCovered && !self.isInBackground }
    private var isOnScreen: Bool { self.shown > 0 && self.closed == 0 }
    private var isViewable: Bool {
        self.isSeen && self.visible >= self.rules.viewPolicy.share && (self.rules.video == nil || self.isPlaying)
    }

    private mutating func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
        if !condition { self.violations.append(sentence()) }
    }

    package mutating func handle(_ input: AdInput, _ result: AdInputResult, _ actions: [AdAction], at now: Moment) {
        if self.isOnScreen, self.isSeen { self.seen += now - self.last }
        self.last = now
        if case .timer(let timer) = input { self.timers[timer] = nil }
        self.update(input, result, at: now)
        let wasDestroyed = self.isDestroyed
        for action in actions { self.check(action, input, at: now) }
        let answeredBefore = actions.prefix { $0 != .release }.contains { if case .finish = $0 { true } else { false } }
        self.require(!actions.contains(.release) || !answeredBefore, "9: a command got its outcome before the release")
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
        self.updateViewableTime(at: now)
    }

    /// Whether the ad has a click-through URL for clicks that bring none.
    private var hasClickThrough: Bool {
        self.rules.clickThrough != nil || self.rules.video?.spots.contains { $0.clickThrough != nil } ?? false
    }

    private mutating func update(_ input: AdInput, _ result: AdInputResult, at now: Moment) {
        switch input {
        case .load(let command), .show(let command), .showCapped(let command, _):
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
        case .stage(.partClicked(let part, _, byUser: true, _)) where self.isOnScreen && result == .accepted:
            if case .icon = part { self.iconClicks += 1 } else { self.userClicks += 1 }
        case .stage(.video(let event, let spot)) where self.isOnScreen && result == .accepted:
            self.update(event, of: spot)
        case .stage(.skipRequested) where result == .accepted: (self.isPlaying, self.isPaused) = (false, false)
        case .recorded(.click), .timer(.record):
            if self.clickRecords > 0 { self.isClickRecorded = true }
        default: break
        }
    }

    private mutating func update(_ event: VideoEvent, of spot: Int) {
        switch event {
        case .started(let duration):
            let known = self.rules.video?.spots[spot].length
            self.reportedDurations[spot] =
                duration.flatMap { $0 > .zero ? $0 : nil } ?? self.reportedDurations[spot] ?? known
            if !self.isPaused { self.isPlaying = true }
            self.hasPlayed = true
        case .progressed(let position):
            // A paused video stays paused.
            if !self.isPaused { self.isPlaying = true }
            self.hasPlayed = true
            // An overlay ends after its minimum suggested duration.
            if case .overlay(let least?) = self.rules.video?.spots[spot].form, position >= least {
                self.isEnding = true
                self.isPaused = false
            }
        case .resumed: (self.isPlaying, self.isPaused) = (true, false)
        case .paused: (self.isPlaying, self.isPaused) = (false, true)
        case .completed, .stopped, .skipped, .failed: (self.isPlaying, self.isPaused) = (false, false)
        case .loaded, .sought, .muted, .enlarged, .interacted, .partShown, .partFailed, .verification,
            .interactiveLoading, .extended:
            break
        }
    }

    /// A tracking event comes once, and only when it is true.
    private mutating func check(_ event: TrackingEvent, _ input: AdInput) {
        let key = "\(event.path)/\(event.event)/\(event.ordinal)"
        self.require(self.trackingEvents.insert(key).inserted, "10: \(key) was tracked twice")
        self.require(
            self.rules.video != nil && self.releases == 0,
            "10: \(key) was tracked for an ad without a video or after its release"
        )
        let spot = "\(event.spot.map { "spot-\($0 + 1)" } ?? "break")"
        switch event.event {
        case .impression:
            self.require(
                self.isOnScreen && self.isSeen && self.isPlaying,
                "10: an impression without a visible playing video"
            )
            self.require(!self.trackingEvents.contains("\(spot)/notUsed/0"), "10: an impression after notUsed")
        case "notUsed":
            self.require(!self.trackingEvents.contains("\(spot)/impression/0"), "10: notUsed after an impression")
        case "skip":
            let spot = event.spot ?? 0
            let isAsked = [.stage(.skipRequested), .stage(.video(.skipped, spot: spot))].contains(input)
            self.require(isAsked, "10: a skip without a request")
        case "viewable":
            self.require(self.trackingEvents.contains("\(spot)/impression/0"), "10: viewable before the impression")
        case "complete":
            self.require(self.quartiles[event.spot ?? 0, default: -1] >= 0, "10: complete before the start")
        default: break
        }
    }

    private mutating func check(quartile percent: Int, of spot: Int) {
        let before = self.quartiles[spot, default: -1]
        self.require(percent > before, "10: quartile \(percent) of spot \(spot) after \(before)")
        self.quartiles[spot] = percent
    }

    /// Updates since when the ad has been viewable without interruption.
    private mutating func updateViewableTime(at now: Moment) {
        if self.isOnScreen, self.isViewable {
            if self.viewableSince == nil { self.viewableSince = now }
        } else {
            self.viewableSince = nil
        }
    }

    private mutating func check(_ action: AdAction, _ input: AdInput, at now: Moment) {
        switch action {
        case .finish(let command, let error):
            self.require(self.open.remove(command) != nil, "1: \(command) ended twice")
            if case .load = input { self.require(error != nil, "1: a load succeeded before a response") }
        case .setTimer(let timer, let moment): self.timers[timer] = moment
        case .cancelTimer(let timer): self.timers[timer] = nil
        case .present:
            self.presents += 1
            self.require(self.presents <= 1 + self.replacements, "6: presented twice")
            // The offer that takes the place of an expired one is another.
            guard self.presents == 1, self.replacements == 0 else { break }
            let expires = (self.loadedAt ?? now) + self.rules.effectiveLifetime
            self.require(self.loadedAt != nil && now < expires, "7: an expired ad was presented")
        case .record(.view): self.checkView(at: now)
        case .record(.reward): self.rewardRecords += 1
        case .record:
            self.clickRecords += 1
            self.require(self.clickRecords == 1, "3: the click was recorded twice")
            self.require(self.userClicks > 0, "3: a click was recorded without a user's gesture and a URL to open")
        case .open:
            self.opens += 1
            self.require(
                self.isClickRecorded || self.opens <= self.iconClicks,
                "3: a link was opened before its click was recorded"
            )
            self.require(
                self.opens <= self.userClicks + self.iconClicks,
                "3: more links were opened than the user clicked"
            )
        case .release:
            self.releases += 1
            self.require(self.releases == 1 || self.isDestroyed || input == .destroy, "9: released twice")
            self.timers = [:]
        case .emit(.quartile(let percent, let spot)): self.check(quartile: percent, of: spot)
        case .emit(let event): self.check(event, at: now)
        case .track(let event): self.check(event, input)
        case .settle(let outcome):
            self.outcomes.append(outcome)
            self.require(self.outcomes.count == 1 && self.rules.sale.isAuctioned, "11: an auction was settled twice")
            self.require((outcome == .won) == (self.shown == 1), "11: the wrong outcome of an auction: \(outcome)")
        case .requestNext(_):
            self.replacements += 1
            self.require(self.rules.sale.hasSuccessor && self.shown == 0, "6: another offer without a reason")
            (self.visible, self.isPlaying, self.isPaused, self.hasPlayed) = (0, false, false, false)
            (self.trackingEvents, self.quartiles, self.reportedDurations) = ([], [:], [:])
        case .request, .cancelRequest, .stage: break
        }
    }

    private mutating func checkView(at now: Moment) {
        self.views += 1
        self.require(self.views == 1, "2: the view was recorded twice")
        self.require(self.revealedAt != nil && self.closed == 0, "2: a view was recorded off the screen")
        let policy = self.rules.viewPolicy
        if policy.duration == .zero {
            self.require(self.isViewable, "2: a view was recorded while the ad was not viewable")
        } else {
            let enough = self.viewableSince.map { now - $0 >= policy.duration } ?? false
            self.require(enough, "2: a view was recorded before the policy's duration")
        }
    }

    private mutating func check(_ event: AdEvent, at now: Moment) {
        self.require(self.closed == 0 || AdLifecycle.mayFollowClose(event), "1: \(event.name) after closed")
        switch event {
        case .loaded: self.loadedAt = now
        case .shown:
            self.shown += 1
            self.revealedAt = now
            self.require(self.shown == 1, "6: shown twice")
        case .paid(let revenue):
            self.payments += 1
            self.require(self.payments == 1 && self.views == 1, "11: paid twice, or without an impression")
            self.require(revenue == self.rules.sale.revenue, "11: paid the wrong amount")
        case .rewarded:
            self.rewards += 1
            self.require(self.rewards == 1 && self.rules.isRewarded && self.hasPlayed, "4: an unearned reward")
            self.require(self.rewardRecords == 1, "4: a reward that was not recorded once")
        case .closed(let closing):
            self.closed += 1
            self.require(self.shown == 1 && self.closed == 1, "1: closed without shown, or twice")
            self.require(closing.rewarded == (self.rewards == 1), "4: closed has the wrong reward")
            if closing.reason == .user { self.require(self.closeAvailable == 1, "5: closed before it could be") }
        case .closeAvailable(let rule):
            self.closeAvailable += 1
            self.require(self.closeAvailable == 1, "5: the close button appeared twice")
            self.check(rule, at: now)
        case .expired:
            self.require(self.presents == 0, "7: a presented ad expired")
        default: break
        }
    }

    private mutating func check(_ rule: CloseRule, at now: Moment) {
        guard let revealedAt else {
            self.violations.append("5: the close button appeared before the ad")
            return
        }
        switch rule {
        case .closeDelay:
            self.require(self.seen >= self.closeDelay, "5, 8: the close delay had not passed in view")
            self.require(!self.rules.isRewarded, "5: a rewarded ad could be closed by its close delay")
        case .immediate:
            self.require(self.closeDelay <= .zero, "5: closable at once in spite of a close delay")
        case .watchdog:
            self.require(now - revealedAt >= self.closeDeadline, "5: the watchdog was early")
        case .completed, .endCard, .skipOffset:
            self.require(
                self.rules.video != nil && self.hasPlayed,
                "5: closable by the end of a video that never played"
            )
        case .failed, .crashed: break
        case .creative, .host, .stage: self.violations.append("5: the rule \(rule) shows no close button")
        }
    }

    /// The effective close delay: ten minutes at most.
    private var closeDelay: Duration { min(max(.zero, self.rules.closeDelay ?? .zero), .seconds(600)) }

    private var closeDeadline: Duration {
        guard self.rules.isRewarded else {
            return self.closeDelay + self.timing.watchdog
        }
        guard let media, media > .zero else { return self.timing.watchdog }
        return min(media, ClosePlan.maximumMediaDuration) + self.timing.rewardedGrace
    }

    /// Checks what must hold after all due timers have fired.
    package mutating func settle(at now: Moment) {
        guard self.isOnScreen, let revealedAt, self.rules.closeControl == .button else { return }
        let longest = max(self.closeDeadline, self.timing.watchdog)
        if now - revealedAt >= longest {
            self.require(self.closeAvailable == 1, "5: not closable after \(now - revealedAt)")
        }
        if !self.rules.isRewarded, self.rules.video == nil, self.rules.closeDelay != nil, self.seen >= self.closeDelay {
            self.require(self.closeAvailable == 1, "5: not closable although the close delay has passed in view")
        }
    }

    /// Checks what must hold after the ad was destroyed.
    package mutating func finish() {
        self.require(self.open.isEmpty, "1: a command has no outcome")
        self.require(self.shown == self.closed, "1: shown and not closed, or closed and not shown")
        self.require(self.releases >= 1, "9: nothing was released")
        if self.rules.sale.isAuctioned, self.loadedAt != nil {
            self.require(self.outcomes.count == 1, "11: an auction has no outcome")
        }
        let isPaid = self.views == 1 && self.rules.sale.revenue != nil
        self.require(self.payments == (isPaid ? 1 : 0), "11: an impression with a price was not paid")
        self.require(self.rewardRecords == self.rewards, "4: a reward was recorded and not given")
        self.require(self.timers.isEmpty, "9: a timer still runs")
    }
}

extension AdLifecycle {
    /// After `closed`, links that were clicked before may still open, and late commands are refused.
    static func mayFollowClose(_ event: AdEvent) -> Bool {
        switch event {
        case .linkOpened, .loadFailed, .showFailed: true
        default: false
        }
    }
}
