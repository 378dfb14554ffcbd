import AdCore
import LoopbackServer
import Testing
import WebSocketCodec

@testable import SandboxSSP

@Suite("Smartico's engagements, as a machine")
struct SmarticoPushTests {
    @Test(
        "a user's id selects engagements by its parts",
        arguments: [
            ("malva", [6]), ("u-popup", [6, 110]), ("gameboy", [6, 707]), ("twice", [6, 110, 110]),
            ("popup-twice", [6, 110, 110]), ("popup-game", [6, 110, 707]),
            ("flood", [6] + Array(repeating: 110, count: 500)),
        ]
    )
    func words(user: String, cids: [Int]) {
        var state = Samples.state()
        let actions = state.startSession(user)
        #expect(actions.cids == cids)
        let names = actions.compactMap { $0.json?["engagement_uid"]?.string }
        #expect(Set(names).count == (user.containsWord("twice") ? 1 : names.count))
    }

    @Test("a popup has all fields of the protocol, and buttons with deep links")
    func popup() throws {
        var configuration = SandboxState(base: Samples.base, run: "r9-")
        let popup = try #require(configuration.startSession("popup").last?.json)
        guard case .object(let members) = popup else {
            Issue.record("\(popup)")
            return
        }
        #expect(
            Set(members.map(\.name)) == [
                "engagement_uid", "activityType", "engagement_id", "root_audience_id", "audience_id", "resource_id",
                "resource_variation_id", "template_html", "template_engine", "params", "source_product_id", "cid", "ts",
                "uuid",
            ]
        )
        #expect(popup["engagement_uid"] == "engagement-r9-1" && popup["activityType"] == 30)
        let html = try #require(popup["template_html"]?.string)
        #expect(html.contains(#"data-dp="dp:ok""#) && html.contains(#"data-dp="dp:gf_"#))
    }

    @Test("a push goes to all sockets of its user only")
    func push() throws {
        var state = Samples.state()
        for (socket, user) in [(1, "malva"), (2, "malva"), (3, "other")] { _ = state.startSession(user, on: socket) }
        state.open(4)
        let outcome = state.push(.popup, to: "malva", count: 3)
        #expect(outcome.sockets == 2)
        #expect(outcome.commands.map(\.socket) == [1, 1, 1, 2, 2, 2])
        let names = outcome.commands.compactMap { $0.action.json?["engagement_uid"]?.string }
        #expect(names[..<3] == names[3...] && Set(names).count == 3)
        #expect(state.push(.game, to: "nobody", count: 1).commands.isEmpty)
    }

    @Test("a push to a silent socket reaches no socket")
    func silentPush() {
        var state = Samples.state()
        _ = state.startSession("malva-silence", on: 1)
        #expect(state.push(.popup, to: "malva-silence", count: 1).sockets == 0)
    }

    @Test("pushes are requested over HTTP, and the error names an invalid member")
    func control() throws {
        var state = Samples.state()
        _ = state.startSession("malva")
        let response = state.request("POST", "/sandbox/push", ["user": "malva", "kind": "game", "count": 2])
        #expect(response.json == ["sockets": 1] && response.commands.map(\.action).cids == [707, 707])
        let raw: AdJSON = ["cid": 110, "number": .number(AdJSON.Number(UInt64.max)), "z": nil, "a": []]
        let sent = state.request("POST", "/sandbox/push", ["user": "malva", "raw": raw])
        #expect(sent.commands.map(\.action) == [.send(.text(raw.text()))])
        #expect(state.request("POST", "/sandbox/push", ["user": "x", "kind": "popup"]).json == ["sockets": 0])
        let mistakes: [(AdJSON, String)] = [
            (["kind": "popup"], "user"), (["user": "x"], "kind"), (["user": "x", "kind": "banner"], "kind"),
            (["user": "x", "kind": "popup", "raw": [:]], "kind"), (["user": "x", "raw": 1], "raw"),
            (["user": "x", "kind": "popup", "count": 0], "count"),
            (["user": "x", "kind": "popup", "count": 1001], "count"), (["user": "x", "kind": "popup", "to": 1], "to"),
        ]
        for (body, field) in mistakes {
            let response = state.request("POST", "/sandbox/push", body)
            #expect(response.status == 400 && response.json?["field"]?.string == field && response.commands.isEmpty)
        }
        // Requests to control endpoints are not recorded.
        #expect(state.hits().count == 2)
    }

    @Test("an engagement's impression and click are billed once each, and duplicates are counted")
    func bill() throws {
        var state = Samples.state()
        let name = try #require(state.startSession("popup").last?.json?["engagement_uid"])
        for cid in [1101, 1101, 1102, 1101, 1102] {
            #expect(state.receive(Samples.message(cid, ["engagement_uid": name])).isEmpty)
        }
        let bill = Sandbox.Bill(state.log.hits, dropped: 0)
        #expect(bill.views == 1 && bill.clicks == 1 && bill.billed == 2 && bill.counted == 5 && bill.repeats == 3)
        #expect(bill.lines.map(\.event) == ["impression", "click"])
        #expect(bill.lines.map(\.ad) == ["engagement-1", "engagement-1"])
        #expect(bill.lines.map(\.key) == ["engagement-1/impression", "engagement-1/click"])
        #expect(bill.refused == 0 && bill.unkeyed == 0)
    }

    @Test("an event of an unknown engagement, or of another user's, is refused")
    func foreign() throws {
        var state = Samples.state()
        let name = try #require(state.startSession("popup").last?.json?["engagement_uid"])
        _ = state.startSession("malva", on: 2)
        let other = state.receive(Samples.message(1101, ["engagement_uid": name]), on: 2)
        let unknown = state.receive(Samples.message(1102, ["engagement_uid": "engagement-77"]))
        for actions in [other, unknown] {
            #expect(actions.first?.json?["errCode"] == 1)
            #expect(actions.first?.json?["errMsg"]?.string?.contains("engagement_uid") == true)
        }
        #expect(state.receive(Samples.message(1101)).first?.json?["errCode"] == 1)
        let bill = Sandbox.Bill(state.log.hits, dropped: 0)
        #expect(bill.billed == 0 && bill.lines.isEmpty)
    }

    @Test("a raw popup can have an impression and a click, too")
    func raw() {
        var state = Samples.state()
        _ = state.startSession("malva")
        _ = state.push(.raw(["cid": 110, "engagement_uid": "own-1"]), to: "malva", count: 1)
        #expect(state.receive(Samples.message(1101, ["engagement_uid": "own-1"])).isEmpty)
        #expect(Sandbox.Bill(state.log.hits, dropped: 0).views == 1)
    }

    @Test("a reset clears the bill, and keeps sockets and engagements")
    func reset() throws {
        var state = Samples.state()
        let name = try #require(state.startSession("popup").last?.json?["engagement_uid"])
        state.reset()
        #expect(state.receive(Samples.message(1101, ["engagement_uid": name])).isEmpty)
        #expect(state.hits().count == 1)
    }
}

@Suite("Socket faults, as a machine")
struct SocketFaultTests {
    @Test("a socket's fault acts on the first response, and most act once")
    func onFirst() throws {
        for fault in Sandbox.SocketFault.allCases where fault.actsOnce {
            var state = Samples.state()
            state.open(fault: fault)
            let actions = state.receive(Samples.initiate())
            #expect(
                actions.count == (fault == .masked ? 1 : 2) && actions != actions.filter { $0.cid == 4 },
                "\(fault)"
            )
            #expect(fault == .masked || actions.last?.cid == 4)
            #expect(state.hits().last?["fault"]?.string == fault.rawValue)
            #expect(state.receive(Samples.identify()).cids == [6])
            #expect(state.hits().last?["fault"] == .null)
        }
    }

    @Test("a user's id selects a fault of its own response")
    func byUser() throws {
        for fault in Sandbox.SocketFault.allCases where fault.actsOnce {
            var state = Samples.state()
            let actions = state.startSession("user-\(fault.rawValue)")
            #expect(actions.count == (fault == .masked ? 1 : 2), "\(fault)")
            #expect(fault == .masked || actions.last?.cid == 6)
            #expect(state.hits().map { $0["fault"] } == [.null, .string(fault.rawValue)])
        }
    }

    @Test("wrongOrder swaps two responses of a socket, or one for a user's id")
    func wrongOrder() {
        var state = Samples.state()
        state.open(fault: .wrongOrder)
        #expect(state.receive(Samples.initiate()).cids == [6, 4])
        #expect(state.receive(Samples.identify()).cids == [110, 6])
        #expect(state.startSession("wrongOrder", on: 2).cids == [110, 6])
    }

    @Test("a refusal fault lasts as long as the socket")
    func refusals() {
        var state = Samples.state()
        state.open(fault: .refuseInit)
        for _ in 0..<2 {
            let answer = state.receive(Samples.initiate()).first?.json
            #expect(answer?["cid"] == 4 && answer?["errCode"] == 1)
        }
        #expect(state.hits().map { $0["fault"] } == ["refuseInit", "refuseInit"])
        state.open(2, fault: .refuseIdentify)
        #expect(state.receive(Samples.initiate(), on: 2).first?.json?["errCode"] == 0)
        let answer = state.receive(Samples.identify(), on: 2).first?.json
        #expect(answer?["cid"] == 6 && answer?["errCode"] == 1)
        #expect(state.startSession("refuseIdentify", on: 3).first?.json?["errCode"] == 1)
    }

    @Test("a silent socket accepts messages and sends none")
    func silence() {
        var state = Samples.state()
        state.open(fault: .silence)
        #expect(state.receive(Samples.initiate()).isEmpty && state.receive(Samples.identify()).isEmpty)
        #expect(state.hits().map { $0["fault"] } == ["silence", "silence"])
        #expect(state.push(.popup, to: "malva", count: 1).commands.isEmpty)
        #expect(state.startSession("silence", on: 2).isEmpty)
    }

    @Test("a frame that is cut off is the start of a valid one, and the socket disconnects")
    func dropMidFrame() {
        var state = Samples.state()
        state.open(fault: .dropMidFrame)
        let actions = state.receive(Samples.initiate())
        guard actions.count == 2, case .raw(let bytes) = actions[0] else {
            Issue.record("the frame is not cut off")
            return
        }
        #expect(bytes.first == 0x81 && bytes.count > 100 && actions[1] == .disconnect)
    }

    @Test("each fault sends what its name says")
    func contents() throws {
        let actions = [SocketAction.send(.text("{}"))]
        guard case .send(.text(let long)) = Sandbox.SocketFault.tooLong.applied(to: actions)[0],
            case .send(.text(let deep)) = Sandbox.SocketFault.deepJSON.applied(to: actions)[0],
            case .send(.text(let broken)) = Sandbox.SocketFault.brokenJSON.applied(to: actions)[0],
            case .raw(let invalid) = Sandbox.SocketFault.invalidUTF8.applied(to: actions)[0],
            case .raw(let masked) = Sandbox.SocketFault.masked.applied(to: actions)[0]
        else {
            Issue.record("a fault has another form")
            return
        }
        #expect(long.utf8.count > 1 << 20)
        #expect(try AdJSON(parsing: long)["cid"] == 110)
        #expect(deep.utf8.count { $0 == UInt8(ascii: "[") } == 100_000)
        #expect(throws: AdJSON.ParseError.self) { try AdJSON(parsing: broken) }
        for (bytes, code) in [(invalid, WebSocketClosure.Code.invalidText), (masked, .protocolError)] {
            var reader = WebSocketReader(as: .client)
            let fault = #expect(throws: WebSocketError.self) { try reader.read(bytes) { _ in } }
            #expect(fault?.code == code)
        }
    }

    @Test("a socket fault is set by its name, and only where sockets are opened")
    func setting() throws {
        for fault in Sandbox.SocketFault.allCases {
            var state = Samples.state()
            let text = #"{"kind":"\#(fault.rawValue)","times":2}"#
            for prefix in ["/", "/websocket/services"] {
                let response = state.request(
                    "POST",
                    "/sandbox/faults",
                    bytes: Array(#"{"\#(prefix)":[\#(text)]}"#.utf8)
                )
                #expect(response.status == 200 && response.text.contains(text))
            }
            let wrong = state.request("POST", "/sandbox/faults", bytes: Array(#"{"/t/":[\#(text)]}"#.utf8))
            #expect(wrong.status == 400 && wrong.json?["field"] == "/t/[0].kind")
        }
        var state = Samples.state()
        try state.setFaults(["/": [Sandbox.Fault(.socket(.silence))]])
        #expect(state.request("GET", "/t/x").status == 200)
    }
}
