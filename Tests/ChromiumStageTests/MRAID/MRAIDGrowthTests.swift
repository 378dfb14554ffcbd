import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage

@Suite("When an MRAID ad may grow")
struct MRAIDGrowthTests {
    private func bench() -> HostBench {
        var bench = HostBench(growth: .afterGesture)
        bench.hear(.loaded(.main))
        return bench
    }

    private func reports(_ actions: [MRAIDAction]) -> [String] {
        actions.compactMap { if case .report(let words) = $0 { words } else { nil } }
    }

    @Test(
        "without a gesture it hears an error and stays as it is, and that is reported once",
        arguments: [
            MRAIDMethod.expand, .resize,
        ]
    )
    func refused(_ method: MRAIDMethod) throws {
        var bench = self.bench()
        try bench.call(.setResizeProperties)
        for _ in 0..<3 { #expect(try bench.call(method) == .refused(MRAIDGrowth.refusal)) }
        #expect(bench.host.state == .standard && bench.host.layout == .slot)
        #expect(self.reports(bench.actions) == ["mraid.\(method.rawValue)() \(MRAIDGrowth.refusal)"])
    }

    @Test("a gesture is good for five seconds", arguments: [(5_000, true), (5_001, false)])
    func memory(_ milliseconds: Int, _ isAllowed: Bool) throws {
        var bench = self.bench()
        bench.hear(.gesture(at: .seconds(1)))
        let outcome = try bench.call(.expand, at: .seconds(1) + .milliseconds(milliseconds))
        #expect(outcome == (isAllowed ? .done : .refused(MRAIDGrowth.refusal)))
    }

    @Test("what the user has made small stays small, whatever was tapped before, until the next tap")
    func collapsed() throws {
        var bench = self.bench()
        bench.hear(.gesture(at: .zero))
        #expect(try bench.call(.expand) == .done)
        bench.hear(.collapsedByUser)
        #expect(bench.host.state == .standard)
        #expect(try bench.call(.expand).isRefused)
        try bench.call(.setResizeProperties)
        #expect(try bench.call(.resize).isRefused)
        bench.hear(.gesture(at: .seconds(1)))
        #expect(try bench.call(.expand, at: .seconds(1)) == .done)
    }

    @Test("what is large may change its size, and what makes itself small may grow again by the same tap")
    func own() throws {
        var bench = self.bench()
        bench.hear(.gesture(at: .zero))
        #expect(try bench.call(.expand) == .done)
        #expect(try bench.call(.close) == .done)
        #expect(try bench.call(.expand, at: .seconds(2)) == .done)
    }
}

/// Ads that grow by themselves, in the browser.
@Suite("An ad that grows by itself", .needsBrowser, .timeLimit(.minutes(1)))
struct SelfGrowingTests {
    @Test("it stays in its place until it is tapped, and after our button until it is tapped again")
    func tap() async throws {
        let body = """
            \(MRAIDTheatre.harness)
            <div style="position:fixed;inset:0;background:#c00"></div>
            <script>mraid.addEventListener("ready", () => setInterval(() => mraid.expand(), 20))</script>
            """
        try await Theatre.show(body, .banner, size: .fixed(Size(width: 320, height: 50))) { stage, reports in
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
        let body = "\(MRAIDTheatre.harness)<div style='position:fixed;inset:0' onclick='mraid.expand()'></div>"
        try await Theatre.show(body, .banner, size: .fixed(Size(width: 320, height: 50))) { stage, reports in
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
        let said: JSON = ["name": "__yabbi", "payload": "{\"k\":\"collapse\"}"]
        self.put(.event(DevToolsEvent(session: self.page, method: "Runtime.bindingCalled", params: said)))
    }
}
