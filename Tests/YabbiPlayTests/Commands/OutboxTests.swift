import AdCore
import AdRuntime
import PlaySupport
import SQLiteLedger
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayInspect
@testable import YabbiPlay

@Suite("The outbox")
struct OutboxTests {
    /// A ledger in a temporary folder, and a server for its beacons.
    private final class Scene {
        let folder: TemporaryFolder
        let sandbox: Sandbox
        var file: String { self.folder.path + "/beacons.sqlite" }

        init() throws {
            self.folder = try #require(TemporaryFolder())
            self.sandbox = try Sandbox.start()
        }

        deinit {
            self.sandbox.stop()
            self.folder.remove()
        }

        /// Records a beacon for each path, in this order.
        func record(_ paths: [String], headers: AdHTTPHeaders = [:], body: String? = nil) async throws {
            let ledger = SQLiteLedger(file: self.file)
            let beacons = try paths.enumerated().map { index, path in
                let url = try #require(self.sandbox.url(path))
                let method: AdHTTPRequest.Method = body == nil ? .get : .post
                let bytes = body.map { Array($0.utf8) }
                let call = BeaconCall(method, TrackingURL(url), headers: headers, body: bytes, isBilling: index == 0)
                return Beacon(BeaconKey(ad: AdID("ad"), event: .view, index: index), call, of: "test")
            }
            _ = try await ledger.record(beacons, at: SystemClock().wallTime)
            await ledger.close()
        }

        func outbox(_ words: String...) async -> (code: ExitCode, console: BufferConsole) {
            let console = BufferConsole()
            let code = await YabbiPlay.run(["outbox"] + words + ["--ledger", self.file], console)
            return (code, console)
        }
    }

    @Test("list prints each beacon with its state and next attempt, without secrets")
    func list() async throws {
        let scene = try Scene()
        let headers: AdHTTPHeaders = ["Authorization": "Bearer hidden"]
        try await scene.record(["/t/view?token=hidden&unit=u"], headers: headers, body: #"{"user": "hidden"}"#)
        let (code, console) = await scene.outbox("list", "--json")
        #expect(code == .done)
        let line = try #require(console.json.first)
        let names = [
            "key", "ad", "event", "provider", "method", "url", "billing", "state", "attempts", "recorded", "nextTry",
            "reason",
        ]
        guard case .object(let members) = line else {
            Testing.Issue.record("\(line) is no object")
            return
        }
        #expect(members.map(\.name) == names)
        #expect(line["key"] == "ad/-/view/0/0")
        #expect(line["method"] == "POST")
        #expect(line["url"]?.string?.hasSuffix("/t/view?token=***&unit=u") ?? false)
        #expect(line["state"] == "recorded" && line["attempts"] == 0 && line["reason"] == .null)
        #expect(line["nextTry"] == line["recorded"])

        let (_, text) = await scene.outbox("list")
        #expect(text.out.first?.hasPrefix("STATE") ?? false)
        #expect(text.out.last == "0 delivered, 1 pending, 0 unconfirmed, 0 dead")
        #expect(!(console.out + text.out).contains { $0.contains("hidden") })
    }

    @Test("flush tries every pending beacon at once, and prints the outcomes")
    func flush() async throws {
        let scene = try Scene()
        try await scene.record(["/t/a", "/t/b", "/t/c", "/t/d"])
        try scene.sandbox.setFaults([
            "/t/a": [Sandbox.Fault(.status(503))], "/t/b": [Sandbox.Fault(.dropBeforeReply)],
            "/t/c": [Sandbox.Fault(.status(410))],
        ])
        let (code, console) = await scene.outbox("flush", "--json")
        #expect(code == .beacons)
        #expect(Set(console.events) == ["beaconUnconfirmed", "beaconDead", "beaconDelivered", "flushed"])
        let last = try #require(console.json.last)
        #expect(last["pending"] == 1 && last["unconfirmed"] == 1 && last["dead"] == 1 && last["delivered"] == 1)

        let (listed, waiting) = await scene.outbox("list", "--json", "--state", "recorded")
        #expect(listed == .done, "pending beacons are not an error of list")
        #expect(waiting.json.count == 1)
        #expect(waiting.json.first?["reason"] == "status 503")
        #expect(await scene.outbox("list").code == .beacons)

        let (again, second) = await scene.outbox("flush")
        #expect(again == .beacons)
        #expect(second.out.last == "2 delivered, 0 pending, 1 unconfirmed, 1 dead")
        #expect(scene.sandbox.hits().count == 5, "no other beacon was sent again")
    }

    @Test("a beacon in flight when its process died is listed as unconfirmed, and is not sent again")
    func guarantee() async throws {
        let scene = try Scene()
        try await scene.record(["/t/a"])
        let dying = SQLiteLedger(file: scene.file)
        let now = SystemClock().wallTime
        #expect(try await dying.claim(ClaimRequest(limit: 1, at: now)).beacons.count == 1)
        await dying.close()
        let (code, console) = await scene.outbox("list", "--json")
        #expect(code == .beacons)
        #expect(console.json.first?["nextTry"] == .null)
        let (_, text) = await scene.outbox("list")
        #expect(text.out.last == "0 delivered, 0 pending, 1 unconfirmed, 0 dead")
        #expect(text.out.contains { $0.hasSuffix("; it is not sent again") })
        #expect(await scene.outbox("flush").code == .beacons)
        #expect(scene.sandbox.hits().isEmpty)
    }

    @Test("flush ends with 0 after everything is delivered, and sends nothing without pending beacons")
    func flushAll() async throws {
        let scene = try Scene()
        try await scene.record((0..<50).map { "/t/\($0)" })
        #expect(await scene.outbox("flush").code == .done)
        #expect(scene.sandbox.hits().count == 50)
        #expect(await scene.outbox("flush").code == .done)
        #expect(scene.sandbox.hits().count == 50)
    }

    @Test("flush tries each of many beacons for an unreachable server once, and keeps them pending")
    func gone() async throws {
        let scene = try Scene()
        try await scene.record((0..<30).map { "/t/\($0)" })
        scene.sandbox.stop()
        let (code, _) = await scene.outbox("flush")
        #expect(code == .beacons)
        let (_, list) = await scene.outbox("list", "--json")
        #expect(list.json.count == 30)
        #expect(list.json.allSatisfy { $0["attempts"] == 1 && $0["state"] == "recorded" })
    }

    @Test("prune removes delivered beacons, with --all also dead and unconfirmed ones, and never pending ones")
    func prune() async throws {
        let scene = try Scene()
        try await scene.record(["/t/a", "/t/b", "/t/c"])
        try scene.sandbox.setFaults([
            "/t/a": [Sandbox.Fault(.status(503))], "/t/b": [Sandbox.Fault(.status(404))],
        ])
        _ = await scene.outbox("flush")
        let (none, _) = await scene.outbox("prune", "--older-than", "1")
        #expect(none == .beacons)
        let (code, console) = await scene.outbox("prune", "--json")
        #expect(code == .beacons, "the dead one remains")
        #expect(console.json.last?["forgotten"] == 1)
        #expect(console.json.last?["dead"] == 1 && console.json.last?["pending"] == 1)
        let (done, all) = await scene.outbox("prune", "--all")
        #expect(done == .done)
        #expect(all.out == ["1 removed; remaining: 0 delivered, 1 pending, 0 unconfirmed, 0 dead"])
    }

    @Test("the folder of an app stands for the ledger in it")
    func folder() async throws {
        let scene = try Scene()
        try await scene.record(["/t/a"])
        let (code, console) = await play("outbox", "list", "--json", "--ledger", scene.folder.path)
        #expect(code == .done)
        #expect(console.json.count == 1)
    }

    @Test("a file that is not a ledger is refused and not changed", arguments: ["text", "missing", "header", "folder"])
    func noLedger(kind: String) async throws {
        let scene = try Scene()
        let bytes =
            kind == "header" ? Array("SQLite format 3\u{0} and nothing that it should be".utf8) : Array("x".utf8)
        if kind != "missing", kind != "folder" { try #require(scene.folder.write(bytes, "beacons.sqlite") != nil) }
        for action in ["list", "flush", "prune"] {
            let name = kind == "folder" ? scene.folder.path : scene.file
            let (code, console) = await play("outbox", action, "--ledger", name)
            #expect(code == .usage)
            #expect(console.out.isEmpty && console.err.count == 1)
            #expect(console.err.first?.contains("beacons.sqlite") ?? false)
        }
        if kind == "text" {
            let (code, _) = await play("show", "--unit", "banner-320x50", "--ledger", scene.file)
            #expect(code == .usage, "another file is not moved aside")
        }
        if kind == "text" || kind == "header" { #expect(try FileReading.document(scene.file) == bytes) }
    }

    @Test(
        "an invalid outbox command is refused with what to write instead",
        arguments: [
            (["outbox"], "<list|flush|prune>"), (["outbox", "lsit"], "did you mean list?"),
            (["outbox", "list"], "requires --ledger"), (["outbox", "list", "--ledger", "x", "--all"], "outbox prune"),
            (["outbox", "flush", "--ledger", "x", "--state", "dead"], "outbox list"),
            (["outbox", "list", "--ledger", "x", "--state", "ded"], "did you mean dead?"),
            (["outbox", "prune", "--ledger", "x", "--older-than", "soon"], "number of days"),
            (["outbox", "list", "--ledger", ""], "the value of --ledger is empty"),
            (["outbox", "list", "--state", ",", "--ledger", "x"], "the value of --state is empty"),
            (["outbox", "list", "flush"], "unexpected argument"),
            (["inspect", "--ledger", "x"], "--ledger is not an option"),
        ]
    )
    func usage(words: [String], hint: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words, console) == .usage)
        #expect(console.err.count == 1)
        #expect(console.err.first?.contains(hint) ?? false, "\(console.err)")
    }
}

@Suite("Ads with a ledger file")
struct LedgerOptionTests {
    @Test("show keeps its beacons in the ledger, and the demo reconciles only its own")
    func kept() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = folder.path + "/new/folder/beacons.sqlite"
        let (code, _) = await play(
            "show",
            "--unit",
            "banner-320x50",
            "--clock",
            "virtual",
            "--do",
            "click@1s",
            "--ledger",
            file
        )
        #expect(code == .done)
        let (_, list) = await play("outbox", "list", "--json", "--ledger", file)
        #expect(list.json.map { $0["event"]?.string } == ["view", "click"])
        #expect(list.json.allSatisfy { $0["state"] == "delivered" })

        let (demo, output) = await play("demo", "--json", "--ledger", file)
        #expect(demo == .done)
        let last = try #require(output.json.last)
        #expect(last["recorded"] == last["delivered"] && last["lost"] == 0 && last["unknown"] == 0)
    }

    @Test("a beacon that show could not deliver is delivered by a later run")
    func next() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        let words = [
            "show", "--unit", "banner-320x50", "--json", "--ledger", folder.path + "/b.sqlite",
            "--endpoint", "http://127.0.0.1:\(sandbox.port)/yabbi/load", "--timeout", "1",
        ]
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503), times: 20)]])
        let first = BufferConsole()
        #expect(await YabbiPlay.run(words, first) == .beacons)
        let key = try #require(first.json.first { $0["event"] == "beaconRecorded" }?["key"])
        try sandbox.setFaults(["/t/": []])
        let second = BufferConsole()
        // flush ignores the backoff.
        let (code, flushed) = await play("outbox", "flush", "--json", "--ledger", folder.path + "/b.sqlite")
        #expect(code == .done)
        #expect(flushed.json.contains { $0["event"] == "beaconDelivered" && $0["key"] == key })
        #expect(await YabbiPlay.run(words, second) == .done)
        #expect(sandbox.bill().views == 2)
    }

    @Test(
        "virtual time is refused if a real server may have pending beacons",
        arguments: [
            ["show", "--unit", "u", "--endpoint", "https://ssp.example/load"],
            ["show", "--unit", "u", "--endpoint", "http://127.0.0.1.nip.example/load"], ["show", "FOLDER/answer.json"],
            ["demo"], ["show", "--unit", "banner-320x50"],
        ]
    )
    func virtual(words: [String]) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = folder.path + "/b.sqlite"
        let tracker = #"{"view": "https://t.example/v", "click": "https://t.example/c"}"#
        _ = folder.write(#"{"type": 1, "adm": "<p>Hello</p>", "tracker": \#(tracker)}"#, "answer.json")
        let ledger = SQLiteLedger(file: file)
        let call = BeaconCall(.get, BeaconAddress("https://t.example/owed?token=hidden"))
        let pending = Beacon(BeaconKey(ad: AdID("a"), event: .view), call, of: "test")
        _ = try await ledger.record([pending], at: SystemClock().wallTime)
        await ledger.close()
        let console = BufferConsole()
        let all =
            words.map { $0.hasPrefix("FOLDER") ? folder.path + $0.dropFirst(6) : $0 } + [
                "--clock", "virtual", "--ledger", file,
            ]
        #expect(await YabbiPlay.run(all, console) == .usage)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains("virtual") && !$0.contains("hidden") })
        let (_, list) = await play("outbox", "list", "--json", "--ledger", file)
        #expect(list.json.map { $0["attempts"]?.number } == [0])
    }

    @Test("reconcile compares the file with the server's hits")
    func reconciled() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        let file = folder.path + "/b.sqlite"
        func show() async -> ExitCode {
            await play(
                "show",
                "--unit",
                "banner-320x50",
                "--clock",
                "virtual",
                "--ledger",
                file,
                "--endpoint",
                "http://127.0.0.1:\(sandbox.port)/yabbi/load"
            ).code
        }
        #expect(await show() == .done)
        let url = "http://127.0.0.1:\(sandbox.port)"
        #expect(await play("reconcile", "--ledger", file, "--hits", url).code == .done)
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.dropBeforeReply)]])
        #expect(await show() == .beacons)
        let (code, console) = await play("reconcile", "--json", "--ledger", file, "--hits", url)
        #expect(code == .beacons)
        #expect(console.json.last?["unconfirmed"] == 1 && console.json.last?["matched"] == 1)
        sandbox.reset()
        let (lost, output) = await play("reconcile", "--json", "--ledger", file, "--hits", url)
        #expect(lost == .beacons)
        #expect(output.json.last?["lost"] == 1)
    }
}
