import AdCore
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

@Suite("Watch")
struct WatchTests {
    @Test("shows pushed ads, two at once, and ends after --for")
    func together() async throws {
        let (code, console) = await play(
            "watch",
            "--json",
            "--for",
            "1",
            "--set",
            "push=none",
            "--set",
            "ext_user_id=u-popup-game",
            "--do",
            "close@300ms"
        )
        #expect(code == .done && console.err.isEmpty)
        let events = console.events.filter { $0 == "shown" || $0 == "closed" }
        #expect(events == ["shown", "shown", "closed", "closed"])
        #expect(console.events.count { $0 == "identified" } == 1)
    }

    @Test("a deep link opens the widget while its popup is on screen")
    func widget() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        async let watched = play(
            "watch",
            "--json",
            "--for",
            "1.5",
            "--endpoint",
            "ws://127.0.0.1:\(sandbox.port)/websocket/services",
            "--set",
            "label_key=\(Sandbox.TestKeys.smarticoLabelKey)",
            "--set",
            "ext_user_id=u-1",
            "--do",
            "click@100ms,close@400ms"
        )
        let html: AdJSON = "<p>Hi</p><b data-dp='dp:gf_levels'>Go</b>"
        let message: AdJSON = ["cid": 110, "engagement_uid": "e-1", "template_html": html]
        while sandbox.push(.raw(message), to: "u-1") == 0 { await Task.yield() }
        let (code, console) = await watched
        #expect(code == .done, "\(console.err)")
        let events = console.events.filter { $0 == "shown" || $0 == "closed" }
        #expect(events == ["shown", "shown", "closed", "closed"])
        #expect(console.events.contains("gameOpening"), "the script runs for each ad")
        #expect(sandbox.bill().views == 1 && sandbox.bill().clicks == 1)
    }

    @Test("a lost connection is reported, and reconnected")
    func again() async {
        let (code, console) = await play("watch", "--for", "2.5", "--set", "ext_user_id=u-dropMidFrame")
        #expect(code == .done)
        #expect(console.out.count { $0.contains("disconnected") && $0.contains("reconnects in ") } > 1)
        #expect(console.out.count { $0.contains("connecting  ws://") } > 1)
    }

    @Test("a flood of issues is printed a few times", arguments: [false, true])
    func flood(isJSON: Bool) async {
        let half = "\(Duration.timeout(1) / .seconds(2))"
        let words = ["watch", "--for", half, "--set", "push=none", "--set", "ext_user_id=u-flood"]
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words + (isJSON ? ["--json"] : []), console) == .done)
        let count = console.out.count { $0.contains("push.flood") }
        #expect(isJSON ? count > Printer.maxRepeatedIssues : count == Printer.maxRepeatedIssues)
    }

    @Test("each line names its ad")
    func tags() async throws {
        let (_, console) = await play(
            "watch",
            "--for",
            "0.5",
            "--set",
            "push=none",
            "--set",
            "ext_user_id=u-popup-game",
            "--do",
            "close@50ms"
        )
        let shown = console.out.filter { $0.contains("shown  requested") }
        let tags = Set(
            shown.compactMap { line in line.firstRange(of: "[").map { String(line[$0.lowerBound...].prefix(6)) } }
        )
        #expect(tags.count == 2 && tags.allSatisfy { $0.hasSuffix("]") })
        for tag in tags { #expect(console.out.contains { $0.contains("\(tag) ") && $0.contains("closed") }) }
    }

    @Test("a signal ends it with exit code 0", .enabled(if: ChildCommand.path != nil, "the command was not built"))
    func signal() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let child = try #require(ChildCommand(["watch", "--json", "--set", "push=none"], in: folder))
        let deadline = ContinuousClock.now + .seconds(20)
        while !ChildCommand.lines(child.output).contains(where: { $0["event"] == "identified" }) {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
        child.terminate()
        #expect(child.wait() == 0)
    }

    @Test(
        "on a terminal it shows the connection, gives keys to the ad, and ends with q",
        .enabled(if: PseudoTerminal() != nil, "this system has no pseudo-terminals")
    )
    func live() async throws {
        let terminal = try #require(PseudoTerminal())
        async let code = YabbiPlay.run(["watch"], terminal.console(noColor: "1"))
        #expect(await terminal.shows("user malva-71"))
        #expect(await terminal.shows("1 shown, 1 open   c click · x close · space cover · q quit"))
        #expect(!terminal.echoes)
        terminal.type("c")
        #expect(await terminal.shows("sent by the page  action"))
        terminal.type("q")
        #expect(await code == .done)
        #expect(terminal.echoes, "the terminal is restored")
    }
}
