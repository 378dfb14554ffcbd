import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite(
    "Another page that an MRAID ad expands to",
    .needsBrowser,
    .timeLimit(.minutes(1))
)
struct MRAIDSecondPartTests {
    @Test("it expands to another page, also where that was moved, and comes back", arguments: ["page", "moved"])
    func twoPart(path: String) async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.hear("ready")
            _ = try await stage.ask("mraid.expand('\(MRAIDHarness.expandedPage)\(path)'), 0")
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'expanded'")
            let second = try await stage.expandedPage()
            let start = try await stage.evaluate("start", in: second)
            #expect(start == "loading")
            _ = try await stage.evaluate("hear('stateChange', (state) => state === 'expanded')", in: second)
            #expect(try await stage.evaluate("[env, innerWidth, innerHeight]", in: second) == ["undefined", 390, 844])
            #expect(try await stage.ask("mraid.isViewable()") == false)
            // A frame that goes answers nothing any more.
            _ = try await stage.evaluate("setTimeout(() => mraid.close(), 50), 0", in: second)
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'default'")
            // Our page hears of it by itself, a moment later perhaps.
            let gone = """
                new Promise((go) => {
                  const look = () => document.getElementById('second') ? requestAnimationFrame(look) : go(true);
                  look();
                })
                """
            #expect(try await stage.evaluate(gone) == true)
            #expect(reports.blocked.isEmpty && !reports.events.contains(.closeRequested(by: .creative)))
        }
    }

    @Test("another page is judged as the creative is: it leads nowhere by itself, and our button is over it")
    func hostile() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.hear("ready")
            _ = try await stage.ask("mraid.expand('\(MRAIDHarness.expandedPage)leaves'), 0")
            #expect(await reports.attempt(.navigation).contains("evil.example"))
            try await stage.collapse()
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'default'")
            try await stage.closeByButton(reports)
        }
    }

    @Test("of several pages that an ad expands to the last is shown, and its commands are read")
    func again() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.hear("ready")
            _ = try await stage.ask(
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
            // A frame that goes answers nothing any more.
            _ = try await stage.evaluate("setTimeout(() => mraid.close(), 50), 0", in: second)
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'default'")
            #expect(reports.blocked.isEmpty)
        }
    }

    @Test("what a user opens from another page is a click")
    func click() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.hear("ready")
            _ = try await stage.ask("mraid.expand('\(MRAIDHarness.expandedPage)page'), 0")
            let second = try await stage.expandedPage()
            try await stage.press(x: 100, y: 400)
            #expect(await reports.click()?.text == "https://shop.example/second")
            _ = try await stage.evaluate("settled()", in: second)
            #expect(reports.clicks.count == 1 && reports.blocked.isEmpty)
        }
    }

    @Test(
        "a second page that does not exist, or may not be requested, is an error, and the ad is back in its place",
        arguments: [
            "\(MRAIDHarness.expandedPage)nowhere", "http://127.0.0.1:9/", "http://192.168.1.1/admin",
            "http://far.example/",
        ]
    )
    func fails(url: String) async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            _ = try await stage.hear("ready")
            _ = try await stage.ask("mraid.expand('\(url)'), 0")
            #expect(try await stage.hear("error").last == "expand")
            #expect(try await stage.ask("mraid.getState()") == "default")
            #expect(try await stage.evaluate("document.getElementById('collapse').hidden") == true)
        }
    }

    @Test("a second page that crashes is reported, and the ad is back in its place")
    func crash() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.hear("ready")
            _ = try await stage.ask("mraid.expand('\(MRAIDHarness.expandedPage)page'), 0")
            try await stage.crash(try await stage.expandedPage())
            #expect(await reports.attempt(.other) == "the expanded page crashed")
            #expect(try await stage.hear("error").last == "expand")
            #expect(try await stage.ask("mraid.getState()") == "default")
            #expect(!reports.events.contains { if case .crashed = $0 { true } else { false } })
            #expect(!reports.events.contains { if case .diagnostic = $0 { true } else { false } }, "it is told once")
            try await stage.closeByButton(reports)
        }
    }

    @Test("another page that does not come in its time is an error, and the ad is back in its place")
    func late() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            _ = try await stage.hear("ready")
            _ = try await stage.ask("mraid.expand('\(MRAIDHarness.expandedPage)never'), 0")
            let name = try await stage.expected()
            stage.post(.alarm(.expandedPage("another")))
            stage.post(.alarm(.expandedPage(name)))
            #expect(try await stage.hear("error") == ["the page did not load within 10.0 seconds", "expand"])
            #expect(try await stage.ask("mraid.getState()") == "default")
        }
    }

    @Test("another page that never stops computing is taken away by our button")
    func hangs() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.hear("ready")
            _ = try await stage.ask(
                "mraid.expand('\(MRAIDHarness.expandedPage)hangs'); hear('stateChange', (state) => state === 'expanded')"
            )
            try await stage.collapse()
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'default'")
            #expect(try await stage.evaluate("document.getElementById('second') === null") == true)
            try await stage.closeByButton(reports)
        }
    }
}

extension BrowserStage {
    /// The name of the page that the ad has expanded to, when it is waited for.
    fileprivate func expected() async throws -> String {
        for _ in 0..<200 {
            if let name = (self.machine as? CreativeMachine)?.mraid.expandedPage?.name { return name }
            try await self.untilDrawn()
        }
        throw EngineFault.refused("no second page is waited for")
    }

    /// The frame with the page that the ad has expanded to, when it is there.
    fileprivate func expandedPage() async throws -> DevToolsSession {
        for _ in 0..<200 {
            if let session = self.expandedPageTarget, (try? await self.evaluate("typeof env", in: session)) == "string"
            {
                return session
            }
            try await self.untilDrawn()
        }
        throw EngineFault.refused("there is no second page")
    }
}
