import AdCore
import CurlTransport
import PlaySupport
import SandboxSSP
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

@Suite("Engagements of smartico")
struct EngagementShowTests {
    private func show(_ words: String...) async -> (code: ExitCode, console: BufferConsole) {
        let console = BufferConsole()
        let code = await YabbiPlay.run(["show", "--provider", "smartico"] + words, console)
        return (code, console)
    }

    @Test("a popup is shown, sends its messages, is clicked and closed")
    func popup() async throws {
        let (code, console) = await self.show("--json", "--do", "click@5ms,click@10ms")
        #expect(code == .done, "\(console.err)")
        let start = [
            "socket", "socket", "initialized", "identified", "loadStarted", "loaded", "simulated", "told", "shown",
        ]
        #expect(Array(console.events.prefix(start.count)) == start)
        let messages = console.json.filter { $0["event"] == "told" }.compactMap { $0["what"]?.string }
        #expect(messages == ["impression", "action"], "each once")
        for name in ["view", "closeAvailable", "closed"] {
            #expect(console.events.count { $0 == name } == 1, "\(name)")
        }
        let verdicts = console.json.filter { $0["event"] == "verdict" }
        #expect(verdicts.count == 2 && verdicts.allSatisfy { $0["fired"] == true })
        #expect(!console.events.contains("beaconRecorded"))
    }

    @Test(
        "each kind of page has its own box, and is reported as simulated",
        arguments: [
            ("popup", "│ [ Fine ]", "sent by the page  action of"),
            ("game", "│ mini-game 3", "sent by the page  spin"),
            ("widget", "│ opened at dp:gf", "game requested  soup-17, from a mission"),
        ]
    )
    func kinds(push: String, box: String, line: String) async {
        let (code, console) = await self.show("--set", "push=\(push)", "--do", "click@5ms")
        #expect(code == .done, "\(console.err)")
        for text in ["page simulated  ", box, line, "identified  as malva-71"] {
            #expect(console.out.contains { $0.contains(text) }, "\(text)")
        }
        #expect(!console.out.contains { $0.contains("hash=") || $0.contains(Sandbox.TestKeys.smarticoLabelKey) })
    }

    @Test("the widget opens at a deep link, and reports the user's properties")
    func widget() async {
        let (code, console) = await self.show("--set", "push=widget", "--set", "deepLink=dp:gf_store")
        #expect(code == .done)
        #expect(console.out.contains { $0.contains("opened at dp:gf_store") })
        #expect(console.out.contains { $0.contains("properties  {\"ach_points_balance\":1250") })
    }

    @Test("one of several pushed ads is shown, and the number of the others is printed")
    func others() async {
        let (code, console) = await self.show("--set", "ext_user_id=u-popup", "--do", "close@50ms")
        #expect(code == .done)
        #expect(console.out.count { $0.contains("  shown  requested") } == 1)
        #expect(console.out.contains { $0.contains("not shown  1 more; use yabbi-play watch") })
    }

    @Test("no records of ads are kept after they are closed, shown or not")
    func forgotten() async throws {
        let console = BufferConsole()
        let show = try ShowCommand(parsing: [
            "--provider", "smartico", "--json", "--set", "ext_user_id=u-popup-game", "--do", "close@50ms",
        ])
        let context = try await show.context(on: console)
        guard case .engagement(let options) = show.run.query else { throw UsageError("no engagement") }
        let plan = try EngagementPlan(options, context)
        _ = try await EngagementShow.run(plan, context, show.script, try CurlTransport.forCommand())
        let ads = Set(console.json.compactMap { $0["ad"]?.string })
        #expect(!ads.isEmpty && ads.allSatisfy { context.printer.records(of: AdID($0)).isEmpty })
    }

    @Test("load prints the ad without showing it, and --repeat counts ads")
    func loaded() async throws {
        let console = BufferConsole()
        let code = await YabbiPlay.run(["load", "--provider", "smartico", "--json", "--repeat", "2"], console)
        #expect(code == .done && console.json.last?["filled"] == 2)
        let (_, text) = await play("load", "--provider", "smartico")
        #expect(text.out.contains { $0.contains("engagement_uid  engagement-") })
        #expect(text.out.contains { $0.contains("creative      page from 127.0.0.1") })
    }

    @Test(
        "a timeout without an ad is no fill, and a refusal is a failed load",
        arguments: [
            (["--set", "push=none", "--timeout", "0.3"], ExitCode.noFill, "no ad was pushed within 0.3 s"),
            (["--set", "label_key=wrong"], .loadFailed, "refused the app with errCode 1: \"label_key\" is unknown"),
            (["--set", "ext_user_id=u-refuseIdentify"], .loadFailed, "refused the user with errCode 1"),
            (["--timeout", "0.5", "--set", "version=one"], .loadFailed, "X.Y.Z"),
            (
                ["--set", "ext_user_id=u-silence", "--timeout", "0.3"], .loadFailed,
                "did not identify the user within 0.3 s"
            ),
            (["--timeout", "0.5", "--set", "ext_user_id=u-dropMidFrame"], .loadFailed, "lost without a Close frame"),
            (["--timeout", "0.5", "--set", "ext_user_id=u-invalidUTF8"], .loadFailed, "not valid UTF-8"),
            (["--timeout", "0.5", "--set", "ext_user_id=u-masked"], .loadFailed, "masked"),
        ]
    )
    func refused(words: [String], code: ExitCode, message: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(["show", "--provider", "smartico"] + words, console) == code)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains(message) }, "\(console.err)")
    }

    @Test(
        "an invalid message is reported, and valid messages beside it are handled",
        arguments: [
            ("wrongOrder", nil), ("flood", nil), ("noPing", nil), ("binary", "message.binary"),
            ("deepJSON", "message.noJSON"), ("brokenJSON", "message.noJSON"), ("twice", nil),
            ("tooLong", "message.tooLong"),
        ] as [(String, String?)]
    )
    func faults(word: String, issue: String?) async {
        let (code, console) = await self.show("--json", "--set", "ext_user_id=u-\(word)")
        #expect(code == .done, "\(console.err)")
        #expect(console.events.count { $0 == "shown" } == 1)
        let codes = console.json.filter { $0["event"] == "issue" }.compactMap { $0["code"]?.string }
        if let issue { #expect(codes == [issue]) }
    }

    @Test("an unreachable server is a failed load with the reason")
    func gone() async throws {
        let sandbox = try Sandbox.start()
        sandbox.stop()
        let (code, console) = await self.show(
            "--endpoint",
            "ws://127.0.0.1:\(sandbox.port)/websocket/services",
            "--set",
            "label_key=l",
            "--set",
            "ext_user_id=u",
            "--timeout",
            "0.5"
        )
        #expect(code == .loadFailed)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains("refused") }, "\(console.err)")
    }

    @Test("the fix for a connection error is printed completely, even after a long reason")
    func fix() async throws {
        // A server without TLS.
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let (code, console) = await self.show(
            "--endpoint",
            "wss://127.0.0.1:\(sandbox.port)/websocket/services",
            "--set",
            "label_key=l",
            "--set",
            "ext_user_id=u",
            "--timeout",
            "0.5"
        )
        #expect(code == .loadFailed)
        let line = try #require(console.out.first { $0.contains("disconnected") })
        #expect(!line.contains("…") && line.contains("certificate"), "\(line)")
    }

    @Test("--endpoint connects to another server, and a page that it does not serve is a failed show")
    func endpoint() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let words = [
            "--endpoint", "ws://127.0.0.1:\(sandbox.port)/websocket/services", "--set",
            "label_key=\(Sandbox.TestKeys.smarticoLabelKey)", "--set", "ext_user_id=u-popup",
        ]
        let console = BufferConsole()
        #expect(await YabbiPlay.run(["show", "--provider", "smartico"] + words, console) == .done, "\(console.err)")
        #expect(sandbox.bill().views == 1)
        let hit = try #require(sandbox.hits().first { $0.path == "/wrapper-popup.html" })
        #expect(hit.headers["user-agent"] == "SMTO-WRAPPER")
        try sandbox.setFaults(["/wrapper-popup.html": [Sandbox.Fault(.status(500))]])
        let second = BufferConsole()
        #expect(await YabbiPlay.run(["show", "--provider", "smartico"] + words, second) == .showFailed)
        let failure = second.out.first { $0.contains("show failed") }
        #expect(failure?.contains("responded with status 500") == true && failure?.contains("hash=***") == true)
    }

    @Test("a dry run prints the URL and the first message without keys, and connects to no server")
    func dryRun() async throws {
        let (code, console) = await self.show("--dry-run", "--json", "--set", "domain=my.app", "--set", "version=1.2.3")
        #expect(code == .done)
        let line = try #require(console.json.first)
        #expect(line["url"]?.string?.hasSuffix("/websocket/services?master&domain=my.app&version=1.2.3") == true)
        let message = try AdJSON(parsing: line["body"]?.string ?? "")
        #expect(message["cid"] == 3 && message["tracker_version"] == "1.2.3" && message["label_key"] == "***")
        #expect(!console.out.contains { $0.contains(Sandbox.TestKeys.smarticoLabelKey) })
    }

    @Test(
        "an invalid combination of engagement options is refused",
        arguments: [
            (["show", "--provider", "smartico", "--clock", "virtual"], "real time"),
            (["watch", "--clock", "virtual"], "real time"),
            (["show", "--provider", "smartico", "--set", "push=popop"], "did you mean popup?"),
            (["show", "--provider", "smartico", "--set", "deepLink=dp:gf"], "push=widget"),
            (["show", "--provider", "smartico", "--set", "label=x"], "unknown name \u{201C}label\u{201D}"),
            (["show", "--provider", "smartico", "--set", "version="], "the value of --set version= is empty"),
            (["watch", "--set", "ext_user_id="], "the value of --set ext_user_id= is empty"),
            (["show", "--provider", "smartico", "--endpoint", "ws:/x"], "ws or wss for smartico"),
            (["show", "--provider", "smartico", "--unit", "u"], "--unit is not for --provider smartico"),
            (["show", "--provider", "smartico", "--format", "banner"], "--format is not for --provider smartico"),
            (["show", "--provider", "smartico", "--endpoint", "http://a.example/"], "ws or wss"),
            (["show", "--provider", "smartico", "--endpoint", "wss://a.example/?x"], "has a query"),
            (
                ["show", "--provider", "smartico", "--endpoint", "wss://a.example/"],
                "--set label_key=… --set ext_user_id"
            ),
            (
                ["show", "--provider", "smartico", "--endpoint", "wss://a.example/", "--set", "push=game"],
                "is for the built-in server"
            ),
            (["show", "--endpoint", "wss://a.example/", "--unit", "u"], "http or https"),
            (["watch", "--provider", "ceedads"], "use --provider smartico"),
            (["watch", "a.html"], "unexpected argument"),
            (["show", "--for", "2"], "of watch"), (["watch", "--for", "0"], "for --for; expected seconds"),
        ]
    )
    func usage(words: [String], hint: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words, console) == .usage)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains(hint) }, "\(console.err)")
    }
}
