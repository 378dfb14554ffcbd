import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("The stage of an MRAID ad", .needsBrowser, .timeLimit(.minutes(1)))
struct MRAIDStageTests {
    private static let cover = """
        <div style="position:fixed;inset:0;z-index:2147483647;background:#c00" onclick="location='https://evil.example/'"></div>
        """

    @Test(
        "what has made itself large is made small by our button, whatever it draws over it",
        arguments: [
            "mraid.useCustomClose(true); mraid.expand()",
            "mraid.setResizeProperties({ width: 320, height: 250, offsetX: 0, offsetY: 0 }); mraid.resize()",
        ]
    )
    func collapse(script: String) async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness + Self.cover) { stage, reports in
            await stage.setControl(.close, visible: true)
            _ = try await stage.ask(script + "; hear('stateChange', (state) => state !== 'default')")
            #expect(await stage.place(of: .close) == nil)
            let place = try #require(await stage.placeToCollapse())
            let size = try await stage.evaluate(
                "(() => { const { width, height } = collapse.getBoundingClientRect(); return [width, height]; })()"
            )
            #expect(size == [50, 50] && place.y >= 25 && place.x <= 390 - 25)
            try await stage.collapse()
            _ = try await stage.hear("stateChange", fits: "(state) => state === 'default'")
            #expect(await stage.placeToCollapse() == nil)
            #expect(!reports.events.contains(.closeRequested(by: .user)) && reports.clicks.isEmpty)
            try await stage.closeByButton(reports)
        }
    }

    @Test("one that crashes while it is large leaves the way to its end open")
    func crash() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.ask("mraid.expand(); hear('stateChange', (state) => state === 'expanded')")
            try await stage.crash()
            await reports.first { if case .crashed = $0 { true } else { false } }
            try await stage.closeByButton(reports)
        }
    }

    @Test("a resized ad moves with the app that is scrolled")
    func scrolled() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            _ = try await stage.hear("ready")
            _ = try await stage.ask(
                """
                mraid.setResizeProperties({ width: 320, height: 250, offsetX: 0, offsetY: 0 });
                mraid.resize();
                hear("stateChange", (state) => state === "resized")
                """
            )
            try await stage.scroll(by: 125)
            let half = try await stage.hear("exposureChange", fits: "(percent) => percent === 50")
            #expect(half == [50, ["x": 0, "y": 125, "width": 320, "height": 125], .null])
            try await stage.untilDrawn()
            #expect(try await stage.ask("mraid.getCurrentPosition().y") == -125)
        }
    }

    @Test("one that is drawn smaller than it was made has points of its own, wherever it is")
    func scaled() async throws {
        let size = RequestedSize.fixed(Size(width: 780, height: 100))
        try await MRAIDHarness.show(MRAIDHarness.harness, size: size) { stage, _ in
            let whole = try await stage.hear("exposureChange", fits: "(percent) => percent > 0")
            #expect(whole == [100, ["x": 0, "y": 0, "width": 780, "height": 100], .null])
            #expect(
                try await stage.ask("mraid.getDefaultPosition()") == ["x": 0, "y": 114, "width": 780, "height": 100]
            )
            _ = try await stage.ask(
                """
                mraid.setResizeProperties({ width: 780, height: 500, offsetX: 0, offsetY: 10 });
                mraid.resize();
                hear("stateChange", (state) => state === "resized")
                """
            )
            #expect(try await stage.ask("[innerWidth, innerHeight]") == [780, 500])
            let box =
                "(() => { const { y, width, height } = slot.getBoundingClientRect(); return [y, width, height]; })()"
            #expect(try await stage.evaluate(box) == [62, 390, 250])
            _ = try await stage.ask("mraid.expand(); hear('stateChange', (state) => state === 'expanded')")
            #expect(try await stage.ask("[innerWidth, innerHeight]") == [780, 1_688])
            #expect(try await stage.evaluate(box) == [0, 390, 844])
        }
    }

    @Test("a banner leaves its place empty while it is large")
    func place() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            let rest = "document.querySelector('main').getBoundingClientRect().top"
            let before = try await stage.evaluate(rest)
            _ = try await stage.ask("mraid.expand(); hear('stateChange', (state) => state === 'expanded')")
            #expect(try await stage.evaluate(rest) == before)
        }
    }

    @Test("one that writes itself anew keeps its host")
    func rewritten() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, _ in
            _ = try await stage.hear("ready")
            _ = try await stage.ask("document.open(), document.write('<p>new</p>'), document.close()")
            _ = try await stage.ask("mraid.expand(), 0")
            #expect(try await stage.hear("stateChange", fits: "(state) => state === 'expanded'") == ["expanded"])
            #expect(try await stage.ask("[document.body.textContent, innerWidth]") == ["new", 390])
        }
    }

    @Test("an ad that does not speak of it sees nothing of it")
    func absent() async throws {
        try await MRAIDHarness.show("<p>hello</p>") { stage, _ in
            let seen = try await stage.ask(
                "Object.getOwnPropertyNames(window).filter((name) => /yabbi|raid/i.test(name)).length"
            )
            #expect(seen == 0)
        }
    }

    @Test("one that asks for the script of its host later gets it then")
    func late() async throws {
        // Written so that its markup does not name it.
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
            let state = try await stage.ask("state")
            #expect(state == "default")
            #expect(try await stage.ask("before") == "undefined")
            #expect(try await stage.ask("window[name].getVersion() + window.MRAID_ENV.version") == "3.03.0")
            let asked = MRAIDHarness.requests.filter { $0.url == "https://cdn.example/sdk/mraid.js?v=2" }
            guard case .answered(200, "text/javascript", _) = asked.first?.outcome, asked.count == 1 else {
                Issue.record("\(asked)")
                return
            }
        }
    }

    @Test("a frame in it has no host, and can't speak for it")
    func frames() async throws {
        let body = """
            <iframe id=inner srcdoc="<script>
              const found = typeof mraid + typeof __yabbi_mraid;
              try { __yabbi_mraid('{&quot;n&quot;:1,&quot;c&quot;:&quot;close&quot;}') } catch {}
              parent.postMessage(found, '*');
            </script><script src='mraid.js'></script>"></iframe>
            <script>
            const found = new Promise((go) => addEventListener("message", (event) => go(event.data)));
            // A frame without a document of its own may have been given the way to us before it was cut off.
            const bare = document.createElement("iframe");
            document.documentElement.append(bare);
            try { bare.contentWindow.__yabbi_mraid('{"n":1,"c":"close"}') } catch {}
            </script>
            """
        try await MRAIDHarness.show(MRAIDHarness.harness + body) { stage, reports in
            #expect(try await stage.ask("found") == "undefinedundefined")
            _ = try await stage.ask("settled()")
            #expect(!reports.events.contains(.closeRequested(by: .creative)))
            #expect(try await stage.ask("mraid.getState()") == "default")
        }
    }

    @Test("one that changes its world, or listens badly, changes nothing in what its host does")
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
            let done = try await stage.ask("done")
            #expect(done == "default expanded")
            #expect(try await stage.ask("resize") == 100)
            #expect(!reports.events.contains(.closeRequested(by: .creative)))
        }
    }

    @Test("one that floods its host has a reply for each of its words, and our buttons work")
    func flood() async throws {
        try await MRAIDHarness.show(MRAIDHarness.harness) { stage, reports in
            _ = try await stage.hear("ready")
            let script = """
                (async () => {
                  let errors = 0;
                  mraid.removeEventListener("error");
                  const all = new Promise((go) => mraid.addEventListener("error", () => { if (++errors === 5000) go(errors); }));
                  for (let i = 0; i < 5000; i++) mraid.storePicture("https://x.example/" + "y".repeat(1000));
                  return all;
                })()
                """
            #expect(try await stage.ask(script) == 5_000)
            try await stage.closeByButton(reports)
        }
    }
}
