import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("An MRAID ad on a stage", .needsEngine, .timeLimit(.minutes(1)))
struct MRAIDStageTests {
    private static let cover = """
        <div style="position:fixed;inset:0;z-index:2147483647;background:#c00" onclick="location='https://evil.example/'"></div>
        """

    @Test(
        "the collapse button collapses a large ad, whatever the ad draws over it",
        arguments: [
            "mraid.useCustomClose(true); mraid.expand()",
            "mraid.setResizeProperties({ width: 320, height: 250, offsetX: 0, offsetY: 0 }); mraid.resize()",
        ]
    )
    func collapse(script: String) async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness + Self.cover) { stage, reports in
            await stage.setControl(.close, visible: true)
            _ = try await stage.run(script + "; nextEvent('stateChange', (state) => state !== 'default')")
            #expect(await stage.position(of: .close) == nil)
            let place = try #require(await stage.placeToCollapse())
            let size = try await stage.evaluate(
                "(() => { const { width, height } = collapse.getBoundingClientRect(); return [width, height]; })()"
            )
            #expect(size == [50, 50] && place.y >= 25 && place.x <= 390 - 25)
            try await stage.collapse()
            _ = try await stage.nextEvent("stateChange", fits: "(state) => state === 'default'")
            #expect(await stage.placeToCollapse() == nil)
            #expect(!reports.events.contains(.closeRequested(by: .user)) && reports.clicks.isEmpty)
            try await stage.closeByButton(reports)
        }
    }

    @Test("an ad that crashes while it is expanded can be closed", .differs(.oneProcess))
    func crash() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.run("mraid.expand(); nextEvent('stateChange', (state) => state === 'expanded')")
            try await stage.crash()
            await reports.first { if case .crashed = $0 { true } else { false } }
            try await stage.closeByButton(reports)
        }
    }

    @Test("a resized ad moves when the app scrolls")
    func scrolled() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run(
                """
                mraid.setResizeProperties({ width: 320, height: 250, offsetX: 0, offsetY: 0 });
                mraid.resize();
                nextEvent("stateChange", (state) => state === "resized")
                """
            )
            try await stage.scroll(by: 125)
            let half = try await stage.nextEvent("exposureChange", fits: "(percent) => percent === 50")
            #expect(half == [50, ["x": 0, "y": 125, "width": 320, "height": 125], .null])
            try await stage.waitUntilDrawn()
            #expect(try await stage.run("mraid.getCurrentPosition().y") == -125)
        }
    }

    @Test("a scaled ad has its own points in every state")
    func scaled() async throws {
        let size = RequestedSize.fixed(Size(width: 780, height: 100))
        try await MRAIDHarness.show(MRAIDHarness.harness, size: size) { stage, _ in
            let whole = try await stage.nextEvent("exposureChange", fits: "(percent) => percent > 0")
            #expect(whole == [100, ["x": 0, "y": 0, "width": 780, "height": 100], .null])
            #expect(
                try await stage.run("mraid.getDefaultPosition()") == ["x": 0, "y": 114, "width": 780, "height": 100]
            )
            _ = try await stage.run(
                """
                mraid.setResizeProperties({ width: 780, height: 500, offsetX: 0, offsetY: 10 });
                mraid.resize();
                nextEvent("stateChange", (state) => state === "resized")
                """
            )
            #expect(try await stage.run("[innerWidth, innerHeight]") == [780, 500])
            let box =
                "(() => { const { y, width, height } = slot.getBoundingClientRect(); return [y, width, height]; })()"
            #expect(try await stage.evaluate(box) == [62, 390, 250])
            _ = try await stage.run("mraid.expand(); nextEvent('stateChange', (state) => state === 'expanded')")
            #expect(try await stage.run("[innerWidth, innerHeight]") == [780, 1_688])
            #expect(try await stage.evaluate(box) == [0, 390, 844])
        }
    }

    @Test("the default position of an expanded banner stays empty")
    func place() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let rest = "document.querySelector('main').getBoundingClientRect().top"
            let before = try await stage.evaluate(rest)
            _ = try await stage.run("mraid.expand(); nextEvent('stateChange', (state) => state === 'expanded')")
            #expect(try await stage.evaluate(rest) == before)
        }
    }

    @Test("an ad that rewrites its document keeps mraid")
    func rewritten() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            _ = try await stage.nextEvent("ready")
            _ = try await stage.run("document.open(), document.write('<p>new</p>'), document.close()")
            _ = try await stage.run("mraid.expand(), 0")
            #expect(try await stage.nextEvent("stateChange", fits: "(state) => state === 'expanded'") == ["expanded"])
            #expect(try await stage.run("[document.body.textContent, innerWidth]") == ["new", 390])
        }
    }

    @Test("an ad without mraid in its markup has no mraid object")
    func absent() async throws {
        try await MRAIDHarness.show("<p>hello</p>") { stage, _ in
            let seen = try await stage.run(
                "Object.getOwnPropertyNames(window).filter((name) => /yabbi|raid/i.test(name)).length"
            )
            #expect(seen == 0)
        }
    }

    @Test("an ad that requests mraid.js later gets the object then")
    func late() async throws {
        // The markup does not contain the name.
        let body = """
            <script>
            const name = "mr" + "aid";
            const before = typeof window[name];
            const script = document.createElement("script");
            script.src = "https://cdn.example/sdk/" + name + ".js?v=2";
            const state = new Promise((go) => {
              script.onload = () => {
                const host = window[name];
                if (host.getState() === "default") go("default");
                host.addEventListener("ready", () => go(host.getState()));
              };
            });
            document.head.append(script);
            </script>
            """
        try await MRAIDHarness.show(body) { stage, _ in
            let state = try await stage.run("state")
            #expect(state == "default")
            #expect(try await stage.run("before") == "undefined")
            #expect(try await stage.run("window[name].getVersion() + window.MRAID_ENV.version") == "3.03.0")
            let requests = MRAIDHarness.requests.filter { $0.url == "https://cdn.example/sdk/mraid.js?v=2" }
            guard case .answered(200, "text/javascript", _) = requests.first?.outcome, requests.count == 1 else {
                Issue.record("\(requests)")
                return
            }
        }
    }

    @Test("a nested frame has no mraid and can't send commands")
    func frames() async throws {
        let body = """
            <iframe id=inner srcdoc="<script>
              const found = typeof mraid + typeof __yabbi_mraid;
              try { __yabbi_mraid('{&quot;n&quot;:1,&quot;c&quot;:&quot;close&quot;}') } catch {}
              parent.postMessage(found, '*');
            </script><script src='mraid.js'></script>"></iframe>
            <script>
            const found = new Promise((go) => addEventListener("message", (event) => go(event.data)));
            // An empty frame may have got the channel before it was isolated.
            const bare = document.createElement("iframe");
            document.documentElement.append(bare);
            try { bare.contentWindow.__yabbi_mraid('{"n":1,"c":"close"}') } catch {}
            </script>
            """
        try await MRAIDHarness.show(MRAIDHarness.harness + body) { stage, reports in
            #expect(try await stage.run("found") == "undefinedundefined")
            _ = try await stage.run("settled()")
            #expect(!reports.events.contains(.closeRequested(by: .creative)))
            #expect(try await stage.run("mraid.getState()") == "default")
        }
    }

    @Test("an ad with replaced built-in functions and throwing listeners does not affect its host")
    func broken() async throws {
        let body = """
            <script>
            const bad = () => { throw new Error("mine"); };
            for (const name of ["error", "stateChange", "ready", "sizeChange"]) {
              mraid.removeEventListener(name);
              mraid.addEventListener(name, bad);
            }
            const seen = [];
            mraid.addEventListener("stateChange", (state) => { seen[seen.length] = state; });
            const done = new Promise((go) => mraid.addEventListener("stateChange", (state) => {
              if (state === "expanded") go(seen[0] + " " + seen[1]);
            }));
            JSON.stringify = JSON.parse = Reflect.apply = Object.defineProperty = Object.setPrototypeOf = bad;
            Function.prototype.call = Function.prototype.apply = Function.prototype.bind = bad;
            Array.prototype[Symbol.iterator] = Array.prototype.push = Array.prototype.slice = bad;
            String.prototype.slice = Object.prototype.hasOwnProperty = bad;
            Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = bad;
            Object.defineProperties = bad;
            Object.prototype.n = 99; Object.prototype.c = "close"; Object.prototype.url = "javascript:0"; Object.prototype.reply = 1;
            window.setTimeout = window.reportError = window.URL = window.String = bad;
            EventTarget.prototype.addEventListener = bad;
            mraid.setResizeProperties({ width: 320, height: 100, offsetX: 0, offsetY: 0 });
            const resize = mraid.getResizeProperties().height;
            mraid.addEventListener("ready", () => mraid.expand());
            </script>
            """
        try await MRAIDHarness.show(MRAIDHarness.harness + body) { stage, reports in
            let done = try await stage.run("done")
            #expect(done == "default expanded")
            #expect(try await stage.run("resize") == 100)
            #expect(!reports.events.contains(.closeRequested(by: .creative)))
        }
    }

    @Test("each command of a flood has a reply, and the close button works")
    func flood() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.nextEvent("ready")
            let script = """
                (async () => {
                  let errors = 0;
                  mraid.removeEventListener("error");
                  const all = new Promise((go) => mraid.addEventListener("error", () => { if (++errors === 5000) go(errors); }));
                  for (let i = 0; i < 5000; i++) mraid.storePicture("https://x.example/" + "y".repeat(1000));
                  return all;
                })()
                """
            #expect(try await stage.run(script) == 5_000)
            try await stage.closeByButton(reports)
        }
    }
}
