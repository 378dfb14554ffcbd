import Testing

@testable import AdCore

@Suite("Several spots, one after the other")
struct PodTests {
    private let film = SpotRules(duration: .seconds(4))

    @Test("each plays to its end, and the break begins and ends once")
    func order() {
        var player = Player(self.film, self.film, self.film)
        for _ in 0..<3 { player.play(.started(duration: nil), .completed) }
        #expect(
            player.facts.count(where: { $0 == "breakStart" }) == 1
                && player.facts.count(where: { $0 == "breakEnd" }) == 1
        )
        #expect(player.facts.filter { $0.hasSuffix("impression") } == ["1.impression", "2.impression", "3.impression"])
        #expect(
            player.story.filter { $0.hasPrefix("→spot") || $0.hasPrefix("→over") } == [
                "→spot 2", "→spot 3", "→over completed",
            ]
        )
    }

    @Test("news of another spot than the one whose turn it is changes nothing")
    func strangers() {
        var player = Player(self.film, self.film)
        player.play(.started(duration: nil), .completed, spot: 1)
        #expect(player.story.isEmpty && player.ignored.count == 2)
        player.play(.started(duration: nil), .completed)
        player.play(.at(3), .completed, spot: 0)
        #expect(player.ignored.count == 4 && player.playback.spot == 1)
    }

    @Test("one that fails is replaced by one that stands in, with its own error told and no impression")
    func replaced() {
        var player = Player(self.film, self.film, self.film, standIns: 1)
        player.play(.started(duration: nil), .completed)
        player.forget()
        player.play(.failed(vastCode: 401, "it is not there"))
        #expect(player.story == ["2.error 401", "→spot 3"])
        player.play(.started(duration: nil), .completed)
        #expect(player.last == "→over completed")
        #expect(!player.facts.contains("2.impression") && !player.facts.contains("2.notUsed"))
    }

    @Test("where nothing stands in, the next has its turn; where nothing is left, that is the end")
    func failures() {
        var player = Player(self.film, self.film)
        player.play(.failed(vastCode: 405, "no codec"))
        #expect(player.last == "→spot 2")
        player.play(.failed(vastCode: 402, "too slow"))
        #expect(player.last == #"→over failed("too slow")"#)
        #expect(player.facts == ["1.error 405", "2.error 402"])
    }

    @Test("whoever has watched one to its end has watched, whatever becomes of the others")
    func earned() {
        var player = Player(self.film, self.film, isRewarded: true)
        player.play(.started(duration: nil), .completed, .failed(vastCode: 401, "gone"))
        #expect(player.last == "→over completed")
    }

    @Test("a skip leads to the next spot, which has a skip button of its own")
    func skip() {
        let skippable = SpotRules(duration: .seconds(4), skipOffset: .time(.seconds(1)))
        var player = Player(skippable, skippable)
        player.play(.started(duration: nil), .at(1))
        player.take(player.playback.skip() ?? [])
        #expect(player.story.suffix(2) == ["→no skip", "→spot 2"])
        #expect(player.playback.skip() == nil)
        player.play(.started(duration: nil), .at(1))
        #expect(player.last == "→skip")
    }

    @Test("what was never played is told to be unused, what stood in as well")
    func unused() {
        var player = Player(self.film, self.film, self.film, self.film, standIns: 2)
        player.play(.started(duration: nil))
        player.forget()
        player.take(player.playback.close(byUser: true))
        #expect(
            player.facts == [
                "1.closeLinear", "1.close", "1.notViewable", "breakEnd", "2.notUsed", "3.notUsed", "4.notUsed",
            ]
        )
        #expect(player.playback.close(byUser: true).isEmpty, "once")
        var never = Player(self.film, self.film)
        never.take(never.playback.close(byUser: false))
        #expect(never.facts == ["1.notUsed", "2.notUsed"])
    }

    @Test("the sound stays off from one spot to the next")
    func sound() {
        var player = Player(self.film, self.film)
        player.play(.started(duration: nil), .muted(true), .completed, .started(duration: nil))
        #expect(player.playback.run.isMuted)
    }

    @Test("the whole takes as long as its planned spots, by the players' own word where there is one")
    func length() {
        let terms = VideoRules(self.film, [SpotRules(), self.film], standIns: 1)
        #expect(terms.duration == nil)
        #expect(terms.length(real: [1: .seconds(6)]) == .seconds(10))
        #expect(terms.length(real: [0: .seconds(1), 1: .seconds(6)]) == .seconds(7))
    }
}
