import AdCore
import Testing

@testable import AdProviders

@Suite("Smartico's session: who is connected, and who is logged in")
struct SmarticoSessionTests {
    @Test("the app is introduced first, then the user, and each waits for its answer")
    func order() throws {
        var talk = Talk()
        let first = talk.say(.logIn(Talk.user))
        guard case .connect(let request)? = first.last else {
            Issue.record("nothing is connected")
            return
        }
        #expect(
            request.url.text == "wss://live.example/websocket/services?master&domain=com.example.game&version=1.2.29"
        )
        talk.take(.socket(.opened))
        #expect(talk.classes == [3])
        talk.hear(Talk.initialized)
        #expect(talk.classes == [3, 5])
        talk.hear(Talk.identified)
        #expect(talk.classes == [3, 5, 7] && talk.session.isLive)
        let ids = talk.sent.compactMap { $0["uuid"]?.string }
        #expect(Set(ids).count == 3 && ids.allSatisfy { $0.utf8.count == 36 })
        #expect(talk.sent.allSatisfy { $0["ts"]?.number == 1_700_000_000_000 })
    }

    @Test("each message has the protocol's fields, on a phone and a tablet, with nulls where the protocol has them")
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

    @Test("without a user the app is introduced, and nobody else")
    func anonymous() {
        var talk = Talk()
        talk.say(.connect)
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        #expect(talk.classes == [3])
        talk.say(.logIn(Talk.user))
        #expect(talk.classes == [3, 5] && talk.connects == 1)
    }

    @Test("what the server says of the app and the user reaches the host")
    func news() throws {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        guard case .initialized(let settings)? = talk.news.first, case .identified(let profile)? = talk.news.last else {
            Issue.record("\(talk.news)")
            return
        }
        #expect(settings.hasGamification && settings.fcmSenderID == "77" && settings.products == [100, 0])
        #expect(profile.username == "Fern" && profile.isTestAccount && profile.properties["points"]?.number == 5)
        #expect(profile.avatar(in: settings)?.text == "https://img.example/avatar/31")
    }

    @Test("where the server sees the app, and its time, reach the host")
    func place() throws {
        var talk = Talk()
        talk.say(.connect)
        talk.take(.socket(.opened))
        talk.hear(
            #"{"cid":4,"errCode":0,"ts":1632835680057,"products":[100],"payload":{"country":"SE","s":"main03","city":"Malmö","ip":"192.0.2.7"}}"#
        )
        guard case .initialized(let settings)? = talk.news.first else {
            Issue.record("\(talk.news)")
            return
        }
        #expect(settings.country == "SE" && settings.city == "Malmö" && settings.ip == "192.0.2.7")
        #expect(settings.serverTime == WallTime(milliseconds: 1_632_835_680_057))
        #expect(talk.issues.isEmpty)
    }

    @Test(
        "what is no place and no time is left out, and the session goes on",
        arguments: [
            (#""payload":null"#, []), (#""payload":{}"#, []), (#""payload":[1]"#, ["payload.noObject"]),
            (#""payload":{"country":{},"city":7,"ip":null}"#, ["country.noText", "city.number"]),
            (#""ts":"soon""#, ["ts.noNumber"]), (#""ts":-1"#, ["ts.impossible"]), (#""ts":1e308"#, ["ts.impossible"]),
            (#""ts":1e999"#, ["ts.range"]),
        ]
    )
    func noPlace(members: String, issues: [String]) {
        var talk = Talk()
        talk.say(.connect)
        talk.take(.socket(.opened))
        talk.hear(#"{"cid":4,\#(members),"products":[100]}"#)
        guard case .initialized(let settings)? = talk.news.first else {
            Issue.record("\(talk.news)")
            return
        }
        #expect(settings.country == nil && settings.serverTime == nil && settings.hasGamification)
        #expect(talk.issues == issues)
    }

    @Test("a message of any size costs itself, and not the session: the server is there as long as it comes")
    func tooLong() {
        var talk = Talk()
        talk.live()
        talk.hear(Talk.popup("e-1"))
        talk.forget()
        for mebibyte in 1...100 {
            talk.wait(.seconds(100))
            talk.take(.socket(.passingOver(bytes: mebibyte << 20)))
        }
        #expect(talk.issues.isEmpty && talk.connects == 0)
        #expect(talk.alarm(.silence) == talk.now + .seconds(180))
        talk.take(.socket(.passedOver(bytes: 100 << 20)))
        #expect(talk.issues == ["message.tooLong"] && talk.session.isLive)
        talk.forget()
        talk.hear(Talk.popup("e-2"))
        #expect(talk.offers.count == 1 && talk.issues.isEmpty && talk.connects == 0)
    }

    @Test("a ping is answered at once, under its own id and our time")
    func ping() {
        var talk = Talk()
        talk.live()
        talk.wait(.seconds(5))
        talk.hear(#"{"cid":1,"ts":9,"uuid":"ping-1"}"#)
        #expect(talk.sent.map { $0.text() } == [#"{"cid":2,"ts":1700000005000,"uuid":"ping-1"}"#])
        talk.hear(#"{"cid":1,"ts":9}"#)
        #expect(talk.sent.last?["uuid"]?.string?.utf8.count == 36)
    }

    @Test("a user is introduced once on each socket: another one gets another socket")
    func otherUser() {
        var talk = Talk()
        talk.live()
        talk.say(.logIn(Talk.user))
        #expect(talk.actions.isEmpty, "the same one is there already")
        talk.say(.logIn(SmarticoUser(id: "u-8")))
        #expect(talk.connects == 1)
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        #expect(talk.sent.last?["ext_user_id"]?.string == "u-8")
    }

    @Test("a logout closes the socket and opens it again, and nobody is introduced")
    func logout() {
        var talk = Talk()
        talk.live()
        talk.say(.logOut)
        let closes = talk.actions.contains { if case .disconnect = $0 { true } else { false } }
        #expect(closes && talk.connects == 1)
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        #expect(talk.classes == [3])
        talk.hear(Talk.popup("e-1"))
        #expect(talk.offers.isEmpty && talk.issues.last == "push.nobody")
    }

    @Test("the session id stays through reconnects and goes with the user")
    func sessionID() throws {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.take(.timer(.reconnect))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        talk.say(.logOut)
        talk.take(.socket(.opened))
        let ids = talk.sent.compactMap { $0["session_id"]?.string }
        #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2])
    }

    @Test("a refusal is told, and tried again later each time, up to minutes", arguments: [4, 6])
    func refused(cid: Int) throws {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        var pauses: [Duration] = []
        for _ in 0..<12 {
            talk.take(.socket(.opened))
            if cid == 6 { talk.hear(Talk.initialized) }
            talk.forget()
            talk.hear(#"{"cid":\#(cid),"errCode":1,"errMsg":"no such label"}"#)
            guard case .refused(let what, let verdict)? = talk.news.first else {
                Issue.record("\(talk.news)")
                return
            }
            #expect(what == (cid == 4 ? .initialize : .identify))
            #expect(verdict.code == 1 && verdict.message == "no such label")
            let next = try #require(talk.alarm(.reconnect))
            pauses.append(next - talk.now)
            talk.now = next
            talk.take(.timer(.reconnect))
        }
        #expect(pauses[0] <= .seconds(1) && pauses[0] >= .milliseconds(500))
        #expect(pauses.allSatisfy { $0 <= .seconds(300) } && (pauses.last ?? .zero) >= .seconds(150))
    }

    @Test("a lost connection is opened again, with doubling pauses up to a minute, and anew after a good one")
    func reconnect() throws {
        var talk = Talk()
        talk.live()
        var pauses: [Duration] = []
        for _ in 0..<10 {
            talk.forget()
            talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
            let next = try #require(talk.alarm(.reconnect))
            pauses.append(next - talk.now)
            guard case .disconnected(_, let pause)? = talk.news.last else {
                Issue.record("\(talk.news)")
                return
            }
            #expect(pause == next - talk.now)
            talk.now = next
            talk.take(.timer(.reconnect))
            #expect(talk.connects == 1)
        }
        for (index, pause) in pauses.enumerated() {
            let most = min(60, Double(1 << index))
            #expect(pause <= .seconds(most) && pause >= .seconds(most / 2))
        }
        talk.take(.socket(.opened))
        talk.wait(.seconds(30))
        talk.forget()
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        #expect(try #require(talk.alarm(.reconnect)) - talk.now <= .seconds(1))
    }

    @Test("a server that does not answer is left after its time", arguments: [false, true])
    func noAnswer(isIdentifying: Bool) throws {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        if isIdentifying { talk.hear(Talk.initialized) }
        #expect(talk.alarm(.answer) == talk.now + .seconds(15))
        talk.now = talk.now + .seconds(15)
        talk.take(.timer(.answer))
        #expect(talk.alarm(.reconnect) != nil && talk.alarm(.silence) == nil)
    }

    @Test("a half-open connection is found by the pings that don't come")
    func silence() throws {
        var talk = Talk()
        talk.live()
        talk.hear(#"{"cid":1,"uuid":"p0"}"#)
        #expect(talk.alarm(.silence) == talk.now + .seconds(180), "as long as nobody knows how often they come")
        for index in 1...3 {
            talk.wait(.seconds(25))
            talk.hear(#"{"cid":1,"uuid":"p\#(index)"}"#)
        }
        #expect(talk.alarm(.silence) == talk.now + .seconds(75))
        talk.wait(.seconds(75))
        talk.forget()
        talk.take(.timer(.silence))
        #expect(talk.alarm(.reconnect) != nil)
        guard case .disconnected(let end, _)? = talk.news.last else { return }
        #expect(end.cause == .lost)
    }

    @Test("a server that asks more rarely than it did is given more time after it was given up once")
    func slower() throws {
        var talk = Talk()
        talk.live()
        for index in 0..<3 {
            talk.wait(.seconds(5))
            talk.hear(#"{"cid":1,"uuid":"p\#(index)"}"#)
        }
        #expect(talk.alarm(.silence) == talk.now + .seconds(20))
        talk.wait(.seconds(20))
        talk.take(.timer(.silence))
        talk.now = try #require(talk.alarm(.reconnect))
        talk.take(.timer(.reconnect))
        talk.take(.socket(.opened))
        #expect(talk.alarm(.silence) == talk.now + .seconds(180), "what was learnt does not hold any more")
    }

    @Test("a server that asks every ten minutes is not given up between two of its pings")
    func rarely() throws {
        var talk = Talk()
        talk.live()
        talk.hear(#"{"cid":1,"uuid":"p"}"#)
        for patience in [180, 360] {
            #expect(talk.alarm(.silence) == talk.now + .seconds(patience))
            talk.wait(.seconds(patience))
            talk.take(.timer(.silence))
            talk.take(.timer(.reconnect))
            talk.take(.socket(.opened))
        }
        for index in 0..<3 {
            talk.wait(.seconds(600))
            talk.hear(#"{"cid":1,"uuid":"p\#(index)"}"#)
            #expect(try #require(talk.alarm(.silence)) > talk.now + .seconds(600))
        }
    }

    @Test(
        "a ping that comes behind a longer silence than is allowed says that the app slept, and nothing of the server"
    )
    func slept() {
        var talk = Talk()
        talk.live()
        for seconds in [0, 25, 25, 1_200] {
            talk.wait(.seconds(seconds))
            talk.hear(#"{"cid":1,"uuid":"p"}"#)
        }
        #expect(talk.alarm(.silence) == talk.now + .seconds(75))
    }

    @Test("a connection that has just been opened is not given up for the silence of the one before")
    func newConnection() {
        var talk = Talk()
        talk.live()
        talk.take(.signal(.background(true)))
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.wait(.seconds(45 * 60))
        talk.take(.timer(.reconnect))
        talk.take(.socket(.opened))
        talk.forget()
        talk.take(.signal(.background(false)))
        #expect(talk.connects == 0 && talk.issues.isEmpty)
    }

    @Test("without a network nothing is tried, and with one at once")
    func offline() throws {
        var talk = Talk()
        talk.live()
        talk.take(.signal(.network(.offline)))
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        #expect(talk.alarm(.reconnect) == nil && talk.connects == 0)
        guard case .disconnected(_, nil)? = talk.news.last else {
            Issue.record("\(talk.news)")
            return
        }
        talk.take(.signal(.network(.wifi)))
        #expect(talk.connects == 1)
    }

    @Test("whoever comes back to the foreground is connected at once")
    func foreground() {
        var talk = Talk()
        talk.live()
        talk.take(.signal(.background(true)))
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.take(.signal(.background(false)))
        #expect(talk.connects == 1 && talk.alarm(.reconnect) == nil)
    }

    @Test(
        "a logical session begins with a login and after half an hour away, and not with a reconnect",
        arguments: [(29 * 60 + 59, false), (30 * 60, true)]
    )
    func logicalSession(seconds: Int, begins: Bool) {
        var talk = Talk()
        talk.live()
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.take(.timer(.reconnect))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        #expect(talk.classes == [3, 5], "a reconnect is no beginning")
        talk.forget()
        talk.take(.signal(.background(true)))
        talk.wait(.seconds(seconds - 1))
        talk.take(.socket(.binary(count: 1)))
        talk.wait(.seconds(1))
        talk.take(.signal(.background(false)))
        #expect(talk.classes == (begins ? [7] : []))
    }

    @Test("whoever was away so long that nobody heard of the server begins on a new connection")
    func awayForLong() {
        var talk = Talk()
        talk.live()
        talk.take(.signal(.background(true)))
        talk.wait(.seconds(45 * 60))
        talk.take(.signal(.background(false)))
        #expect(talk.connects == 1 && talk.sent.isEmpty && talk.issues == ["server.silent"])
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        #expect(talk.classes == [3, 5, 7])
    }

    @Test("the same user with another proof is the same user, and is introduced at once where that was refused")
    func newHash() {
        var talk = Talk()
        talk.live()
        talk.hear(Talk.popup("e-1"))
        talk.forget()
        talk.say(.logIn(SmarticoUser(id: "u-7", hash: "new")))
        #expect(talk.actions.isEmpty)
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.say(.logIn(SmarticoUser(id: "u-7", hash: "newer")))
        #expect(talk.connects == 1)
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        #expect(talk.sent.last?["hash"]?.string == "newer")
    }

    @Test("a refused token may be given again")
    func refusedToken() {
        var talk = Talk()
        talk.live()
        let push = SmarticoPush(token: "t-1", platform: .iOS)
        talk.say(.push(push))
        talk.hear(#"{"cid":2003,"errCode":1}"#)
        talk.say(.push(push))
        #expect(talk.classes == [1003, 1003])
    }

    @Test("without a network a login waits for one")
    func offlineLogin() {
        var talk = Talk()
        talk.take(.signal(.network(.offline)))
        talk.say(.logIn(Talk.user))
        #expect(talk.connects == 0)
        talk.take(.signal(.network(.cellular)))
        #expect(talk.connects == 1)
    }

    @Test("a page that is not secure is not opened over a connection that is")
    func insecurePage() {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(
            #"{"cid":6,"native_app_popup_url":"http://live.example/p","native_app_gf_url":"http://live.example/g"}"#
        )
        talk.hear(Talk.popup("e-1"))
        talk.say(.openGamification(deepLink: nil))
        #expect(talk.offers.isEmpty && talk.issues == ["page.notSecure", "page.notSecure"])
        guard case .gamificationUnavailable? = talk.news.last else {
            Issue.record("\(talk.news)")
            return
        }
    }

    @Test("the host may decide by itself when a logical session begins")
    func ownSessions() {
        var talk = Talk { $0.beginsLogicalSessions = false }
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        #expect(talk.classes == [3, 5])
        talk.say(.beginLogicalSession)
        #expect(talk.classes == [3, 5, 7])
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.say(.beginLogicalSession)
        talk.take(.timer(.reconnect))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        #expect(talk.classes == [3, 5, 7, 3, 5, 7], "it waited for the server")
    }

    @Test("a push token is sent when it changes; while nobody listens it waits for the next introduction")
    func push() {
        var talk = Talk()
        talk.live()
        let first = SmarticoPush(token: "t-1", platform: .iOS)
        talk.say(.push(first))
        talk.say(.push(first))
        #expect(talk.sent.map { $0["token"]?.string } == ["t-1"] && talk.classes == [1003])
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.say(.push(SmarticoPush(token: "t-2", status: .blocked, platform: .iOS)))
        talk.forget()
        talk.take(.timer(.reconnect))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        #expect(talk.sent.last?["token"]?.string == "t-2" && talk.sent.last?["pushNotificationUserStatus"]?.number == 2)
        talk.say(.push(SmarticoPush(token: "t-3", platform: .iOS)))
        talk.hear(Talk.identified)
        #expect(talk.sent.last?["cid"]?.number == 1003 && talk.sent.last?["token"]?.string == "t-3")
        talk.hear(#"{"cid":2003,"errCode":0}"#)
        #expect(talk.news.last == .pushTaken)
    }

    @Test("a language is told once the server listens, and only the last one")
    func language() {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.say(.language("EN"))
        talk.say(.language("BG"))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        #expect(talk.classes == [3, 5, 7, 9])
        #expect(talk.sent.last?["payload"]?["language"]?.string == "BG")
        talk.say(.language("EN"))
        #expect(talk.sent.last?["payload"]?["language"]?.string == "EN")
    }

    @Test(
        "what the server says out of turn, or says badly, changes nothing and is told",
        arguments: [
            ("nonsense", "message.noJSON"), ("[1]", "message.noClass"), (#"{"cid":"x"}"#, "message.noClass"),
            (#"{"cid":12345}"#, "message.unknown"), (Talk.initialized, "message.unexpected"),
            (Talk.identified, "message.unexpected"), (#"{"cid":707}"#, "game.noTemplate"),
            (String(repeating: "[", count: 1_000_000), "message.noJSON"),
        ]
    )
    func outOfTurn(text: String, issue: String) {
        var talk = Talk()
        talk.live()
        talk.hear(text)
        #expect(talk.issues.contains(issue))
        #expect(talk.session.isLive && talk.sent.isEmpty && talk.offers.isEmpty)
    }

    @Test("bytes that are no text are dropped, and so is what comes before its turn")
    func early() {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        talk.take(.socket(.binary(count: 9)))
        talk.hear(Talk.identified)
        #expect(talk.issues == ["message.binary", "message.unexpected"] && !talk.session.isLive)
    }

    @Test("an end takes everything back, and nothing is heard then")
    func end() {
        var talk = Talk()
        talk.live()
        talk.hear(Talk.popup("e-1"))
        talk.say(.end)
        for timer in EngagementTimer.allCases { #expect(talk.alarm(timer) == nil) }
        talk.forget()
        talk.take(.socket(.closed(SocketEnd(.byUs, "closed"))))
        talk.take(.timer(.reconnect))
        #expect(talk.actions.isEmpty)
    }

    @Test("an address that can't be used is told, and nothing is tried")
    func badAddress() {
        let bad = SmarticoApp(
            labelKey: "l",
            brandKey: nil,
            id: "i",
            version: "1.0.0",
            deviceID: "d",
            socket: SocketURL("ws://live.example/?a=b") ?? SmarticoApp.standardSocket
        )
        var talk = Talk(bad)
        talk.say(.connect)
        guard case .disconnected(let end, nil)? = talk.news.last else {
            Issue.record("\(talk.news)")
            return
        }
        #expect(end.cause == .notOpened() && end.message.contains("query") && talk.connects == 0)
    }
}
