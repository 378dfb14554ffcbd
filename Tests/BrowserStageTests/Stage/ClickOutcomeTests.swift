import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("Outcomes of a tap on a creative in a browser", .needsEngine, .timeLimit(.minutes(2)))
struct ClickOutcomeTests {
    /// An element over the whole creative.
    private static let all = "position:fixed;inset:0;display:block;width:100%;height:100%;margin:0;border:0"

    @Test(
        "each kind of link is reported as one click with its URL and position",
        arguments: [
            ("<a href='http://shop.example/' style='ALL'>x</a>", "http://shop.example/"),
            ("<a href='http://shop.example/' target=_blank style='ALL'>x</a>", "http://shop.example/"),
            ("<a href='https://shop.example/a' style='ALL'>x</a>", "https://shop.example/a"),
            (
                "<script>var clickTag='https://tag.example/'</script><a href='javascript:window.open(window.clickTag)' style='ALL'>x</a>",
                "https://tag.example/"
            ),
            (
                "<a href='javascript:void(0)' onclick=\"window.open('https://void.example/');return false\" style='ALL'>x</a>",
                "https://void.example/"
            ),
            ("<a href='#' onclick=\"window.open('https://hash.example/')\" style='ALL'>x</a>", "https://hash.example/"),
            ("<p onclick=\"window.open('http://open.example/')\" style='ALL'>x</p>", "http://open.example/"),
            ("<p onclick=\"location='http://location.example/'\" style='ALL'>x</p>", "http://location.example/"),
            ("<p onclick=\"location.href='https://location.example/'\" style='ALL'>x</p>", "https://location.example/"),
            (
                "<p onclick=\"setTimeout(() => window.open('https://late.example/'), 300)\" style='ALL'>x</p>",
                "https://late.example/"
            ),
            (
                "<form action='http://form.example/f'><input type=hidden name=a value='b c'><button style='ALL'>x</button></form>",
                "http://form.example/f?a=b+c"
            ),
            (
                "<form action='https://form.example/f' target=_blank><input type=hidden name=a value=b><button style='ALL'>x</button></form>",
                "https://form.example/f?a=b"
            ),
            (
                "<svg style='ALL' viewBox='0 0 9 9'><a href='http://svg.example/'><rect width=9 height=9 /></a></svg>",
                "http://svg.example/"
            ),
            (
                "<svg style='ALL' viewBox='0 0 9 9'><a xlink:href='https://svg.example/'><rect width=9 height=9 /></a></svg>",
                "https://svg.example/"
            ),
            (
                "<map name=m><area shape=default href='https://area.example/'></map><img usemap='#m' style='ALL' src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='>",
                "https://area.example/"
            ),
            (
                "<iframe style='ALL' srcdoc=\"<a href='https://inner.example/' style='position:fixed;inset:0'>x</a>\"></iframe>",
                "https://inner.example/"
            ),
            (
                "<iframe style='ALL' srcdoc=\"<iframe style='ALL' srcdoc=&quot;<p style='position:fixed;inset:0;margin:0' onclick=window.open('https://deep.example/')>x</p>&quot;></iframe>\"></iframe>",
                "https://deep.example/"
            ),
            (
                "<script>addEventListener('DOMContentLoaded', () => document.body.addEventListener('click', () => window.open('https://body.example/')))</script><p style='ALL'>x</p>",
                "https://body.example/"
            ),
            (
                "<p id=t style='ALL'>x</p><script>t.addEventListener('touchstart', () => window.open('https://touch.example/'))</script>",
                "https://touch.example/"
            ),
            (
                "<iframe style='ALL' srcdoc=\"<p id=t style='position:fixed;inset:0;margin:0'>x</p><script>t.addEventListener('touchend', () => window.open('https://inner.example/touch'))</script>\"></iframe>",
                "https://inner.example/touch"
            ),
            (
                "<p id=h style='ALL'></p><script>const tree = h.attachShadow({ mode: 'closed' }); tree.innerHTML = '<b id=t style=position:fixed;inset:0>x</b>'; tree.getElementById('t').addEventListener('touchend', () => window.open('https://shadow.example/'))</script>",
                "https://shadow.example/"
            ),
            (
                "<p onclick=\"setTimeout(() => window.open('https://timer.example/'), 1500)\" style='ALL'>x</p>",
                "https://timer.example/"
            ),
            (
                "<p id=t style='ALL'>x</p><script>t.addEventListener('touchend', (e) => { e.preventDefault(); window.open('https://end.example/') })</script>",
                "https://end.example/"
            ),
            (
                "<p id=t style='ALL'>x</p><script>t.addEventListener('pointerup', () => window.open('https://pointer.example/'))</script>",
                "https://pointer.example/"
            ),
            (
                "<script src=mraid.js></script><p onclick=\"mraid.open('https://mraid.example/')\" style='ALL'>x</p>",
                "https://mraid.example/"
            ),
            (
                "<p onclick=\"let w = window.open('about:blank'); setTimeout(() => w.location = 'https://later.example/', 50)\" style='ALL'>x</p>",
                "https://later.example/"
            ),
        ]
    )
    func click(body: String, link: String) async throws {
        try await StageHarness.show(body.replacing("ALL", with: Self.all)) { stage, reports in
            try await stage.click(try #require(await stage.clickPosition()))
            #expect(await reports.click()?.text == link)
            let clicks = reports.events.compactMap { event -> TapPoint? in
                if case .click(_, byUser: true, let place) = event { place } else { nil }
            }
            #expect(clicks.count == 1 && clicks.allSatisfy { $0.x == 195 && $0.y == 422 }, "\(reports.events)")
            #expect(clicks.first?.target != nil)
            #expect(reports.taps.isEmpty && reports.blocked.isEmpty, "\(reports.events)")
        }
    }

    @Test("a scroll that starts on an ad opens nothing and expands nothing", .differs(.noPointerEvents))
    func scroll() async throws {
        let body = """
            <script src=mraid.js></script><div id=t style="width:320px;height:250px;background:#9c9"></div>
            <script>
            t.addEventListener("touchstart", () => window.open("https://start.example/"), { passive: true });
            t.addEventListener("pointercancel", () => {
              mraid.expand();
              setTimeout(() => window.open("https://scroll.example/"), 100);
            });
            </script>
            """
        try await StageHarness.show(body, .banner, size: .fixed(Size(width: 320, height: 250))) { stage, reports in
            try await stage.waitUntilDrawn()
            _ = try await stage.engine.query(.touchStart(x: 195, y: 240, in: stage.page))
            for step in 1...10 {
                _ = try await stage.engine.query(.touchMove(x: 195, y: Double(240 - 15 * step), in: stage.page))
            }
            _ = try await stage.engine.query(.touchEnd(stage.page))
            for text in ["https://start.example/", "mraid.expand()", "https://scroll.example/"] {
                await reports.first { event in
                    if case .blocked(let attempt) = event { attempt.detail.hasPrefix(text) } else { false }
                }
            }
            #expect(reports.clicks.isEmpty && stage.machine.isLarge == false, "\(reports.events)")
        }
    }

    @Test("a URL that mraid.open refuses later is the tap's outcome, and the ad gets an error event")
    func lateOpen() async throws {
        let body = """
            <script src=mraid.js></script>
            <p onclick="setTimeout(() => mraid.open('shop'), 700)" style="\(Self.all)">x</p>
            <script>mraid.addEventListener("error", (message, action) => console.error("error event", action))</script>
            """
        try await StageHarness.show(body) { stage, reports in
            try await stage.click(try #require(await stage.clickPosition()))
            await reports.first { $0.isScriptError("console.error: error event open") }
            await stage.prepareToClose()
            guard case .tap(.nothing(let reason), _)? = reports.taps.first else {
                Issue.record("\(reports.events)")
                return
            }
            #expect(reason.contains("\"shop\" is relative") && reports.taps.count == 1 && reports.blocked.isEmpty)
        }
    }

    @Test("an unknown MRAID event is reported with its name")
    func unknownEvent() async throws {
        let body = "<script src=MRAID.JS></script><script>mraid.addEventListener('exposureChanged', () => {})</script>"
        let message = "mraid.addEventListener: unknown event \"exposureChanged\"; the events are ready, error"
        try await StageHarness.show(body) { _, reports in _ = await reports.first { $0.isScriptError(message) } }
    }

    @Test("mixed content is reported once for each request, with the reason")
    func mixed() async throws {
        let body = """
            <script src="http://cdn.example/x.js"></script><link rel=stylesheet href="http://cdn.example/s.css">
            <iframe src="http://cdn.example/f.html"></iframe>
            <script>
            fetch("http://cdn.example/fetch").catch(() => {});
            navigator.sendBeacon("http://cdn.example/beacon", "x");
            </script>
            """
        try await StageHarness.show(body) { _, reports in
            for name in ["x.js", "s.css", "f.html", "fetch", "beacon"] {
                let failed = FailedRequest(url: "http://cdn.example/\(name)", reason: "mixed content: use https://")
                await reports.first { $0 == .diagnostic(.requestFailed(failed)) }
            }
        }
    }

    @Test("a key on a link is a click at the center of the link")
    func key() async throws {
        try await StageHarness.show("<a id=buy autofocus href='https://key.example/' style='\(Self.all)'>x</a>") {
            stage,
            reports in
            _ = try await stage.evaluate(inCreative: "document.getElementById('buy').focus()")
            if EngineDifference.noScriptedFocus.isHere {
                let tab = EngineKey(isDown: true, key: "Tab", code: "Tab", text: "\t", modifiers: 0)
                _ = try await stage.engine.query(.key(tab, in: try #require(stage.machine.creative)))
            }
            let enter = EngineKey(isDown: true, key: "Enter", code: "Enter", text: "\r", modifiers: 0)
            let creative = try #require(stage.machine.creative)
            _ = try await stage.engine.query(.key(enter, in: creative))
            #expect(await reports.click()?.text == "https://key.example/")
            let place = TapPoint(x: 195, y: 422, target: "a#buy")
            #expect(reports.events.contains(.click(ClickThroughURL("https://key.example/"), byUser: true, at: place)))
        }
    }

    @Test(
        "a tap that opens nothing is reported with the reason, not as a click",
        arguments: [
            ("<p style='ALL'>x</p>", "there is no link and no handler"),
            ("<a href='' style='ALL'>x</a>", "the link has no URL"),
            ("<a href='#top' style='ALL'>x</a>", "a place in the creative itself"),
            ("<a href='/shop' style='ALL'>x</a>", "\"shop\" is relative"),
            ("<a href='shop.example/x' target=_blank style='ALL'>x</a>", "write https://shop.example/x"),
            ("<a href='${CLICK_URL}https://x.example' style='ALL'>x</a>", "the macro ${CLICK_URL} in front"),
            (
                "<a href='%%CLICK_URL_UNESC%%https://x.example' target=_top style='ALL'>x</a>",
                "the macro %%CLICK_URL_UNESC%% in front"
            ),
            ("<a href='##CLICK##https://x.example' style='ALL'>x</a>", "the macro ##CLICK## in front"),
            (
                "<p onclick=\"window.open('{{CLICK}}https://x.example')\" style='ALL'>x</p>",
                "the macro {{CLICK}} in front"
            ),
            ("<p onclick=\"location='[CLICK]https://x.example'\" style='ALL'>x</p>", "the macro [CLICK] in front"),
            ("<p onclick=\"window.open('')\" style='ALL'>x</p>", "the link has no URL"),
            ("<p onclick=\"window.open('about:blank')\" style='ALL'>x</p>", "an empty page"),
            ("<a href='javascript:void(0)' style='ALL'>x</a>", "javascript: code opened nothing"),
            ("<p onclick=\"missing()\" style='ALL'>x</p>", "Uncaught ReferenceError: "),
            ("<p onclick=\"broken(\" style='ALL'>x</p>", "SyntaxError: "),
            (
                "<script src=mraid.js></script><p onclick=\"mraid.open('shop.example/x')\" style='ALL'>x</p>",
                "write https://shop.example/x"
            ),
            ("<script src=mraid.js></script><p onclick=\"mraid.resize()\" style='ALL'>x</p>", "mraid.resize: "),
        ]
    )
    func nothing(body: String, message: String) async throws {
        try await StageHarness.show(body.replacing("ALL", with: Self.all)) { stage, reports in
            try await stage.click(try #require(await stage.clickPosition()))
            await stage.prepareToClose()
            guard case .tap(.nothing(let reason), let place)? = reports.taps.first else {
                Issue.record("\(reports.events)")
                return
            }
            #expect(reason.contains(message), "\(reason)")
            #expect(place?.x == 195 && place?.y == 422)
            #expect(reports.taps.count == 1 && reports.clicks.isEmpty && reports.blocked.isEmpty, "\(reports.events)")
        }
    }

    @Test(
        "a tap that the creative handles itself is reported with the effect",
        arguments: [
            ("<p onclick=\"this.textContent='pressed'\" style='ALL'>x</p>", "changed what it shows"),
            ("<details open><summary style='ALL'>x</summary>y</details>", "operates summary"),
            (
                "<p id=t style='ALL'>x</p><script>t.addEventListener('touchstart', (e) => e.preventDefault(), { passive: false })</script>",
                "took the tap"
            ),
        ]
    )
    func creative(body: String, effect: String) async throws {
        try await StageHarness.show(body.replacing("ALL", with: Self.all)) { stage, reports in
            try await stage.click(try #require(await stage.clickPosition()))
            await stage.prepareToClose()
            guard case .tap(.creative(let reported), _)? = reports.taps.first else {
                Issue.record("\(reports.events)")
                return
            }
            #expect(reported.contains(effect) && reports.taps.count == 1 && reports.clicks.isEmpty)
        }
    }

    @Test("mraid.expand in a tap is the tap's outcome")
    func expand() async throws {
        let body = "<script src=mraid.js></script><p onclick='mraid.expand()' style='\(Self.all)'>x</p>"
        try await StageHarness.show(body, .banner, size: .fixed(Size(width: 320, height: 50))) { stage, reports in
            try await stage.click(try #require(await stage.clickPosition()))
            await stage.prepareToClose()
            #expect(reports.taps == [.tap(.creative("mraid.expand"), at: TapPoint(x: 160, y: 25, target: "p"))])
        }
    }

    @Test(
        "a tap whose handler never returns is reported before the creative is ended",
        arguments: ["pointerdown", "touchstart", "click"]
    )
    func hangs(type: String) async throws {
        let body =
            "<p id=t style='\(Self.all)'>x</p><script>t.addEventListener('\(type)', () => { for (;;); })</script>"
        try await StageHarness.show(body) { stage, reports in
            try await stage.click(ScreenPoint(x: 195, y: 422))
            let reason = "the creative's script does not answer"
            guard case .tap(.nothing(reason), let place)? = reports.taps.first else {
                Issue.record("\(reports.events)")
                return
            }
            #expect(place?.x == 195 && reports.taps.count == 1)
            #expect(!reports.events.contains { if case .crashed = $0 { true } else { false } })
        }
    }

    @Test(
        "exceptions, rejections, console.error, syntax errors and failed requests are reported with their position"
    )
    func failures() async throws {
        let body = """
            <script>throw new Error("boom")</script>
            <script>
            Promise.reject(new Error("rejected"));
              console.error("nope", 3);
            </script>
            <script>function go( {</script>
            <img src="https://cdn.example/a.png"><img src="b.png">
            <script src=mraid.js></script><script>mraid.addEventListener("ready", () => mraid.resize())</script>
            """
        try await StageHarness.show(body) { _, reports in
            func diagnostic(_ wanted: CreativeDiagnostic) async { await reports.first { $0 == .diagnostic(wanted) } }
            let columns: (Int?, Int, Int) = EngineDifference.otherColumns.isHere ? (nil, 25, 16) : (59, 16, 11)
            await diagnostic(.scriptError(ScriptError("Uncaught Error: boom", line: 1, column: columns.0)))
            let rejected = "Uncaught (in promise) Error: rejected"
            await diagnostic(.scriptError(ScriptError(rejected, line: 3, column: columns.1)))
            await diagnostic(.scriptError(ScriptError("console.error: nope 3", line: 4, column: columns.2)))
            await reports.first {
                if case .diagnostic(.scriptError(let error)) = $0 {
                    error.message.contains("SyntaxError") && error.line == 6
                } else {
                    false
                }
            }
            await reports.first {
                if case .diagnostic(.requestFailed(let request)) = $0 {
                    request.url == "https://cdn.example/a.png"
                } else {
                    false
                }
            }
            await reports.first {
                if case .diagnostic(.requestFailed(let request)) = $0 { request.url == "b.png" } else { false }
            }
            await reports.first {
                if case .diagnostic(.scriptError(let error)) = $0 {
                    error.message.hasPrefix("mraid.resize: ")
                } else {
                    false
                }
            }
        }
    }
}

extension StageEvent {
    /// Whether it is a script error whose message starts like this.
    fileprivate func isScriptError(_ prefix: String) -> Bool {
        if case .diagnostic(.scriptError(let error)) = self { error.message.hasPrefix(prefix) } else { false }
    }
}
