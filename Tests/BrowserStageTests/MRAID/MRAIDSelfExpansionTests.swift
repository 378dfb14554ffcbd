import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

/// MRAID ads that expand without a user's gesture, in the browser.
@Suite("An MRAID ad that expands by itself", .needsEngine, .timeLimit(.minutes(1)))
struct MRAIDSelfExpansionTests {
    @Test("an ad expands only after a tap, and after the collapse button only after another tap")
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
                "a blocked command is reported once"
            )
            try await stage.press(x: 195, y: 80)
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'expanded'")
            try await stage.collapse()
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'default'")
            _ = try await stage.nextEvent("error", fits: "(_, action) => action === 'expand'")
            #expect(await stage.placeToCollapse() == nil)
        }
    }

    @Test("a press on the collapse button of an ad that is collapsed already closes the ad")
    func twice() async throws {
        let body = "\(MRAIDHarness.harness)<div style='position:fixed;inset:0' onclick='mraid.expand()'></div>"
        try await StageHarness.show(body, .banner, size: .fixed(Size(width: 320, height: 50))) { stage, reports in
            try await stage.press(x: 195, y: 80)
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'expanded'")
            // Two presses before the page is sent the new layout.
            stage.collapsePressed()
            stage.collapsePressed()
            await reports.first { $0 == .closeRequested(by: .user) }
        }
    }
}

extension BrowserStage {
    /// The host page's message about a press on the collapse button.
    func collapsePressed() {
        let message = EngineMessage(.host, "{\"k\":\"collapse\"}", from: nil)
        self.post(.event(EngineEvent(.message(message), in: self.page)))
    }
}
