// A video on screen: when it can be skipped, what it earns, and what comes behind it.

extension AdLifecycle {
    mutating func video(_ event: VideoEvent, _ terms: VideoTerms, _ current: Showing, at now: Moment) -> AdVerdict {
        var showing = current
        guard showing.media.phase != .over else { return .ignored("the video is over") }
        switch event {
        case .started(let duration):
            guard !showing.media.hasStarted else { return .ignored("the video has started already") }
            showing.media.hasStarted = true
            // A player may tell of its progress first.
            if showing.media.phase == .waiting { showing.media.phase = .playing }
            self.extendWatchdog(&showing, media: duration)
            self.exposureChanged(&showing, at: now)
        case .progressed(let position):
            if showing.media.phase != .playing {
                showing.media.phase = .playing
                self.exposureChanged(&showing, at: now)
            }
            if let skipAt = showing.plan.skipAt, position >= skipAt, !showing.media.isSkippable {
                showing.media.isSkippable = true
                self.act(.stage(.control(.skip, visible: true)), .emit(.skipAvailable))
            }
        case .muted:
            // Nothing of an ad's life depends on its sound.
            break
        case .paused:
            guard showing.media.phase == .playing else { return .ignored("the video does not play") }
            showing.media.phase = .paused
            self.exposureChanged(&showing, at: now)
        case .resumed:
            guard showing.media.phase == .paused else { return .ignored("the video is not paused") }
            showing.media.phase = .playing
            self.exposureChanged(&showing, at: now)
        case .completed:
            guard showing.media.phase != .waiting else { return .ignored("the video has not started") }
            if showing.terms.isRewarded {
                showing.isRewarded = true
                self.act(.emit(.rewarded))
            }
            self.leaveVideo(&showing, terms, at: now, rule: .completed)
        case .failed(_, let text):
            self.act(.emit(.issue(Issue("video.failed", at: .whole, text))))
            self.leaveVideo(&showing, terms, at: now, rule: .failed)
        }
        self.move(to: .showing(showing))
        return .accepted
    }

    mutating func skip(_ current: Showing, at now: Moment) -> AdVerdict {
        var showing = current
        guard let terms = showing.terms.video else { return .ignored("this ad has no video") }
        guard showing.media.phase != .over else { return .ignored("the video is over") }
        guard showing.media.isSkippable else { return .ignored("the video can't be skipped yet") }
        self.act(.emit(.skipped))
        guard terms.hasEndCard else {
            self.end(showing, .skipped, .skipOffset, at: now)
            return .accepted
        }
        self.leaveVideo(&showing, terms, at: now, rule: .endCard)
        self.move(to: .showing(showing))
        return .accepted
    }

    /// The video is over: what comes behind it is shown, and there is a way out.
    private mutating func leaveVideo(_ showing: inout Showing, _ terms: VideoTerms, at now: Moment, rule: CloseRule) {
        showing.media.phase = .over
        if showing.media.isSkippable { self.act(.stage(.control(.skip, visible: false))) }
        if terms.hasEndCard { self.act(.stage(.video(.showEndCard))) }
        self.makeClosable(&showing, terms.hasEndCard && rule == .completed ? .endCard : rule)
        self.exposureChanged(&showing, at: now)
    }

    /// A rewarded video's watchdog follows the media's real length as soon as the player knows it.
    private mutating func extendWatchdog(_ showing: inout Showing, media: Duration?) {
        guard showing.terms.isRewarded, showing.closable == nil, showing.watchdog != nil, let media else { return }
        let watchdog = showing.revealed + ClosePlan.rewardedWatchdog(media: media, timing: self.timing)
        showing.watchdog = watchdog
        self.act(.setTimer(.watchdog, at: watchdog))
    }
}
