import AdCore
import Testing

@testable import AdProviders

@Suite("Smartico pages: pushes, display and messages")
struct SmarticoPageTests {
    private func loggedIn(_ change: (inout SmarticoSession.Rules) -> Void = { _ in }) -> SessionScene {
        var scene = SessionScene(SessionScene.app, change)
        scene.logIn()
        return scene
    }

    @Test("a popup is offered as a page at the server's address, and gets the pushed message byte for byte")
    func popup() throws {
        var scene = self.loggedIn()
        scene.receive(SessionScene.popup("e-1"))
        let (id, offer) = try #require(scene.offers.first)
        guard case .page(let page) = offer.creative else {
            Issue.record("\(offer.creative)")
            return
        }
        #expect(page.address.text == "https://live.example/popup?user=u-7" && page.userAgent == "SMTO-WRAPPER")
        #expect(page.bridges == ["SmarticoBridge", "ReactNativeWebView"])
        #expect(offer.rules == ShowRules(.engagement, lifetime: .seconds(300)) && offer.size == .adaptive)
        #expect(offer.beacons.isEmpty, "the page itself tracks the popup")
        #expect(scene.posts.isEmpty, "no message is posted before the page is loaded")
        scene.receive(fromPage: id, #"{"bcid":1}"#)
        #expect(scene.posts == [#"{"bcid":3,"# + SessionScene.popup("e-1").dropFirst()])
        scene.receive(fromPage: id, #"{"bcid":1}"#)
        #expect(scene.posts.count == 1 && scene.issues == ["bridge.repeated"])
    }

    @Test("a page is shown once when it reports ready, and closed on its request")
    func readyAndClose() {
        var scene = self.loggedIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.receive(fromPage: 1, #"{"bcid":1}"#)
        scene.clearActions()
        for _ in 0..<2 { scene.receive(fromPage: 1, #"{"bcid":5}"#) }
        let ready = scene.actions.count { if case .ready = $0 { true } else { false } }
        #expect(ready == 1)
        scene.receive(fromPage: 1, #"{"bcid":2}"#)
        let closes = scene.actions.contains { if case .close(PageID(1)) = $0 { true } else { false } }
        #expect(closes)
        scene.handle(.page(PageID(1), .gone))
        scene.clearActions()
        scene.receive(fromPage: 1, #"{"bcid":2}"#)
        #expect(scene.actions.isEmpty, "messages of a closed page are ignored")
    }

    @Test("a repeated push is shown once, also after a reconnect", arguments: [false, true])
    func once(reconnects: Bool) {
        var scene = self.loggedIn()
        scene.receive(SessionScene.popup("e-1"))
        if reconnects {
            scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
            scene.handle(.timer(.reconnect))
            scene.handle(.socket(.opened))
            scene.receive(SessionScene.initialized)
            scene.receive(SessionScene.identified)
        }
        scene.receive(SessionScene.popup("e-1"))
        scene.receive(SessionScene.popup("e-2"))
        #expect(scene.offers.count == 2 && scene.issues == ["push.repeated"])
    }

    @Test("pushes before IDENTIFY's response wait for it, up to a limit")
    func early() {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        for index in 0..<12 { scene.receive(SessionScene.popup("e-\(index)")) }
        #expect(scene.offers.isEmpty && scene.issues == Array(repeating: "push.flood", count: 4))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        #expect(scene.offers.count == 8)
    }

    @Test("of many pushes a few are offered, and more after these were shown")
    func flood() {
        var scene = self.loggedIn()
        for index in 0..<500 { scene.receive(SessionScene.popup("e-\(index)")) }
        #expect(scene.offers.count == 8 && scene.issues.count == 492)
        scene.handle(.page(PageID(1), .shown))
        scene.handle(.page(PageID(2), .gone))
        for index in 500..<510 { scene.receive(SessionScene.popup("e-\(index)")) }
        #expect(scene.offers.count == 10)
    }

    @Test("an expired address is renewed before it is used")
    func stale() {
        var scene = self.loggedIn()
        scene.advance(by: .seconds(24 * 3_600 - 1))
        scene.receive(SessionScene.popup("e-1"))
        #expect(scene.offers.count == 1 && scene.connects == 0)
        scene.advance(by: .seconds(1))
        scene.receive(SessionScene.popup("e-2"))
        #expect(scene.offers.count == 1 && scene.connects == 1)
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified.replacingOccurrence(of: "popup?user=u-7", with: "popup?user=u-7&day=2"))
        guard case .page(let page)? = scene.offers.last?.offer.creative else {
            Issue.record("\(scene.offers)")
            return
        }
        #expect(scene.offers.count == 2 && page.address.text.hasSuffix("day=2"))
    }

    @Test("a mini-game is the widget's page with a deep link to the game")
    func game() throws {
        var scene = self.loggedIn()
        scene.receive(#"{"saw_template_id":5,"cid":707,"ts":1,"uuid":"g-1"}"#)
        scene.receive(#"{"saw_template_id":5,"cid":707,"ts":1,"uuid":"g-1"}"#)
        guard case .page(let page)? = scene.offers.first?.offer.creative else {
            Issue.record("\(scene.offers)")
            return
        }
        #expect(scene.offers.count == 1)
        #expect(
            page.address.text
                == "https://live.example/gf?user=u-7&dp=dp%3Agf_saw%26id%3D5%26standalone%3Dtrue"
        )
        scene.receive(fromPage: 1, #"{"bcid":1}"#)
        #expect(scene.posts.isEmpty, "a game gets no message")
    }

    @Test("the widget opens with or without a deep link, and a new link replaces the open widget")
    func widget() {
        var scene = self.loggedIn()
        scene.command(.openGamification(deepLink: nil))
        scene.command(.openGamification(deepLink: "dp:gf_store"))
        let addresses = scene.offers.map { $0.offer.creative }.map { creative -> String in
            guard case .page(let page) = creative else { return "" }
            return page.address.text
        }
        #expect(
            addresses == ["https://live.example/gf?user=u-7", "https://live.example/gf?user=u-7&dp=dp%3Agf_store"]
        )
        let withdrawn = scene.actions.compactMap { if case .withdraw(let id) = $0 { id.number } else { nil } }
        #expect(withdrawn == [1])
    }

    @Test("the latest request for the widget waits for IDENTIFY's response")
    func widgetWaits() {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.command(.openGamification(deepLink: "dp:gf_one"))
        scene.command(.openGamification(deepLink: "dp:gf_two"))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(SessionScene.identified)
        #expect(scene.offers.count == 1)
        #expect(scene.offers.first?.offer.details.last == AdJSON.Member("dp", "dp:gf_two"))
    }

    @Test("without the product or a user the widget is unavailable, with a reason")
    func noWidget() {
        var scene = SessionScene()
        scene.command(.openGamification(deepLink: nil))
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        scene.receive(#"{"cid":4,"errCode":0,"products":[5]}"#)
        scene.receive(SessionScene.identified)
        scene.command(.openGamification(deepLink: nil))
        let reasons = scene.events.compactMap { if case .gamificationUnavailable(let text) = $0 { text } else { nil } }
        #expect(reasons.count == 2 && reasons[0].contains("log in") && reasons[1].contains("100"))
        #expect(scene.offers.isEmpty)
    }

    @Test("without an address nothing is shown, with an issue")
    func noAddress() {
        var scene = SessionScene()
        scene.command(.logIn(SessionScene.user))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        scene.receive(#"{"cid":6,"native_app_popup_url":"javascript:alert(1)"}"#)
        scene.receive(SessionScene.popup("e-1"))
        #expect(scene.offers.isEmpty && scene.issues == ["native_app_popup_url.noURL", "page.noAddress"])
    }

    @Test(
        "deep links are ignored, open the widget, or are reported to the host",
        arguments: [
            ("dp:ok", "nothing"), ("dp:cancel", "nothing"), ("dp:close", "nothing"), ("dp:action", "nothing"),
            ("dp:gf_levels", "widget"), ("dp:gf", "widget"), ("dp:missions", "widget"), ("dp:inbox", "host"),
            ("dp:cashier", "host"), ("https://shop.example/", "host"), (" dp:ok ", "nothing"),
        ]
    )
    func deepLinks(link: String, goes: String) {
        var scene = self.loggedIn { $0.gamificationPrefixes = ["dp:missions"] }
        scene.receive(SessionScene.popup("e-1"))
        scene.clearActions()
        let message = AdJSON.object([.init("bcid", 4), .init("dp", .string(link))]).text()
        scene.receive(fromPage: 1, message)
        #expect(scene.issues == ["bridge.unseen"] && scene.actions.count == 1, "the page is not visible yet")
        scene.handle(.page(PageID(1), .shown))
        scene.clearActions()
        scene.receive(fromPage: 1, message)
        let hosts = scene.events.compactMap { if case .deepLink(let text) = $0 { text } else { nil } }
        #expect(hosts == (goes == "host" ? [link] : []))
        #expect(scene.offers.count == (goes == "widget" ? 1 : 0))
    }

    @Test("an overlong id is ignored: it is neither stored nor sent back")
    func longIDs() throws {
        var scene = self.loggedIn()
        let long = String(repeating: "x", count: 1_000_000)
        for _ in 0..<2 { scene.receive(#"{"cid":707,"saw_template_id":3,"uuid":"\#(long)"}"#) }
        #expect(scene.offers.count == 2, "such an id detects no duplicates")
        scene.receive(#"{"cid":1,"uuid":"\#(long)"}"#)
        #expect(scene.sent.last?["uuid"]?.string?.utf8.count == 36)
    }

    @Test("a page's message is forwarded unchanged except for its bcid")
    func forward() {
        var scene = self.loggedIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.clearActions()
        scene.receive(
            fromPage: 1,
            #"{ "cid":1101 ,"n":18446744073709551615,"a":[1,  2],"bcid":6,"ts":5,"uuid":"own" }"#
        )
        scene.receive(fromPage: 1, #"{"bcid":6,"cid":1102}"#)
        scene.receive(fromPage: 1, #"{"bcid": 6, "cid": 1103, "uuid": "x"}"#)
        let texts = scene.actions.compactMap { if case .send(let text) = $0 { text } else { nil } }
        #expect(texts.first == #"{ "cid":1101 ,"n":18446744073709551615,"a":[1,  2],"ts":5,"uuid":"own" }"#)
        #expect(texts[1].hasPrefix(#"{"cid":1102,"ts":1700000000000,"uuid":""#))
        #expect(texts[2] == #"{"cid": 1103, "uuid": "x","ts":1700000000000}"#)
    }

    @Test("pages' messages wait in order until IDENTIFY's response, up to a limit")
    func forwardLater() {
        var scene = self.loggedIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.clearActions()
        for index in 0..<120 { scene.receive(fromPage: 1, #"{"bcid":6,"cid":\#(2_000 + index)}"#) }
        #expect(scene.sent.isEmpty && scene.issues.count == 20)
        scene.handle(.timer(.reconnect))
        scene.handle(.socket(.opened))
        scene.receive(SessionScene.initialized)
        #expect(scene.classes == [3, 5], "nothing is forwarded before the server knows the user")
        scene.receive(SessionScene.identified)
        #expect(Array(scene.classes.dropFirst(2)) == (0..<100).map { 2_000 + $0 })
    }

    @Test("public properties and game requests are reported to the host")
    func propertiesAndGames() throws {
        var scene = self.loggedIn()
        scene.command(.openGamification(deepLink: nil))
        scene.receive(fromPage: 1, #"{"bcid":7,"ach_points_balance":55}"#)
        scene.receive(
            fromPage:
                1,
            #"{"bcid":8,"ach_game_id":32,"game_public_meta":{"name":"Fern"},"ext_game_id":"56","context":"mission"}"#
        )
        #expect(scene.events.first == .publicProperties(["ach_points_balance": 55]))
        guard case .gameOpening(let game)? = scene.events.last else {
            Issue.record("\(scene.events)")
            return
        }
        #expect(game.smarticoID == "32" && game.providerID == "56" && game.context == "mission")
        #expect(game.meta["name"]?.string == "Fern")
    }

    @Test(
        "an invalid message of a page is dropped, with an issue",
        arguments: [
            ("nonsense", "bridge.noJSON"), ("[]", "bridge.noClass"), ("{}", "bridge.noClass"),
            (#"{"bcid":"1"}"#, "bridge.noClass"), (#"{"bcid":1.5}"#, "bridge.noClass"),
            (#"{"bcid":99}"#, "bridge.unknown"), (#"{"bcid":3}"#, "bridge.notForUs"),
            (#"{"bcid":4}"#, "bridge.noLink"), (#"{"bcid":4,"dp":7}"#, "bridge.noLink"),
            (#"{"bcid":4,"dp":"\#(String(repeating: "x", count: 3_000))"}"#, "bridge.noLink"),
            (#"{"bcid":6,"cid":5,"ext_user_id":"u-8"}"#, "bridge.notForPages"),
            (#"{"bcid":6,"cid":1003,"token":"t"}"#, "bridge.notForPages"),
            (#"{"bcid":7,"x":"\#(String(repeating: "x", count: 17_000))"}"#, "bridge.tooLong"),
            (#"{"bcid":6}"#, "bridge.noMessage"), (#"{"bcid":6,"cid":1,"cid":2}"#, "bridge.noMessage"),
            (#"{"bcid":1,"x":"\#(String(repeating: "x", count: 300_000))"}"#, "bridge.tooLong"),
            (String(repeating: "[", count: 200_000), "bridge.noJSON"),
        ]
    )
    func bad(text: String, issue: String) {
        var scene = self.loggedIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.clearActions()
        scene.receive(fromPage: 1, text)
        #expect(scene.issues == [issue] && scene.actions.count == 1)
    }

    @Test("a trailing comma in a page's or the server's message is removed, with an issue")
    func commas() {
        var scene = self.loggedIn()
        scene.receive(#"{"cid":110,"engagement_uid":"e-1","n":18446744073709551615,"params":{"x":[1,],},}"#)
        #expect(scene.issues == ["json.comma", "json.comma", "json.comma", "engagement.repaired"])
        #expect(scene.offers.count == 1)
        scene.clearActions()
        scene.receive(fromPage: 1, #"{"bcid":1,}"#)
        #expect(
            scene.posts == [#"{"bcid":3,"cid":110,"engagement_uid":"e-1","n":18446744073709551615,"params":{"x":[1]}}"#]
        )
        #expect(scene.issues == ["bridge.json.comma"])
        scene.clearActions()
        scene.receive(fromPage: 1, #"{"bcid": 5,}"#)
        let isReady = scene.actions.contains { if case .ready(PageID(1)) = $0 { true } else { false } }
        #expect(isReady && scene.issues == ["bridge.json.comma"])
        scene.clearActions()
        scene.receive(fromPage: 1, #"{"bcid":6,"cid":123,"n":1.50,}"#)
        let sent = scene.sent.first
        #expect(scene.sent.count == 1 && sent?["cid"]?.number == 123 && sent?["n"] == (try? AdJSON(parsing: "1.50")))
        scene.clearActions()
        scene.receive(#"{"saw_template_id":5,"cid":707,"uuid":"g-1",}"#)
        #expect(scene.offers.count == 1 && scene.issues == ["json.comma"])
    }

    @Test(
        "misplaced commas make a message invalid",
        arguments: [#"{"bcid":1,,}"#, #"{,"bcid":1}"#, #"{"bcid":1,"#]
    )
    func wrongCommas(text: String) {
        var scene = self.loggedIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.clearActions()
        scene.receive(fromPage: 1, text)
        #expect(scene.issues == ["bridge.noJSON"] && scene.posts.isEmpty)
    }

    @Test("a logout withdraws the pages and drops their waiting messages, with an issue")
    func logout() {
        var scene = self.loggedIn()
        scene.receive(SessionScene.popup("e-1"))
        scene.handle(.socket(.closed(SocketEnd(.lost, "gone"))))
        scene.receive(fromPage: 1, #"{"bcid":6,"cid":2000}"#)
        scene.clearActions()
        scene.command(.logOut)
        let withdrawn = scene.actions.compactMap { if case .withdraw(let id) = $0 { id.number } else { nil } }
        #expect(withdrawn == [1] && scene.issues == ["forward.dropped"])
        scene.clearActions()
        scene.receive(fromPage: 1, #"{"bcid":2}"#)
        #expect(scene.actions.isEmpty)
    }

    @Test("a push with ambiguous JSON is written anew, and a bcid in a push is removed")
    func odd() throws {
        var scene = self.loggedIn()
        scene.receive(#"{"cid":110,"engagement_uid":"e-1","bcid":2,"x":1}"#)
        scene.receive(fromPage: 1, #"{"bcid":1}"#)
        #expect(scene.posts == [#"{"bcid":3,"cid":110,"engagement_uid":"e-1","x":1}"#])
        #expect(scene.issues == ["bcid.there"])
        scene.clearActions()
        scene.receive(#"{"cid":110,"engagement_uid":"e-2","x":"\ud800"}"#)
        scene.receive(fromPage: 2, #"{"bcid":1}"#)
        #expect(scene.posts == ["{\"bcid\":3,\"cid\":110,\"engagement_uid\":\"e-2\",\"x\":\"\u{FFFD}\"}"])
        #expect(scene.issues.contains("engagement.repaired"))
    }
}

extension String {
    fileprivate func replacingOccurrence(of text: String, with other: String) -> String {
        guard let range = self.firstRange(of: text) else { return self }
        return self.replacingCharacters(range, with: other)
    }

    private func replacingCharacters(_ range: Range<Index>, with other: String) -> String {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
