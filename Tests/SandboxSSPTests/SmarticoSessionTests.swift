import AdCore
import LoopbackServer
import Testing
import WebSocketCodec

@testable import SandboxSSP

@Suite("Smartico's sessions, as a machine")
struct SmarticoSessionTests {
    @Test("the response to INIT_SESSION has all fields of the protocol")
    func initiated() throws {
        var state = Samples.state()
        state.open(at: 1_700_000_000_000)
        let actions = state.receive(Samples.initiate(), at: 1_700_000_000_123)
        let answer = try #require(actions.first?.json)
        #expect(actions.count == 1 && answer["cid"] == 4 && answer["errCode"] == 0 && answer["errMsg"] == .null)
        #expect(answer["ts"] == .int(1_700_000_000_123))
        #expect(answer["products"]?.array?.first == 100)
        #expect(answer["settings"]?["DYNAMIC_IMAGE_DOMAIN"]?.string == Samples.base + "/")
        #expect(answer["settings"]?["FCM_SENDER_ID"]?.string?.isEmpty == false)
        for name in ["country", "city", "ip", "s"] { #expect(answer["payload"]?[name]?.string?.isEmpty == false) }
        let uuid = try #require(answer["uuid"]?.string)
        #expect(uuid.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(uuid.dropFirst(14).first == "4")
    }

    @Test("the response to IDENTIFY has the user and the URLs of the pages")
    func identified() throws {
        var state = Samples.state()
        state.open()
        _ = state.receive(Samples.initiate(["brand_key": .string(Samples.brand)]))
        let answer = try #require(state.receive(Samples.identify("mal va&7")).first?.json)
        #expect(answer["cid"] == 6 && answer["errCode"] == 0 && answer["public_username"] == "mal va&7")
        #expect(answer["avatar_id"]?.string?.isEmpty == false)
        #expect(answer["props"]?["core_is_test_account"] == true)
        #expect(answer["props"]?["ach_points_balance"]?.number != nil)
        for (name, page) in [("native_app_popup_url", "popup"), ("native_app_gf_url", "gf")] {
            let url = try #require(answer[name]?.string)
            let start = "\(Samples.base)/wrapper-\(page).html?label_key=\(Samples.label)&brand_key=\(Samples.brand)"
            #expect(url.hasPrefix(start + "&user_ext_id=mal%20va%267&hash="))
            // The hash in the page's URL is valid for a day.
            let target = String(url.dropFirst(Samples.base.count))
            #expect(state.request("GET", target).status == 200)
            #expect(state.request("GET", target, bytes: [], at: 24 * 3_600_000).status == 403)
            #expect(state.request("GET", target.replacing("mal%20va", by: "other")).status == 403)
        }
    }

    @Test("without a brand the URLs of the pages have no brand_key")
    func noBrand() {
        var state = Samples.state()
        let url = state.startSession("malva").first?.json?["native_app_popup_url"]?.string ?? ""
        #expect(url.hasPrefix(Samples.base) && !url.contains("brand_key"))
    }

    @Test(
        "the error names a missing, invalid or unknown member of INIT_SESSION",
        arguments: [
            (["label_key": .none], "label_key"), (["label_key": "other"], "label_key"), (["label_key": 3], "label_key"),
            (["brand_key": .none], "brand_key"), (["brand_key": "other"], "brand_key"),
            (["device_id": .none], "device_id"), (["page": .none], "page"), (["session_id": .none], "session_id"),
            (["tracker_version": .none], "tracker_version"), (["tracker_version": "1.2"], "tracker_version"),
            (["ts": .none], "ts"), (["ts": "1"], "ts"), (["uuid": .none], "uuid"), (["uuid": ""], "uuid"),
            (["ua": 1], "ua"), (["ua": ["tzoffset": 0, "os": "iOS"]], "ua.device_type"),
            (["ua": ["device_type": "NATIVE_PHONE", "os": "iOS"]], "ua.tzoffset"),
            (["ua": ["device_type": "NATIVE_PHONE", "os": "iOS", "tzoffset": .double(3.5)]], "ua.tzoffset"),
            (["ua": ["device_type": "NATIVE_PHONE", "tzoffset": 0]], "ua.os"),
        ] as [([String: AdJSON?], String)]
    )
    func initFaults(changes: [String: AdJSON?], field: String) throws {
        var state = Samples.state()
        state.open()
        let answer = try #require(state.receive(Samples.initiate(changes)).first?.json)
        #expect(answer["cid"] == 4 && answer["errCode"] == 1)
        #expect(answer["errMsg"]?.string?.contains("\"\(field)\"") == true)
        #expect(state.hits().map { $0["counted"] } == [false])
        // The client may send it again.
        #expect(state.receive(Samples.initiate()).first?.json?["errCode"] == 0)
    }

    @Test(
        "the error names a missing or invalid member of IDENTIFY",
        arguments: [
            (["ext_user_id": .none], "ext_user_id"), (["ext_user_id": 7], "ext_user_id"), (["ts": .none], "ts"),
            (["uuid": .none], "uuid"), (["platform": 12], "platform"), (["token": 1], "token"),
            (["pushNotificationUserStatus": 5], "pushNotificationUserStatus"), (["ua": [:]], "ua.device_type"),
        ] as [([String: AdJSON?], String)]
    )
    func identifyFaults(changes: [String: AdJSON?], field: String) throws {
        var state = Samples.state()
        state.open()
        _ = state.receive(Samples.initiate())
        let answer = try #require(state.receive(Samples.identify("malva", changes)).first?.json)
        #expect(answer["cid"] == 6 && answer["errCode"] == 1)
        #expect(answer["errMsg"]?.string?.contains("\"\(field)\"") == true)
        #expect(state.receive(Samples.identify()).first?.json?["errCode"] == 0)
    }

    @Test("optional members may be absent")
    func minimal() {
        var state = Samples.state()
        state.open()
        #expect(state.receive(Samples.initiate(["ua": .none])).first?.json?["errCode"] == 0)
        let bare: [String: AdJSON?] = [
            "ua": .none, "hash": .none, "page": .none, "pushNotificationUserStatus": .none, "token": .none,
            "tracker_version": .none, "platform": .none, "payload": .none,
        ]
        #expect(state.receive(Samples.identify("malva", bare)).first?.json?["errCode"] == 0)
    }

    @Test("a message that is too early or repeated is refused, and the session goes on")
    func order() throws {
        var state = Samples.state()
        state.open()
        let refused = { (actions: [SocketAction]) in
            actions.first?.json.map { ($0["cid"], $0["errCode"]) } ?? (nil, nil)
        }
        #expect(refused(state.receive(Samples.identify())) == (6, 1))
        #expect(refused(state.receive(Samples.message(7, ["payload": [:]]))) == (0, 1))
        #expect(state.receive(Samples.initiate()).cids == [4])
        let twice = try #require(state.receive(Samples.initiate()).first?.json)
        #expect(twice["cid"] == 4 && twice["errCode"] == 1)
        let token: [String: AdJSON?] = ["token": "t", "pushNotificationUserStatus": 0]
        #expect(refused(state.receive(Samples.message(1003, token))) == (2003, 1))
        #expect(refused(state.receive(Samples.message(1200))) == (0, 1))
        #expect(refused(state.receive(Samples.identify())) == (6, 0))
        #expect(refused(state.receive(Samples.identify("other"))) == (6, 1))
        #expect(state.push(.popup, to: "malva", count: 1).sockets == 1)
        #expect(state.push(.popup, to: "other", count: 1).sockets == 0)
    }

    @Test("a push token is accepted, one without its fields is refused")
    func pushToken() throws {
        var state = Samples.state()
        _ = state.startSession("malva")
        let good: [String: AdJSON?] = ["token": "t", "platform": 7, "pushNotificationUserStatus": 2]
        let answer = try #require(state.receive(Samples.message(1003, good)).first?.json)
        #expect(answer["cid"] == 2003 && answer["errCode"] == 0 && answer["errMsg"] == .null)
        for name in ["token", "pushNotificationUserStatus"] {
            var bad = good
            bad[name] = .some(nil)
            let answer = try #require(state.receive(Samples.message(1003, bad)).first?.json)
            #expect(answer["cid"] == 2003 && answer["errCode"] == 1)
            #expect(answer["errMsg"]?.string?.contains(name) == true)
        }
    }

    @Test(
        "a message without a response gets none",
        arguments: [
            Samples.message(
                7,
                ["payload": ["ua_device_type": "NATIVE_PHONE", "ua_tzoffset": -120, "ua_os": "iOS", "ua_fp": 1]]
            ),
            Samples.message(7, ["payload": ["ua": ["device_type": "NATIVE_TABLET", "tzoffset": 0, "os": "Android"]]]),
            Samples.message(9, ["eventType": "core_language_changed", "payload": ["language": "pt-br"]]),
            Samples.message(9, ["cid": .none, "eventType": "core_language_changed", "payload": ["language": "EN"]]),
            Samples.message(1103, ["saw_template_id": 5]), Samples.message(123, ["anything": [1, 2]]),
        ]
    )
    func silent(message: AdJSON) {
        var state = Samples.state()
        _ = state.startSession("malva")
        #expect(state.receive(message).isEmpty)
        let hits = state.hits()
        #expect(hits.count == 3 && hits.last?["counted"] == true)
        #expect(hits.last?["method"] == "WS" && hits.last?["path"] == "/websocket/services")
        #expect(hits.last?["query"] == "socket=1" && hits.last?["body"]?.string == message.text())
    }

    @Test(
        "an invalid message is refused with the class 0",
        arguments: [
            ("{", "not valid JSON"), ("[1]", "must be an object"), ("{}", "\"cid\""), (#"{"cid":"3"}"#, "\"cid\""),
            (#"{"cid":-1}"#, "\"cid\""), (#"{"cid":7,"ts":1,"uuid":"u"}"#, "\"payload\""),
            (#"{"cid":9,"ts":1,"uuid":"u","eventType":"x","payload":{}}"#, "\"eventType\""),
            (
                #"{"cid":9,"ts":1,"uuid":"u","eventType":"core_language_changed","payload":{"language":"E"}}"#,
                "language"
            ),
            (#"{"cid":9,"ts":1,"uuid":"u","eventType":"core_language_changed","payload":{}}"#, "\"payload.language\""),
            (#"{"cid":1,"ts":1,"uuid":"u"}"#, "only the server"),
            (#"{"cid":110,"ts":1,"uuid":"u"}"#, "only the server"),
            (#"{"cid":2,"ts":1,"uuid":"u"}"#, "unanswered ping"), (#"{"cid":500,"uuid":"u"}"#, "\"ts\""),
            (String(repeating: "[", count: 100_000), "not valid JSON"),
        ]
    )
    func misunderstood(text: String, words: String) throws {
        var state = Samples.state()
        _ = state.startSession("malva")
        let answer = try #require(state.receive(.text(text)).first?.json)
        #expect(answer["cid"] == 0 && answer["errCode"] == 1)
        #expect(answer["errMsg"]?.string?.contains(words) == true, "\(answer)")
        #expect(state.hits().last?["counted"] == false)
        #expect(state.push(.popup, to: "malva", count: 1).sockets == 1)
    }

    @Test("a binary message closes the session with a reason and is a hit")
    func binary() {
        var state = Samples.state()
        _ = state.startSession("malva")
        let actions = state.receive(.binary([0, 255]))
        #expect(actions == [.close(WebSocketClosure(.unacceptable, "messages must be text"))])
        #expect(state.hits().last?["body"] == "AP8=")
        #expect(state.push(.popup, to: "malva", count: 1).sockets == 0)
    }

    @Test("with messages in any order there is one session, one user, and a reason for every refusal")
    func anything() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix(seed: seed)
        let pieces: [AdJSON] = [
            Samples.initiate(), Samples.initiate(["page": .none]), Samples.identify(), Samples.identify("popup-game"),
            Samples.message(7, ["payload": [:]]), Samples.message(1103), Samples.message(2), Samples.message(1101),
            Samples.message(110), [:], [],
        ]
        for _ in 0..<300 {
            var state = Samples.state()
            state.open()
            var received: [Int] = []
            for turn in 0..<12 {
                let message = pieces.randomElement(using: &random) ?? []
                let actions = state.receive(message, at: Int64(turn))
                let isCounted = state.log.hits.last?.isCounted
                #expect(state.log.hits.count == turn + 1, "seed \(seed)")
                if isCounted == true {
                    received += actions.compactMap(\.cid)
                } else {
                    #expect(actions.count == 1 && actions[0].json?["errCode"] == 1, "seed \(seed)")
                    #expect(actions[0].json?["errMsg"]?.string?.isEmpty == false, "seed \(seed)")
                }
            }
            let order = received.filter { $0 == 4 || $0 == 6 }
            #expect([[], [4], [4, 6]].contains(order), "seed \(seed)")
            #expect(received.prefix(while: { $0 != 6 }).allSatisfy { $0 == 4 }, "seed \(seed)")
        }
    }

    @Test("a message on an unknown socket is ignored")
    func unknownSocket() {
        var state = Samples.state()
        #expect(state.receive(Samples.initiate(), on: 9).isEmpty)
        _ = state.startSession("malva", on: 2)
        _ = state.handle([.closed(2)], at: WallTime(milliseconds: 0))
        #expect(state.receive(Samples.message(123), on: 2).isEmpty)
        #expect(state.push(.popup, to: "malva", count: 1).sockets == 0)
    }
}

@Suite("Smartico's pings, as a machine")
struct SmarticoPingTests {
    private static func tick(_ state: inout SandboxState, at time: Int64) -> SocketOutput {
        state.handle([], at: WallTime(milliseconds: time))
    }

    @Test("a socket without INIT_SESSION is not pinged, and closed after 30 seconds", arguments: [29_999, 30_000])
    func neverBegins(time: Int64) {
        var state = Samples.state()
        state.open()
        #expect(Self.tick(&state, at: 10_000) == SocketOutput(commands: [], next: .seconds(10)))
        #expect(Self.tick(&state, at: 20_000) == SocketOutput(commands: [], next: .seconds(10)))
        let isLate = time == 30_000
        let actions = isLate ? [SocketAction.close(WebSocketClosure(.goingAway, "INIT_SESSION did not come"))] : []
        #expect(Self.tick(&state, at: time).commands.map(\.action) == actions)
        #expect(state.receive(Samples.initiate(), at: time).first?.json?["errCode"] == (isLate ? 1 : 0))
        #expect(Self.tick(&state, at: 40_000).commands.map(\.action.cid) == (isLate ? [] : [1]))
    }

    @Test("pings start with the session, repeat after each interval, and each has its own pong")
    func pings() throws {
        var state = Samples.state()
        state.open()
        #expect(Self.tick(&state, at: 0).next == .seconds(10))
        _ = state.receive(Samples.initiate(), at: 1_000)
        #expect(Self.tick(&state, at: 9_999) == SocketOutput(commands: [], next: .milliseconds(1)))
        for turn in 1...20 {
            let output = Self.tick(&state, at: Int64(turn) * 10_000)
            let ping = try #require(output.commands.first?.action.json)
            #expect(output.commands.count == 1 && ping["cid"] == 1 && output.next == .seconds(10))
            guard case .object(let members) = ping else {
                Issue.record("\(ping)")
                return
            }
            #expect(members.map(\.name) == ["cid", "ts", "uuid"])
            #expect(state.receive(Samples.message(2, ["uuid": ping["uuid"]]), at: Int64(turn) * 10_000).isEmpty)
        }
        #expect(state.hits().allSatisfy { $0["counted"] == true })
    }

    @Test("a client that answers no ping is disconnected")
    func unanswered() {
        var state = Samples.state()
        _ = state.startSession("malva")
        #expect(Self.tick(&state, at: 10_000).commands.map(\.action.cid) == [1])
        #expect(Self.tick(&state, at: 20_000).commands.map(\.action.cid) == [1])
        let output = Self.tick(&state, at: 30_000)
        #expect(output.commands.map(\.action) == [.close(WebSocketClosure(.goingAway, "2 pings were not answered"))])
        #expect(state.push(.popup, to: "malva", count: 1).sockets == 0)
        #expect(Self.tick(&state, at: 40_000) == SocketOutput(commands: [], next: nil))
    }

    @Test("a second pong for a ping is refused")
    func pongTwice() throws {
        var state = Samples.state()
        _ = state.startSession("malva")
        let ping = try #require(Self.tick(&state, at: 10_000).commands.first?.action.json)
        let pong = Samples.message(2, ["uuid": ping["uuid"]])
        #expect(state.receive(pong, at: 10_001).isEmpty)
        #expect(state.receive(pong, at: 10_002).first?.json?["errCode"] == 1)
    }

    @Test("each of many sockets has its own pings, a closed one has none")
    func many() {
        var state = Samples.state()
        for socket in 1...100 {
            state.open(socket, at: Int64(socket))
            _ = state.receive(Samples.initiate(), on: socket, at: Int64(socket))
        }
        _ = state.handle([.closed(1)], at: WallTime(milliseconds: 200))
        #expect(Self.tick(&state, at: 10_001) == SocketOutput(commands: [], next: .milliseconds(1)))
        #expect(Self.tick(&state, at: 10_050).commands.map(\.socket) == Array(2...50))
        #expect(Self.tick(&state, at: 10_100).commands.map(\.socket) == Array(51...100))
    }

    @Test("setting the clock back does not delay pings")
    func setBack() {
        var state = Samples.state()
        _ = state.handle([.opened(1, SocketUpgrade())], at: WallTime(milliseconds: 1_000_000))
        _ = state.receive(Samples.initiate(), at: 1_000_000)
        #expect(Self.tick(&state, at: 500_000).commands.map(\.action.cid) == [1])
    }

    @Test("without pings the handler is not called again", arguments: [Sandbox.SocketFault.noPing, .silence])
    func noPings(fault: Sandbox.SocketFault) {
        var state = Samples.state()
        _ = state.startSession("malva", fault: fault)
        #expect(Self.tick(&state, at: 60_000) == SocketOutput(commands: [], next: nil))
        _ = state.startSession("malva-\(fault.rawValue)", on: 2)
        #expect(Self.tick(&state, at: 120_000) == SocketOutput(commands: [], next: nil))
    }
}
