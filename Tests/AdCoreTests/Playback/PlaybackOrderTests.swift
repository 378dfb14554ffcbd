import TestSupport
import Testing

@testable import AdCore

@Suite("Players with events out of order")
struct PlaybackOrderTests {
    private let video = SpotRules(duration: .seconds(20))

    @Test("a position reported after a pause does not resume the video")
    func latePosition() {
        var player = PlaybackDriver(self.video)
        player.isVisible = false
        player.play(.started(duration: nil), .at(1), .paused)
        player.clear()
        player.play(.at(1.2))
        #expect(!player.playback.isPlaying)
        player.append(player.playback.trackImpression())
        player.play(.resumed, .paused)
        #expect(player.tracked == ["resume", "pause #1"])
    }

    @Test("muting or resizing without a change is not tracked")
    func noChange() {
        var player = PlaybackDriver(self.video)
        player.play(.started(duration: nil))
        player.clear()
        player.play(.muted(false), .muted(true), .muted(true), .enlarged(true), .enlarged(true), .enlarged(false))
        #expect(
            player.tracked == [
                "mute", "playerExpand", "fullscreen", "expand", "playerCollapse", "exitFullscreen", "collapse",
            ]
        )
    }

    @Test("a duration that the player reports after the start is used")
    func lateLength() {
        var player = PlaybackDriver(SpotRules())
        player.play(.started(duration: nil), .at(1), .started(duration: .seconds(20)), .at(5))
        #expect(player.tracked.contains("firstQuartile"))
        player.clear()
        player.play(.started(duration: .seconds(40)), .at(10))
        #expect(player.tracked == ["midpoint"], "the first reported duration counts")
    }

    @Test("the break also ends when the user closes the ad between two spots")
    func betweenSpots() {
        var player = PlaybackDriver(self.video, self.video)
        player.play(.started(duration: nil), .completed)
        player.clear()
        player.append(player.playback.close(byUser: true))
        #expect(player.tracked == ["breakEnd", "2.notUsed"])
    }

    @Test(
        "events that a player repeats endlessly are tracked up to a limit",
        arguments: [
            VideoEvent.partFailed(nil, vastCode: 600, "gone"), .interacted(.other), .sought(.zero),
        ]
    )
    func endless(_ event: VideoEvent) {
        var player = PlaybackDriver(self.video)
        player.play(.started(duration: nil), .at(1))
        player.clear()
        for _ in 0..<5_000 { player.play(event, .at(1)) }
        #expect(player.tracked.count <= 100)
    }

    @Test("seeking to the current position is not a rewind")
    func samePosition() {
        var player = PlaybackDriver(self.video)
        player.play(.started(duration: nil))
        player.clear()
        player.play(.sought(.seconds(-5)), .sought(.zero))
        #expect(player.tracked.isEmpty)
    }

    @Test(
        "impossible durations and percentages do no harm",
        arguments: [
            MediaOffset.percent(.nan), .percent(.infinity), .percent(-.infinity), .percent(1e300), .percent(-5),
        ]
    )
    func extremes(_ offset: MediaOffset) {
        var player = PlaybackDriver(SpotRules(duration: .seconds(Int64.max), skipOffset: offset, progress: [offset]))
        player.play(.started(duration: .seconds(Int64.max)), .sought(.seconds(Int64.max)), .at(-1), .completed)
        #expect(player.last == "→over completed")
    }

    @Test("a pod of spots with extreme durations has a duration")
    func endlessPod() {
        let spots = Array(repeating: SpotRules(duration: .seconds(Int64.max)), count: 40)
        let rules = VideoRules(spots[0], Array(spots.dropFirst()))
        #expect((rules.duration ?? .zero) > .seconds(Int64.max / 2))
    }

    @Test("twenty thousand progress offsets and icons are handled quickly")
    func many() {
        let offsets = (0..<20_000).map { MediaOffset.time(.milliseconds($0)) }
        let parts = (0..<20_000).map { PartRules(.icon($0), time: .init(start: .milliseconds($0))) }
        let start = ProcessorTime.now
        var player = PlaybackDriver(SpotRules(progress: offsets, parts: parts))
        player.play(.at(1), .started(duration: .seconds(30)), .at(10), .completed)
        #expect(player.tracked.count >= 20_000)
        #expect(ProcessorTime.now - start < .timeout(10))
    }
}
