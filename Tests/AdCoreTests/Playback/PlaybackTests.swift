import Testing

@testable import AdCore

@Suite("What a video tells while it plays")
struct PlaybackTests {
    private let film = SpotRules(duration: .seconds(20))

    @Test("from the first frame to the end, in order, each thing once")
    func wholeLife() {
        var player = Player(self.film)
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
            player.story == [
                "loaded", "breakStart", "impression", "creativeView", "start", "→0 %", "firstQuartile", "→25 %",
                "midpoint",
                "→50 %", "thirdQuartile", "→75 %", "complete", "→100 %", "notViewable", "→unwatch", "breakEnd",
                "→over completed",
            ]
        )
    }

    @Test("a player that repeats itself is not believed twice")
    func repeats() {
        var player = Player(self.film)
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
        #expect(player.facts.count(where: { $0 == "start" }) == 1)
        #expect(player.facts.count(where: { $0 == "firstQuartile" }) == 1)
        #expect(player.facts.count(where: { $0 == "complete" }) == 1)
        #expect(
            player.ignored == [
                "the video is loaded already", "the video has started already", "the video is over",
                "the video is over",
            ]
        )
    }

    @Test("a jump over several points tells of all of them, in their order")
    func jump() {
        var player = Player(
            SpotRules(duration: .seconds(20), progress: [.time(.seconds(8)), .percent(10), .percent(90)])
        )
        player.play(.started(duration: nil))
        player.forget()
        player.play(.at(16))
        #expect(player.facts == ["progress-10%", "firstQuartile", "progress-8", "midpoint", "thirdQuartile"])
        player.forget()
        player.play(.sought(.seconds(19)))
        #expect(player.facts == ["progress-90%"])
    }

    @Test("after a jump back nothing is told again, and the jump itself is told each time")
    func rewind() {
        var player = Player(self.film)
        player.play(.started(duration: nil), .at(12))
        player.forget()
        player.play(.sought(.seconds(1)), .at(12), .sought(.zero), .at(16))
        #expect(player.facts == ["rewind", "rewind #1", "thirdQuartile"])
    }

    @Test("to be seen is what makes an impression, and playing is the other half")
    func impression() {
        var player = Player(self.film)
        player.isSeen = false
        player.play(.started(duration: nil), .at(1))
        #expect(!player.facts.contains("impression"))
        player.play(.paused)
        player.take(player.playback.seen())
        #expect(!player.facts.contains("impression"), "it does not move")
        player.play(.resumed)
        player.take(player.playback.seen())
        player.take(player.playback.seen())
        #expect(player.facts.count(where: { $0 == "impression" }) == 1)
    }

    @Test("what a user does is told each time, and what makes no sense is not")
    func user() {
        var player = Player(self.film)
        player.play(.paused, .enlarged(true), .interacted(.other))
        #expect(player.facts.isEmpty && player.ignored.count == 3)
        player.play(.muted(true), .started(duration: nil))
        player.forget()
        player.play(.muted(false), .muted(true), .muted(false), .paused, .paused, .resumed, .paused)
        #expect(player.facts == ["unmute", "mute", "unmute #1", "pause", "resume", "pause #1"])
        player.forget()
        player.play(.enlarged(true), .enlarged(false), .interacted(.acceptInvitation), .interacted(.acceptInvitation))
        #expect(
            player.facts == [
                "playerExpand", "fullscreen", "expand", "playerCollapse", "exitFullscreen", "collapse",
                "acceptInvitationLinear", "acceptInvitation",
            ]
        )
    }

    @Test("every interaction has its name in VAST", arguments: VideoInteraction.allCases)
    func interactions(_ interaction: VideoInteraction) {
        var player = Player(self.film)
        player.play(.started(duration: nil))
        player.forget()
        player.play(.interacted(interaction))
        let names: [VideoInteraction: [String]] = [
            .acceptInvitation: ["acceptInvitationLinear", "acceptInvitation"], .minimize: ["minimize"],
            .expand: ["adExpand", "expand"], .collapse: ["adCollapse", "collapse"],
            .interactiveStart: ["interactiveStart"], .customClick: ["customClick"], .other: ["otherAdInteraction"],
        ]
        #expect(player.facts == names[interaction])
    }

    @Test(
        "a length that only the player knows moves the quartiles, and a length that nobody knows leaves them to the end"
    )
    func lengths() {
        var longer = Player(self.film)
        longer.play(.started(duration: .seconds(40)), .at(6))
        #expect(!longer.facts.contains("firstQuartile"))
        longer.play(.at(10))
        #expect(longer.facts.contains("firstQuartile"))
        var unknown = Player(SpotRules())
        unknown.play(.started(duration: nil), .at(7), .completed)
        #expect(unknown.facts.filter { $0.hasSuffix("uartile") } == ["firstQuartile", "thirdQuartile"])
        #expect(unknown.story.contains("→over completed"))
    }

    @Test("progress is told by its own offset, also by shares of a length that comes late")
    func progress() {
        var player = Player(SpotRules(progress: [.time(.milliseconds(2500)), .percent(25)]))
        player.play(.at(3))
        #expect(player.facts.contains("progress-2.5") && !player.facts.contains("progress-25%"))
        player.play(.started(duration: .seconds(10)))
        #expect(player.facts.contains("progress-25%"))
    }

    @Test("the skip button comes at its offset, in time or share, and goes when it is used")
    func skip() {
        var player = Player(SpotRules(duration: .seconds(20), skipOffset: .percent(25)))
        player.play(.started(duration: nil), .at(4.9))
        #expect(player.playback.skip() == nil)
        player.play(.at(5))
        #expect(player.last == "→skip")
        player.forget()
        player.take(player.playback.skip() ?? [])
        #expect(player.story == ["skip", "notViewable", "→unwatch", "→no skip", "breakEnd", "→over skipped"])
        #expect(player.playback.skip() == nil)
    }

    @Test("an offset beyond the end never shows a skip button, and a rewarded video has none at all")
    func noSkip() {
        var long = Player(SpotRules(duration: .seconds(5), skipOffset: .time(.seconds(9))))
        long.play(.started(duration: nil), .at(5), .completed)
        #expect(!long.story.contains("→skip"))
        var rewarded = Player(SpotRules(duration: .seconds(5), skipOffset: .time(.zero)), isRewarded: true)
        rewarded.play(.started(duration: nil), .at(3))
        #expect(!rewarded.story.contains("→skip"))
    }

    @Test("a script that came with it is not run, and its sender is told with reason 2")
    func verification() {
        var player = Player(SpotRules(duration: .seconds(5), verifications: 2))
        player.play(.started(duration: nil))
        #expect(
            player.facts.suffix(2) == [
                "verification-0/verificationNotExecuted 2", "verification-1/verificationNotExecuted 2",
            ]
        )
    }

    @Test("icons come and go at their times, are told when they are shown, and clicks on them each time")
    func icons() {
        let icon = PartRules(.icon(0), time: .init(start: .seconds(2), length: .seconds(3)))
        var player = Player(SpotRules(duration: .seconds(20), parts: [icon]))
        player.play(.started(duration: nil), .at(1))
        #expect(!player.story.contains("→icon-0"))
        player.play(.at(2))
        #expect(player.last == "→icon-0")
        player.forget()
        player.play(.partShown(.icon(0)), .partShown(.icon(0)))
        player.take(player.playback.clicked(.icon(0)) + player.playback.clicked(.icon(0)))
        player.play(.at(5))
        #expect(
            player.story == [
                "icon-0/iconView", "icon-0/iconClick", "icon-0/iconClick #1", "firstQuartile", "→25 %", "→no icon-0",
            ]
        )
    }

    @Test("what is on screen with a spot goes when the spot does")
    func partsLeave() {
        let icon = PartRules(.icon(0), time: .init())
        var player = Player(SpotRules(duration: .seconds(5), parts: [icon]), SpotRules(duration: .seconds(5)))
        player.play(.started(duration: nil), .completed)
        #expect(player.story.suffix(2) == ["→no icon-0", "→spot 2"])
    }

    @Test("a part that can't be shown costs the part and not the video")
    func partFails() {
        let companion = PartRules(.companion(0), time: nil)
        var player = Player(SpotRules(duration: .seconds(5), hasEndCard: true, parts: [companion]))
        player.play(.started(duration: nil))
        player.forget()
        player.play(.partFailed(.companion(0), vastCode: 603, "gone"), .partFailed(.icon(9), vastCode: 1, "?"), .at(3))
        #expect(player.story == ["error 603", "→no companion-0", "firstQuartile", "→25 %", "midpoint", "→50 %"])
    }

    @Test("a reward is earned by watching: neither by moving to the end, nor by what nobody could see")
    func earned() {
        var moved = Player(self.film, isRewarded: true)
        moved.play(.started(duration: nil), .sought(.seconds(19)), .completed)
        #expect(moved.last == "→over unwatched" && moved.facts.contains("complete"))
        var unseen = Player(self.film, isRewarded: true)
        unseen.isSeen = false
        unseen.play(.started(duration: nil), .completed)
        #expect(unseen.last == "→over unwatched")
        var back = Player(self.film, isRewarded: true)
        back.play(.started(duration: nil), .at(9), .sought(.seconds(2)), .completed)
        #expect(back.last == "→over completed", "whoever goes back sees more, not less")
        var other = Player(self.film)
        other.play(.started(duration: nil), .sought(.seconds(19)), .completed)
        #expect(other.last == "→over completed")
    }

    // MARK: Viewable

    @Test("half of it for two seconds is viewable, once; with a break it begins anew")
    func viewable() {
        var player = Player(self.film)
        player.play(.started(duration: nil))
        player.forget()
        func at(_ seconds: Double) -> Moment { Moment(.milliseconds(Int64(seconds * 1000))) }
        player.take(player.playback.look(isEnough: true, at: at(0)))
        player.take(player.playback.look(isEnough: false, at: at(1.9)))
        player.take(player.playback.look(isEnough: true, at: at(2)))
        player.take(player.playback.look(isEnough: true, at: at(4)))
        player.take(player.playback.look(isEnough: true, at: at(9)))
        #expect(player.story == ["→watch", "→unwatch", "→watch", "→unwatch", "viewable"])
    }

    @Test("what ends without having been viewable says so, and where nobody knows, that nobody knows")
    func notViewable() {
        var closed = Player(self.film)
        closed.play(.started(duration: nil))
        closed.forget()
        closed.take(closed.playback.close(byUser: true))
        #expect(closed.facts == ["closeLinear", "close", "notViewable", "breakEnd"])
        var gone = Player(self.film)
        gone.play(.started(duration: nil))
        gone.forget()
        gone.take(gone.playback.close(byUser: false, isKnown: false))
        #expect(gone.facts == ["viewUndetermined", "breakEnd"])
    }

    // MARK: Overlays

    @Test("an overlay stays for its time, and tells how long it was there by itself")
    func overlay() {
        var player = Player(SpotRules(.overlay(least: .seconds(5))))
        player.play(.started(duration: nil), .at(4))
        #expect(player.facts == ["breakStart", "impression", "creativeView"])
        player.forget()
        player.play(.at(5))
        #expect(player.story == ["overlayViewDuration", "notViewable", "→unwatch", "breakEnd", "→over completed"])
        player.forget()
        player.take(player.playback.close(byUser: true))
        #expect(player.facts == ["close"])
    }

    @Test("an overlay that somebody asks more of has been there by itself until then")
    func invitation() {
        var player = Player(SpotRules(.overlay(least: nil)))
        player.play(.started(duration: nil), .at(4))
        player.forget()
        player.play(.interacted(.acceptInvitation))
        player.take(player.playback.close(byUser: true))
        #expect(player.facts == ["acceptInvitation", "overlayViewDuration", "close", "notViewable", "breakEnd"])
    }

    @Test("clicks are told once for the ad, and only when there is something to click")
    func clicks() {
        var player = Player(self.film)
        #expect(player.playback.clicked().isEmpty)
        player.play(.started(duration: nil))
        player.forget()
        player.take(player.playback.clicked() + player.playback.clicked())
        #expect(player.facts == ["clickTracking"])
    }
}
