import AdCore
import BrowserSupport
import SystemSupport
import TestSupport
import Testing

@testable import WebStage

/// A fake server of pages.
private struct PageServer: Transport {
    let pages: [String: String]
    let requests = Locked<[AdHTTPRequest]>([])

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        self.requests.withLock { $0.append(request) }
        let path = String(request.url.target.prefix { $0 != "?" })
        guard let page = self.pages[path] else { return AdHTTPResponse(status: 404, url: request.url) }
        let headers: AdHTTPHeaders = ["Content-Type": "text/html; charset=utf-8"]
        return AdHTTPResponse(status: 200, headers: headers, body: Array(page.utf8), url: request.url)
    }
}

/// A provider's page in the browser.
private final class PageScene: Sendable {
    let stage: BrowserStage
    let reports: Reports
    let server: PageServer
    /// Keeps the browser running.
    private let presenter: any BrowserPresenter

    private init(_ stage: BrowserStage, _ reports: Reports, _ server: PageServer, _ presenter: any BrowserPresenter) {
        self.presenter = presenter
        self.stage = stage
        self.reports = reports
        self.server = server
    }

    static let origin = "http://127.0.0.1:8099"

    static func open(
        _ body: String,
        _ others: [String: String] = [:],
        path: String = "/page",
        serves: Bool = true,
        browser: String? = nil
    )
        async throws -> PageScene
    {
        let server = PageServer(
            pages: others.merging(serves ? [path: "<!doctype html>" + body] : [:]) { first, _ in first }
        )
        var options = TestBrowser()
        options.path = browser
        let address = try #require(HTTPURL(self.origin + path + "?hash=secret"))
        let presenter = try options.presenter(allowedHosts: [address], transport: server)
        let page = PageCreative(address, userAgent: "SMTO-WRAPPER", bridges: ["SmarticoBridge", "ReactNativeWebView"])
        let container = await presenter.container(for: .engagement)
        let stageOptions = StageOptions(
            ad: AdID("page"),
            kind: .engagement,
            size: CreativeLayout(.adaptive, in: container)
        )
        let reports = Reports()
        let stage = try await presenter.stage(.page(page), stageOptions) { reports.append($0) }
        return PageScene(stage, reports, server, presenter)
    }

    var messages: [String] {
        self.reports.events.compactMap { if case .message(let text) = $0 { text } else { nil } }
    }

    /// The windows that the page has opened.
    func windows() async throws -> [AdJSON] { try await EngineDetails.windows(of: self.stage) }

    func message(_ text: String) async {
        await self.reports.first { $0 == .message(text) }
    }
}

@Suite("A provider's page in a browser", .needsEngine, .timeLimit(.minutes(1)))
struct PageStageTests {
    @Test("a page has its own origin and storage, and the user agent from its first request")
    func itself() async throws {
        let scene = try await PageScene.open(
            """
            <script>
            localStorage.setItem("a", "kept");
            document.cookie = "c=1";
            SmarticoBridge.postMessage([navigator.userAgent, location.origin, localStorage.getItem("a"), top === window].join());
            </script>
            """
        )
        await scene.message("SMTO-WRAPPER,\(PageScene.origin),kept,true")
        let first = scene.server.requests.withLock { $0[0] }
        #expect(first.headers["User-Agent"] == "SMTO-WRAPPER" && first.url.target == "/page?hash=secret")
        await scene.stage.close(.host)
    }

    @Test("messages work in both directions, and a message to the page is never run as code")
    func bridge() async throws {
        let scene = try await PageScene.open(
            """
            <script>
            addEventListener("message", (event) => ReactNativeWebView.postMessage("received " + event.data));
            addEventListener("load", () => { SmarticoBridge.postMessage("one"); SmarticoBridge.postMessage("two"); });
            </script>
            """
        )
        await scene.message("two")
        let hostile = "'); SmarticoBridge.postMessage('broken out'); (' \u{2028}</script>`${1}`"
        await scene.stage.post(hostile)
        await scene.message("received " + hostile)
        #expect(scene.messages == ["one", "two", "received " + hostile])
        await scene.stage.close(.host)
    }

    @Test("a page is hidden until it is revealed")
    func reveal() async throws {
        let scene = try await PageScene.open("<p style='visibility:visible !important'>Here</p>")
        let visibility = "getComputedStyle(document.documentElement).visibility"
        #expect(try await scene.stage.evaluate(visibility) == "hidden")
        #expect(scene.reports.events == [.ready])
        await scene.stage.reveal()
        await scene.reports.first { $0 == .visible(ratio: 1) }
        try await scene.stage.waitUntilDrawn()
        #expect(try await scene.stage.evaluate(visibility) == "visible")
        #expect(scene.reports.events == [.ready, .revealed, .visible(ratio: 1)])
        await scene.stage.close(.host)
    }

    @Test("two pages are shown at once without shared storage")
    func two() async throws {
        let first = try await PageScene.open("<script>localStorage.x = 1; SmarticoBridge.postMessage('first')</script>")
        let second = try await PageScene.open(
            "<script>SmarticoBridge.postMessage('x' in localStorage ? 'shared' : 'second')</script>"
        )
        await first.message("first")
        await second.message("second")
        await first.stage.close(.host)
        await second.stage.post("still there")
        #expect(try await second.stage.evaluate("1 + 1") == 2)
        await second.stage.close(.host)
    }

    @Test("a nested frame can't send messages to the app")
    func frames() async throws {
        let forge =
            "for (const w of [window, parent]) try { (w.SmarticoBridge ?? w).postMessage('forged', '*') } catch {}"
        let scene = try await PageScene.open(
            """
            <iframe sandbox="allow-scripts" srcdoc="<script>\(forge); try { __yabbi_bridge('forged') } catch {}</script>"></iframe>
            <iframe src="/inner"></iframe>
            <script>addEventListener("load", () => SmarticoBridge.postMessage("done"))</script>
            """,
            [
                "/inner":
                    "<script>try { __yabbi_bridge('forged') } catch {}; window.SmarticoBridge?.postMessage('forged')</script>"
            ]
        )
        await scene.message("done")
        #expect(scene.messages == ["done"])
        await scene.stage.close(.host)
    }

    @Test("a press in a srcdoc frame is reported and not repeated")
    func pressInside() async throws {
        let scene = try await PageScene.open(
            """
            <iframe sandbox="allow-scripts" style="position:fixed;inset:0;width:100%;height:100%;border:0"
            srcdoc="<button style='width:300px;height:200px' onclick='parent.postMessage(1, `*`)'>go</button>"></iframe>
            <script>
            addEventListener("message", () => SmarticoBridge.postMessage("pressed"));
            addEventListener("load", () => SmarticoBridge.postMessage("there"));
            </script>
            """
        )
        await scene.message("there")
        await scene.stage.reveal()
        try await scene.stage.waitUntilDrawn()
        let place = try #require(await scene.stage.clickPosition())
        try await scene.stage.click(place)
        await scene.message("pressed")
        try await scene.stage.waitUntilDrawn()
        #expect(scene.messages == ["there", "pressed"])
        #expect((scene.stage.machine.gestures ?? 0) > 0)
        await scene.stage.close(.host)
    }

    @Test("a page navigates within its origin; elsewhere needs a user's gesture and goes to the app")
    func navigations() async throws {
        let scene = try await PageScene.open(
            "<script>setTimeout(() => location = '/next', 0)</script>",
            [
                "/next":
                    "<a style='display:block;height:100vh' href='https://else.example/go'>go</a><script>SmarticoBridge.postMessage('next')</script>"
            ]
        )
        await scene.message("next")
        await scene.stage.reveal()
        try await scene.stage.waitUntilDrawn()
        _ = try await scene.stage.evaluate("location.href = 'https://else.example/alone', 0")
        #expect(await scene.reports.attempt(.navigation).contains("https://else.example/alone"))
        try await scene.stage.press(x: 195, y: 400)
        #expect(await scene.reports.click()?.text == "https://else.example/go")
        #expect(try await scene.stage.evaluate("location.pathname") == "/next")
        await scene.stage.close(.host)
    }

    @Test(
        "no window opens: with a user's press the URL goes to the app, without one it is blocked",
        arguments: [
            "window.open('URL')", "window.open('URL', '_blank', 'noopener')",
            "window.open('URL', '_blank', 'noreferrer')",
            "window.open('URL', '_blank', 'popup,noopener')", "link.click()",
        ],
        ["https://else.example/window", "\(PageScene.origin)/window"]
    )
    func windows(code: String, address: String) async throws {
        let act = code.replacing("URL", with: address)
        let scene = try await PageScene.open(
            """
            <a id=link target=_blank rel=noopener href="\(address)"></a>
            <button style="position:fixed;inset:0" onclick="\(act)">x</button>
            """
        )
        await scene.stage.reveal()
        _ = try await scene.stage.evaluate("\(act), 0")
        #expect(await scene.reports.attempt(.popup).contains(address))
        #expect(try await scene.windows().isEmpty && scene.reports.clicks.isEmpty)
        try await scene.stage.press(x: 195, y: 600)
        #expect(await scene.reports.click()?.text == address)
        #expect(try await scene.windows().isEmpty)
        #expect(scene.server.requests.withLock { $0.map(\.url.target) } == ["/page?hash=secret"])
        await scene.stage.close(.host)
    }

    @Test(
        "a browser that can open windows closes them, and the URL goes to the app",
        .enabled(
            if: Self.full != nil && TestBrowser.engine == .chromium,
            "this test needs Chromium with windows, as the only one that opens them for a moment"
        ),
        arguments: ["window.open('URL')", "window.open('URL', '_blank', 'noopener')", "link.click()"]
    )
    func fullBrowser(code: String) async throws {
        let address = "https://else.example/window"
        let act = code.replacing("URL", with: address)
        let body = """
            <a id=link target=_blank rel=noopener href="\(address)"></a>
            <button style="position:fixed;inset:0" onclick="\(act)">x</button>
            """
        let scene = try await PageScene.open(body, browser: Self.full)
        await scene.stage.reveal()
        for count in 1...2 {
            try await scene.stage.press(x: 195, y: 600)
            await scene.reports.first(after: 0) { _ in scene.reports.clicks.count >= count }
            // Closing an open window takes a moment.
            for _ in 0..<50 {
                if try await scene.windows().isEmpty { break }
                try await scene.stage.waitUntilDrawn()
            }
            #expect(try await scene.windows().isEmpty)
        }
        #expect(scene.reports.clicks == [address, address])
        await scene.stage.close(.host)
    }

    private static let full = EngineDetails.browserWithWindows

    @Test("the close button stays on top after a navigation, a modal dialog, and its removal")
    func button() async throws {
        let scene = try await PageScene.open(
            "<script>setTimeout(() => location = '/next', 0)</script>",
            [
                "/next": """
                <dialog style="width:100vw;height:100vh;max-width:none;max-height:none">over all</dialog>
                <script>
                document.querySelector("dialog").showModal();
                setTimeout(() => document.querySelector("yabbi-close")?.remove(), 50);
                setTimeout(() => SmarticoBridge.postMessage("there"), 100);
                </script>
                """
            ]
        )
        await scene.stage.reveal()
        await scene.stage.setControl(.close, visible: true)
        await scene.message("there")
        for _ in 0..<40 where !scene.reports.events.contains(.closeRequested(by: .user)) {
            try await scene.stage.press(x: 33, y: 33)
        }
        #expect(scene.reports.events.contains(.closeRequested(by: .user)))
        await scene.stage.close(.host)
    }

    @Test(
        "a page that keeps hiding the close button is replaced by one with the button",
        arguments: [
            """
            new MutationObserver(() => document.querySelector("yabbi-close")?.remove())
              .observe(document.documentElement, { childList: true, subtree: true });
            """,
            "setTimeout(() => document.documentElement.inert = true, 50)",
            """
            addEventListener("beforetoggle", (event) => event.preventDefault(), true);
            document.write("<div style='position:fixed;inset:0;z-index:2147483647;background:#c00'>over all</div>");
            """,
            "setTimeout(() => document.documentElement.remove(), 50)",
            "setTimeout(() => document.documentElement.style.display = 'none', 50)",
        ]
    )
    func hidesButton(script: String) async throws {
        let scene = try await PageScene.open("<p>here</p><script>\(script)</script>")
        await scene.stage.reveal()
        await scene.stage.setControl(.close, visible: true)
        await scene.reports.first { $0 == .crashed("the page keeps hiding the close button") }
        for _ in 0..<40 where !scene.reports.events.contains(.closeRequested(by: .user)) {
            try? await scene.stage.press(x: 33, y: 33)
        }
        #expect(scene.reports.events.contains(.closeRequested(by: .user)))
        await scene.stage.close(.host)
    }

    @Test("a press on the close button is no tap on the page")
    func ownButton() async throws {
        let scene = try await PageScene.open("<p>here</p>")
        await scene.stage.reveal()
        await scene.stage.setControl(.close, visible: true)
        #expect(await scene.stage.press(.close))
        await scene.reports.first { $0 == .closeRequested(by: .user) }
        await scene.stage.close(.host)
        let taps = scene.reports.events.filter { if case .tap = $0 { true } else { false } }
        #expect(taps.isEmpty)
    }

    @Test("the close button works on a page that disables requestAnimationFrame")
    func undrawn() async throws {
        let scene = try await PageScene.open("<script>requestAnimationFrame = () => 0; Promise = null</script>")
        await scene.stage.reveal()
        await scene.stage.setControl(.close, visible: true)
        for _ in 0..<40 where !scene.reports.events.contains(.closeRequested(by: .user)) {
            try await scene.stage.press(x: 33, y: 33)
        }
        #expect(scene.reports.events.contains(.closeRequested(by: .user)))
        await scene.stage.close(.host)
    }

    @Test("a crashed page is reported and replaced by one with the close button")
    func crash() async throws {
        let scene = try await PageScene.open("<p>here</p>")
        await scene.stage.reveal()
        await scene.stage.setControl(.close, visible: true)
        try await scene.stage.crash()
        await scene.reports.first { if case .crashed = $0 { true } else { false } }
        for _ in 0..<40 where !scene.reports.events.contains(.closeRequested(by: .user)) {
            try? await scene.stage.press(x: 33, y: 33)
        }
        #expect(scene.reports.events.contains(.closeRequested(by: .user)))
        #expect(try await scene.stage.evaluate("document.body.textContent.trim()") == "This page has stopped.")
        await scene.stage.close(.host)
    }

    @Test("a page that hangs is ended, and the close button works")
    func hang() async throws {
        let scene = try await PageScene.open("<script>addEventListener('message', () => { for (;;); })</script>")
        await scene.stage.reveal()
        await scene.stage.setControl(.close, visible: true)
        await scene.stage.post("go")
        await scene.reports.first { if case .crashed = $0 { true } else { false } }
        for _ in 0..<40 where !scene.reports.events.contains(.closeRequested(by: .user)) {
            try? await scene.stage.press(x: 33, y: 33)
        }
        #expect(scene.reports.events.contains(.closeRequested(by: .user)))
        await scene.stage.close(.host)
    }

    @Test("a page that does not load fails the presentation with the reason")
    func missing() async throws {
        let gone = StageError("the page could not be shown: its server responded with status 404")
        await #expect(throws: gone) { _ = try await PageScene.open("", path: "/other%20page", serves: false) }
        let server = PageServer(pages: [:])
        let options = TestBrowser()
        let presenter = try options.presenter(transport: server)
        let address = try #require(HTTPURL("http://127.0.0.1:1/"))
        let page = PageCreative(address, userAgent: "x", bridges: [])
        let container = await presenter.container(for: .engagement)
        let stageOptions = StageOptions(
            ad: AdID("page"),
            kind: .engagement,
            size: CreativeLayout(.adaptive, in: container)
        )
        do throws(StageError) {
            _ = try await presenter.stage(.page(page), stageOptions) { _ in }
            Issue.record("a page without a server was shown")
        } catch {
            #expect(error.message.contains("did not load"))
        }
        await presenter.close()
    }
}
