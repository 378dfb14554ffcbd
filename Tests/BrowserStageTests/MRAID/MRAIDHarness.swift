import AdCore
import BrowserSupport
import SystemSupport
import Testing

@testable import WebStage

/// Shows MRAID ads in a browser that can reach one server, with the pages of two-part creatives.
enum MRAIDHarness {
    static let expandedPage = "https://second.example/"

    /// Serves the pages by their paths.
    private struct Pages: Transport {
        func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
            let path = request.url.text.dropFirst(MRAIDHarness.expandedPage.count)
            let html: AdHTTPHeaders = ["Content-Type": "text/html"]
            switch path {
            case "moved":
                return AdHTTPResponse(status: 302, headers: ["Location": "/page"], body: [], url: request.url)
            case "page":
                let body = """
                    \(MRAIDHarness.harness)<script>const env = typeof MRAID_ENV</script>
                    <p style="position:fixed;inset:0" onclick="mraid.open('https://shop.example/second')">Second</p>
                    """
                return AdHTTPResponse(status: 200, headers: html, body: Array(body.utf8), url: request.url)
            case "leaves":
                let body = "<h1>Second</h1><script>location = 'https://evil.example/x'</script>"
                return AdHTTPResponse(status: 200, headers: html, body: Array(body.utf8), url: request.url)
            case "hangs":
                let body = "<h1>Second</h1><script>for (;;) {}</script>"
                return AdHTTPResponse(status: 200, headers: html, body: Array(body.utf8), url: request.url)
            case "never":
                // Until the stage cancels the request.
                let (silence, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in silence {}
                throw TransportError(.cancelled(sent: true), "given up")
            default: throw TransportError(.notSent(.refused), "there is no such page")
            }
        }
    }

    private static let requestLog = Locked<[StageRequest]>([])
    /// The requests of all ads.
    static var requests: [StageRequest] { self.requestLog.withLock { $0 } }

    private static let shared = Locked<(any BrowserPresenter)?>(nil)

    private static func presenter() throws -> any BrowserPresenter {
        try self.shared.withLock { presenter in
            if let presenter { return presenter }
            var options = TestBrowser()
            // Most tests expand without a gesture; `MRAIDExpansionPolicyTests` tests the gesture.
            options.expansionPolicy = .always
            let server = try #require(HTTPURL(self.expandedPage))
            let new = try options.presenter(allowedHosts: [server], transport: Pages()) { notification, _ in
                guard case .request(let request) = notification else { return }
                self.requestLog.withLock { $0.append(request) }
            }
            presenter = new
            return new
        }
    }

    /// Loads mraid.js, logs its events, and lets a test wait for them.
    static let harness = """
        <script src="mraid.js"></script>
        <script>
        const log = [], waits = [];
        const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        const expect = (holds, what) => { if (!holds) throw new Error(what + "; events: " + JSON.stringify(log)); };
        // Resolves with the values of the next event of a name that matches, and removes it from the log.
        const nextEvent = (name, fits = () => true) => new Promise((resolve) => {
          waits.push(() => {
            const index = log.findIndex((event) => event[0] === name && fits(...event.slice(1)));
            if (index < 0) return false;
            resolve(log.splice(index, 1)[0].slice(1));
            return true;
          });
          checkWaits();
        });
        const checkWaits = () => { for (let i = waits.length; i-- > 0;) if (waits[i]()) waits.splice(i, 1); };
        const names = ["error", "stateChange", "sizeChange", "exposureChange", "audioVolumeChange", "viewableChange", "ready"];
        for (const name of names) mraid.addEventListener(name, (...values) => { log.push([name, ...values]); checkWaits(); });
        const start = mraid.getState();
        // All earlier commands have had their reply when this one has.
        const settled = async () => { mraid.initVpaid(); await nextEvent("error", (_, action) => action === "initVpaid"); };
        </script>
        """

    /// Shows an ad during a test.
    static func show(
        _ body: String,
        _ kind: ShowRules.Kind = .banner,
        size: RequestedSize = .fixed(Size(width: 320, height: 50)),
        test: (BrowserStage, Reports) async throws -> Void
    ) async throws {
        let size = kind == .banner ? size : .adaptive
        try await StageHarness.show(body, kind, size: size, on: try self.presenter(), test: test)
    }
}

extension BrowserStage {
    /// Evaluates an expression in the creative, and awaits a promise.
    func run(_ expression: String) async throws -> AdJSON {
        try await self.evaluate(inCreative: expression, within: .seconds(20))
    }

    /// Waits for the next `mraid` event of a name, and returns its values.
    func nextEvent(_ event: String, fits: String = "() => true") async throws -> [AdJSON] {
        try #require(try await self.run("nextEvent(\"\(event)\", \(fits))").array)
    }

    /// Presses the close button until that is reported.
    func closeByButton(_ reports: Reports) async throws {
        await self.setControl(.close, visible: true)
        for _ in 0..<10 {
            try await self.waitUntilDrawn()
            guard let place = await self.position(of: .close) else { continue }
            try await self.press(place)
            try await self.waitUntilDrawn()
            if reports.events.contains(.closeRequested(by: .user)) { return }
        }
        Issue.record("ten presses on the close button were not reported")
    }
}
