import AdCore
import BrowserSupport
import SystemSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

/// Creatives that take more than there is to give, and what must come of it.
@Suite("A hungry creative", .needsBrowser, .timeLimit(.minutes(1)))
struct HungryCreativeTests {
    private func crash(_ reports: Reports) async -> String {
        let event = await reports.first { if case .crashed = $0 { true } else { false } }
        if case .crashed(let reason, _) = event { return reason }
        return ""
    }

    @Test(
        "one that takes more and more memory is ended, and our button works",
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
        "one that takes it faster than anybody can look ends by itself",
        arguments: [
            "for (;;) hog.push(new Uint8Array(60e6).fill(1))",
            "for (let text = 'x'; ; ) { text += text; hog.push(text + 1) }",
        ]
    )
    func fast(_ script: String) async throws {
        let body = "<p>I am greedy</p><script>const hog = []; setTimeout(() => { \(script) }, 300)</script>"
        try await StageHarness.show(body) { stage, reports in
            // A loop that runs into the end of memory may throw, and go on as any other page.
            try await StageHarness.close(stage, reports)
            _ = try? await stage.evaluate(inCreative: "0")
        }
        // The browser is there for the next one.
        try await StageHarness.show("<p>next</p>") { stage, reports in try await StageHarness.close(stage, reports) }
    }

    @Test("one that draws on a canvas larger than any memory takes nothing else with it")
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

    @Test("one whose picture has more bytes than anybody takes is shown without it, and the request is told as failed")
    func picture() async throws {
        let told = Locked<[StageRequest]>([])
        let server = try #require(HTTPURL("http://127.0.0.1:8098/"))
        var options = ChromiumOptions()
        options.network = .closed
        let presenter = try ChromiumPresenter(options, allowedHosts: [server], transport: EndlessServer()) { note, _ in
            if case .request(let request) = note { told.withLock { $0.append(request) } }
        }
        let container = await presenter.container(for: .interstitial)
        let terms = StageOptions(ad: AdID("big"), kind: .interstitial, size: CreativeLayout(.adaptive, in: container))
        let html = "<!doctype html><p>words</p><img src='http://127.0.0.1:8098/big.png'>"
        let reports = Reports()
        let stage = try await presenter.stage(.html(HTMLCreative(markup: html, document: html)), terms) {
            reports.note($0)
        }
        await stage.reveal()
        await reports.first { $0 == .visible(ratio: 1) }
        let requests = told.withLock { $0 }
        let request = try #require(requests.first)
        #expect(request.url == "http://127.0.0.1:8098/big.png")
        guard case .failed = request.outcome else { throw StageError("it is told as \(request.outcome)") }
        await stage.close(.host)
        await presenter.close()
    }
}

/// A server whose answers have no end, and a transport that bounds them.
private struct EndlessServer: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        throw TransportError(.tooLarge, "the answer has more than \(request.limits.body) bytes")
    }
}

@Suite("What may be loaded")
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

    @Test("a creative that has loaded a hundred million bytes is reported once, and gets no more")
    func most() throws {
        var watch = PagePolicy()
        let request = try self.request()
        #expect(watch.handle(self.data(99_999_999)) == [])
        #expect(watch.pass(request, allowed: []) == [.send(request.proceeding)])
        let outputs = watch.handle(self.data(2))
        let words = "more than 100 MB were loaded; further requests are blocked"
        #expect(outputs == [.report(.blocked(BlockedAttempt(.other, words))), .setAlarm(.byteLimit, after: .zero)])
        #expect(watch.handle(self.data(2)) == [])
        #expect(watch.pass(request, allowed: []) == [.send(request.failing(.blocked))])
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
        "a name that leads to this machine or its network is reported once, and called no more",
        arguments: ["127.0.0.1", "10.0.0.7", "192.168.1.1", "[::1]", "169.254.169.254"]
    )
    func nearName(address: String) throws {
        var watch = PagePolicy()
        let request = try self.request()
        let words = "a request to the local network: a.example resolved to \(address)"
        let outputs = watch.handle(self.answered(by: address))
        #expect(outputs == [.report(.blocked(BlockedAttempt(.other, words)))])
        #expect(watch.handle(self.answered(by: address)) == [])
        #expect(watch.pass(request, allowed: []) == [.send(request.failing(.blocked))])
    }

    @Test(
        "a name that leads to a public or an unknown address is called again",
        arguments: [
            "93.184.216.34", "[2606:2800:220:1::1]", "", "nonsense",
        ]
    )
    func farName(address: String) throws {
        var watch = PagePolicy()
        let request = try self.request()
        #expect(watch.handle(self.answered(by: address)) == [])
        #expect(watch.pass(request, allowed: []) == [.send(request.proceeding)])
    }

    @Test("lengths that can't be are none", arguments: [-5, Int.max])
    func impossible(_ length: Int) {
        var watch = PagePolicy()
        for _ in 0..<2 {
            let acts = watch.handle(self.data(length))
            #expect(acts?.isEmpty ?? true)
        }
    }
}
