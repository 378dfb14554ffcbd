import AdCore
import Testing

@testable import AdProviders

@Suite("Smartico's pages: what is pushed, shown, and said")
struct SmarticoPageTests {
    private func live(_ change: (inout SmarticoSession.Rules) -> Void = { _ in }) -> Talk {
        var talk = Talk(Talk.app, change)
        talk.live()
        return talk
    }

    @Test("a popup is offered as a page at the address that the server gave, and told what was pushed, to the byte")
    func popup() throws {
        var talk = self.live()
        talk.hear(Talk.popup("e-1"))
        let (id, offer) = try #require(talk.offers.first)
        guard case .page(let page) = offer.creative else {
            Issue.record("\(offer.creative)")
            return
        }
        #expect(page.address.text == "https://live.example/popup?user=u-7" && page.userAgent == "SMTO-WRAPPER")
        #expect(page.bridges == ["SmarticoBridge", "ReactNativeWebView"])
        #expect(offer.terms == ShowRules(.engagement, lifetime: .seconds(300)) && offer.size == .adaptive)
        #expect(offer.beacons.isEmpty, "its page tells of it by itself")
        #expect(talk.posts.isEmpty, "nothing is said before the page is loaded")
        talk.page(id, #"{"bcid":1}"#)
        #expect(talk.posts == [#"{"bcid":3,"# + Talk.popup("e-1").dropFirst()])
        talk.page(id, #"{"bcid":1}"#)
        #expect(talk.posts.count == 1 && talk.issues == ["bridge.repeated"])
    }

    @Test("a page is seen when it says so, once, and goes when it says so")
    func readyAndClose() {
        var talk = self.live()
        talk.hear(Talk.popup("e-1"))
        talk.page(1, #"{"bcid":1}"#)
        talk.forget()
        for _ in 0..<2 { talk.page(1, #"{"bcid":5}"#) }
        let ready = talk.actions.count { if case .ready = $0 { true } else { false } }
        #expect(ready == 1)
        talk.page(1, #"{"bcid":2}"#)
        let closes = talk.actions.contains { if case .close(PageID(1)) = $0 { true } else { false } }
        #expect(closes)
        talk.take(.page(PageID(1), .gone))
        talk.forget()
        talk.page(1, #"{"bcid":2}"#)
        #expect(talk.actions.isEmpty, "a page that is over has nothing to say")
    }

    @Test("the same push is shown once, whatever comes between", arguments: [false, true])
    func once(reconnects: Bool) {
        var talk = self.live()
        talk.hear(Talk.popup("e-1"))
        if reconnects {
            talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
            talk.take(.timer(.reconnect))
            talk.take(.socket(.opened))
            talk.hear(Talk.initialized)
            talk.hear(Talk.identified)
        }
        talk.hear(Talk.popup("e-1"))
        talk.hear(Talk.popup("e-2"))
        #expect(talk.offers.count == 2 && talk.issues == ["push.repeated"])
    }

    @Test("a push that comes before the server knows the user waits for that, and no more than a few do")
    func early() {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        for index in 0..<12 { talk.hear(Talk.popup("e-\(index)")) }
        #expect(talk.offers.isEmpty && talk.issues == Array(repeating: "push.flood", count: 4))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        #expect(talk.offers.count == 8)
    }

    @Test("of a flood a few are offered, and more when those were shown")
    func flood() {
        var talk = self.live()
        for index in 0..<500 { talk.hear(Talk.popup("e-\(index)")) }
        #expect(talk.offers.count == 8 && talk.issues.count == 492)
        talk.take(.page(PageID(1), .shown))
        talk.take(.page(PageID(2), .gone))
        for index in 500..<510 { talk.hear(Talk.popup("e-\(index)")) }
        #expect(talk.offers.count == 10)
    }

    @Test("an address of yesterday is asked for again before it is used")
    func stale() {
        var talk = self.live()
        talk.wait(.seconds(24 * 3_600 - 1))
        talk.hear(Talk.popup("e-1"))
        #expect(talk.offers.count == 1 && talk.connects == 0)
        talk.wait(.seconds(1))
        talk.hear(Talk.popup("e-2"))
        #expect(talk.offers.count == 1 && talk.connects == 1)
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified.replacingOccurrence(of: "popup?user=u-7", with: "popup?user=u-7&day=2"))
        guard case .page(let page)? = talk.offers.last?.offer.creative else {
            Issue.record("\(talk.offers)")
            return
        }
        #expect(talk.offers.count == 2 && page.address.text.hasSuffix("day=2"))
    }

    @Test("a mini-game is the widget's page at a link that says which")
    func game() throws {
        var talk = self.live()
        talk.hear(#"{"saw_template_id":5,"cid":707,"ts":1,"uuid":"g-1"}"#)
        talk.hear(#"{"saw_template_id":5,"cid":707,"ts":1,"uuid":"g-1"}"#)
        guard case .page(let page)? = talk.offers.first?.offer.creative else {
            Issue.record("\(talk.offers)")
            return
        }
        #expect(talk.offers.count == 1)
        #expect(
            page.address.text
                == "https://live.example/gf?user=u-7&dp=dp%3Agf_saw%26id%3D5%26standalone%3Dtrue"
        )
        talk.page(1, #"{"bcid":1}"#)
        #expect(talk.posts.isEmpty, "a game is told nothing")
    }

    @Test("the widget opens at a link or at its beginning, and there is one: a new link takes the old one's place")
    func widget() {
        var talk = self.live()
        talk.say(.openGamification(deepLink: nil))
        talk.say(.openGamification(deepLink: "dp:gf_store"))
        let addresses = talk.offers.map { $0.offer.creative }.map { creative -> String in
            guard case .page(let page) = creative else { return "" }
            return page.address.text
        }
        #expect(
            addresses == ["https://live.example/gf?user=u-7", "https://live.example/gf?user=u-7&dp=dp%3Agf_store"]
        )
        let withdrawn = talk.actions.compactMap { if case .withdraw(let id) = $0 { id.number } else { nil } }
        #expect(withdrawn == [1])
    }

    @Test("the widget waits for the server, and only the last wish for it")
    func widgetWaits() {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.say(.openGamification(deepLink: "dp:gf_one"))
        talk.say(.openGamification(deepLink: "dp:gf_two"))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(Talk.identified)
        #expect(talk.offers.count == 1)
        #expect(talk.offers.first?.offer.details.last == AdJSON.Member("dp", "dp:gf_two"))
    }

    @Test("without the product, or without a user, there is no widget, and the host hears why")
    func noWidget() {
        var talk = Talk()
        talk.say(.openGamification(deepLink: nil))
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        talk.hear(#"{"cid":4,"errCode":0,"products":[5]}"#)
        talk.hear(Talk.identified)
        talk.say(.openGamification(deepLink: nil))
        let reasons = talk.news.compactMap { if case .gamificationUnavailable(let text) = $0 { text } else { nil } }
        #expect(reasons.count == 2 && reasons[0].contains("log in") && reasons[1].contains("100"))
        #expect(talk.offers.isEmpty)
    }

    @Test("without an address nothing is shown, and that is told")
    func noAddress() {
        var talk = Talk()
        talk.say(.logIn(Talk.user))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        talk.hear(#"{"cid":6,"native_app_popup_url":"javascript:alert(1)"}"#)
        talk.hear(Talk.popup("e-1"))
        #expect(talk.offers.isEmpty && talk.issues == ["native_app_popup_url.noURL", "page.noAddress"])
    }

    @Test(
        "deep links are sorted: those that do nothing, those of the widget, and the host's",
        arguments: [
            ("dp:ok", "nothing"), ("dp:cancel", "nothing"), ("dp:close", "nothing"), ("dp:action", "nothing"),
            ("dp:gf_levels", "widget"), ("dp:gf", "widget"), ("dp:missions", "widget"), ("dp:inbox", "host"),
            ("dp:cashier", "host"), ("https://shop.example/", "host"), (" dp:ok ", "nothing"),
        ]
    )
    func deepLinks(link: String, goes: String) {
        var talk = self.live { $0.gamificationPrefixes = ["dp:missions"] }
        talk.hear(Talk.popup("e-1"))
        talk.forget()
        let message = AdJSON.object([.init("bcid", 4), .init("dp", .string(link))]).text()
        talk.page(1, message)
        #expect(talk.issues == ["bridge.unseen"] && talk.actions.count == 1, "nobody has seen the page")
        talk.take(.page(PageID(1), .shown))
        talk.forget()
        talk.page(1, message)
        let hosts = talk.news.compactMap { if case .deepLink(let text) = $0 { text } else { nil } }
        #expect(hosts == (goes == "host" ? [link] : []))
        #expect(talk.offers.count == (goes == "widget" ? 1 : 0))
    }

    @Test("what is longer than any id is none: it is neither kept nor said again")
    func longIDs() throws {
        var talk = self.live()
        let long = String(repeating: "x", count: 1_000_000)
        for _ in 0..<2 { talk.hear(#"{"cid":707,"saw_template_id":3,"uuid":"\#(long)"}"#) }
        #expect(talk.offers.count == 2, "nothing is known again by such a name")
        talk.hear(#"{"cid":1,"uuid":"\#(long)"}"#)
        #expect(talk.sent.last?["uuid"]?.string?.utf8.count == 36)
    }

    @Test("what a page wants to be sent goes on unchanged, without the bridge's class")
    func forward() {
        var talk = self.live()
        talk.hear(Talk.popup("e-1"))
        talk.forget()
        talk.page(1, #"{ "cid":1101 ,"n":18446744073709551615,"a":[1,  2],"bcid":6,"ts":5,"uuid":"own" }"#)
        talk.page(1, #"{"bcid":6,"cid":1102}"#)
        talk.page(1, #"{"bcid": 6, "cid": 1103, "uuid": "x"}"#)
        let texts = talk.actions.compactMap { if case .send(let text) = $0 { text } else { nil } }
        #expect(texts.first == #"{ "cid":1101 ,"n":18446744073709551615,"a":[1,  2],"ts":5,"uuid":"own" }"#)
        #expect(texts[1].hasPrefix(#"{"cid":1102,"ts":1700000000000,"uuid":""#))
        #expect(texts[2] == #"{"cid": 1103, "uuid": "x","ts":1700000000000}"#)
    }

    @Test("what pages say while nobody listens waits, in order, and not without bound")
    func forwardLater() {
        var talk = self.live()
        talk.hear(Talk.popup("e-1"))
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.forget()
        for index in 0..<120 { talk.page(1, #"{"bcid":6,"cid":\#(2_000 + index)}"#) }
        #expect(talk.sent.isEmpty && talk.issues.count == 20)
        talk.take(.timer(.reconnect))
        talk.take(.socket(.opened))
        talk.hear(Talk.initialized)
        #expect(talk.classes == [3, 5], "not before the server knows whose it is")
        talk.hear(Talk.identified)
        #expect(Array(talk.classes.dropFirst(2)) == (0..<100).map { 2_000 + $0 })
    }

    @Test("public properties and a wish to play reach the host as values")
    func news() throws {
        var talk = self.live()
        talk.say(.openGamification(deepLink: nil))
        talk.page(1, #"{"bcid":7,"ach_points_balance":55}"#)
        talk.page(
            1,
            #"{"bcid":8,"ach_game_id":32,"game_public_meta":{"name":"Fern"},"ext_game_id":"56","context":"mission"}"#
        )
        #expect(talk.news.first == .publicProperties(["ach_points_balance": 55]))
        guard case .gameOpening(let game)? = talk.news.last else {
            Issue.record("\(talk.news)")
            return
        }
        #expect(game.smarticoID == "32" && game.providerID == "56" && game.context == "mission")
        #expect(game.meta["name"]?.string == "Fern")
    }

    @Test(
        "what a page says badly is dropped, and told",
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
        var talk = self.live()
        talk.hear(Talk.popup("e-1"))
        talk.forget()
        talk.page(1, text)
        #expect(talk.issues == [issue] && talk.actions.count == 1)
    }

    @Test("a comma behind the last member is left out of what pages and the server say, with an issue")
    func commas() {
        var talk = self.live()
        talk.hear(#"{"cid":110,"engagement_uid":"e-1","n":18446744073709551615,"params":{"x":[1,],},}"#)
        #expect(talk.issues == ["json.comma", "json.comma", "json.comma", "engagement.repaired"])
        #expect(talk.offers.count == 1)
        talk.forget()
        talk.page(1, #"{"bcid":1,}"#)
        #expect(
            talk.posts == [#"{"bcid":3,"cid":110,"engagement_uid":"e-1","n":18446744073709551615,"params":{"x":[1]}}"#]
        )
        #expect(talk.issues == ["bridge.json.comma"])
        talk.forget()
        talk.page(1, #"{"bcid": 5,}"#)
        let isReady = talk.actions.contains { if case .ready(PageID(1)) = $0 { true } else { false } }
        #expect(isReady && talk.issues == ["bridge.json.comma"])
        talk.forget()
        talk.page(1, #"{"bcid":6,"cid":123,"n":1.50,}"#)
        let sent = talk.sent.first
        #expect(talk.sent.count == 1 && sent?["cid"]?.number == 123 && sent?["n"] == (try? AdJSON(parsing: "1.50")))
        talk.forget()
        talk.hear(#"{"saw_template_id":5,"cid":707,"uuid":"g-1",}"#)
        #expect(talk.offers.count == 1 && talk.issues == ["json.comma"])
    }

    @Test(
        "commas that no repair explains are no message",
        arguments: [#"{"bcid":1,,}"#, #"{,"bcid":1}"#, #"{"bcid":1,"#]
    )
    func wrongCommas(text: String) {
        var talk = self.live()
        talk.hear(Talk.popup("e-1"))
        talk.forget()
        talk.page(1, text)
        #expect(talk.issues == ["bridge.noJSON"] && talk.posts.isEmpty)
    }

    @Test("a logout takes the pages away, and what they had not told is gone, which is told")
    func logout() {
        var talk = self.live()
        talk.hear(Talk.popup("e-1"))
        talk.take(.socket(.closed(SocketEnd(.lost, "gone"))))
        talk.page(1, #"{"bcid":6,"cid":2000}"#)
        talk.forget()
        talk.say(.logOut)
        let withdrawn = talk.actions.compactMap { if case .withdraw(let id) = $0 { id.number } else { nil } }
        #expect(withdrawn == [1] && talk.issues == ["forward.dropped"])
        talk.forget()
        talk.page(1, #"{"bcid":2}"#)
        #expect(talk.actions.isEmpty)
    }

    @Test("a push that not everybody reads alike is written anew, and one that poses as the bridge is put right")
    func odd() throws {
        var talk = self.live()
        talk.hear(#"{"cid":110,"engagement_uid":"e-1","bcid":2,"x":1}"#)
        talk.page(1, #"{"bcid":1}"#)
        #expect(talk.posts == [#"{"bcid":3,"cid":110,"engagement_uid":"e-1","x":1}"#])
        #expect(talk.issues == ["bcid.there"])
        talk.forget()
        talk.hear(#"{"cid":110,"engagement_uid":"e-2","x":"\ud800"}"#)
        talk.page(2, #"{"bcid":1}"#)
        #expect(talk.posts == ["{\"bcid\":3,\"cid\":110,\"engagement_uid\":\"e-2\",\"x\":\"\u{FFFD}\"}"])
        #expect(talk.issues.contains("engagement.repaired"))
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
