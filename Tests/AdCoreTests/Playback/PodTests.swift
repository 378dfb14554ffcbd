import Testing

@testable import AdCore

@Suite("Ad pods")
struct PodTests {
    private let video = SpotRules(duration: .seconds(4))

    @Test("each spot plays to its end, and the break starts and ends once")
    func order() {
        var player = PlaybackDriver(self.video, self.video, self.video)
        for _ in 0..<3 { player.play(.started(duration: nil), .completed) }
        #expect(
            player.tracked.count(where: { $0 == "breakStart" }) == 1
                && player.tracked.count(where: { $0 == "breakEnd" }) == 1
        )
        #expect(
            player.tracked.filter { $0.hasSuffix("impression") } == ["1.impression", "2.impression", "3.impression"]
        )
        #expect(
            player.steps.filter { $0.hasPrefix("→spot") || $0.hasPrefix("→over") } == [
                "→spot 2", "→spot 3", "→over completed",
            ]
        )
    }

    @Test("events of another spot than the current one are ignored")
    func otherSpot() {
        var player = PlaybackDriver(self.video, self.video)
        player.play(.started(duration: nil), .completed, spot: 1)
        #expect(player.steps.isEmpty && player.ignored.count == 2)
        player.play(.started(duration: nil), .completed)
        player.play(.at(3), .completed, spot: 0)
        #expect(player.ignored.count == 4 && player.playback.spot == 1)
    }

    @Test("a failed spot tracks its error but no impression, and a fallback ad replaces it")
    func replaced() {
        var player = PlaybackDriver(self.video, self.video, self.video, fallbackCount: 1)
        player.play(.started(duration: nil), .completed)
        player.clear()
        player.play(.failed(vastCode: 401, "not found"))
        #expect(player.steps == ["2.error 401", "→spot 3"])
        player.play(.started(duration: nil), .completed)
        #expect(player.last == "→over completed")
        #expect(!player.tracked.contains("2.impression") && !player.tracked.contains("2.notUsed"))
    }

    @Test("without fallback ads the next spot plays, and after the last one the playback is over")
    func failures() {
        var player = PlaybackDriver(self.video, self.video)
        player.play(.failed(vastCode: 405, "no codec"))
        #expect(player.last == "→spot 2")
        player.play(.failed(vastCode: 402, "too slow"))
        #expect(player.last == #"→over failed("too slow")"#)
        #expect(player.tracked == ["1.error 405", "2.error 402"])
    }

    @Test("one spot watched to its end completes a rewarded ad, even if others fail")
    func earned() {
        var player = PlaybackDriver(self.video, self.video, isRewarded: true)
        player.play(.started(duration: nil), .completed, .failed(vastCode: 401, "gone"))
        #expect(player.last == "→over completed")
    }

    @Test("skipping goes on to the next spot, which has its own skip button")
    func skip() {
        let skippable = SpotRules(duration: .seconds(4), skipOffset: .time(.seconds(1)))
        var player = PlaybackDriver(skippable, skippable)
        player.play(.started(duration: nil), .at(1))
        player.append(player.playback.skip() ?? [])
        #expect(player.steps.suffix(2) == ["→no skip", "→spot 2"])
        #expect(player.playback.skip() == nil)
        player.play(.started(duration: nil), .at(1))
        #expect(player.last == "→skip")
    }

    @Test("spots that were not played are notUsed, fallback ads included")
    func unused() {
        var player = PlaybackDriver(self.video, self.video, self.video, self.video, fallbackCount: 2)
        player.play(.started(duration: nil))
        player.clear()
        player.append(player.playback.close(byUser: true))
        #expect(
            player.tracked == [
                "1.closeLinear", "1.close", "1.notViewable", "breakEnd", "2.notUsed", "3.notUsed", "4.notUsed",
            ]
        )
        #expect(player.playback.close(byUser: true).isEmpty, "once")
        var never = PlaybackDriver(self.video, self.video)
        never.append(never.playback.close(byUser: false))
        #expect(never.tracked == ["1.notUsed", "2.notUsed"])
    }

    @Test("a muted player stays muted in the next spot")
    func sound() {
        var player = PlaybackDriver(self.video, self.video)
        player.play(.started(duration: nil), .muted(true), .completed, .started(duration: nil))
        #expect(player.playback.current.isMuted)
    }

    @Test("the total duration is that of the planned spots, and the player's durations replace the markup's")
    func length() {
        let rules = VideoRules(self.video, [SpotRules(), self.video], fallbackCount: 1)
        #expect(rules.duration == nil)
        #expect(rules.length(real: [1: .seconds(6)]) == .seconds(10))
        #expect(rules.length(real: [0: .seconds(1), 1: .seconds(6)]) == .seconds(7))
    }
}
