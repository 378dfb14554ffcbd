import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("An MRAID ad in a browser", .needsBrowser, .timeLimit(.minutes(1)))
struct MRAIDConformanceTests {
    @Test("its host does what MRAID specifies for a method", arguments: MRAIDTrial.all)
    func method(trial: MRAIDTrial) async throws {
        try await MRAIDHarness.show(trial.page, trial.kind) { stage, _ in
            let verdict = try await stage.ask("verdict")
            #expect(verdict == "fine")
        }
    }

    @Test("each method has its page")
    func whole() async throws {
        let tried = Set(MRAIDTrial.all.map(\.name))
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let methods = try #require(try await stage.ask("Object.keys(mraid)").array).compactMap(\.string)
            #expect(Set(methods) == tried, "\(tried.symmetricDifference(methods))")
        }
    }

    @Test("it requests its end", arguments: ["close", "unload"])
    func over(method: String) async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.ask("mraid.\(method)()")
            await reports.first { $0 == .closeRequested(by: .creative) }
        }
    }

    @Test(
        "what a user opens is a click, once",
        arguments: [
            "<p onclick=\"mraid.open('https://shop.example/a')\">x</p>",
            "<a href='https://shop.example/a' onclick='mraid.open(this.href)'>x</a>",
            "<a href='https://shop.example/a' target=_blank onclick='mraid.open(this.href)'>x</a>",
            "<p onclick=\"mraid.open('https://shop.example/a'); window.open('https://shop.example/a')\">x</p>",
        ]
    )
    func open(body: String) async throws {
        let style = "<style>a,p{position:fixed;inset:0;display:block;margin:0}</style>"
        try await MRAIDHarness.show(MRAIDHarness.harness + style + body) { stage, reports in
            try await stage.press(x: 150, y: 80)
            #expect(await reports.click()?.text == "https://shop.example/a")
            _ = try await stage.ask("settled()")
            #expect(reports.clicks.count == 1 && reports.blocked.isEmpty)
            #expect(try await stage.ask("log.some(([name]) => name === 'error')") == false)
        }
    }

    @Test("its exposure is sent whenever it changes, and its place")
    func exposure() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let whole = try await stage.hear("exposureChange", fits: "(percent) => percent > 0")
            #expect(whole == [100, ["x": 0, "y": 0, "width": 320, "height": 50], .null])
            try await stage.scroll(by: 25)
            let half = try await stage.hear("exposureChange", fits: "(percent) => percent > 0")
            #expect(half == [50, ["x": 0, "y": 25, "width": 320, "height": 25], .null])
            try await stage.scroll(by: 200)
            #expect(try await stage.hear("exposureChange", fits: "(percent) => percent === 0") == [0, .null, .null])
            #expect(try await stage.hear("viewableChange", fits: "(is) => !is") == [false])
            try await stage.untilDrawn()
            #expect(try await stage.ask("mraid.getDefaultPosition().y") == -200)
        }
    }

    @Test("the volume is sent")
    func volume() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let first = try await stage.hear("audioVolumeChange")
            #expect(first == [100])
            stage.setVolume(30)
            #expect(try await stage.hear("audioVolumeChange") == [30])
            stage.setVolume(nil)
            #expect(try await stage.hear("audioVolumeChange") == [.null])
        }
    }

    @Test("a screen that is turned is sent")
    func turned() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness, .interstitial) { stage, _ in
            _ = try await stage.hear("ready")
            stage.setRoom(stage.plan.room.turned(.full))
            #expect(try await stage.hear("sizeChange") == [844, 390])
            #expect(try await stage.ask("[innerWidth, innerHeight]") == [844, 390])
            #expect(try await stage.ask("mraid.getCurrentAppOrientation().orientation") == "landscape")
            #expect(try await stage.ask("mraid.getMaxSize().width") == 844)
        }
    }
}
