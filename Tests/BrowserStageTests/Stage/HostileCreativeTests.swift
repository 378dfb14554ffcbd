import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

/// Creatives that try what is not allowed; the close button must work nevertheless.
@Suite("Hostile creatives", .needsEngine, .timeLimit(.minutes(1)))
struct HostileCreativeTests {
    /// Shows a creative, waits for the blocked attempt, and expects that the close button works.
    private func expectBlocked(
        _ body: String,
        _ kind: BlockedAttempt.Kind?,
        _ part: String = "",
        then: (BrowserStage, Reports) async throws -> Void = { _, _ in }
    ) async throws {
        try await StageHarness.show(body) { stage, reports in
            if let kind {
                let detail = await reports.attempt(kind)
                #expect(detail.contains(part), "\(detail)")
            }
            try await then(stage, reports)
            try await StageHarness.close(stage, reports)
            #expect(reports.clicks.isEmpty)
        }
    }

    @Test(
        "an auto-redirect is blocked and reported",
        arguments: [
            "<script>location = 'https://evil.example/x'</script>",
            "<meta http-equiv=refresh content='0;url=https://evil.example/x'>",
            "<script>setTimeout(() => location.replace('https://evil.example/x'), 50)</script>",
            "<form action='https://evil.example/x'></form><script>document.forms[0].submit()</script>",
        ]
    )
    func redirect(body: String) async throws { try await self.expectBlocked(body, .navigation, "evil.example") }

    @Test("a navigation of the host page is blocked")
    func topRedirect() async throws {
        try await self.expectBlocked(
            "<script>try { top.location = 'https://evil.example/x' } catch {}</script>",
            .navigation
        )
    }

    @Test(
        "windows without a gesture are blocked",
        arguments: [
            "<script>window.open('https://evil.example/x')</script>",
            "<a id=a href='https://evil.example/x' target=_blank>x</a><script>a.click()</script>",
            """
            <a id=a href='https://evil.example/x' target=_blank>x</a>
            <script>a.dispatchEvent(new MouseEvent('click', { bubbles: true }))</script>
            """,
            "<script>Object.assign(document.createElement('a'), { href: 'https://evil.example/x', target: '_blank' }).click()</script>",
            "<form action='https://evil.example/x' target=_blank></form><script>document.forms[0].submit()</script>",
            """
            <svg><a id=a href='https://evil.example/x' target=_blank><rect width=9 height=9 /></a></svg>
            <script>a.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))</script>
            """,
            // Nothing opens with the first link, whose listener cancels the click.
            """
            <script>
            const [none, link] = ["none", "evil"].map((name) =>
              Object.assign(document.createElement("a"), { href: `https://${name}.example/x`, target: "_blank" }));
            none.onclick = (event) => event.preventDefault();
            none.click();
            link.click();
            </script>
            """,
            """
            <iframe srcdoc="<script>window.open('https://evil.example/x')</script>"></iframe>
            """,
        ]
    )
    func windows(body: String) async throws { try await self.expectBlocked(body, .popup, "evil.example") }

    @Test("a forged gesture is ignored")
    func forged() async throws {
        let body = """
            <script>
            for (const name of ["__yabbi", "__yabbi_gesture", "__yabbi_creative"]) {
              try { globalThis[name]('{"k":"gesture","type":"pointerdown"}') } catch {}
              try { globalThis[name]('{"k":"close"}') } catch {}
            }
            window.open("https://evil.example/x");
            </script>
            """
        try await self.expectBlocked(body, .popup, "evil.example")
    }

    @Test(
        "dialogs are blocked",
        arguments: ["alert", "confirm", "prompt", "print"]
    )
    func dialogs(name: String) async throws {
        try await self.expectBlocked("<script>setInterval(() => \(name)('x'), 20)</script>", .dialog)
    }

    @Test("a creative can't cover the close button")
    func cover() async throws {
        let body = """
            <div style="position:fixed;inset:0;z-index:2147483647;background:#c00"
              onclick="location='https://evil.example/jack'"></div>
            """
        try await self.expectBlocked(body, nil)
    }

    @Test("pointer capture and pointer lock don't block the close button")
    func pointer() async throws {
        let body = """
            <div id=d style="position:fixed;inset:0"></div>
            <script>
            d.addEventListener('pointerdown', (e) => { d.setPointerCapture(e.pointerId); d.requestPointerLock?.() });
            document.documentElement.requestFullscreen?.().catch(() => {});
            </script>
            """
        try await self.expectBlocked(body, nil)
    }

    @Test(
        "a creative in an endless loop is reported and can be closed",
        .timeLimit(.minutes(1))
    )
    func loop() async throws {
        try await self.expectBlocked("<script>setTimeout(() => { for (;;) {} }, 200)</script>", nil) { _, reports in
            await reports.first { if case .crashed = $0 { true } else { false } }
        }
    }

    @Test("a creative that never finishes loading can't be shown")
    func endless() async throws {
        await #expect(throws: StageError.self) { _ = try await StageHarness.prepare("<script>for (;;) {}</script>") }
    }

    @Test("requests to this computer and network are blocked")
    func localNetwork() async throws {
        let body = """
            <img src="http://127.0.0.1:1/a"><img src="http://192.168.1.1/b"><script src="http://router.local/c"></script>
            <script>fetch("http://[::1]:9/d").catch(() => {}); new Image().src = "http://localhost:8080/e"</script>
            """
        try await self.expectBlocked(body, .other, "local network") { _, reports in
            for part in ["127.0.0.1", "192.168.1.1", "router.local", "[::1]", "localhost"] {
                await reports.first {
                    if case .blocked(let attempt) = $0 { attempt.detail.contains(part) } else { false }
                }
            }
        }
    }

    @Test(
        "storage, cookies and other frames are not accessible",
        arguments: [
            "localStorage.length", "sessionStorage.length", "document.cookie", "parent.document.title",
            "top.location.href",
            "indexedDB.open('x')", "caches.keys()", "navigator.serviceWorker.register('/sw.js')",
            "navigator.clipboard.readText()", "navigator.geolocation.getCurrentPosition(() => {})",
        ]
    )
    func storage(expression: String) async throws {
        // The page opens /refused if the expression throws or rejects, and /found-it otherwise.
        let body = """
            <script>
            (async () => {
              try { await (\(expression)); window.open("https://evil.example/found-it") } catch { window.open("https://evil.example/refused") }
            })();
            </script>
            """
        let isAsynchronous = expression.contains("geolocation")
        try await self.expectBlocked(body, .popup, isAsynchronous ? "evil.example" : "refused")
    }

    @Test(
        "downloads without a gesture are blocked",
        arguments: [
            "<a id=a download='evil.txt' href='data:text/plain,evil'>x</a><script>a.click()</script>",
            """
            <script>
            const link = document.createElement("a");
            Object.assign(link, { download: "evil.txt", href: "data:text/plain,evil" }).click();
            </script>
            """,
        ]
    )
    func download(body: String) async throws { try await self.expectBlocked(body, .download, "data:text/plain") }

    @Test("a download that a user clicks is blocked")
    func downloadClick() async throws {
        let link = "<a style='position:fixed;inset:0' download='evil.txt' href='data:text/plain,evil'>x</a>"
        try await StageHarness.show(link) { stage, reports in
            try await stage.press(x: 150, y: 400)
            #expect(await reports.attempt(.download).contains("data:text/plain"))
            #expect(reports.clicks.isEmpty)
        }
    }

    @Test("a crash is reported, and the ad can be closed")
    func crash() async throws {
        try await StageHarness.show("<p>hello</p>") { stage, reports in
            try await stage.crash()
            await reports.first { if case .crashed = $0 { true } else { false } }
            try await StageHarness.close(stage, reports)
        }
    }

    @Test(
        "local files and WebRTC are blocked and reported",
        arguments: [
            ("<script>fetch('file:///etc/passwd').catch(() => {})</script>", "file:///etc/passwd"),
            ("<script>new Image().src = 'file:///etc/hosts'</script>", "file:///etc/hosts"),
            ("<script>new (window.RTCPeerConnection ?? Object)</script>", "RTCPeerConnection: not available"),
        ]
    )
    func refused(body: String, part: String) async throws { try await self.expectBlocked(body, .other, part) }

    @Test("speculation rules are blocked and reported", .differs(.noSpeculationRules))
    func ahead() async throws {
        let body = """
            <script type=speculationrules>
            { "prefetch": [{ "urls": ["https://ahead.example/"], "eagerness": "immediate" }] }
            </script>
            """
        try await self.expectBlocked(body, .other, "speculation rules, which load pages ahead")
    }

    @Test("a creative with hundreds of frames is shown with the allowed number")
    func frames() async throws {
        let body = """
            <script>
            for (let i = 0; i < 200; i++) {
              const frame = document.createElement("iframe");
              frame.srcdoc = "<script>window.open('https://evil.example/" + i + "')</scr" + "ipt>";
              document.body.append(frame);
            }
            </script>
            """
        try await self.expectBlocked(body, .popup, "evil.example")
    }

    @Test("floods of console messages and windows don't block the close button")
    func flood() async throws {
        let body = """
            <script>
            setTimeout(() => {
              console.log("x".repeat(5_000_000));
              for (let i = 0; i < 500; i++) console.log("y".repeat(100));
              for (let i = 0; i < 500; i++) window.open("https://evil.example/" + "z".repeat(10_000) + i);
            }, 0);
            </script>
            """
        try await self.expectBlocked(body, .popup, "evil.example")
    }

    @Test("one tap opens only one link")
    func oneTap() async throws {
        let body = """
            <div style="position:fixed;inset:0" onclick="
              for (let i = 0; i < 5; i++) window.open('https://many.example/' + i);
              location = 'https://many.example/self'"></div>
            """
        try await StageHarness.show(body) { stage, reports in
            try await stage.press(x: 150, y: 400)
            #expect(await reports.click()?.text == "https://many.example/0")
            await reports.first {
                if case .blocked(let attempt) = $0 { attempt.detail.contains("many.example/self") } else { false }
            }
            #expect(reports.clicks.count == 1)
        }
    }

    @Test("a creative that replaces the host page in a user's press ends the ad and is reported")
    func replaced() async throws {
        let body = "<div style='height:100vh' onclick=\"top.location = 'about:blank'\">press</div>"
        try await StageHarness.show(body) { stage, reports in
            try await stage.press(x: 195, y: 400)
            // Such a page is loaded without a request that could be held.
            #expect(await reports.attempt(.other) == "the host page navigated away")
            await reports.first { $0 == .gone }
        }
    }

    @Test(
        "a creative that replaces itself with another page is reported and ended",
        arguments: [
            "'data:text/html,<h1>other</h1>'", "'about:blank'",
            "URL.createObjectURL(new Blob(['<h1>other</h1>'], { type: 'text/html' }))",
        ]
    )
    func selfReplaced(address: String) async throws {
        let body = "<h1>sold</h1><script>setTimeout(() => location = \(address), 300)</script>"
        try await StageHarness.show(body) { stage, reports in
            #expect(await !reports.attempt(.navigation).isEmpty)
            await reports.first {
                $0 == .crashed("the creative replaced itself with another page", cause: .replacement)
            }
            try await StageHarness.close(stage, reports)
        }
    }

    @Test("sound without a gesture is blocked until the user's first press")
    func noise() async throws {
        let body = """
            <div id=d style="height:100vh">touch me</div>
            <script>
            const rate = 8000, samples = new Int16Array(rate).map((_, i) => 9000 * Math.sin(i / 3));
            const head = new DataView(new ArrayBuffer(44));
            const text = (at, word) => [...word].forEach((c, i) => head.setUint8(at + i, c.charCodeAt(0)));
            text(0, "RIFF"); head.setUint32(4, 36 + samples.byteLength, true); text(8, "WAVEfmt ");
            head.setUint32(16, 16, true); head.setUint16(20, 1, true); head.setUint16(22, 1, true);
            head.setUint32(24, rate, true); head.setUint32(28, rate * 2, true); head.setUint16(32, 2, true);
            head.setUint16(34, 16, true); text(36, "data"); head.setUint32(40, samples.byteLength, true);
            const sound = new Audio(URL.createObjectURL(new Blob([head, samples], { type: "audio/wav" })));
            sound.loop = true;
            let heard = sound.play().then(() => "heard", (error) => error.name);
            d.addEventListener("pointerup", () => { heard = sound.play().then(() => "heard", (error) => error.name); });
            const context = new AudioContext();
            </script>
            """
        try await StageHarness.show(body) { stage, reports in
            #expect(try await stage.evaluate(inCreative: "heard") == "NotAllowedError")
            #expect(try await stage.evaluate(inCreative: "context.state") == "suspended")
            try await stage.press(x: 195, y: 400)
            try await stage.waitUntilDrawn()
            #expect(try await stage.evaluate(inCreative: "heard") == "heard")
        }
    }

    @Test("a press on the close button is no click on the creative below it")
    func notThrough() async throws {
        let body = "<a href='https://evil.example/x' style='position:fixed;inset:0'>x</a>"
        try await StageHarness.show(body) { stage, reports in
            try await StageHarness.close(stage, reports)
            #expect(reports.clicks.isEmpty && reports.blocked.isEmpty)
        }
    }
}
