import AdCore
import BrowserSupport
import SystemSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

/// Servers of pages on this machine, which are none: what they answer stands here.
private struct PageServer: Transport {
    let pages: [String: String]
    let asked = Locked<[AdHTTPRequest]>([])

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        self.asked.withLock { $0.append(request) }
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
    /// Its browser ends with it.
    private let presenter: ChromiumPresenter

    private init(_ stage: BrowserStage, _ reports: Reports, _ server: PageServer, _ presenter: ChromiumPresenter) {
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
        var options = ChromiumOptions()
        options.network = .closed
        options.path = browser
        let address = try #require(HTTPURL(self.origin + path + "?hash=secret"))
        let presenter = try ChromiumPresenter(options, allowedHosts: [address], transport: server)
        let page = PageCreative(address, userAgent: "SMTO-WRAPPER", bridges: ["SmarticoBridge", "ReactNativeWebView"])
        let container = await presenter.container(for: .engagement)
        let terms = StageOptions(ad: AdID("page"), kind: .engagement, size: CreativeLayout(.adaptive, in: container))
        let reports = Reports()
        let stage = try await presenter.stage(.page(page), terms) { reports.note($0) }
        return PageScene(stage, reports, server, presenter)
    }

    var messages: [String] {
        self.reports.events.compactMap { if case .message(let text) = $0 { text } else { nil } }
    }

    /// What is open besides the page.
    func windows() async throws -> [AdJSON] {
        let targets = try await self.stage.browser.call(DevToolsCommand("Target.getTargets"))["targetInfos"]?.array
        return (targets ?? []).filter { $0["type"] == "page" && $0["openerId"]?.string != nil }
    }

    func message(_ text: String) async {
        await self.reports.first { $0 == .message(text) }
    }
}

@Suite("A provider's page in a browser", .needsBrowser, .timeLimit(.minutes(1)))
struct PageStageTests {
    @Test("it has its own origin, its storage, and the user agent from its first request on")
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
        let first = scene.server.asked.withLock { $0[0] }
        #expect(first.headers["User-Agent"] == "SMTO-WRAPPER" && first.url.target == "/page?hash=secret")
        await scene.stage.close(.host)
    }

    @Test("the bridge works in both directions, and what the page is told is never code")
    func bridge() async throws {
        let scene = try await PageScene.open(
            """
            <script>
            addEventListener("message", (event) => ReactNativeWebView.postMessage("heard " + event.data));
            addEventListener("load", () => { SmarticoBridge.postMessage("one"); SmarticoBridge.postMessage("two"); });
            </script>
            """
        )
        await scene.message("two")
        let nasty = "'); SmarticoBridge.postMessage('broken out'); (' \u{2028}</script>`${1}`"
        await scene.stage.post(nasty)
        await scene.message("heard " + nasty)
        #expect(scene.messages == ["one", "two", "heard " + nasty])
        await scene.stage.close(.host)
    }

    @Test("it is out of sight until it is revealed, and whole then")
    func reveal() async throws {
        let scene = try await PageScene.open("<p style='visibility:visible !important'>Here</p>")
        let look = "getComputedStyle(document.documentElement).visibility"
        #expect(try await scene.stage.evaluate(look) == "hidden")
        #expect(scene.reports.events == [.ready])
        await scene.stage.reveal()
        await scene.reports.first { $0 == .visible(ratio: 1) }
        try await scene.stage.untilDrawn()
        #expect(try await scene.stage.evaluate(look) == "visible")
        #expect(scene.reports.events == [.ready, .revealed, .visible(ratio: 1)])
        await scene.stage.close(.host)
    }

    @Test("two are there at once, and neither knows of the other")
    func two() async throws {
        let first = try await PageScene.open("<script>localStorage.x = 1; SmarticoBridge.postMessage('first')</script>")
        let second = try await PageScene.open(
            "<script>SmarticoBridge.postMessage('x' in localStorage ? 'knows' : 'second')</script>"
        )
        await first.message("first")
        await second.message("second")
        await first.stage.close(.host)
        await second.stage.post("still there")
        #expect(try await second.stage.evaluate("1 + 1") == 2)
        await second.stage.close(.host)
    }

    @Test("a frame in it can't speak as if it were the page")
    func frames() async throws {
        let speak =
            "for (const w of [window, parent]) try { (w.SmarticoBridge ?? w).postMessage('forged', '*') } catch {}"
        let scene = try await PageScene.open(
            """
            <iframe sandbox="allow-scripts" srcdoc="<script>\(speak); try { __yabbi_bridge('forged') } catch {}</script>"></iframe>
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

    @Test("a press in a frame that came with the page is heard of, and nobody presses again")
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
        try await scene.stage.untilDrawn()
        let place = try #require(await scene.stage.placeToClick())
        try await scene.stage.click(place)
        await scene.message("pressed")
        try await scene.stage.untilDrawn()
        #expect(scene.messages == ["there", "pressed"])
        #expect((scene.stage.machine.gestures ?? 0) > 0)
        await scene.stage.close(.host)
    }

    @Test("it goes where it likes on its own server, and to the app with a user's gesture elsewhere")
    func ways() async throws {
        let scene = try await PageScene.open(
            "<script>setTimeout(() => location = '/next', 0)</script>",
            [
                "/next":
                    "<a style='display:block;height:100vh' href='https://else.example/go'>go</a><script>SmarticoBridge.postMessage('next')</script>"
            ]
        )
        await scene.message("next")
        await scene.stage.reveal()
        try await scene.stage.untilDrawn()
        _ = try await scene.stage.evaluate("location.href = 'https://else.example/alone', 0")
        #expect(await scene.reports.attempt(.navigation).contains("https://else.example/alone"))
        try await scene.stage.press(x: 195, y: 400)
        #expect(await scene.reports.click()?.text == "https://else.example/go")
        #expect(try await scene.stage.evaluate("location.pathname") == "/next")
        await scene.stage.close(.host)
    }

    @Test(
        "no window of it opens, whatever it asks for: a user's press leads to the app, and without one nothing does",
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
        #expect(scene.server.asked.withLock { $0.map(\.url.target) } == ["/page?hash=secret"])
        await scene.stage.close(.host)
    }

    @Test(
        "a browser that can open windows leaves none open, and the press leads to the app",
        .enabled(if: Self.full != nil, "this needs chromium, the one with windows"),
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
            // It takes its time to close what was open already.
            for _ in 0..<50 {
                if try await scene.windows().isEmpty { break }
                try await scene.stage.untilDrawn()
            }
            #expect(try await scene.windows().isEmpty)
        }
        #expect(scene.reports.clicks == [address, address])
        await scene.stage.close(.host)
    }

    private static let full = try? ChromiumBinary.find(named: nil, withWindows: true).path

    @Test("our button is above it, also after it has gone elsewhere on its server, covered it, or taken it away")
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
        "one that keeps our button from the user, whatever we do, is put away, and a page of ours has the button",
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
    func keptAway(script: String) async throws {
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

    @Test("a press on our close button is no tap on the page")
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

    @Test("one that lets nothing be drawn in its own world is pressed all the same")
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

    @Test("one that crashes is told, and leaves a page of ours with the button")
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

    @Test("one that never answers again is put away, and our button works")
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

    @Test("one that is not there fails the show, and says why")
    func missing() async throws {
        let gone = StageError("the page could not be shown: its server answered with status 404")
        await #expect(throws: gone) { _ = try await PageScene.open("", path: "/other%20page", serves: false) }
        let server = PageServer(pages: [:])
        var options = ChromiumOptions()
        options.network = .closed
        let presenter = try ChromiumPresenter(options, transport: server)
        let address = try #require(HTTPURL("http://127.0.0.1:1/"))
        let page = PageCreative(address, userAgent: "x", bridges: [])
        let container = await presenter.container(for: .engagement)
        let terms = StageOptions(ad: AdID("page"), kind: .engagement, size: CreativeLayout(.adaptive, in: container))
        do throws(StageError) {
            _ = try await presenter.stage(.page(page), terms) { _ in }
            Issue.record("a page was shown that nobody serves")
        } catch {
            #expect(error.message.contains("did not load"))
        }
        await presenter.close()
    }
}
