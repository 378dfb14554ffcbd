import AdCore
import BrowserSupport
import LibC
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import ChromiumStage
@testable import PlayConsole
@testable import WebStage
@testable import YabbiPlay

@Suite("Shows in a browser", .needsBrowser, .timeLimit(.minutes(2)))
struct BrowserShowTests {
    @Test("an ad is viewed, clicked and closed in a browser, and a screenshot is saved")
    func whole() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let (code, console) = await play(
            "show",
            "--unit",
            "banner-320x50",
            "--json",
            "--do",
            "click@0ms",
            "--screenshot",
            folder.path + "/ad.png"
        )
        #expect(code == .done && console.err.isEmpty)
        let events = console.events
        for name in ["shown", "view", "click", "linkOpened", "closed"] {
            #expect(events.count { $0 == name } == 1, "\(name)")
        }
        #expect(events.count { $0 == "beaconDelivered" } == 2)
        #expect(folder.bytes("ad.png").starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(folder.names == ["ad.png"])
    }

    @Test(
        "a click is finished before the next step, at high speed and while pictures are taken",
        arguments: [["--provider", "ceedads"], ["--unit", "banner-320x50"]]
    )
    func hurried(source: [String]) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let words = ["--stage", "chromium", "--report", folder.path, "--speed", "8", "--do", "click@1s", "--json"]
        let console = BufferConsole()
        let code = await YabbiPlay.run(["show"] + source + words, console)
        #expect(code == .done)
        let shown = console.events.count { $0 == "shown" }
        #expect(shown > 0 && console.events.count { $0 == "click" } == shown, "\(console.events)")
    }

    @Test("an auto-redirect is blocked, reported, and not counted as a click")
    func redirect() async {
        let (code, console) = await play(
            "show",
            "--unit",
            "redirect-by-itself",
            "--stage",
            "chromium",
            "--json",
            "--do",
            "close@3s"
        )
        #expect(code == .done)
        let blocked = console.json.filter { $0["event"] == "blocked" }
        #expect(!blocked.isEmpty)
        #expect(!console.events.contains("click") && console.events.contains("view"))
    }

    @Test("a creative that expands repeatedly is closed by the user's press, and the command ends")
    func unclosable() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let markup = """
            <p>Sale</p><script src="mraid.js"></script><script>
            const grow = () => setInterval(() => mraid.expand(), 50);
            mraid.getState() == "loading" ? mraid.addEventListener("ready", grow) : grow();
            </script>
            """
        let path = try #require(folder.write(markup, "grow.html"))
        let words = ["--stage", "chromium", "--json", "--do", "click@500ms,close@1s"]
        let (code, console) = await play(["show", path] + words)
        #expect(code == .done, "\(console.err)")
        let closed = try #require(console.json.first { $0["event"] == "closed" })
        let time = try #require(closed["t"]?.number)
        let shown = try #require(console.json.first { $0["event"] == "shown" }?["t"]?.number)
        #expect(time - shown < 3_000, "the press came one second after the show, and closed the ad within another one")
    }

    @Test("a blank creative ends with exit code 5 and lists its errors, unless --allow-blank is set")
    func blank() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let markup = "<div id=ad></div><script>document.getElementById('at').textContent = 'Sale'</script>"
        let path = try #require(folder.write(markup, "blank.html"))
        let (code, console) = await play("show", path, "--stage", "chromium", "--json")
        #expect(code == .showFailed)
        #expect(console.events.count { $0 == "blank" } == 1)
        #expect(console.err.contains { $0.contains("stayed blank") && $0.contains("--allow-blank") })
        let (accepted, again) = await play(
            "show",
            path,
            "--stage",
            "chromium",
            "--json",
            "--allow-blank",
            "--do",
            "close@2s"
        )
        #expect(accepted == .done)
        let names = again.events.filter { $0 == "blank" || $0 == "closed" }
        #expect(names == ["blank", "closed"])
    }

    @Test("a creative scrolled out of view is viewed only after it is scrolled back")
    func scrolled() async throws {
        let (_, console) = await play(
            "show",
            "--unit",
            "banner-300x250",
            "--stage",
            "chromium",
            "--json",
            "--do",
            "scroll 400@0ms,scroll 0@1s"
        )
        func time(_ event: String) throws -> Double {
            try #require(console.json.first { $0["event"]?.string == event }?["t"]?.number)
        }
        #expect(try time("view") - time("shown") >= 1_000)
        // The close delay is two seconds in view.
        #expect(try time("closeAvailable") - time("shown") >= 3_000)
        #expect(console.events.contains("closed"))
    }

    @Test("an MRAID ad finds its host, and a link that the user opens is a click")
    func mraid() async throws {
        let (code, console) = await play(
            "show",
            "--unit",
            "mraid",
            "--stage",
            "chromium",
            "--json",
            "--do",
            "rotate@100ms,click@500ms"
        )
        #expect(code == .done)
        for name in ["shown", "view", "click", "linkOpened", "closed"] {
            #expect(console.events.count { $0 == name } == 1, "\(name)")
        }
        #expect(!console.events.contains("blocked"))
    }

    @Test("if the screenshot can't be written, no ad is shown", arguments: [[], ["--json"]])
    func unwritable(more: [String]) async {
        let words = ["show", "--unit", "banner-320x50", "--screenshot", "/no/such/folder/ad.png"]
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words + more, console) == .usage)
        #expect(console.err.count == 1 && console.err[0].contains("/no/such/folder/ad.png can't be written"))
        #expect(console.out.isEmpty)
    }

    @Test("a screenshot that was not completely written is an error at the end")
    func lost() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        // A link protects the device: a mistake would replace the link only.
        let full = folder.path + "/full"
        try #require(symlink("/dev/full", full) == 0)
        let (code, console) = await play("show", "--unit", "banner-320x50", "--screenshot", full)
        #expect(code == .usage)
        #expect(console.err.count == 1 && console.err[0].contains("the screenshot failed: "), "\(console.err)")
        #expect(console.out.contains { $0.contains("closed") }, "the ad is shown anyway")
    }
}

@Suite("Browser options of the command line")
struct BrowserArgumentTests {
    @Test("the MRAID environment has the version of the command")
    func version() { #expect(MRAIDBridge.sdkVersion == CommandVersion.number) }

    @Test(
        "an invalid combination is refused with what to write instead",
        arguments: [
            (["--stage", "terminal", "--screenshot", "a.png"], "add --stage chromium"),
            (["--no-sandbox"], "add --stage chromium"),
            (["--scale", "2"], "add --stage chromium"),
            (["--stage", "chromium", "--scale", "9"], "a number from 1 to 4"),
            (["--stage", "none", "--headful"], "add --stage chromium"),
            (["--screenshot", "a.png", "--clock", "virtual"], "a browser needs real time"),
            (["--screenshot", "a.png", "--repeat", "3"], "can't be combined with --repeat"),
            (["--stage", "chromum"], "did you mean chromium?"),
        ]
    )
    func usage(words: [String], hint: String) async {
        let console = BufferConsole()
        let code = await YabbiPlay.run(["show", "--unit", "banner-320x50"] + words, console)
        #expect(code == .usage)
        #expect(console.err.count == 1 && console.err[0].contains(hint), "\(console.err)")
    }

    @Test("a popup is preloaded at its real address, sends its messages, is clicked and closed")
    func popup() async throws {
        let words = ["show", "--provider", "smartico", "--stage", "chromium", "--json", "--do", "click@300ms,close@1s"]
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words, console) == .done, "\(console.err)")
        let messages = console.json.filter { $0["event"] == "told" }.compactMap { $0["what"]?.string }
        #expect(messages == ["impression", "action"])
        for name in ["shown", "view", "closed"] { #expect(console.events.count { $0 == name } == 1, "\(name)") }
        #expect(!console.events.contains("simulated"), "the page ran in the browser")
    }

    @Test("the messages of a widget are printed, and a click in it requests a game")
    func widget() async throws {
        let console = BufferConsole()
        let words = [
            "show", "--provider", "smartico", "--set", "push=widget", "--stage", "chromium", "--do",
            "click@300ms,close@1s",
        ]
        #expect(await YabbiPlay.run(words, console) == .done, "\(console.err)")
        #expect(console.out.contains { $0.contains("properties  {\"ach_points_balance\":1250") })
        #expect(console.out.contains { $0.contains("game requested  soup-17, from a mission") })
    }

    @Test("a creative can neither read nor change the sandbox's records")
    func records() async throws {
        let markup = """
            <p style="height:90px">hello</p>
            <script>
            const call = async (path, options) => {
              try { return (await fetch("${SANDBOX}/sandbox/" + path, options)).status; } catch { return "failed"; }
            };
            const post = (body) => ({ method: "POST", body });
            (async () => {
              const faults = await call("faults", post('{"/t/": [{"kind": "status", "status": 503}]}'));
              const push = await call("push", post('{"user": "u", "kind": "popup"}'));
              const results = [await call("hits"), await call("bill"), faults, push, await call("reset", post(""))];
              navigator.sendBeacon("${SANDBOX}/sandbox/reset");
              document.body.insertAdjacentHTML("beforeend", `
                <iframe name=f></iframe><form target=f method=post action="${SANDBOX}/sandbox/reset"></form>`);
              document.forms[0].submit();
              new Image().src = "${SANDBOX}/t/results?" + results;
            })();
            </script>
            """
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try CreativeCatalogue([
            CreativeEntry(name: "hostile", markup: markup, width: 300, height: 250)
        ])
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        let load = try #require(sandbox.url("/yabbi/load")).text
        let (code, console) = await play(
            "show",
            "--endpoint",
            load,
            "--unit",
            "hostile",
            "--stage",
            "chromium",
            "--do",
            "close@1500ms"
        )
        #expect(code == .done, "\(console.err)")
        let hits = sandbox.hits()
        #expect(hits.first?.path == "/yabbi/load", "the hits were not reset")
        #expect(hits.first { $0.path == "/t/results" }?.query == "403,403,403,403,403", "\(hits.map(\.path))")
    }

    @Test("a creative reaches no other server on loopback, by any API")
    func otherServers() async throws {
        let other = try Sandbox.start(Sandbox.Configuration())
        defer { other.stop() }
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let (base, socket) = ("http://127.0.0.1:\(other.port)", "ws://127.0.0.1:\(other.port)")
        let markup = """
            <link rel=preconnect href="\(base)"><link rel=prefetch href="\(base)/prefetch">
            <link rel=stylesheet href="\(base)/style"><iframe src="\(base)/frame"></iframe>
            <script type=speculationrules>{"prefetch": [{"source": "list", "urls": ["\(base)/speculation"]}]}</script>
            <script>
            const attempt = (body) => { try { body(); } catch {} };
            attempt(() => new WebSocket("\(socket)/socket"));
            attempt(() => new WebSocket("ws://localhost:\(other.port)/name"));
            attempt(() => new EventSource("\(base)/events"));
            attempt(() => navigator.sendBeacon("\(base)/beacon"));
            attempt(() => new WebTransport("https://127.0.0.1:\(other.port)/transport"));
            attempt(() => new Worker(URL.createObjectURL(new Blob(["new WebSocket('\(socket)/worker')"]))));
            </script>
            <p style="height:90px">hello</p>
            """
        let path = try #require(folder.write(markup, "near.html"))
        let (code, console) = await play("show", path, "--stage", "chromium", "--json", "--do", "close@1500ms")
        #expect(code == .done && console.events.contains("blocked"))
        #expect(other.hits().isEmpty, "\(other.hits().map(\.path))")
    }
}
