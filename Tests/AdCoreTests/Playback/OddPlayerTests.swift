import TestSupport
import Testing

@testable import AdCore

@Suite("Players that don't keep to the order of things")
struct OddPlayerTests {
    private let film = SpotRules(duration: .seconds(20))

    @Test("news of the position that comes after the pause does not make it play")
    func latePosition() {
        var player = Player(self.film)
        player.isSeen = false
        player.play(.started(duration: nil), .at(1), .paused)
        player.forget()
        player.play(.at(1.2))
        #expect(!player.playback.isPlaying)
        player.take(player.playback.seen())
        player.play(.resumed, .paused)
        #expect(player.facts == ["resume", "pause #1"])
    }

    @Test("what is told of the sound or the size without a change is no news")
    func noChange() {
        var player = Player(self.film)
        player.play(.started(duration: nil))
        player.forget()
        player.play(.muted(false), .muted(true), .muted(true), .enlarged(true), .enlarged(true), .enlarged(false))
        #expect(
            player.facts == [
                "mute", "playerExpand", "fullscreen", "expand", "playerCollapse", "exitFullscreen", "collapse",
            ]
        )
    }

    @Test("a length that the player learns after the start counts as well")
    func lateLength() {
        var player = Player(SpotRules())
        player.play(.started(duration: nil), .at(1), .started(duration: .seconds(20)), .at(5))
        #expect(player.facts.contains("firstQuartile"))
        player.forget()
        player.play(.started(duration: .seconds(40)), .at(10))
        #expect(player.facts == ["midpoint"], "the first word counts")
    }

    @Test("the break ends also where the user leaves between two spots")
    func betweenSpots() {
        var player = Player(self.film, self.film)
        player.play(.started(duration: nil), .completed)
        player.forget()
        player.take(player.playback.close(byUser: true))
        #expect(player.facts == ["breakEnd", "2.notUsed"])
    }

    @Test(
        "what a player repeats without end is told so often and no more",
        arguments: [
            VideoEvent.partFailed(nil, vastCode: 600, "gone"), .interacted(.other), .sought(.zero),
        ]
    )
    func endless(_ event: VideoEvent) {
        var player = Player(self.film)
        player.play(.started(duration: nil), .at(1))
        player.forget()
        for _ in 0..<5_000 { player.play(event, .at(1)) }
        #expect(player.facts.count <= 100)
    }

    @Test("a jump to where it was is no rewinding")
    func sameplace() {
        var player = Player(self.film)
        player.play(.started(duration: nil))
        player.forget()
        player.play(.sought(.seconds(-5)), .sought(.zero))
        #expect(player.facts.isEmpty)
    }

    @Test(
        "lengths that no video has and shares that are no numbers are borne",
        arguments: [
            MediaOffset.percent(.nan), .percent(.infinity), .percent(-.infinity), .percent(1e300), .percent(-5),
        ]
    )
    func extremes(_ offset: MediaOffset) {
        var player = Player(SpotRules(duration: .seconds(Int64.max), skipOffset: offset, progress: [offset]))
        player.play(.started(duration: .seconds(Int64.max)), .sought(.seconds(Int64.max)), .at(-1), .completed)
        #expect(player.last == "→over completed")
    }

    @Test("a pod of spots that claim to be endless has a length")
    func endlessPod() {
        let spots = Array(repeating: SpotRules(duration: .seconds(Int64.max)), count: 40)
        let terms = VideoRules(spots[0], Array(spots.dropFirst()))
        #expect((terms.duration ?? .zero) > .seconds(Int64.max / 2))
    }

    @Test("ten thousand points of time are passed in no time")
    func many() {
        let offsets = (0..<20_000).map { MediaOffset.time(.milliseconds($0)) }
        let parts = (0..<20_000).map { PartRules(.icon($0), time: .init(start: .milliseconds($0))) }
        let start = ContinuousClock.now
        var player = Player(SpotRules(progress: offsets, parts: parts))
        player.play(.at(1), .started(duration: .seconds(30)), .at(10), .completed)
        #expect(player.facts.count >= 20_000)
        #expect(ContinuousClock.now - start < .patience(10))
    }
}
