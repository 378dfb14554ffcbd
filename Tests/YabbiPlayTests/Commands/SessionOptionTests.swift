import AdCore
import AdProviders
import AdRuntime
import PlayReconcile
import PlaySupport
import SandboxSSP
import Testing
import YabbiAds

@testable import PlayConsole
@testable import PlayStages
@testable import PlayText
@testable import YabbiPlay

@Suite("Options of a smartico session")
struct SessionOptionTests {
    /// Runs a session, and returns the messages that the sandbox received.
    private func run(_ words: [String]) async throws -> (code: ExitCode, hits: [Sandbox.Hit], console: BufferConsole) {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        let all =
            [
                "watch", "--json", "--for", "0.7", "--endpoint", "ws://127.0.0.1:\(sandbox.port)/websocket/services",
                "--set",
                "label_key=\(Sandbox.TestKeys.smarticoLabelKey)", "--set", "ext_user_id=u-1", "--set",
                "services=http://127.0.0.1:\(sandbox.port)/services/public",
            ] + words
        let (code, console) = await play(all)
        return (code, sandbox.hits(), console)
    }

    private func messages(_ hits: [Sandbox.Hit]) -> [AdJSON] { hits.compactMap { try? AdJSON(parsing: $0.body) } }

    @Test("the hash, the device and the push token are sent as they are given")
    func identified() async throws {
        let words = [
            "hash=h-1", "token=t-1", "platform=7", "pushNotificationUserStatus=2", "os=Android",
            "device_type=NATIVE_TABLET",
            "agent=a/1", "page=app://here", "fp=17", "host=h.example", "browser=B", "language=DE",
        ].flatMap { ["--set", $0] }
        let (code, hits, console) = try await self.run(words)
        #expect(code == .done, "\(console.err)")
        let all = self.messages(hits)
        let user = try #require(all.first { $0["cid"] == 5 })
        #expect(user["hash"] == "h-1" && user["token"] == "t-1" && user["page"] == "app://here")
        #expect(user["platform"] == 7 && user["pushNotificationUserStatus"] == 2)
        let device = try #require(user["ua"])
        #expect(device["os"] == "Android" && device["device_type"] == "NATIVE_TABLET" && device["agent"] == "a/1")
        #expect(device["fp"] == 17 && device["host"] == "h.example" && device["browser"] == "B")
        #expect(!console.out.contains { $0.contains("h-1") || $0.contains("t-1") }, "neither is printed")
    }

    @Test("push reports and a token registered over HTTP are delivered beacons")
    func calls() async throws {
        let words = [
            "token=t-1", "register=post", "platform=6", "report=delivered", "report=impression", "report=action",
            "engagement_uid=e-1",
            "message_id=42", "action=dp:x",
        ].flatMap { ["--set", $0] }
        let (code, hits, console) = try await self.run(words)
        #expect(code == .done, "\(console.err)")
        let calls = hits.filter { $0.path == "/services/public" }
        #expect(calls.count == 4)
        #expect(console.events.count { $0 == "beaconDelivered" } == 4)
        #expect(calls.contains { $0.method == "POST" && String(decoding: $0.body, as: UTF8.self).contains("\"t-1\"") })
        #expect(calls.count { $0.query.contains("engagement_action") && $0.query.contains("e-1") } == 1)
    }

    @Test("an undelivered call ends with 7")
    func unreachable() async throws {
        let words = ["report=failed", "engagement_uid=e-1", "message_id=42"].flatMap { ["--set", $0] }
        let (code, console) = await play(
            ["watch", "--json", "--for", "0.3", "--timeout", "0.3", "--set", "services=http://127.0.0.1:9/"] + words
        )
        #expect(code == .beacons)
        #expect(console.err.contains { $0.contains("calls to smartico failed") }, "\(console.err)")
    }

    @Test(
        "invalid values of session options are refused before a connection",
        arguments: [
            (["platform=12"], "from 0 to 11"), (["pushNotificationUserStatus=x"], "from 0 to 4"),
            (["fp=x"], "an integer"),
            (["register=put", "token=t"], "post or get"), (["register=get", "token=t"], "--set platform=6 (iOS)"),
            (["register=get"], "--set token=…"),
            (["report=seen"], "failed, delivered, impression, action"), (["report=failed"], "--set engagement_uid=…"),
            (["report=failed", "engagement_uid=e", "message_id=x"], "an integer"),
            (["services=ftp://u:secret@x/"], "http or https"), (["hash="], "is empty"),
            (["hash=a", "hash=b"], "given twice"),
        ]
    )
    func usage(sets: [String], hint: String) async {
        let (code, console) = await play(["watch"] + sets.flatMap { ["--set", $0] })
        #expect(code == .usage)
        #expect(console.err.count == 1 && console.err.allSatisfy { $0.contains(hint) }, "\(console.err)")
        #expect(!console.err.joined().contains("secret"))
    }

    @Test("keys log out and in, open the widget, change the language and the push status")
    func keys() async throws {
        let show = try ShowCommand(parsing: [
            "--provider", "smartico", "--set", "language=EN", "--set", "language=DE", "--set", "token=t", "--set",
            "ext_user_id=u-1",
        ])
        let context = try await show.context(on: BufferConsole())
        defer { (context.origin as? BuiltInServer)?.sandbox.stop() }
        guard case .engagement(let options) = show.run.query else { throw UsageError("no engagement") }
        var keys = SessionKeys(try EngagementPlan(options, context))
        #expect(keys.commands(for: .logInOrOut).commands == [.logOut])
        #expect(keys.commands(for: .logInOrOut).commands == [.logIn(SmarticoUser(id: "u-1"))])
        #expect(keys.commands(for: .widget).commands == [.openGamification(deepLink: nil)])
        #expect(keys.commands(for: .language).commands == [.language("DE")])
        #expect(keys.commands(for: .language).commands == [.language("EN")])
        let blocked = SmarticoPush(token: "t", status: .blocked, platform: .other)
        #expect(keys.commands(for: .push).commands == [.push(blocked)])
        for (byte, action) in [("o", SessionAction.logInOrOut), ("g", .widget), ("l", .language), ("p", .push)] {
            #expect(Key.parse(byte.utf8).compactMap(SessionAction.init) == [action])
        }
        #expect(Key.parse("cxqsm ".utf8).compactMap(SessionAction.init).isEmpty)
    }

    @Test("show reconnects if its connection ends before an ad was pushed")
    func reconnects() async throws {
        let (code, console) = await play(
            "show",
            "--provider",
            "smartico",
            "--json",
            "--timeout",
            "3",
            "--set",
            "ext_user_id=u-dropMidFrame"
        )
        #expect(code == .loadFailed)
        #expect(console.events.count { $0 == "disconnected" } > 1, "\(console.events)")
        #expect(console.err.contains { $0.contains("retried for 3 s") }, "\(console.err)")
    }

    @Test("watch accepts --no-sandbox only with a browser")
    func sandbox() throws {
        let watch = try WatchCommand(parsing: ["--stage", "chromium", "--no-sandbox"])
        #expect(watch.showing.stage.browser?.isSandboxed == false)
        #expect(throws: UsageError.self) { try WatchCommand(parsing: ["--no-sandbox"]) }
    }
}

@Suite("Beacons without a known outcome")
struct UnsettledBeaconTests {
    private func key(_ name: String) -> BeaconKey { BeaconKey(ad: AdID("a"), event: "view", providerKey: name) }

    @Test("a beacon that is no longer in the ledger is unconfirmed")
    func lost() {
        let states = BeaconWait.states(of: [self.key("x"), self.key("y")], in: [], ended: [self.key("y")])
        #expect(states.count == 1)
        guard case .unconfirmed(let reason)? = states.values.first else {
            Testing.Issue.record("no unconfirmed state")
            return
        }
        #expect(reason.contains("no longer in the ledger"))
    }
}
