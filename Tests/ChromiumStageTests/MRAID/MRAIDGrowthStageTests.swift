import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

/// Ads that grow by themselves, in the browser.
@Suite("An ad that grows by itself", .needsBrowser, .timeLimit(.minutes(1)))
struct SelfGrowingTests {
    @Test("it stays in its place until it is tapped, and after our button until it is tapped again")
    func tap() async throws {
        let body = """
            \(MRAIDHarness.harness)
            <div style="position:fixed;inset:0;background:#c00"></div>
            <script>mraid.addEventListener("ready", () => setInterval(() => mraid.expand(), 20))</script>
            """
        try await StageHarness.show(body, .banner, size: .fixed(Size(width: 320, height: 50))) { stage, reports in
            #expect(await reports.attempt(.other).contains("mraid.expand()"))
            #expect(await stage.placeToCollapse() == nil)
            #expect(
                !reports.events.contains { if case .diagnostic = $0 { true } else { false } },
                "what was blocked is told once"
            )
            try await stage.press(x: 195, y: 80)
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'expanded'")
            try await stage.collapse()
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'default'")
            _ = try await stage.hear("error", fits: "(_, action) => action === 'expand'")
            #expect(await stage.placeToCollapse() == nil)
        }
    }

    @Test("a second press on our button for what is small already ends the ad")
    func twice() async throws {
        let body = "\(MRAIDHarness.harness)<div style='position:fixed;inset:0' onclick='mraid.expand()'></div>"
        try await StageHarness.show(body, .banner, size: .fixed(Size(width: 320, height: 50))) { stage, reports in
            try await stage.press(x: 195, y: 80)
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'expanded'")
            // Two presses that the page hears of before it is told that it is small.
            stage.collapsePressed()
            stage.collapsePressed()
            await reports.first { $0 == .closeRequested(by: .user) }
        }
    }
}

extension BrowserStage {
    /// What our page says of a press on the button of a large ad.
    func collapsePressed() {
        let said: AdJSON = ["name": "__yabbi", "payload": "{\"k\":\"collapse\"}"]
        self.post(.devTools(DevToolsEvent(session: self.page, method: "Runtime.bindingCalled", params: said)))
    }
}
