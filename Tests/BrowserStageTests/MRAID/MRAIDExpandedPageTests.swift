import AdCore
import BrowserSupport
import Testing

@testable import WebStage

@Suite(
    "The page of a two-part MRAID creative",
    .needsEngine,
    .timeLimit(.minutes(1))
)
struct MRAIDExpandedPageTests {
    @Test("an ad expands to another page, also over a redirect, and is collapsed again", arguments: ["page", "moved"])
    func twoPart(path: String) async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run("mraid.expand('\(MRAIDHarness.expandedPage)\(path)'), 0")
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'expanded'")
            let second = try await stage.expandedPage()
            let start = try await stage.evaluate("start", in: second)
            #expect(start == "loading")
            _ = try await stage.evaluate("nextEvent('stateChange', (state) => state === 'expanded')", in: second)
            #expect(try await stage.evaluate("[env, innerWidth, innerHeight]", in: second) == ["undefined", 390, 844])
            #expect(try await stage.run("mraid.isViewable()") == false)
            // A removed frame does not reply, so the call is delayed.
            _ = try await stage.evaluate("setTimeout(() => mraid.close(), 50), 0", in: second)
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'default'")
            // The host page removes the frame a moment later.
            let gone = """
                new Promise((resolve) => {
                  const check = () => document.getElementById('second') ? requestAnimationFrame(check) : resolve(true);
                  check();
                })
                """
            #expect(try await stage.evaluate(gone) == true)
            #expect(reports.blocked.isEmpty && !reports.events.contains(.closeRequested(by: .creative)))
        }
    }

    @Test("an expanded page can't navigate by itself, and the collapse button is above it")
    func hostile() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run("mraid.expand('\(MRAIDHarness.expandedPage)leaves'), 0")
            #expect(await reports.attempt(.navigation).contains("evil.example"))
            try await stage.collapse()
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'default'")
            try await stage.closeByButton(reports)
        }
    }

    @Test("of several expanded pages the last one is shown, and its commands are read")
    func again() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run(
                """
                mraid.expand("\(MRAIDHarness.expandedPage)leaves");
                for (const name of ["page", "leaves", "page"]) {
                  mraid.close();
                  mraid.expand("\(MRAIDHarness.expandedPage)" + name);
                }
                0
                """
            )
            let second = try await stage.expandedPage()
            #expect(try await stage.evaluate("location.pathname", in: second) == "/page")
            // A removed frame does not reply, so the call is delayed.
            _ = try await stage.evaluate("setTimeout(() => mraid.close(), 50), 0", in: second)
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'default'")
            #expect(reports.blocked.isEmpty)
        }
    }

    @Test("a link that a user opens from the expanded page is a click")
    func click() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run("mraid.expand('\(MRAIDHarness.expandedPage)page'), 0")
            let second = try await stage.expandedPage()
            try await stage.press(x: 100, y: 400)
            #expect(await reports.click()?.text == "https://shop.example/second")
            _ = try await stage.evaluate("settled()", in: second)
            #expect(reports.clicks.count == 1 && reports.blocked.isEmpty)
        }
    }

    @Test(
        "an expanded page that does not exist or is blocked causes an error and collapses the ad",
        arguments: [
            "\(MRAIDHarness.expandedPage)nowhere", "http://127.0.0.1:9/", "http://192.168.1.1/admin",
            "http://far.example/",
        ]
    )
    func fails(url: String) async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run("mraid.expand('\(url)'), 0")
            #expect(try await stage.nextEvent("error").last == "expand")
            #expect(try await stage.run("mraid.getState()") == "default")
            #expect(try await stage.evaluate("document.getElementById('collapse').hidden") == true)
        }
    }

    @Test("a crash of the expanded page is reported and collapses the ad", .differs(.oneProcess))
    func crash() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run("mraid.expand('\(MRAIDHarness.expandedPage)page'), 0")
            try await stage.crash(try await stage.expandedPage())
            #expect(await reports.attempt(.other) == "the expanded page crashed")
            #expect(try await stage.nextEvent("error").last == "expand")
            #expect(try await stage.run("mraid.getState()") == "default")
            #expect(!reports.events.contains { if case .crashed = $0 { true } else { false } })
            #expect(
                !reports.events.contains { if case .diagnostic = $0 { true } else { false } },
                "the crash is reported once"
            )
            try await stage.closeByButton(reports)
        }
    }

    @Test("an expanded page that does not load in time causes an error and collapses the ad")
    func late() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run("mraid.expand('\(MRAIDHarness.expandedPage)never'), 0")
            let name = try await stage.expected()
            stage.post(.alarm(.expandedPage("another")))
            stage.post(.alarm(.expandedPage(name)))
            #expect(try await stage.nextEvent("error") == ["the page did not load within 10.0 seconds", "expand"])
            #expect(try await stage.run("mraid.getState()") == "default")
        }
    }

    @Test("the collapse button removes an expanded page that hangs", .differs(.oneProcess))
    func hangs() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run(
                "mraid.expand('\(MRAIDHarness.expandedPage)hangs'); nextEvent('stateChange', (state) => state === 'expanded')"
            )
            try await stage.collapse()
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'default'")
            #expect(try await stage.evaluate("document.getElementById('second') === null") == true)
            try await stage.closeByButton(reports)
        }
    }
}

extension BrowserStage {
    /// The name of the expanded page, as soon as it is expected.
    fileprivate func expected() async throws -> String {
        for _ in 0..<200 {
            if let name = (self.machine as? CreativeMachine)?.mraid.expandedPage?.name { return name }
            try await self.waitUntilDrawn()
        }
        throw EngineError.refused("no expanded page is expected")
    }

    /// The target of the expanded page, as soon as it is loaded.
    fileprivate func expandedPage() async throws -> EngineTarget {
        for _ in 0..<200 {
            if let session = self.expandedPageTarget, (try? await self.evaluate("typeof env", in: session)) == "string"
            {
                return session
            }
            try await self.waitUntilDrawn()
        }
        throw EngineError.refused("there is no expanded page")
    }
}
