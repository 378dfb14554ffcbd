import AdCore
import BrowserSupport
import SystemSupport
import TestSupport
import Testing

@testable import WebStage

/// Creatives that use too many resources.
@Suite("Creatives that use too many resources", .needsEngine, .timeLimit(.minutes(1)))
struct ResourceLimitTests {
    private func crash(_ reports: Reports) async -> String {
        let event = await reports.first { if case .crashed = $0 { true } else { false } }
        if case .crashed(let reason, _) = event { return reason }
        return ""
    }

    @Test(
        "a creative that uses more and more memory is ended, and the close button works",
        arguments: [
            "setInterval(() => hog.push(new Uint8Array(60e6).fill(1)), 50)",
            "setInterval(() => hog.push(Array.from({ length: 2e6 }, (_, i) => ({ i }))), 50)",
        ]
    )
    func slow(_ script: String) async throws {
        try await StageHarness.show("<p>I am hungry</p><script>const hog = []; \(script)</script>") { stage, reports in
            let reason = await self.crash(reports)
            #expect(reason.contains("MB of memory") || reason.contains("crashed"), "\(reason)")
            try await StageHarness.close(stage, reports)
        }
    }

    @Test(
        "a creative that uses memory faster than the monitor checks is ended by the system's limit",
        arguments: [
            "for (;;) hog.push(new Uint8Array(60e6).fill(1))",
            "for (let text = 'x'; ; ) { text += text; hog.push(text + 1) }",
        ]
    )
    func fast(_ script: String) async throws {
        let body = "<p>I am greedy</p><script>const hog = []; setTimeout(() => { \(script) }, 300)</script>"
        try await StageHarness.show(body) { stage, reports in
            // A loop that runs out of memory may throw, and the page continues.
            try await StageHarness.close(stage, reports)
            _ = try? await stage.evaluate(inCreative: "0")
        }
        // The browser works for the next creative.
        try await StageHarness.show("<p>next</p>") { stage, reports in try await StageHarness.close(stage, reports) }
    }

    @Test("a creative with huge canvases does not affect the next one")
    func canvas() async throws {
        let body = """
            <script>
            setTimeout(() => {
              for (let i = 0; i < 40; i++) {
                const c = document.createElement("canvas");
                c.width = c.height = 16384;
                c.getContext("2d").fillRect(0, 0, 16384, 16384);
                document.body.append(c);
              }
            }, 300);
            </script>
            """
        try await StageHarness.show(body) { stage, reports in try await StageHarness.close(stage, reports) }
        try await StageHarness.show("<p>next</p>") { stage, reports in try await StageHarness.close(stage, reports) }
    }

    @Test("a creative with an image that is too large is shown without it, and the request is reported as failed")
    func picture() async throws {
        let log = Locked<[StageRequest]>([])
        let server = try #require(HTTPURL("http://127.0.0.1:8098/"))
        let options = TestBrowser()
        let presenter = try options.presenter(allowedHosts: [server], transport: EndlessServer()) { event, _ in
            if case .request(let request) = event { log.withLock { $0.append(request) } }
        }
        let container = await presenter.container(for: .interstitial)
        let stageOptions = StageOptions(
            ad: AdID("big"),
            kind: .interstitial,
            size: CreativeLayout(.adaptive, in: container)
        )
        let html = "<!doctype html><p>words</p><img src='http://127.0.0.1:8098/big.png'>"
        let reports = Reports()
        let stage = try await presenter.stage(.html(HTMLCreative(markup: html, document: html)), stageOptions) {
            reports.append($0)
        }
        await stage.reveal()
        await reports.first { $0 == .visible(ratio: 1) }
        let requests = log.withLock { $0 }
        let request = try #require(requests.first)
        #expect(request.url == "http://127.0.0.1:8098/big.png")
        guard case .failed = request.outcome else { throw StageError("the outcome is \(request.outcome)") }
        await stage.close(.host)
        await presenter.close()
    }
}

/// A transport whose responses are too large.
private struct EndlessServer: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        throw TransportError(.tooLarge, "the answer has more than \(request.limits.body) bytes")
    }
}
