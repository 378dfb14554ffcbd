import Testing

@testable import AdCore

@Suite("Tracking events of a video")
struct PlaybackTests {
    private let video = SpotRules(duration: .seconds(20))

    @Test("the events of a whole playback are tracked once and in order")
    func wholeLife() {
        var player = PlaybackDriver(self.video)
        player.play(
            .loaded,
            .started(duration: .seconds(20)),
            .at(1),
            .at(6),
            .at(6.5),
            .at(11),
            .at(16),
            .at(20),
            .completed
        )
        #expect(
            player.steps == [
                "loaded", "breakStart", "impression", "creativeView", "start", "→0 %", "firstQuartile", "→25 %",
                "midpoint",
                "→50 %", "thirdQuartile", "→75 %", "complete", "→100 %", "notViewable", "→unwatch", "breakEnd",
                "→over completed",
            ]
        )
    }

    @Test("events that a player repeats are tracked once")
    func repeats() {
        var player = PlaybackDriver(self.video)
        player.play(
            .loaded,
            .loaded,
            .started(duration: nil),
            .started(duration: nil),
            .at(6),
            .at(6),
            .completed,
            .completed,
            .at(7)
        )
        #expect(player.tracked.count(where: { $0 == "start" }) == 1)
        #expect(player.tracked.count(where: { $0 == "firstQuartile" }) == 1)
        #expect(player.tracked.count(where: { $0 == "complete" }) == 1)
        #expect(
            player.ignored == [
                "the video is loaded already", "the video has started already", "the video is over",
                "the video is over",
            ]
        )
    }

    @Test("a jump over several offsets tracks all of them, in order")
    func jump() {
        var player = PlaybackDriver(
            SpotRules(duration: .seconds(20), progress: [.time(.seconds(8)), .percent(10), .percent(90)])
        )
        player.play(.started(duration: nil))
        player.clear()
        player.play(.at(16))
        #expect(player.tracked == ["progress-10%", "firstQuartile", "progress-8", "midpoint", "thirdQuartile"])
        player.clear()
        player.play(.sought(.seconds(19)))
        #expect(player.tracked == ["progress-90%"])
    }

    @Test("after seeking back no progress is tracked again, and each rewind is tracked")
    func rewind() {
        var player = PlaybackDriver(self.video)
        player.play(.started(duration: nil), .at(12))
        player.clear()
        player.play(.sought(.seconds(1)), .at(12), .sought(.zero), .at(16))
        #expect(player.tracked == ["rewind", "rewind #1", "thirdQuartile"])
    }

    @Test("an impression needs a video that is visible and playing")
    func impression() {
        var player = PlaybackDriver(self.video)
        player.isVisible = false
        player.play(.started(duration: nil), .at(1))
        #expect(!player.tracked.contains("impression"))
        player.play(.paused)
        player.append(player.playback.trackImpression())
        #expect(!player.tracked.contains("impression"), "it is paused")
        player.play(.resumed)
        player.append(player.playback.trackImpression())
        player.append(player.playback.trackImpression())
        #expect(player.tracked.count(where: { $0 == "impression" }) == 1)
    }

    @Test("user actions are tracked each time, and impossible ones are ignored")
    func user() {
        var player = PlaybackDriver(self.video)
        player.play(.paused, .interacted(.other))
        #expect(player.tracked.isEmpty && player.ignored.count == 2)
        player.play(.muted(true), .started(duration: nil))
        player.clear()
        player.play(.muted(false), .muted(true), .muted(false), .paused, .paused, .resumed, .paused)
        #expect(player.tracked == ["unmute", "mute", "unmute #1", "pause", "resume", "pause #1"])
        player.clear()
        player.play(.enlarged(true), .enlarged(false), .interacted(.acceptInvitation), .interacted(.acceptInvitation))
        #expect(
            player.tracked == [
                "playerExpand", "fullscreen", "expand", "playerCollapse", "exitFullscreen", "collapse",
                "acceptInvitationLinear", "acceptInvitation",
            ]
        )
    }

    @Test("a video that starts smaller than the screen tracks no change, and the macro of the state follows")
    func smallVideo() {
        let states = { (player: PlaybackDriver) in
            player.events.map { "\($0.event) \($0.isFullScreen ? "full" : "small")" }
        }
        var player = PlaybackDriver(self.video)
        player.play(.enlarged(false), .started(duration: nil))
        #expect(states(player).contains("start small"))
        player.clear()
        player.play(.enlarged(false), .enlarged(true), .muted(true), .enlarged(false))
        #expect(
            states(player) == [
                "playerExpand full", "fullscreen full", "expand full", "mute full", "playerCollapse small",
                "exitFullscreen small", "collapse small",
            ]
        )
        var other = PlaybackDriver(self.video)
        other.play(.started(duration: nil))
        #expect(states(other).contains("start full"), "a stage that reports no size fills the screen")
    }

    @Test("a program that the user skips by its own button tracks a skip, once, and earns nothing")
    func skippedByProgram() {
        var player = PlaybackDriver(VideoRules(SpotRules(duration: .seconds(15))), isRewarded: true)
        player.play(.skipped)
        #expect(player.tracked.isEmpty, "it has not started")
        player.play(.started(duration: nil), .at(1))
        player.clear()
        player.play(.skipped, .skipped, .stopped)
        #expect(player.tracked.filter { $0 == "skip" }.count == 1 && !player.tracked.contains("complete"))
        #expect(player.playback.phase == .over)
        // After the end there is nothing to skip, and the reward is earned.
        var watched = PlaybackDriver(VideoRules(SpotRules(duration: .seconds(15))), isRewarded: true)
        watched.play(.started(duration: nil), .at(14), .extended, .skipped)
        #expect(watched.tracked.contains("complete") && !watched.tracked.contains("skip"))
        #expect(watched.last == "→over completed", "\(watched.last ?? "")")
    }

    @Test("every interaction has its VAST event", arguments: VideoInteraction.allCases)
    func interactions(_ interaction: VideoInteraction) {
        var player = PlaybackDriver(self.video)
        player.play(.started(duration: nil))
        player.clear()
        player.play(.interacted(interaction))
        let names: [VideoInteraction: [String]] = [
            .acceptInvitation: ["acceptInvitationLinear", "acceptInvitation"], .minimize: ["minimize"],
            .expand: ["adExpand", "expand"], .collapse: ["adCollapse", "collapse"],
            .interactiveStart: ["interactiveStart"], .customClick: ["customClick"], .other: ["otherAdInteraction"],
        ]
        #expect(player.tracked == names[interaction])
    }

    @Test(
        "the player's duration moves the quartiles, and without any duration they are tracked at the end"
    )
    func lengths() {
        var longer = PlaybackDriver(self.video)
        longer.play(.started(duration: .seconds(40)), .at(6))
        #expect(!longer.tracked.contains("firstQuartile"))
        longer.play(.at(10))
        #expect(longer.tracked.contains("firstQuartile"))
        var unknown = PlaybackDriver(SpotRules())
        unknown.play(.started(duration: nil), .at(7), .completed)
        #expect(unknown.tracked.filter { $0.hasSuffix("uartile") } == ["firstQuartile", "thirdQuartile"])
        #expect(unknown.steps.contains("→over completed"))
    }

    @Test("progress is tracked at its offset, also at a percentage of a duration that is reported late")
    func progress() {
        var player = PlaybackDriver(SpotRules(progress: [.time(.milliseconds(2500)), .percent(25)]))
        player.play(.at(3))
        #expect(player.tracked.contains("progress-2.5") && !player.tracked.contains("progress-25%"))
        player.play(.started(duration: .seconds(10)))
        #expect(player.tracked.contains("progress-25%"))
    }

    @Test("the skip button appears at its offset and disappears when it is used")
    func skip() {
        var player = PlaybackDriver(SpotRules(duration: .seconds(20), skipOffset: .percent(25)))
        player.play(.started(duration: nil), .at(4.9))
        #expect(player.playback.skip() == nil)
        player.play(.at(5))
        #expect(player.last == "→skip")
        player.clear()
        player.append(player.playback.skip() ?? [])
        #expect(player.steps == ["skip", "notViewable", "→unwatch", "→no skip", "breakEnd", "→over skipped"])
        #expect(player.playback.skip() == nil)
    }

    @Test("a skip offset beyond the end never shows a skip button, and a rewarded video has none")
    func noSkip() {
        var long = PlaybackDriver(SpotRules(duration: .seconds(5), skipOffset: .time(.seconds(9))))
        long.play(.started(duration: nil), .at(5), .completed)
        #expect(!long.steps.contains("→skip"))
        var rewarded = PlaybackDriver(SpotRules(duration: .seconds(5), skipOffset: .time(.zero)), isRewarded: true)
        rewarded.play(.started(duration: nil), .at(3))
        #expect(!rewarded.steps.contains("→skip"))
    }

    @Test("a verification script of which no stage says anything is not supported: reason 2")
    func verification() {
        var player = PlaybackDriver(SpotRules(duration: .seconds(5), verifications: 2))
        player.play(.started(duration: nil))
        #expect(
            player.tracked.suffix(2) == [
                "verification-0/verificationNotExecuted 2", "verification-1/verificationNotExecuted 2",
            ]
        )
    }

    @Test("verificationNotExecuted has the stage's reason, is tracked once, and only for an ad that has started")
    func verificationFailures() {
        var player = PlaybackDriver(SpotRules(duration: .seconds(5), verifications: 4))
        for number in 0..<3 { player.play(.verification(number, .loading)) }
        player.play(.verification(0, .executed), .verification(1, .notExecuted(.rejected, "")))
        player.play(.verification(3, .notExecuted(.notSupported, "")))
        #expect(player.tracked.isEmpty)
        player.play(.started(duration: nil))
        #expect(
            player.tracked.filter { $0.contains("verification") } == [
                "verification-1/verificationNotExecuted 1", "verification-3/verificationNotExecuted 2",
            ]
        )
        player.play(.verification(2, .notExecuted(.notLoaded, "")), .verification(2, .executed), .completed)
        #expect(
            player.tracked.filter { $0.contains("verification") }.last == "verification-2/verificationNotExecuted 3"
        )
        #expect(player.tracked.count { $0.contains("verification") } == 3)
        #expect(player.ignored == ["this spot has no such verification script, or what became of it is known"])
    }

    @Test("an interactive part that no stage runs is error 409 beside a video, and ends an ad that consists of it")
    func interactive() {
        var beside = PlaybackDriver(SpotRules(duration: .seconds(5), interactive: .besideVideo))
        beside.play(.started(duration: nil))
        #expect(beside.tracked.suffix(2) == ["start", "error 409"])
        var running = PlaybackDriver(SpotRules(duration: .seconds(5), interactive: .besideVideo))
        running.play(.interactiveLoading, .started(duration: nil), .interacted(.interactiveStart))
        #expect(!running.tracked.contains { $0.hasPrefix("error") } && running.tracked.last == "interactiveStart")
        var alone = PlaybackDriver(SpotRules(duration: .seconds(5), interactive: .alone(vastCode: 902)))
        alone.play(.started(duration: nil))
        #expect(alone.steps == ["error 902", "→over failed(\"its interactive part is not run here\")"])
    }

    @Test("an ad that its interactive part stops is over without being complete, and earns no reward")
    func stopped() {
        var player = PlaybackDriver(SpotRules(duration: .seconds(20), interactive: .besideVideo), isRewarded: true)
        player.play(.interactiveLoading, .started(duration: nil), .at(11), .stopped)
        #expect(!player.tracked.contains("complete") && player.last == "→over unwatched")
        player.play(.stopped, .completed)
        #expect(player.ignored == ["the video is over", "the video is over"])
    }

    @Test("an ad that goes on after its video is complete at the video's end, and over when its interactive part is")
    func extended() {
        var player = PlaybackDriver(SpotRules(duration: .seconds(20), interactive: .besideVideo), isRewarded: true)
        player.play(.interactiveLoading, .started(duration: nil), .at(20), .extended)
        #expect(player.tracked.last == "complete" && player.last == "→100 %")
        player.play(.extended, .completed)
        #expect(player.tracked.count { $0 == "complete" } == 1 && player.last == "→over completed")
        var failing = PlaybackDriver(SpotRules(duration: .seconds(20), interactive: .besideVideo), isRewarded: true)
        failing.play(.interactiveLoading, .started(duration: nil), .at(20), .extended, .failed(vastCode: 1100, ""))
        #expect(failing.last == "→over completed", "it was watched")
    }

    @Test("a verification script that is still loading at the end of its spot was not loaded: reason 3")
    func lateVerification() {
        var player = PlaybackDriver(SpotRules(duration: .seconds(5), verifications: 1))
        player.play(.verification(0, .loading), .started(duration: nil))
        #expect(!player.tracked.contains { $0.contains("verification") })
        player.play(.completed)
        #expect(player.tracked.contains("verification-0/verificationNotExecuted 3"))
    }

    @Test("icons appear and disappear at their times, are tracked once when shown, and at each click")
    func icons() {
        let icon = PartRules(.icon(0), time: .init(start: .seconds(2), length: .seconds(3)))
        var player = PlaybackDriver(SpotRules(duration: .seconds(20), parts: [icon]))
        player.play(.started(duration: nil), .at(1))
        #expect(!player.steps.contains("→icon-0"))
        player.play(.at(2))
        #expect(player.last == "→icon-0")
        player.clear()
        player.play(.partShown(.icon(0)), .partShown(.icon(0)))
        player.append(player.playback.trackClick(on: .icon(0)) + player.playback.trackClick(on: .icon(0)))
        player.play(.at(5))
        #expect(
            player.steps == [
                "icon-0/iconView", "icon-0/iconClick", "icon-0/iconClick #1", "firstQuartile", "→25 %", "→no icon-0",
            ]
        )
    }

    @Test("parts disappear with their spot")
    func partsLeave() {
        let icon = PartRules(.icon(0), time: .init())
        var player = PlaybackDriver(SpotRules(duration: .seconds(5), parts: [icon]), SpotRules(duration: .seconds(5)))
        player.play(.started(duration: nil), .completed)
        #expect(player.steps.suffix(2) == ["→no icon-0", "→spot 2"])
    }

    @Test("a part that fails is hidden, and the video goes on")
    func partFails() {
        let companion = PartRules(.companion(0), time: nil)
        var player = PlaybackDriver(SpotRules(duration: .seconds(5), hasEndCard: true, parts: [companion]))
        player.play(.started(duration: nil))
        player.clear()
        player.play(.partFailed(.companion(0), vastCode: 603, "gone"), .partFailed(.icon(9), vastCode: 1, "?"), .at(3))
        #expect(player.steps == ["error 603", "→no companion-0", "firstQuartile", "→25 %", "midpoint", "→50 %"])
    }

    @Test("a reward needs a visible video that was not sought to its end")
    func earned() {
        var moved = PlaybackDriver(self.video, isRewarded: true)
        moved.play(.started(duration: nil), .sought(.seconds(19)), .completed)
        #expect(moved.last == "→over unwatched" && moved.tracked.contains("complete"))
        var unseen = PlaybackDriver(self.video, isRewarded: true)
        unseen.isVisible = false
        unseen.play(.started(duration: nil), .completed)
        #expect(unseen.last == "→over unwatched")
        var back = PlaybackDriver(self.video, isRewarded: true)
        back.play(.started(duration: nil), .at(9), .sought(.seconds(2)), .completed)
        #expect(back.last == "→over completed", "seeking back does not cost the reward")
        var other = PlaybackDriver(self.video)
        other.play(.started(duration: nil), .sought(.seconds(19)), .completed)
        #expect(other.last == "→over completed")
    }

    // MARK: Viewable

    @Test("a video visible by half for two seconds is viewable, once; an interruption restarts the time")
    func viewable() {
        var player = PlaybackDriver(self.video)
        player.play(.started(duration: nil))
        player.clear()
        func at(_ seconds: Double) -> Moment { Moment(.milliseconds(Int64(seconds * 1000))) }
        player.append(player.playback.updateViewable(isEnough: true, at: at(0)))
        player.append(player.playback.updateViewable(isEnough: false, at: at(1.9)))
        player.append(player.playback.updateViewable(isEnough: true, at: at(2)))
        player.append(player.playback.updateViewable(isEnough: true, at: at(4)))
        player.append(player.playback.updateViewable(isEnough: true, at: at(9)))
        #expect(player.steps == ["→watch", "→unwatch", "→watch", "→unwatch", "viewable"])
    }

    @Test("a video that ends before it is viewable tracks notViewable, or viewUndetermined if viewability is unknown")
    func notViewable() {
        var closed = PlaybackDriver(self.video)
        closed.play(.started(duration: nil))
        closed.clear()
        closed.append(closed.playback.close(byUser: true))
        #expect(closed.tracked == ["closeLinear", "close", "notViewable", "breakEnd"])
        var gone = PlaybackDriver(self.video)
        gone.play(.started(duration: nil))
        gone.clear()
        gone.append(gone.playback.close(byUser: false, isKnown: false))
        #expect(gone.tracked == ["viewUndetermined", "breakEnd"])
    }

    // MARK: Overlays

    @Test("an overlay stays for its minimum duration and tracks overlayViewDuration at the end")
    func overlay() {
        var player = PlaybackDriver(SpotRules(.overlay(minimum: .seconds(5))))
        player.play(.started(duration: nil), .at(4))
        #expect(player.tracked == ["breakStart", "impression", "creativeView"])
        player.clear()
        player.play(.at(5))
        #expect(player.steps == ["overlayViewDuration", "notViewable", "→unwatch", "breakEnd", "→over completed"])
        player.clear()
        player.append(player.playback.close(byUser: true))
        #expect(player.tracked == ["close"])
    }

    @Test("acceptInvitation on an overlay tracks overlayViewDuration")
    func invitation() {
        var player = PlaybackDriver(SpotRules(.overlay(minimum: nil)))
        player.play(.started(duration: nil), .at(4))
        player.clear()
        player.play(.interacted(.acceptInvitation))
        player.append(player.playback.close(byUser: true))
        #expect(player.tracked == ["acceptInvitation", "overlayViewDuration", "close", "notViewable", "breakEnd"])
    }

    @Test("a click on the video is tracked once, and only after the start")
    func clicks() {
        var player = PlaybackDriver(self.video)
        #expect(player.playback.trackClick().isEmpty)
        player.play(.started(duration: nil))
        player.clear()
        player.append(player.playback.trackClick() + player.playback.trackClick())
        #expect(player.tracked == ["clickTracking"])
    }
}
