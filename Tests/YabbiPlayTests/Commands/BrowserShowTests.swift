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
    @Test("an ad is seen, clicked and closed in a browser, and there is a picture of it")
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
        "a click is done before the user goes on, however fast, also while pictures are made",
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

    @Test("a creative that leads elsewhere by itself is stopped, told of, and not counted as clicked")
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

    @Test("a creative that makes itself large again and again is closed by the user's press, and the command ends")
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
        #expect(time - shown < 3_000, "the press came a second after the show, and closed the ad within another")
    }

    @Test("a creative that stays blank ends with 5 and says what failed; --allow-blank accepts it")
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

    @Test("a creative that is out of sight is viewed when the app is scrolled back to it, and not before")
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
        // The close time-out is two seconds of what could be seen.
        #expect(try time("closeAvailable") - time("shown") >= 3_000)
        #expect(console.events.contains("closed"))
    }

    @Test("an ad that speaks MRAID finds its host, and what a user opens with it is a click")
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

    @Test("where no picture can be written nothing is shown, and that is said", arguments: [[], ["--json"]])
    func unwritable(more: [String]) async {
        let words = ["show", "--unit", "banner-320x50", "--screenshot", "/no/such/folder/ad.png"]
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words + more, console) == .usage)
        #expect(console.err.count == 1 && console.err[0].contains("/no/such/folder/ad.png can't be written"))
        #expect(console.out.isEmpty)
    }

    @Test("a picture that could not be written whole is told by the end of the command")
    func lost() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        // A link: what is done to a device by mistake is done to the link alone.
        let full = folder.path + "/full"
        try #require(symlink("/dev/full", full) == 0)
        let (code, console) = await play("show", "--unit", "banner-320x50", "--screenshot", full)
        #expect(code == .usage)
        #expect(console.err.count == 1 && console.err[0].contains("there is no picture: "), "\(console.err)")
        #expect(console.out.contains { $0.contains("closed") }, "the ad is shown all the same")
    }
}

@Suite("What a browser is asked for on the command line")
struct BrowserArgumentTests {
    @Test("ads are told the version that the command has")
    func version() { #expect(MRAIDBridge.sdkVersion == CommandVersion.number) }

    @Test(
        "what can't be is told with what to write instead",
        arguments: [
            (["--stage", "terminal", "--screenshot", "a.png"], "write --stage chromium"),
            (["--no-sandbox"], "write --stage chromium"),
            (["--scale", "2"], "write --stage chromium"),
            (["--stage", "chromium", "--scale", "9"], "a number from 1 to 4"),
            (["--stage", "none", "--headful"], "write --stage chromium"),
            (["--screenshot", "a.png", "--clock", "virtual"], "a browser lives in real time"),
            (["--screenshot", "a.png", "--repeat", "3"], "leave out --repeat"),
            (["--stage", "chromum"], "did you mean chromium?"),
        ]
    )
    func usage(words: [String], says: String) async {
        let console = BufferConsole()
        let code = await YabbiPlay.run(["show", "--unit", "banner-320x50"] + words, console)
        #expect(code == .usage)
        #expect(console.err.count == 1 && console.err[0].contains(says), "\(console.err)")
    }

    @Test("a popup is preloaded, told of by its page, clicked and closed, at its real address")
    func popup() async throws {
        let words = ["show", "--provider", "smartico", "--stage", "chromium", "--json", "--do", "click@300ms,close@1s"]
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words, console) == .done, "\(console.err)")
        let told = console.json.filter { $0["event"] == "told" }.compactMap { $0["what"]?.string }
        #expect(told == ["impression", "action"])
        for name in ["shown", "view", "closed"] { #expect(console.events.count { $0 == name } == 1, "\(name)") }
        #expect(!console.events.contains("simulated"), "all of it ran")
    }

    @Test("a widget says what it has to say, and a game of it is wanted with a click")
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

    @Test("a creative neither reads the books of the server that it comes from nor changes them")
    func books() async throws {
        let markup = """
            <p style="height:90px">hello</p>
            <script>
            const ask = async (path, options) => {
              try { return (await fetch("${SANDBOX}/sandbox/" + path, options)).status; } catch { return "failed"; }
            };
            const post = (body) => ({ method: "POST", body });
            (async () => {
              const faults = await ask("faults", post('{"/t/": [{"kind": "status", "status": 503}]}'));
              const push = await ask("push", post('{"user": "u", "kind": "popup"}'));
              const told = [await ask("hits"), await ask("bill"), faults, push, await ask("reset", post(""))];
              navigator.sendBeacon("${SANDBOX}/sandbox/reset");
              document.body.insertAdjacentHTML("beforeend", `
                <iframe name=f></iframe><form target=f method=post action="${SANDBOX}/sandbox/reset"></form>`);
              document.forms[0].submit();
              new Image().src = "${SANDBOX}/t/told?" + told;
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
        #expect(hits.first?.path == "/yabbi/load", "nothing was forgotten")
        #expect(hits.first { $0.path == "/t/told" }?.query == "403,403,403,403,403", "\(hits.map(\.path))")
    }

    @Test("a creative reaches no other server on this machine, by whatever means")
    func neighbours() async throws {
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
