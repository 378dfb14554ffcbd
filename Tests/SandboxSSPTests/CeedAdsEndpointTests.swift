import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("CeedAds' request")
struct CeedAdsRequestTests {
    @Test("an ad has exactly the fields of CeedAds' protocol")
    func fields() {
        var state = Samples.state()
        let response = state.ceed("My fern looks sad")
        #expect(response.status == 200)
        #expect(
            response.text == #"""
                {"ok":true,"ad":{"id":"ceed-frondolo","advertiserId":"adv-frondolo","advertiserName":"Frondolo","format":"action_card","title":"A fern with an opinion","description":"The pot listens to the leaves and tells you what they think of the heating.","ctaText":"Listen in","ctaUrl":"http://127.0.0.1:9/landing?from=ceedads-frondolo&lang=eng&request=ceed-request-1"},"requestId":"ceed-request-1"}
                """#
        )
    }

    @Test("no fill is null with a request id of its own")
    func noAd() {
        var state = Samples.state()
        #expect(state.ceed("Who are you?").text == #"{"ok":true,"ad":null,"requestId":"ceed-request-1"}"#)
        #expect(state.ceed("").text == #"{"ok":true,"ad":null,"requestId":"ceed-request-2"}"#)
        #expect(state.ceed("nofill").text == #"{"ok":true,"ad":null,"requestId":"ceed-request-3"}"#)
    }

    @Test(
        "the error of CeedAds' request names a missing field",
        arguments: ["appId", "conversationId", "messageId", "contextText", "language", "userId", "sdkVersion"]
    )
    func missing(field: String) {
        var state = Samples.state()
        let response = state.ceed("fern", [field: .none])
        #expect(response.status == 400)
        #expect(response.text == #"{"ok":false,"error":"\"\#(field)\" is missing","field":"\#(field)"}"#)
    }

    @Test(
        "the error of CeedAds' request names a field with a wrong type or value",
        arguments: [
            ("appId", nil), ("appId", ""), ("conversationId", nil), ("conversationId", ""), ("conversationId", 1),
            ("conversationId", .string(String(repeating: "c", count: 1001))), ("messageId", ["m"]),
            ("contextText", nil), ("language", 7), ("userId", false), ("sdkVersion", nil), ("sdkVersion", 1),
        ] as [(String, AdJSON)]
    )
    func illTyped(field: String, value: AdJSON) {
        var state = Samples.state()
        let response = state.ceed("fern", [field: value])
        #expect(response.status == 400)
        #expect(response.json?["ok"] == false && response.json?["field"]?.string == field)
    }

    @Test("a body that is not a JSON object is refused", arguments: ["", "[]", "{"])
    func notAnObject(body: String) {
        var state = Samples.state()
        for path in ["/api/requests", "/api/events"] {
            let response = state.request("POST", path, bytes: Array(body.utf8))
            #expect(response.status == 400 && response.json?["ok"] == false && response.json?["field"] == nil)
        }
    }

    @Test("an unknown app id gets status 401")
    func unknownApp() {
        var state = Samples.state()
        let response = state.ceed("fern", ["appId": "app_other"])
        #expect(response.status == 401 && response.json?.names == ["ok", "error"] && response.json?["ok"] == false)
        #expect(response.json?["error"]?.string?.contains("app_test_demo") == true)
    }

    @Test(
        "each ad format of CeedAds is available, and an unknown one",
        arguments: [
            ("Where can I study grammar?", "action_card"), ("A quote for my insurance", "lead_gen"),
            ("Will it rain?", "static"), ("a weekend at a hotel", "followup"), ("balloons!", "hologram"),
        ]
    )
    func formats(text: String, format: String) {
        var state = Samples.state()
        #expect(state.ceed(text).json?["ad"]?["format"]?.string == format)
    }

    @Test("the ad with the most tags in the text is selected, the first one of equals")
    func matching() {
        var state = Samples.state()
        func id(_ text: String, _ conversation: String) -> String? {
            state.ceed(text, ["conversationId": .string(conversation)]).json?["ad"]?["id"]?.string
        }
        #expect(id("a fern, some soup, and lunch", "a") == "ceed-zuppidoo")
        #expect(id("soup, or rather a fern", "b") == "ceed-frondolo")
        #expect(id("fernweh", "c") == nil)
    }

    @Test("every ad can be selected by each of its tags, in both languages")
    func pool() throws {
        var state = Samples.state()
        var number = 0
        for ad in CeedAd.pool {
            for (tag, language) in ad.tags.flatMap({ [($0, "eng"), ($0, "jpn")] }) {
                number += 1
                let changes: [String: AdJSON?] = [
                    "conversationId": .string("c-\(number)"), "language": .string(language),
                ]
                let answer = try #require(state.ceed(tag, changes).json?["ad"])
                #expect(answer["id"]?.string == "ceed-" + ad.name)
                let texts = language == "eng" ? ad.english : ad.japanese
                #expect(answer["title"]?.string == texts.title)
            }
        }
    }

    @Test("each scenario has its own invalid response and starts no cooldown")
    func bad() {
        var state = Samples.state()
        let broken = state.ceed("broken")
        #expect(broken.status == 200 && broken.json == nil && broken.text.hasPrefix(#"{"ok":true,"ad":{"#))
        let page = state.ceed("html")
        #expect(page.status == 200 && page.headers["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(state.ceed("error").status == 500)
        let notOK = state.ceed("notok")
        #expect(notOK.status == 200 && notOK.json?.names == ["ok", "error"] && notOK.json?["ok"] == false)
        #expect(state.ceed("Error").json?["ad"] == .null)
        #expect(state.ceed("odd").json?["ad"] == .null)
        #expect(state.ceed("fern").json?["ad"]?["id"] == "ceed-frondolo")
    }

    @Test("the scenario evil has HTML in its texts and a script as its link")
    func evil() throws {
        var state = Samples.state()
        let ad = try #require(state.ceed("evil").json?["ad"])
        #expect(ad["ctaUrl"] == "javascript:alert(1)")
        for name in ["advertiserName", "title", "description", "ctaText"] {
            #expect(ad[name]?.string?.contains("<img") == true)
        }
        for name in ["id", "advertiserId"] { #expect(ad[name]?.string?.contains("<") == false) }
    }
}

@Suite("CeedAds' cooldown")
struct CeedAdsCooldownTests {
    private static func hasAd(_ response: ServerResponse) -> Bool { response.json?["ad"].map { $0 != .null } ?? false }

    @Test("after an ad, a conversation gets no other for exactly one minute")
    func minute() {
        var state = Samples.state()
        #expect(Self.hasAd(state.ceed("fern", at: 1_000_000)))
        let early = state.ceed("fern", at: 1_059_999)
        #expect(early.text == #"{"ok":true,"ad":null,"requestId":"ceed-request-2"}"#)
        #expect(Self.hasAd(state.ceed("fern", at: 1_060_000)))
    }

    @Test("the cooldown counts from the last response with an ad, whatever was requested since")
    func lastAd() {
        var state = Samples.state()
        _ = state.ceed("nothing", at: 0)
        #expect(Self.hasAd(state.ceed("fern", at: 10_000)))
        for time in stride(from: Int64(20_000), to: 70_000, by: 10_000) {
            #expect(!Self.hasAd(state.ceed("fern", at: time)))
        }
        #expect(Self.hasAd(state.ceed("soup", at: 70_000)))
        #expect(!Self.hasAd(state.ceed("fern", at: 129_999)))
    }

    @Test("the cooldown of one conversation does not affect others")
    func others() {
        var state = Samples.state()
        #expect(Self.hasAd(state.ceed("fern")))
        #expect(Self.hasAd(state.ceed("fern", ["conversationId": "c-2"])))
        #expect(!Self.hasAd(state.ceed("fern")))
    }

    @Test("scenarios ignore the cooldown, and the one with an ad starts it")
    func words() {
        var state = Samples.state()
        for time in Int64(0)..<3 { #expect(Self.hasAd(state.ceed("evil", at: time))) }
        #expect(state.ceed("error", at: 3).status == 500)
        #expect(state.ceed("broken", at: 4).json == nil)
        #expect(!Self.hasAd(state.ceed("fern", at: 60_001)))
        #expect(Self.hasAd(state.ceed("fern", at: 60_002)))
    }

    @Test(
        "a lost response with an ad starts the cooldown",
        arguments: [.dropBeforeReply, .garbage] as [Sandbox.Fault.Kind]
    )
    func lost(kind: Sandbox.Fault.Kind) throws {
        var state = Samples.state()
        try state.setFaults(["/api/requests": [Sandbox.Fault(kind)]])
        _ = state.ceed("fern")
        #expect(!Self.hasAd(state.ceed("fern", at: 59_999)))
    }

    @Test("a refused request does not start the cooldown")
    func refused() throws {
        var state = Samples.state()
        try state.setFaults(["/api/requests": [Sandbox.Fault(.status(503))]])
        #expect(state.ceed("fern").status == 503)
        #expect(state.ceed("fern", ["sdkVersion": .none]).status == 400)
        #expect(Self.hasAd(state.ceed("fern")))
    }

    @Test("setting the clock back ends the cooldown")
    func setBack() {
        var state = Samples.state()
        #expect(Self.hasAd(state.ceed("fern", at: 3_600_000)))
        #expect(Self.hasAd(state.ceed("fern", at: 0)))
    }

    @Test("a reset ends all cooldowns")
    func reset() {
        var state = Samples.state()
        #expect(Self.hasAd(state.ceed("fern")))
        _ = state.request("POST", "/sandbox/reset")
        #expect(Self.hasAd(state.ceed("fern")))
    }

    @Test("only the newest conversations are stored")
    func bounded() {
        var state = SandboxState(base: Samples.base, cards: CardState(limit: 2))
        for name in ["a", "b", "c"] { #expect(Self.hasAd(state.ceed("fern", ["conversationId": .string(name)]))) }
        #expect(state.cards.lastAds.count == 2)
        #expect(!Self.hasAd(state.ceed("fern", ["conversationId": "b"])))
        #expect(!Self.hasAd(state.ceed("fern", ["conversationId": "c"])))
        #expect(Self.hasAd(state.ceed("fern", ["conversationId": "a"])))
    }
}

@Suite("CeedAds' language")
struct CeedAdsLanguageTests {
    @Test(
        "a text is Japanese when most of its letters are, and English otherwise",
        arguments: [
            ("植物に水をあげたい", .japanese), ("ひらがな", .japanese), ("カタカナ", .japanese), ("ｶﾀｶﾅ", .japanese),
            ("スープ!!! 123 :-)", .japanese), ("iPhoneで写真を撮りたいです", .japanese),
            ("植物", .english), ("我想买一棵植物", .english), ("I bought a plant in 東京 and named it ふじ", .english),
            ("식물을 사고 싶어요", .english), ("Я хочу купить цветок", .english), ("Jag vill köpa en växt", .english),
            ("a plant", .english), ("", .english), ("123 !?", .english), ("a あ", .english),
        ] as [(String, CeedLanguage)]
    )
    func detected(text: String, language: CeedLanguage) {
        #expect(CeedLanguage(of: text) == language)
        #expect(CeedLanguage(named: nil, text: text) == language)
        #expect(CeedLanguage(named: "sv", text: text) == language)
    }

    @Test(
        "a language in the request takes precedence over the text",
        arguments: [
            ("eng", "植物がほしい", .english), ("en", "植物がほしい", .english), ("jpn", "fern", .japanese),
            ("ja", "fern", .japanese),
        ] as [(String, String, CeedLanguage)]
    )
    func named(name: String, text: String, language: CeedLanguage) {
        #expect(CeedLanguage(named: name, text: text) == language)
    }

    @Test(
        "a Japanese text is matched by its translated words and gets a Japanese ad",
        arguments: [
            ("観葉植物の育て方を教えて", "ceed-frondolo", "フロンドロ"), ("海の見える列車に乗りたい", "ceed-nattela", "ナッテラ"),
            ("夕食のレシピを考えて", "ceed-zuppidoo", "ズッピドゥー"), ("英語の発音がむずかしい", "ceed-lingvondo", "リングヴォンド"),
            ("保険の見積もりがほしい", "ceed-umbrellix", "アンブレリックス"),
        ]
    )
    func japanese(text: String, id: String, advertiser: String) {
        var state = Samples.state()
        let ad = state.ceed(text).json?["ad"]
        #expect(ad?["id"]?.string == id && ad?["advertiserName"]?.string == advertiser)
        #expect(ad?["ctaUrl"]?.string?.contains("lang=jpn") == true)
    }

    @Test("English words in a Japanese text match; Japanese words in an English text do not")
    func mixed() {
        var state = Samples.state()
        #expect(state.ceed("fern はどうやって育てますか").json?["ad"]?["id"] == "ceed-frondolo")
        #expect(state.ceed("What does 植物 mean?", ["conversationId": "c-2"]).json?["ad"] == .null)
        #expect(state.ceed("ありがとう", ["conversationId": "c-3"]).json?["ad"] == .null)
    }
}

@Suite("CeedAds' events")
struct CeedAdsEventTests {
    private static func request(_ state: inout SandboxState, _ text: String = "fern") -> AdJSON? {
        state.ceed(text).json?["requestId"]
    }

    @Test("an event of an answered request is accepted", arguments: ["impression", "click"])
    func accepted(type: String) throws {
        var state = Samples.state()
        let id = try #require(Self.request(&state))
        let response = state.event(type, id)
        #expect(response.status == 200 && response.text == #"{"ok":true}"#)
        #expect(state.event(type, id, ["conversationId": .some(.null), "userId": "u-1"]).status == 200)
    }

    @Test(
        "the error of CeedAds' event names a missing field",
        arguments: ["type", "adId", "advertiserId", "requestId", "appId", "conversationId", "userId"]
    )
    func missing(field: String) throws {
        var state = Samples.state()
        let id = try #require(Self.request(&state))
        let response = state.event("click", id, [field: .none])
        #expect(response.status == 400 && response.json?["ok"] == false && response.json?["field"]?.string == field)
    }

    @Test(
        "the error of CeedAds' event names a field with a wrong type or value",
        arguments: [
            ("type", "view"), ("type", "Click"), ("type", nil), ("adId", nil), ("adId", ""), ("advertiserId", 1),
            ("requestId", nil), ("requestId", 1), ("appId", nil), ("conversationId", 1), ("userId", []),
        ] as [(String, AdJSON)]
    )
    func illTyped(field: String, value: AdJSON) throws {
        var state = Samples.state()
        let id = try #require(Self.request(&state))
        let response = state.event("click", id, [field: value])
        #expect(response.status == 400 && response.json?["field"]?.string == field)
    }

    @Test("an event of an unknown request gets status 404")
    func unknown() {
        var state = Samples.state()
        let response = state.event("impression", "ceed-request-1")
        #expect(response.status == 404 && response.json?["ok"] == false && response.json?["field"] == "requestId")
    }

    @Test("only the newest requests are stored, and a reset keeps them")
    func bounded() {
        var state = SandboxState(base: Samples.base, cards: CardState(limit: 3))
        let ids = (0..<5).map { _ in Self.request(&state) }
        _ = state.request("POST", "/sandbox/reset")
        #expect(ids.map { state.event("click", $0).status } == [404, 404, 200, 200, 200])
    }
}
