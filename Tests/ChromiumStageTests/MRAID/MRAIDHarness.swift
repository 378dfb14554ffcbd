import AdCore
import SystemSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

/// A browser that reaches one server, which has the pages that ads expand to.
enum MRAIDHarness {
    static let expandedPage = "https://second.example/"

    /// Answers with pages by their paths.
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
                // Until the stage gives it up.
                let (silence, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in silence {}
                throw TransportError(.cancelled(sent: true), "given up")
            default: throw TransportError(.notSent(.refused), "there is no such page")
            }
        }
    }

    private static let asked = Locked<[StageRequest]>([])
    /// What all ads here have asked for.
    static var requests: [StageRequest] { self.asked.withLock { $0 } }

    private static let shared = Locked<ChromiumPresenter?>(nil)

    private static func presenter() throws -> ChromiumPresenter {
        try self.shared.withLock { presenter in
            if let presenter { return presenter }
            var options = ChromiumOptions()
            options.network = .closed
            // What an ad hears when it is large is tried without a hand; `MRAIDGrowthTests` has those who need one.
            options.growth = .always
            let server = try #require(HTTPURL(self.expandedPage))
            let new = try ChromiumPresenter(options, allowedHosts: [server], transport: Pages()) { note, _ in
                guard case .request(let request) = note else { return }
                self.asked.withLock { $0.append(request) }
            }
            presenter = new
            return new
        }
    }

    /// What an ad hears, and how a test waits for it.
    static let harness = """
        <script src="mraid.js"></script>
        <script>
        const log = [], waits = [];
        const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        const expect = (holds, what) => { if (!holds) throw new Error(what + "; heard " + JSON.stringify(log)); };
        // The next event of a name that was not asked for before; the one that fits where it must.
        const hear = (name, fits = () => true) => new Promise((go) => {
          waits.push(() => {
            const index = log.findIndex((event) => event[0] === name && fits(...event.slice(1)));
            if (index < 0) return false;
            go(log.splice(index, 1)[0].slice(1));
            return true;
          });
          look();
        });
        const look = () => { for (let i = waits.length; i-- > 0;) if (waits[i]()) waits.splice(i, 1); };
        const names = ["error", "stateChange", "sizeChange", "exposureChange", "audioVolumeChange", "viewableChange", "ready"];
        for (const name of names) mraid.addEventListener(name, (...values) => { log.push([name, ...values]); look(); });
        const start = mraid.getState();
        // What was said before has had its reply when this has.
        const settled = async () => { mraid.initVpaid(); await hear("error", (_, action) => action === "initVpaid"); };
        </script>
        """

    /// Shows an ad on the stage for as long as a test wants.
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
    /// What the creative's own script says, when it is known.
    func ask(_ expression: String) async throws -> AdJSON {
        try await self.evaluate(inCreative: expression, within: .seconds(20))
    }

    /// Waits for the next event of a name, and gives what came with it.
    func hear(_ event: String, fits: String = "() => true") async throws -> [AdJSON] {
        try #require(try await self.ask("hear(\"\(event)\", \(fits))").array)
    }

    /// Presses the button to end the ad until that is reported.
    func closeByButton(_ reports: Reports) async throws {
        await self.setControl(.close, visible: true)
        for _ in 0..<10 {
            try await self.untilDrawn()
            guard let place = await self.place(of: .close) else { continue }
            try await self.press(place)
            try await self.untilDrawn()
            if reports.events.contains(.closeRequested(by: .user)) { return }
        }
        Issue.record("our button was pressed ten times, and did nothing")
    }
}
