import AdCore
import Testing

@testable import AdProviders

@Suite("Smartico session: connection and user")
struct SmarticoSessionTests {
    @Test("INIT is sent first, then IDENTIFY after INIT's response")
    func order() throws {
        var scene = SessionScene()
        let first = scene.command(.logIn(SessionScene.user))
        guard case .connect(let request)? = first.last else {
            Issue.record("there is no connect action")
            return
        }
        #expect(
            request.url.text == "wss://live.example/websocket/services?master&domain=com.example.game&version=1.2.29"
        )
        scene.handle(.socket(.opened))
        #expect(scene.classes == [3])
        scene.receive(SessionScene.initialized)
        #expect(scene.classes == [3, 5])
        scene.receive(SessionScene.identified)
        #expect(scene.classes == [3, 5, 7] && scene.session.isLive)
        let ids = scene.sent.compactMap { $0["uuid"]?.string }
        #expect(Set(ids).count == 3 && ids.allSatisfy { $0.utf8.count == 36 })
        #expect(scene.sent.allSatisfy { $0["ts"]?.number == 1_700_000_000_000 })
    }

    @Test("each message has the protocol's fields and nulls, on a phone and a tablet")
    func fields() {
        let time = EngagementTime(now: .origin, wall: WallTime(milliseconds: 5), minutesBehindUTC: -180)
        func app(_ agent: SmarticoAgent) -> SmarticoApp {
            SmarticoApp(
                labelKey: "label-1",
                brandKey: nil,
                id: "com.example.game",
                version: "1.2.29",
                deviceID: "device-1",
                agent: agent,
                page: "app://lobby"
            )
        }
        func text(_ message: SmarticoOutgoing) -> String { message.text(at: time, uuid: "id-1") }
        let phone = app(SmarticoAgent())
        let tablet = app(
            SmarticoAgent(
                fingerprint: 7,
                userAgent: "Agent/1",
                host: "play.example",
                deviceType: SmarticoAgent.tablet,
                browser: "Safari",
                os: "Android"
            )
        )
        #expect(
            text(.initialize(phone, session: "s-1"))
                == #"{"cid":3,"label_key":"label-1","brand_key":null,"device_id":"device-1","#
                + #""ua":{"device_type":"NATIVE_PHONE","tzoffset":-180,"os":"iOS"},"page":"app://lobby","#
                + #""tracker_version":"1.2.29","session_id":"s-1","ts":5,"uuid":"id-1"}"#
        )
        let agent =
            #"{"fp":7,"agent":"Agent/1","host":"play.example","device_type":"NATIVE_TABLET","tzoffset":-180,"#
            + #""browser":"Safari","os":"Android"}"#
        let push = SmarticoPush(token: "tok", status: .blocked, platform: .android)
        #expect(
            text(.identify(SmarticoUser(id: "u-7"), tablet, push))
                == #"{"cid":5,"ext_user_id":"u-7","hash":null,"ua":\#(agent),"page":"app://lobby","#
                + #""pushNotificationUserStatus":2,"token":"tok","tracker_version":"1.2.29","platform":7,"payload":{},"#
                + #""ts":5,"uuid":"id-1"}"#
        )
        #expect(
            text(.login(phone))
                == #"{"cid":7,"payload":{"ua_device_type":"NATIVE_PHONE","ua_tzoffset":-180,"ua_os":"iOS"},"ts":5,"uuid":"id-1"}"#
        )
        #expect(
            text(.push(push))
                == #"{"cid":1003,"pushNotificationUserStatus":2,"token":"tok","platform":7,"ts":5,"uuid":"id-1"}"#
        )
        #expect(
            text(.language("EN"))
                == #"{"cid":9,"eventType":"core_language_changed","payload":{"language":"EN"},"ts":5,"uuid":"id-1"}"#
        )
    }

    @Test("without a user only INIT is sent")
    func anonymous() {
        var scene = SessionScene()
        scene.command(.connect)
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        #expect(scene.classes == [3])
        scene.command(.logIn(SessionScene.user))
        #expect(scene.classes == [3, 5] && scene.connects == 1)
    }

    @Test("the server's settings and profile are reported to the host")
    func settingsAndProfile() throws {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        guard case .initialized(let settings)? = scene.events.first, case .identified(let profile)? = scene.events.last
        else {
            Issue.record("\(scene.events)")
            return
        }
        #expect(settings.hasGamification && settings.fcmSenderID == "77" && settings.products == [100, 0])
        #expect(profile.username == "Fern" && profile.isTestAccount && profile.properties["points"]?.number == 5)
        #expect(profile.avatar(in: settings)?.text == "https://img.example/avatar/31")
    }

    @Test("the server's location of the app and its time are reported to the host")
    func place() throws {
        var scene = SessionScene()
        scene.command(.connect)
        scene.handle(.socket(.opened))
        scene.receive(
            #"{"cid":4,"errCode":0,"ts":1632835680057,"products":[100],"payload":{"country":"SE","s":"main03","city":"Malmö","ip":"192.0.2.7"}}"#
        )
        guard case .initialized(let settings)? = scene.events.first else {
            Issue.record("\(scene.events)")
            return
        }
        #expect(settings.country == "SE" && settings.city == "Malmö" && settings.ip == "192.0.2.7")
        #expect(settings.serverTime == WallTime(milliseconds: 1_632_835_680_057))
        #expect(scene.issues.isEmpty)
    }

    @Test(
        "an invalid location or time is ignored, and the session continues",
        arguments: [
            (#""payload":null"#, []), (#""payload":{}"#, []), (#""payload":[1]"#, ["payload.noObject"]),
            (#""payload":{"country":{},"city":7,"ip":null}"#, ["country.noText", "city.number"]),
            (#""ts":"soon""#, ["ts.noNumber"]), (#""ts":-1"#, ["ts.impossible"]), (#""ts":1e308"#, ["ts.impossible"]),
            (#""ts":1e999"#, ["ts.range"]),
        ]
    )
    func noPlace(members: String, issues: [String]) {
        var scene = SessionScene()
        scene.command(.connect)
        scene.handle(.socket(.opened))
        scene.receive(#"{"cid":4,\#(members),"products":[100]}"#)
        guard case .initialized(let settings)? = scene.events.first else {
            Issue.record("\(scene.events)")
            return
        }
        #expect(settings.country == nil && settings.serverTime == nil && settings.hasGamification)
        #expect(scene.issues == issues)
    }

    @Test("an overlong message is dropped without ending the session, and its arrival counts as activity")
    func tooLong() {
        var scene = SessionScene()
        scene.logIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.clearActions()
        for mebibyte in 1...100 {
            scene.advance(by: .seconds(100))
            scene.handle(.socket(.skippingMessage(bytes: mebibyte << 20)))
        }
        #expect(scene.issues.isEmpty && scene.connects == 0)
        #expect(scene.deadline(of: .silence) == scene.now + .seconds(180))
        scene.handle(.socket(.skippedMessage(bytes: 100 << 20)))
        #expect(scene.issues == ["message.tooLong"] && scene.session.isLive)
        scene.clearActions()
        scene.receive(SessionScene.popup("e-2"))
        #expect(scene.offers.count == 1 && scene.issues.isEmpty && scene.connects == 0)
    }

    @Test("a PONG is sent at once with the ping's id and the app's time")
    func ping() {
        var scene = SessionScene()
        scene.logIn()
        scene.advance(by: .seconds(5))
        scene.receive(#"{"cid":1,"ts":9,"uuid":"ping-1"}"#)
        #expect(scene.sent.map { $0.text() } == [#"{"cid":2,"ts":1700000005000,"uuid":"ping-1"}"#])
        scene.receive(#"{"cid":1,"ts":9}"#)
        #expect(scene.sent.last?["uuid"]?.string?.utf8.count == 36)
    }

    @Test("IDENTIFY is sent once per socket; another user gets a new socket")
    func otherUser() {
        var scene = SessionScene()
        scene.logIn()
        scene.command(.logIn(SessionScene.user))
        #expect(scene.actions.isEmpty, "the same user is logged in already")
        scene.command(.logIn(SmarticoUser(id: "u-8")))
        #expect(scene.connects == 1)
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        #expect(scene.sent.last?["ext_user_id"]?.string == "u-8")
    }

    @Test("a logout reconnects without IDENTIFY")
    func logout() {
        var scene = SessionScene()
        scene.logIn()
        scene.command(.logOut)
        let closes = scene.actions.contains { if case .disconnect = $0 { true } else { false } }
        #expect(closes && scene.connects == 1)
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        #expect(scene.classes == [3])
        scene.receive(SessionScene.popup("e-1"))
        #expect(scene.offers.isEmpty && scene.issues.last == "push.nobody")
    }

    @Test("the session id survives a reconnect and changes with the user")
    func sessionID() throws {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.handle(.timer(.reconnect))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        scene.command(.logOut)
        scene.handle(.socket(.opened))
        let ids = scene.sent.compactMap { $0["session_id"]?.string }
        #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2])
    }

    @Test("a refusal is reported and retried with growing delays", arguments: [4, 6])
    func refused(cid: Int) throws {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        var pauses: [Duration] = []
        for _ in 0..<12 {
            scene.handle(.socket(.opened))
            if cid == 6 { scene.receive(SessionScene.initialized) }
            scene.clearActions()
            scene.receive(#"{"cid":\#(cid),"errCode":1,"errMsg":"no such label"}"#)
            guard case .refused(let what, let result)? = scene.events.first else {
                Issue.record("\(scene.events)")
                return
            }
            #expect(what == (cid == 4 ? .initialize : .identify))
            #expect(result.code == 1 && result.message == "no such label")
            let next = try #require(scene.deadline(of: .reconnect))
            pauses.append(next - scene.now)
            scene.now = next
            scene.handle(.timer(.reconnect))
        }
        #expect(pauses[0] <= .seconds(1) && pauses[0] >= .milliseconds(500))
        #expect(pauses.allSatisfy { $0 <= .seconds(300) } && (pauses.last ?? .zero) >= .seconds(150))
    }

    @Test("a lost connection is reopened with delays that double up to a minute, and reset after a stable one")
    func reconnect() throws {
        var scene = SessionScene()
        scene.logIn()
        var pauses: [Duration] = []
        for _ in 0..<10 {
            scene.clearActions()
            scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
            let next = try #require(scene.deadline(of: .reconnect))
            pauses.append(next - scene.now)
            guard case .disconnected(_, let pause)? = scene.events.last else {
                Issue.record("\(scene.events)")
                return
            }
            #expect(pause == next - scene.now)
            scene.now = next
            scene.handle(.timer(.reconnect))
            #expect(scene.connects == 1)
        }
        for (index, pause) in pauses.enumerated() {
            let most = min(60, Double(1 << index))
            #expect(pause <= .seconds(most) && pause >= .seconds(most / 2))
        }
        scene.handle(.socket(.opened))
        scene.advance(by: .seconds(30))
        scene.clearActions()
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        #expect(try #require(scene.deadline(of: .reconnect)) - scene.now <= .seconds(1))
    }

    @Test("a server that does not respond in time is disconnected", arguments: [false, true])
    func noAnswer(isIdentifying: Bool) throws {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        if isIdentifying { scene.receive(SessionScene.initialized) }
        #expect(scene.deadline(of: .response) == scene.now + .seconds(15))
        scene.now = scene.now + .seconds(15)
        scene.handle(.timer(.response))
        #expect(scene.deadline(of: .reconnect) != nil && scene.deadline(of: .silence) == nil)
    }

    @Test("missing pings reveal a half-open connection")
    func silence() throws {
        var scene = SessionScene()
        scene.logIn()
        scene.receive(#"{"cid":1,"uuid":"p0"}"#)
        #expect(scene.deadline(of: .silence) == scene.now + .seconds(180), "the ping interval is still unknown")
        for index in 1...3 {
            scene.advance(by: .seconds(25))
            scene.receive(#"{"cid":1,"uuid":"p\#(index)"}"#)
        }
        #expect(scene.deadline(of: .silence) == scene.now + .seconds(75))
        scene.advance(by: .seconds(75))
        scene.clearActions()
        scene.handle(.timer(.silence))
        #expect(scene.deadline(of: .reconnect) != nil)
        guard case .disconnected(let end, _)? = scene.events.last else {
            Issue.record("\(scene.events)")
            return
        }
        #expect(end.cause == .lost)
    }

    @Test("a server whose pings become rarer is allowed more silence after one disconnect")
    func slower() throws {
        var scene = SessionScene()
        scene.logIn()
        for index in 0..<3 {
            scene.advance(by: .seconds(5))
            scene.receive(#"{"cid":1,"uuid":"p\#(index)"}"#)
        }
        #expect(scene.deadline(of: .silence) == scene.now + .seconds(20))
        scene.advance(by: .seconds(20))
        scene.handle(.timer(.silence))
        scene.now = try #require(scene.deadline(of: .reconnect))
        scene.handle(.timer(.reconnect))
        scene.handle(.socket(.opened))
        #expect(scene.deadline(of: .silence) == scene.now + .seconds(180), "the learned interval is discarded")
    }

    @Test("a server that pings every ten minutes is not disconnected between two pings")
    func rarely() throws {
        var scene = SessionScene()
        scene.logIn()
        scene.receive(#"{"cid":1,"uuid":"p"}"#)
        for timeout in [180, 360] {
            #expect(scene.deadline(of: .silence) == scene.now + .seconds(timeout))
            scene.advance(by: .seconds(timeout))
            scene.handle(.timer(.silence))
            scene.handle(.timer(.reconnect))
            scene.handle(.socket(.opened))
        }
        for index in 0..<3 {
            scene.advance(by: .seconds(600))
            scene.receive(#"{"cid":1,"uuid":"p\#(index)"}"#)
            #expect(try #require(scene.deadline(of: .silence)) > scene.now + .seconds(600))
        }
    }

    @Test(
        "a ping after more than the allowed silence means a suspended app, and does not change the interval"
    )
    func slept() {
        var scene = SessionScene()
        scene.logIn()
        for seconds in [0, 25, 25, 1_200] {
            scene.advance(by: .seconds(seconds))
            scene.receive(#"{"cid":1,"uuid":"p"}"#)
        }
        #expect(scene.deadline(of: .silence) == scene.now + .seconds(75))
    }

    @Test("a new connection is not closed because the old one was silent")
    func newConnection() {
        var scene = SessionScene()
        scene.logIn()
        scene.handle(.signal(.background(true)))
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.advance(by: .seconds(45 * 60))
        scene.handle(.timer(.reconnect))
        scene.handle(.socket(.opened))
        scene.clearActions()
        scene.handle(.signal(.background(false)))
        #expect(scene.connects == 0 && scene.issues.isEmpty)
    }

    @Test("without a network there are no attempts, and with one it connects at once")
    func offline() throws {
        var scene = SessionScene()
        scene.logIn()
        scene.handle(.signal(.network(.offline)))
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        #expect(scene.deadline(of: .reconnect) == nil && scene.connects == 0)
        guard case .disconnected(_, nil)? = scene.events.last else {
            Issue.record("\(scene.events)")
            return
        }
        scene.handle(.signal(.network(.wifi)))
        #expect(scene.connects == 1)
    }

    @Test("an app that enters the foreground reconnects at once")
    func foreground() {
        var scene = SessionScene()
        scene.logIn()
        scene.handle(.signal(.background(true)))
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.handle(.signal(.background(false)))
        #expect(scene.connects == 1 && scene.deadline(of: .reconnect) == nil)
    }

    @Test(
        "a logical session starts with a login and after half an hour in the background, not with a reconnect",
        arguments: [(29 * 60 + 59, false), (30 * 60, true)]
    )
    func logicalSession(seconds: Int, begins: Bool) {
        var scene = SessionScene()
        scene.logIn()
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.handle(.timer(.reconnect))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        #expect(scene.classes == [3, 5], "a reconnect begins no logical session")
        scene.clearActions()
        scene.handle(.signal(.background(true)))
        scene.advance(by: .seconds(seconds - 1))
        scene.handle(.socket(.binary(count: 1)))
        scene.advance(by: .seconds(1))
        scene.handle(.signal(.background(false)))
        #expect(scene.classes == (begins ? [7] : []))
    }

    @Test("an app that was in the background beyond the allowed silence reconnects first")
    func awayForLong() {
        var scene = SessionScene()
        scene.logIn()
        scene.handle(.signal(.background(true)))
        scene.advance(by: .seconds(45 * 60))
        scene.handle(.signal(.background(false)))
        #expect(scene.connects == 1 && scene.sent.isEmpty && scene.issues == ["server.silent"])
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        #expect(scene.classes == [3, 5, 7])
    }

    @Test("a new hash does not change the user, but retries a refused IDENTIFY at once")
    func newHash() {
        var scene = SessionScene()
        scene.logIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.clearActions()
        scene.command(.logIn(SmarticoUser(id: "u-7", hash: "new")))
        #expect(scene.actions.isEmpty)
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.command(.logIn(SmarticoUser(id: "u-7", hash: "newer")))
        #expect(scene.connects == 1)
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        #expect(scene.sent.last?["hash"]?.string == "newer")
    }

    @Test("a refused token may be set again")
    func refusedToken() {
        var scene = SessionScene()
        scene.logIn()
        let push = SmarticoPush(token: "t-1", platform: .iOS)
        scene.command(.push(push))
        scene.receive(#"{"cid":2003,"errCode":1}"#)
        scene.command(.push(push))
        #expect(scene.classes == [1003, 1003])
    }

    @Test("a login waits for a network")
    func offlineLogin() {
        var scene = SessionScene()
        scene.handle(.signal(.network(.offline)))
        scene.command(.logIn(SessionScene.user))
        #expect(scene.connects == 0)
        scene.handle(.signal(.network(.cellular)))
        #expect(scene.connects == 1)
    }

    @Test("an insecure page is not opened in a secure session")
    func insecurePage() {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(
            #"{"cid":6,"native_app_popup_url":"http://live.example/p","native_app_gf_url":"http://live.example/g"}"#
        )
        scene.receive(SessionScene.popup("e-1"))
        scene.command(.openGamification(deepLink: nil))
        #expect(scene.offers.isEmpty && scene.issues == ["page.notSecure", "page.notSecure"])
        guard case .gamificationUnavailable? = scene.events.last else {
            Issue.record("\(scene.events)")
            return
        }
    }

    @Test("the host may decide when a logical session starts")
    func ownSessions() {
        var scene = SessionScene { $0.startsLogicalSessions = false }
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        #expect(scene.classes == [3, 5])
        scene.command(.startLogicalSession)
        #expect(scene.classes == [3, 5, 7])
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.command(.startLogicalSession)
        scene.handle(.timer(.reconnect))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        #expect(scene.classes == [3, 5, 7, 3, 5, 7], "LOGIN waited for IDENTIFY's response")
    }

    @Test("a push token is sent when it changes; while disconnected it waits for IDENTIFY")
    func push() {
        var scene = SessionScene()
        scene.logIn()
        let first = SmarticoPush(token: "t-1", platform: .iOS)
        scene.command(.push(first))
        scene.command(.push(first))
        #expect(scene.sent.map { $0["token"]?.string } == ["t-1"] && scene.classes == [1003])
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.command(.push(SmarticoPush(token: "t-2", status: .blocked, platform: .iOS)))
        scene.clearActions()
        scene.handle(.timer(.reconnect))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        #expect(
            scene.sent.last?["token"]?.string == "t-2" && scene.sent.last?["pushNotificationUserStatus"]?.number == 2
        )
        scene.command(.push(SmarticoPush(token: "t-3", platform: .iOS)))
        scene.receive(SessionScene.identified)
        #expect(scene.sent.last?["cid"]?.number == 1003 && scene.sent.last?["token"]?.string == "t-3")
        scene.receive(#"{"cid":2003,"errCode":0}"#)
        #expect(scene.events.last == .pushTokenAccepted)
    }

    @Test("the latest language is sent after IDENTIFY's response")
    func language() {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.command(.language("EN"))
        scene.command(.language("BG"))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        #expect(scene.classes == [3, 5, 7, 9])
        #expect(scene.sent.last?["payload"]?["language"]?.string == "BG")
        scene.command(.language("EN"))
        #expect(scene.sent.last?["payload"]?["language"]?.string == "EN")
    }

    @Test(
        "an unexpected or invalid message of the server changes nothing, with an issue",
        arguments: [
            ("nonsense", "message.noJSON"), ("[1]", "message.noClass"), (#"{"cid":"x"}"#, "message.noClass"),
            (#"{"cid":12345}"#, "message.unknown"), (SessionScene.initialized, "message.unexpected"),
            (SessionScene.identified, "message.unexpected"), (#"{"cid":707}"#, "game.noTemplate"),
            (String(repeating: "[", count: 1_000_000), "message.noJSON"),
        ]
    )
    func outOfTurn(text: String, issue: String) {
        var scene = SessionScene()
        scene.logIn()
        scene.receive(text)
        #expect(scene.issues.contains(issue))
        #expect(scene.session.isLive && scene.sent.isEmpty && scene.offers.isEmpty)
    }

    @Test("a binary message and an unexpected message are dropped")
    func early() {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        scene.handle(.socket(.binary(count: 9)))
        scene.receive(SessionScene.identified)
        #expect(scene.issues == ["message.binary", "message.unexpected"] && !scene.session.isLive)
    }

    @Test("the end command cancels everything, and later inputs are ignored")
    func end() {
        var scene = SessionScene()
        scene.logIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.command(.end)
        for timer in EngagementTimer.allCases { #expect(scene.deadline(of: timer) == nil) }
        scene.clearActions()
        scene.handle(.socket(.closed(SocketEnd(.byUs, "closed"))))
        scene.handle(.timer(.reconnect))
        #expect(scene.actions.isEmpty)
    }

    @Test("an unusable socket address is reported, without an attempt")
    func badAddress() {
        let bad = SmarticoApp(
            labelKey: "l",
            brandKey: nil,
            id: "i",
            version: "1.0.0",
            deviceID: "d",
            socket: SocketURL("ws://live.example/?a=b") ?? SmarticoApp.standardSocket
        )
        var scene = SessionScene(bad)
        scene.command(.connect)
        guard case .disconnected(let end, nil)? = scene.events.last else {
            Issue.record("\(scene.events)")
            return
        }
        #expect(end.cause == .notOpened() && end.message.contains("query") && scene.connects == 0)
    }
}
