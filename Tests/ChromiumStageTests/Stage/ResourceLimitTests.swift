import AdCore
import BrowserSupport
import SystemSupport
import TestSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

/// Creatives that use too many resources.
@Suite("Creatives that use too many resources", .needsBrowser, .timeLimit(.minutes(1)))
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
        var options = ChromiumOptions()
        options.network = .closed
        let presenter = try ChromiumPresenter(options, allowedHosts: [server], transport: EndlessServer()) { event, _ in
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

@Suite("Byte limit and private addresses")
struct LoadedBytesTests {
    private let session = DevToolsSession(name: "s")

    private func data(_ bytes: Int) -> DevToolsEvent {
        DevToolsEvent(
            session: self.session,
            method: "Network.dataReceived",
            params: ["requestId": "1", "dataLength": .int(bytes)]
        )
    }

    private func request() throws -> EngineRequest {
        try #require(
            EngineRequest(
                DevToolsEvent(
                    session: self.session,
                    method: "Fetch.requestPaused",
                    params: ["requestId": "7", "request": ["url": "https://a.example/x"]]
                )
            )
        )
    }

    @Test("a creative that exceeds the byte limit is reported once, and further requests are blocked")
    func most() throws {
        var policy = PagePolicy()
        let request = try self.request()
        #expect(policy.handle(self.data(99_999_999)) == [])
        #expect(policy.applyRules(to: request, allowed: []) == [.send(request.proceeding)])
        let outputs = policy.handle(self.data(2))
        let text = "more than 100 MB were loaded; further requests are blocked"
        #expect(outputs == [.report(.blocked(BlockedAttempt(.other, text))), .setAlarm(.byteLimit, after: .zero)])
        #expect(policy.handle(self.data(2)) == [])
        #expect(policy.applyRules(to: request, allowed: []) == [.send(request.failing(.blocked))])
    }

    private func answered(by address: String) -> DevToolsEvent {
        DevToolsEvent(
            session: self.session,
            method: "Network.responseReceived",
            params: [
                "requestId": "1", "response": ["url": "https://a.example/y", "remoteIPAddress": .string(address)],
            ]
        )
    }

    @Test(
        "a host that resolves to a private address is reported once, and further requests are blocked",
        arguments: ["127.0.0.1", "10.0.0.7", "192.168.1.1", "[::1]", "169.254.169.254"]
    )
    func privateAddress(address: String) throws {
        var policy = PagePolicy()
        let request = try self.request()
        let text = "a request to the local network: a.example resolved to \(address)"
        let outputs = policy.handle(self.answered(by: address))
        #expect(outputs == [.report(.blocked(BlockedAttempt(.other, text)))])
        #expect(policy.handle(self.answered(by: address)) == [])
        #expect(policy.applyRules(to: request, allowed: []) == [.send(request.failing(.blocked))])
    }

    @Test(
        "a host that resolves to a public or unknown address is requested again",
        arguments: [
            "93.184.216.34", "[2606:2800:220:1::1]", "", "nonsense",
        ]
    )
    func publicAddress(address: String) throws {
        var policy = PagePolicy()
        let request = try self.request()
        #expect(policy.handle(self.answered(by: address)) == [])
        #expect(policy.applyRules(to: request, allowed: []) == [.send(request.proceeding)])
    }

    @Test("implausible lengths are ignored", arguments: [-5, Int.max])
    func impossible(_ length: Int) {
        var policy = PagePolicy()
        for _ in 0..<2 {
            let outputs = policy.handle(self.data(length))
            #expect(outputs?.isEmpty ?? true)
        }
    }
}
