import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("AttentionMarket's decision")
struct AttentionMarketDecisionTests {
    @Test("a card has exactly the fields of AttentionMarket's protocol")
    func fields() {
        var state = Samples.state()
        let response = state.decide("My fern looks sad")
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(
            response.text == #"""
                {"ad":{"id":"am-frondolo","type":"sponsored_suggestion","creative":{"title":"The flowerpot that remembers for you","body":"It knows when your fern had its last drink, and clears its throat before the next one is late.","cta":"Meet the pot","teaser":"Somebody on your windowsill is thirsty","promo_code":"FERN10"},"click_url":"http://127.0.0.1:9/landing?from=attentionmarket-frondolo&ad=1","direct_url":"http://127.0.0.1:9/landing?from=attentionmarket-frondolo","tracking_token":"am-token-1","payout":42,"disclosure":{"sponsor_name":"Frondolo","is_sponsored":true}}}
                """#
        )
    }

    @Test(
        "the error names a missing or wrong header",
        arguments: [
            ("Authorization", nil), ("Authorization", "am_test_abc123xyz"), ("Authorization", "Bearer am_test_other"),
            ("Authorization", ""), ("apikey", nil), ("apikey", "am_test_abc123xyz"),
        ] as [(String, String?)]
    )
    func credentials(name: String, value: String?) throws {
        var state = Samples.state()
        var headers = Samples.decideHeaders
        headers[name.asciiLowercased] = value
        let body = Samples.decide("fern").bytes()
        let response = state.request("POST", "/functions/v1/decide", headers: headers, bytes: body)
        #expect(response.status == 401)
        #expect(response.json?["field"]?.string == name)
        let message = try #require(response.json?["error"]?.string)
        #expect(message.contains("\"\(name)\" is \(value == nil ? "missing" : "wrong")"))
    }

    @Test(
        "the error names a missing field",
        arguments: ["user_message", "conversation_history", "placement", "session_context"]
    )
    func missing(field: String) {
        var state = Samples.state()
        let response = state.decide("fern", [field: .none])
        #expect(response.status == 400)
        #expect(response.json?["error"]?.string == "\"\(field)\" is missing")
        #expect(response.json?["field"]?.string == field)
    }

    @Test(
        "the error names a field with a wrong type or value",
        arguments: [
            ("user_message", nil, "user_message"), ("user_message", 7, "user_message"),
            ("conversation_history", nil, "conversation_history"),
            ("conversation_history", "hello", "conversation_history"),
            ("conversation_history", ["a", 1], "conversation_history[1]"),
            ("conversation_history", .array(.init(repeating: "a", count: 11)), "conversation_history"),
            ("placement", "", "placement"), ("placement", [], "placement"),
            ("session_context", "mobile", "session_context"),
            ("session_context", ["device_type": "mobile"], "session_context.platform"),
            ("session_context", ["platform": "ios"], "session_context.device_type"),
            ("session_context", ["device_type": 1, "platform": "ios"], "session_context.device_type"),
            (
                "session_context", ["device_type": "mobile", "platform": "ios", "user": "u"],
                "session_context.user"
            ),
            ("user_id", "u-1", "user_id"),
        ] as [(String, AdJSON, String)]
    )
    func illTyped(field: String, value: AdJSON, named: String) {
        var state = Samples.state()
        let response = state.decide("fern", [field: value])
        #expect(response.status == 400)
        #expect(response.json?["field"]?.string == named)
    }

    @Test("a body that is not a JSON object is refused", arguments: ["", "[]", "{", "null"])
    func notAnObject(body: String) {
        var state = Samples.state()
        let response = state.request(
            "POST",
            "/functions/v1/decide",
            headers: Samples.decideHeaders,
            bytes: Array(body.utf8)
        )
        #expect(response.status == 400)
    }

    @Test("ten history messages are accepted, and so is an empty message")
    func history() {
        var state = Samples.state()
        #expect(state.decide("fern", ["conversation_history": .array(.init(repeating: "", count: 10))]).status == 200)
        #expect(state.decide("").status == 204)
    }

    @Test(
        "a card is found by whole words, in any case, in the singular or the plural",
        arguments: [
            ("Which SOUP is best?", "am-zuppidoo"), ("two tickets, please", "am-nattela"),
            ("socks/shoes", "am-sokketri"), ("a potent spell", nil), ("I seem to be at sea", "am-nattela"),
            ("What is the meaning of life?", nil), ("ferns", "am-frondolo"),
        ] as [(String, String?)]
    )
    func matching(message: String, id: String?) {
        var state = Samples.state()
        let response = state.decide(message)
        #expect(response.status == (id == nil ? 204 : 200))
        #expect(response.json?["ad"]?["id"]?.string == id)
        if id == nil { #expect(response.bytes.isEmpty) }
    }

    @Test("keywords in the message outweigh the history, which decides when they are equal")
    func weights() {
        var state = Samples.state()
        let history: AdJSON = ["soup and dinner", "a recipe for lunch"]
        func id(_ message: String) -> String? {
            state.decide(message, ["conversation_history": history]).json?["ad"]?["id"]?.string
        }
        #expect(id("And some music") == "am-plattolo")
        #expect(id("And then?") == "am-zuppidoo")
        #expect(id("music, or something to eat") == "am-zuppidoo")
    }

    @Test("every card can be selected by each of its keywords, and has all fields")
    func pool() throws {
        var state = Samples.state()
        for card in AttentionCard.pool {
            for keyword in card.keywords {
                let ad = try #require(state.decide("a \(keyword), please").json?["ad"])
                #expect(ad["id"]?.string == "am-" + card.id)
                #expect(ad["creative"]?.names == ["title", "body", "cta", "teaser", "promo_code"])
            }
        }
        #expect(AttentionCard.pool.contains { $0.teaser.isEmpty && $0.promoCode.isEmpty })
    }

    @Test("no fill comes as status 204 and as null")
    func noAd() {
        var state = Samples.state()
        let none = state.decide("nofill")
        #expect(none.status == 204 && none.bytes.isEmpty)
        let null = state.decide("null")
        #expect(null.status == 200 && null.text == #"{"ad":null}"#)
    }

    @Test("each scenario has its own invalid response")
    func bad() throws {
        var state = Samples.state()
        let broken = state.decide("broken")
        #expect(broken.status == 200 && broken.json == nil && broken.text.hasPrefix(#"{"ad":{"#))
        let page = state.decide("html")
        #expect(page.status == 200 && page.headers["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(state.decide("error").status == 500)

        let minimal = try #require(state.decide("minimal").json?["ad"])
        #expect(minimal["creative"]?.names == ["title", "body", "cta"])

        let odd = try #require(state.decide("odd").json?["ad"])
        #expect(odd["disclosure"]?["is_sponsored"] == false && odd["payout"] == "42")
        #expect(odd.names.suffix(2) == ["score", "experiments"])

        let evil = try #require(state.decide("evil").json?["ad"])
        #expect(evil["click_url"] == "javascript:alert(1)" && evil["direct_url"] == "javascript:alert(1)")
        for text in [evil["creative"]?["title"], evil["creative"]?["cta"], evil["disclosure"]?["sponsor_name"]] {
            #expect(text?.string?.contains("<img") == true)
        }
    }

    @Test(
        "a scenario needs the exact text and the right provider",
        arguments: ["Error", "error!", " error", "html?", "an error", "notok"]
    )
    func ordinary(message: String) {
        var state = Samples.state()
        #expect(state.decide(message).status == 204)
    }

    @Test("only POST is allowed")
    func method() {
        var state = Samples.state()
        #expect(state.request("GET", "/functions/v1/decide").status == 405)
        #expect(state.request("GET", "/functions/v1/track/click").status == 405)
    }
}

@Suite("AttentionMarket's click")
struct AttentionMarketClickTests {
    private static func token(_ state: inout SandboxState, _ message: String = "fern") -> AdJSON? {
        state.decide(message).json?["ad"]?["tracking_token"]
    }

    @Test("an issued token is accepted any number of times")
    func known() throws {
        var state = Samples.state()
        let token = try #require(Self.token(&state))
        for _ in 0..<2 {
            let response = state.click(token)
            #expect(response.status == 200 && response.text == #"{"success":true}"#)
        }
    }

    @Test("every card has its own token, also in scenarios")
    func distinct() {
        var state = Samples.state()
        let tokens = ["fern", "fern", "minimal", "odd", "evil"].compactMap { Self.token(&state, $0) }
        #expect(Set(tokens).count == 5)
        for token in tokens { #expect(state.click(token).status == 200) }
    }

    @Test("a token that was not issued gets status 404")
    func unknown() {
        var state = Samples.state()
        #expect(state.click("am-token-1").status == 404)
        _ = state.decide("fern")
        let response = state.click("am-token-2")
        #expect(response.status == 404 && response.json?["field"] == "tracking_token")
    }

    @Test("a token that is missing or not a string is refused", arguments: [nil, .null, 7, "", ["a"]] as [AdJSON?])
    func malformed(token: AdJSON?) {
        var state = Samples.state()
        let response = state.click(token)
        #expect(response.status == 400 && response.json?["field"] == "tracking_token")
    }

    @Test(
        "the error names a missing or wrong header",
        arguments: [
            ("X-API-Key", nil), ("X-API-Key", "Bearer am_test_abc123xyz"), ("X-Agent-ID", nil), ("X-Agent-ID", "me"),
        ] as [(String, String?)]
    )
    func credentials(name: String, value: String?) throws {
        var state = Samples.state()
        let token = try #require(Self.token(&state))
        var headers = Samples.clickHeaders
        headers[name.asciiLowercased] = value
        let body: AdJSON = ["tracking_token": token]
        let response = state.request("POST", "/functions/v1/track/click", headers: headers, bytes: body.bytes())
        #expect(response.status == 401 && response.json?["field"]?.string == name)
    }

    @Test("runs with different prefixes never issue the same token")
    func runs() throws {
        var tokens: Set<String> = []
        for run in ["", "1x", "2x"] {
            var state = SandboxState(base: Samples.base, run: run)
            for _ in 0..<30 { tokens.insert(try #require(Self.token(&state)?.string)) }
        }
        #expect(tokens.count == 90 && tokens.isSuperset(of: ["am-token-1", "am-token-1x1", "am-token-2x30"]))
    }

    @Test("only the newest tokens are stored, and a reset keeps them")
    func bounded() {
        var state = SandboxState(base: Samples.base, cards: CardState(limit: 3))
        let tokens = (0..<5).map { _ in Self.token(&state) }
        _ = state.request("POST", "/sandbox/reset")
        #expect(tokens.map { state.click($0).status } == [404, 404, 200, 200, 200])
        #expect(state.cards.tokens.count == 3)
    }
}
