import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("MRAID conformance in a browser", .needsEngine, .timeLimit(.minutes(1)))
struct MRAIDConformanceTests {
    @Test("a method does what MRAID specifies", arguments: MRAIDTrial.all)
    func method(trial: MRAIDTrial) async throws {
        try await MRAIDHarness.show(trial.page, trial.kind) { stage, _ in
            let outcome = try await stage.run("outcome")
            #expect(outcome == "fine")
        }
    }

    @Test("each method has a trial")
    func integer() async throws {
        let trials = Set(MRAIDTrial.all.map(\.name))
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let methods = try #require(try await stage.run("Object.keys(mraid)").array).compactMap(\.string)
            #expect(Set(methods) == trials, "\(trials.symmetricDifference(methods))")
        }
    }

    @Test("close and unload ask the app to close the ad", arguments: ["close", "unload"])
    func over(method: String) async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.run("mraid.\(method)()")
            await reports.first { $0 == .closeRequested(by: .creative) }
        }
    }

    @Test(
        "a link that a user opens is reported as one click",
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
            _ = try await stage.run("settled()")
            #expect(reports.clicks.count == 1 && reports.blocked.isEmpty)
            #expect(try await stage.run("log.some(([name]) => name === 'error')") == false)
        }
    }

    @Test("changes of the exposure and of the position are sent")
    func exposure() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let whole = try await stage.nextEvent("exposureChange", fits: "(percent) => percent > 0")
            #expect(whole == [100, ["x": 0, "y": 0, "width": 320, "height": 50], .null])
            try await stage.scroll(by: 25)
            let half = try await stage.nextEvent("exposureChange", fits: "(percent) => percent > 0")
            #expect(half == [50, ["x": 0, "y": 25, "width": 320, "height": 25], .null])
            try await stage.scroll(by: 200)
            #expect(
                try await stage.nextEvent("exposureChange", fits: "(percent) => percent === 0") == [0, .null, .null]
            )
            #expect(try await stage.nextEvent("viewableChange", fits: "(is) => !is") == [false])
            try await stage.waitUntilDrawn()
            #expect(try await stage.run("mraid.getDefaultPosition().y") == -200)
        }
    }

    @Test("an ad that the app covers is not exposed, and gets what covers it; in the background it is not on screen")
    func covered() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let whole: AdJSON = ["x": 0, "y": 0, "width": 320, "height": 50]
            #expect(try await stage.nextEvent("exposureChange", fits: "(percent) => percent === 100")[1] == whole)
            await stage.notify(.host(.covered(true)))
            #expect(try await stage.nextEvent("exposureChange", fits: "(_, seen) => seen") == [0, whole, [whole]])
            #expect(try await stage.nextEvent("viewableChange", fits: "(is) => !is") == [false])
            // The first event of the ad was the same.
            _ = try await stage.nextEvent("exposureChange")
            await stage.notify(.host(.background(true)))
            #expect(try await stage.nextEvent("exposureChange") == [0, .null, .null])
            await stage.notify(.host(.background(false)))
            await stage.notify(.host(.covered(false)))
            _ = try await stage.nextEvent("exposureChange")
            #expect(try await stage.nextEvent("exposureChange") == [100, whole, .null])
        }
    }

    @Test("an ad that views of the app cover in part gets their places, and is as visible as the rest of it")
    func obstructed() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            let whole: AdJSON = ["x": 0, "y": 0, "width": 320, "height": 50]
            func exposure(_ percent: Int) async throws -> [AdJSON] {
                try await stage.nextEvent("exposureChange", fits: "(percent) => percent === \(percent)")
            }
            let first = try await exposure(100)
            #expect(first == [100, whole, .null])
            // The ad is at 35,57; one view covers its left half, and another one a part of that and of what is below.
            let views = [
                AdObstruction(x: 0, y: 0, size: Size(width: 195, height: 107), name: "menu"),
                AdObstruction(x: 35, y: 82, size: Size(width: 160, height: 500), name: "dialog"),
            ]
            await stage.notify(.host(.obstructed(views)))
            let left: AdJSON = ["x": 0, "y": 0, "width": 160, "height": 50]
            #expect(try await exposure(50) == [50, whole, [left]])
            await reports.first { $0 == .visible(ratio: 0.5) }
            await stage.notify(.host(.obstructed([])))
            #expect(try await exposure(100) == [100, whole, .null])
            await reports.count(.visible(ratio: 1), reaches: 2)
        }
    }

    @Test("an ad gets the position that it may have, until the user takes that back")
    func location() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let before = try await stage.run("[mraid.getLocation(), mraid.supports('location')]")
            #expect(before == [-1, false])
            let place = AdContext.Location(latitude: 59.5, longitude: -18, precision: 40)
            await stage.notify(.location(place))
            try await stage.waitUntilDrawn()
            #expect(
                try await stage.run("[mraid.getLocation().lat, mraid.supports('location')]") == [.double(59.5), true]
            )
            await stage.notify(.location(nil))
            try await stage.waitUntilDrawn()
            #expect(try await stage.run("[mraid.getLocation(), mraid.supports('location')]") == [-1, false])
        }
    }

    @Test("unload ends an ad that has too many commands waiting, too")
    func unloadAfterFlood() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.run(
                "(() => { for (let i = 0; i < 300; i++) mraid.useCustomClose(true); mraid.unload(); })()"
            )
            await reports.first { $0 == .closeRequested(by: .creative) }
        }
    }

    @Test("changes of the volume are sent")
    func volume() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let first = try await stage.nextEvent("audioVolumeChange")
            #expect(first == [100])
            await stage.notify(.host(.volume(30)))
            #expect(try await stage.nextEvent("audioVolumeChange") == [30])
            await stage.notify(.host(.volume(0)))
            #expect(try await stage.nextEvent("audioVolumeChange") == [0])
        }
    }

    @Test("a rotation of the screen is sent")
    func turned() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness, .interstitial) { stage, _ in
            _ = try await stage.nextEvent("ready")
            stage.setGeometry(stage.plan.geometry.rotated(.full))
            #expect(try await stage.nextEvent("sizeChange") == [844, 390])
            #expect(try await stage.run("[innerWidth, innerHeight]") == [844, 390])
            #expect(try await stage.run("mraid.getCurrentAppOrientation().orientation") == "landscape")
            #expect(try await stage.run("mraid.getMaxSize().width") == 844)
        }
    }
}
