import AdCore
import AdProviders
import Testing

@testable import LinuxKiosk

@Suite("The loop of a kiosk")
struct KioskLoopTests {
    private let lobby = YabbiPlacement.interstitial(unit: "lobby")
    private let shelf = YabbiPlacement.interstitial(unit: "shelf")
    private let unreachable = AdError(.unreachable, "there is no network")

    private func loop(count: Int? = nil, time: Duration? = nil) -> KioskLoop {
        KioskLoop(KioskLoop.Plan(placements: [self.lobby, self.shelf], count: count, time: time))
    }

    @Test("placements have their turns, with a pause between them")
    func turns() {
        var loop = self.loop()
        #expect(loop.next(at: .zero) == .show(self.lobby))
        loop.adEnded(at: .seconds(10))
        #expect(loop.next(at: .seconds(10)) == .wait(.seconds(1)))
        #expect(loop.next(at: .seconds(11)) == .show(self.shelf))
        loop.adEnded(at: .seconds(21))
        #expect(loop.next(at: .seconds(22)) == .show(self.lobby))
    }

    @Test("waits double with each failure up to a minute, and an ad that is shown ends that")
    func backoff() {
        var loop = self.loop()
        var waits: [KioskLoop.Step] = []
        for _ in 0..<8 {
            loop.failed(self.unreachable, at: .zero, jitter: 0)
            waits.append(loop.next(at: .zero))
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .wait(.seconds($0)) })
        loop.adEnded(at: .zero)
        loop.failed(self.unreachable, at: .zero, jitter: 1)
        #expect(loop.next(at: .zero) == .wait(.milliseconds(500)))
    }

    @Test("a failure passes the turn to the next placement, and a wrong request waits longest")
    func failures() {
        var loop = self.loop()
        loop.failed(AdError(.unauthorized, "the key is wrong"), at: .zero, jitter: 0)
        #expect(loop.next(at: .zero) == .wait(.seconds(60)))
        #expect(loop.next(at: .seconds(60)) == .show(self.shelf))
    }

    @Test("it ends after its number of ads, or after its time")
    func ends() {
        var loop = self.loop(count: 1)
        loop.failed(self.unreachable, at: .zero, jitter: 0)
        #expect(loop.next(at: .seconds(1)) == .show(self.shelf))
        loop.adEnded(at: .seconds(11))
        #expect(loop.next(at: .seconds(11)) == .end)

        var timed = self.loop(time: .seconds(5))
        timed.failed(self.unreachable, at: .milliseconds(4_500), jitter: 0)
        #expect(timed.next(at: .milliseconds(4_500)) == .wait(.milliseconds(500)))
        #expect(timed.next(at: .seconds(5)) == .end)
    }

    @Test("an ad leaves the screen when its time or that of the kiosk is over")
    func showTime() {
        let loop = self.loop(time: .seconds(25))
        #expect(loop.time(for: nil, at: .zero) == .seconds(10))
        #expect(loop.time(for: nil, at: .seconds(20)) == .seconds(5))
        #expect(loop.time(for: nil, at: .seconds(30)) == .zero)
        #expect(loop.ends(nil, by: .closeAvailable(.crashed)))
        #expect(!loop.ends(nil, by: .closeAvailable(.closeDelay)))
    }

    @Test("a command line is read, and a mistake in it is named")
    func options() throws {
        let words = ["--url", "http://127.0.0.1:80/load", "--for", "2m", "--screen", "640x480", "lobby"]
        let options = try KioskOptions(words, stateFolder: "/var/lib/kiosk")
        #expect(options.plan.time == .seconds(120))
        #expect(options.screen == Size(width: 640, height: 480))
        #expect(options.plan.placements == [self.lobby])
        let mistake = #expect(throws: KioskOptions.Mistake.self) {
            try KioskOptions(["--for", "soon"], stateFolder: nil)
        }
        #expect(mistake?.description == "--for needs a time, as in 30s")
    }
}
