import AdCore
import AdProviders
import TestSupport
import Testing

@Suite("AttentionMarket requests")
struct AttentionMarketRequestTests {
    private let message = "which fern should I buy?"

    @Test("the request body matches the protocol byte for byte, with an empty history by default")
    func bare() throws {
        let request = try Cards.market.request(
            for: AttentionMarketPlacement(userMessage: self.message),
            in: AdContext()
        )
        #expect(request.method == .post)
        #expect(request.url.text == "https://market.example/functions/v1/decide")
        #expect(
            Cards.text(request.body)
                == #"{"conversation_history":[],"placement":"sponsored_suggestion","session_context":"#
                + #"{"device_type":"mobile","platform":"ios"},"user_message":"which fern should I buy?"}"#
        )
        #expect(
            request.headers.lines == [
                "Content-Type: application/json", "Accept: application/json", "User-Agent: yabbi",
                "Authorization: Bearer am_test_abc123xyz", "apikey: anon_test_sandbox", "Cache-Control: max-age=60",
            ]
        )
        #expect(request.secretHeaders == ["apikey"])
        #expect(request.repetition == .harmless)
    }

    @Test("the host's values are sent with unescaped slashes and valid escapes")
    func full() throws {
        let provider = AttentionMarketProvider(
            keys: Cards.keys,
            base: Responses.url("https://market.example/functions/v1/"),
            device: AttentionMarketDevice(type: "tablet", platform: "linux")
        )
        let placement = AttentionMarketPlacement(
            userMessage: "is https://a.example/b \"good\"?\n\u{7}Ж",
            conversationHistory: ["a/b", "", "is https://a.example/b \"good\"?\n\u{7}Ж"],
            placement: "below/answer"
        )
        let request = try provider.request(for: placement, in: AdContext())
        #expect(request.url.text == "https://market.example/functions/v1/decide")
        #expect(
            Cards.text(request.body)
                == #"{"conversation_history":["a/b","","is https://a.example/b \"good\"?\n\u0007Ж"],"#
                + #""placement":"below/answer","session_context":{"device_type":"tablet","platform":"linux"},"#
                + #""user_message":"is https://a.example/b \"good\"?\n\u0007Ж"}"#
        )
    }

    @Test("a base URL with a query is refused")
    func query() {
        let provider = AttentionMarketProvider(keys: Cards.keys, base: Responses.url("https://market.example/v1?key=1"))
        let error = #expect(throws: AdError.self) {
            try provider.request(for: AttentionMarketPlacement(userMessage: "fern"), in: AdContext())
        }
        #expect(error?.code == .invalidRequest && error?.message.contains("query") == true)
        #expect(error?.message.contains("key=1") == false)
    }

    @Test("the protocol's platforms have names")
    func devices() {
        #expect(AttentionMarketDevice.ios == AttentionMarketDevice(type: "mobile", platform: "ios"))
        #expect(AttentionMarketDevice.android == AttentionMarketDevice(type: "mobile", platform: "android"))
        #expect(
            AttentionMarketProvider.standardBase.text == "https://peruwnbrqkvmrldhpoom.supabase.co/functions/v1"
        )
    }

    @Test("the request contains nothing about the device or the user")
    func neutral() throws {
        let placement = AttentionMarketPlacement(userMessage: self.message, conversationHistory: [self.message])
        let bare = try Cards.market.request(for: placement, in: AdContext())
        #expect(try Cards.market.request(for: placement, in: Cards.everything) == bare)
        #expect(try Cards.market.request(for: placement, in: Cards.everything.withholding()) == bare)
    }

    @Test("the last ten messages of the history are sent, oldest first", arguments: [0, 1, 9, 10, 11, 25])
    func history(count: Int) throws {
        let messages = (0..<count).map { "message \($0)" }
        let request = try Cards.market.request(
            for: AttentionMarketPlacement(userMessage: "now", conversationHistory: messages),
            in: AdContext()
        )
        let sent = try AdJSON(parsing: request.body ?? [])["conversation_history"]?.array?.compactMap(\.string)
        #expect(sent == messages.suffix(10))
        var history = ConversationHistory()
        for message in messages { history.add(message) }
        #expect(history.messages == messages.suffix(10))
    }

    @Test(
        "an empty key, or one that is invalid in a header, is refused before sending, with its name",
        arguments: [
            ("apiKey", "", "Authorization"), ("agentID", "", "X-Agent-ID"), ("anonKey", "", "apikey"),
            ("apiKey", " ", "Authorization"), ("agentID", "\t", "X-Agent-ID"), ("anonKey", " ", "apikey"),
            ("apiKey", "a\nb", "API key"), ("agentID", "a\r\nX: y", "agent id"), ("anonKey", "a\u{0}b", "anon key"),
        ]
    )
    func badKeys(which: String, value: String, hint: String) throws {
        let keys = AttentionMarketKeys(
            apiKey: which == "apiKey" ? value : "k",
            agentID: which == "agentID" ? value : "a",
            anonKey: which == "anonKey" ? value : "n"
        )
        let provider = AttentionMarketProvider(keys: keys)
        let placement = AttentionMarketPlacement(userMessage: "hello")
        let error = try #require(
            Cards.failure { () throws(AdError) in try provider.request(for: placement, in: AdContext()) }
        )
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains(hint))
        #expect(value.trimmed.isEmpty || !error.message.contains(value), "the message contains no key")
    }

    @Test("timeouts and server errors are retried up to three attempts of ten seconds, and links open in the app")
    func manners() {
        #expect(Cards.market.retries.attempts == 3 && Cards.market.retries.attemptTimeout == .seconds(10))
        #expect(Cards.market.openMode == .inApp)
        #expect(Cards.market.name == "attentionmarket")
    }
}

@Suite("AttentionMarket responses")
struct AttentionMarketResponseTests {
    private static let placement = AttentionMarketPlacement(userMessage: "which fern should I buy?")

    private func whole() throws -> AdJSON { try .example(CardExamples.decide.answer) }

    private func batch(
        _ json: AdJSON,
        from provider: AttentionMarketProvider = Cards.market,
        in context: AdContext = AdContext()
    ) throws(AdError) -> OfferBatch {
        try provider.offers(from: Responses.response(json.text()), for: Self.placement, in: context)
    }

    private func failure(_ body: String, status: Int = 200) -> AdError? {
        Cards.failure { () throws(AdError) in
            try Cards.market.offers(
                from: Responses.response(body, status: status),
                for: Self.placement,
                in: AdContext()
            )
        }
    }

    @Test("the example response of AttentionMarket becomes a card, field by field")
    func fields() throws {
        let batch = try self.batch(try self.whole())
        let offer = try #require(batch.offers.first)
        #expect(batch.proposals.count == 1 && batch.issues.isEmpty && offer.issues.isEmpty)
        let card = try #require(offer.card)
        #expect(card.headline == "The pot that listens")
        #expect(card.body == "Frondolo hears your fern before you see it wilt.")
        #expect(card.callToAction == "Meet the pot")
        #expect(card.teaser == "Somebody is thirsty")
        #expect(card.promoCode == "FERN10")
        #expect(card.link?.text == "https://go.market.example/c/7f3?to=frondolo")
        #expect(card.image == nil)
        #expect(card.disclosure == AdDisclosure(label: "Sponsored", advertiser: "Frondolo"))
        #expect(offer.provider == "attentionmarket")
        #expect(offer.rules == ShowRules(.card, closeControl: .host, clickThrough: card.link))
        #expect(offer.size == .adaptive)
        #expect(
            offer.detailsText
                == #"{"id":"ad_7f3","type":"sponsored_suggestion","payout":42,"direct_url":"https://frondolo.example/pots"}"#
        )
    }

    @Test("a response is cached for one minute, on a cellular network for five, and not served after it was shown")
    func kept() throws {
        for (network, seconds) in [(nil, 60), (.wifi, 60), (.cellular, 300), (.offline, 60)] as [(NetworkKind?, Int)] {
            var context = AdContext()
            context.network = network
            #expect(Cards.market.cachePolicy(in: context) == CachePolicy(.seconds(seconds), includesShown: false))
        }
    }

    @Test(
        "a response without an ad is no fill, not an error",
        arguments: [
            ("", 204), ("ignored", 204), ("", 200), (" \n", 200), ("{}", 200), (#"{"ad":null}"#, 200),
            (#"{"ad":null,"reason":"no campaign"}"#, 200), (#"{"ad":{"id":"x"},"ad":null}"#, 200),
        ]
    )
    func noFill(body: String, status: Int) throws {
        let batch = try Cards.market.offers(
            from: Responses.response(body, status: status),
            for: Self.placement,
            in: AdContext()
        )
        #expect(batch.proposals.isEmpty)
    }

    @Test(
        "an unusable response is a typed error that says why",
        arguments: [
            (#"{"error":"the placement is unknown"}"#, 400, AdError.Code.serverStatus, "400: {\"error\""),
            ("", 403, .serverStatus, "403"), ("", 404, .serverStatus, "404"), ("", 429, .serverStatus, "429"),
            ("Bad gateway", 502, .serverStatus, "502: Bad gateway"), ("", 500, .serverStatus, "500"),
            ("", 301, .serverStatus, "301"),
            ("<html><body>Sign in</body></html>", 200, .unreadableResponse, "HTML"),
            ("\u{FEFF} <!doctype html>", 200, .unreadableResponse, "HTML"),
            (#"{"ad":{"id""#, 200, .unreadableResponse, "not JSON"), ("[]", 200, .unreadableResponse, "an array"),
            ("null", 200, .unreadableResponse, "null"), ("42", 200, .unreadableResponse, "a number"),
            (#"{"ad":[]}"#, 200, .unreadableResponse, "ad is an array"),
            (#"{"ad":"none"}"#, 200, .unreadableResponse, "ad is a string"),
            (#"{"ad":false}"#, 200, .unreadableResponse, "ad is a boolean"),
            (#"{"ad":0}"#, 200, .unreadableResponse, "ad is a number"),
            (#"{"error":"quota","code":7}"#, 200, .incompleteOffer, "error, code"),
            (#"{"ad":{}}"#, 200, .incompleteOffer, "neither a title nor a body"),
            (String(repeating: "[", count: 100_000), 200, .unreadableResponse, "not JSON"),
        ]
    )
    func errors(body: String, status: Int, code: AdError.Code, hint: String) throws {
        let error = try #require(self.failure(body, status: status))
        #expect(error.code == code)
        #expect(error.message.contains(hint), "\(error.message)")
        #expect(error.message.utf8.count < 1_000)
    }

    @Test("rejected keys are an error that names every header, but contains no key")
    func unauthorized() throws {
        let body = #"{"error":"the header \"apikey\" is wrong"}"#
        let error = try #require(self.failure(body, status: 401))
        #expect(error.code == .unauthorized)
        for name in ["401", "Authorization", "X-API-Key", "X-Agent-ID", "apikey"] {
            #expect(error.message.contains(name), "\(error.message)")
        }
        for key in [Cards.keys.apiKey, Cards.keys.agentID, Cards.keys.anonKey] {
            #expect(!error.message.contains(key))
        }
    }

    /// Optional members, each with the values that are read as absent.
    ///
    /// An empty payout is a text, not a number, so it has an issue.
    static let absentValues: [(String, AdJSON?)] =
        ["creative.teaser", "creative.promo_code", "creative.body", "creative.cta", "id", "type"].flatMap { path in
            [(path, nil), (path, .null), (path, "")] as [(String, AdJSON?)]
        } + [("payout", nil), ("payout", .null)]

    @Test("an optional value may be absent, null or empty, without an issue", arguments: Self.absentValues)
    func absent(path: String, value: AdJSON?) throws {
        let offer = try #require(try self.batch(try self.whole().with("ad." + path, value)).offers.first)
        #expect(offer.repairs.isEmpty)
        let card = try #require(offer.card)
        let texts = [
            "creative.teaser": card.teaser, "creative.promo_code": card.promoCode, "creative.body": card.body,
            "creative.cta": card.callToAction,
        ]
        if let text = texts[path] { #expect(text == nil) }
        #expect(!offer.detailsText.contains("\"\(path)\""))
    }

    @Test(
        "a value of a wrong type is ignored or repaired, with an issue at its place",
        arguments: [
            ("creative.teaser", 7, "teaser.noText at ad.creative.teaser"),
            ("creative.promo_code", ["FERN"], "promo_code.noText at ad.creative.promo_code"),
            ("creative.body", true, "body.noText at ad.creative.body"),
            ("creative.cta", [:], "cta.noText at ad.creative.cta"),
            ("payout", "42", "payout.text at ad.payout"), ("payout", "much", "payout.noNumber at ad.payout"),
            ("payout", "", "payout.noNumber at ad.payout"), ("payout", false, "payout.noNumber at ad.payout"),
            ("id", 7, "id.number at ad.id"), ("id", [], "id.noText at ad.id"), ("type", 1, "type.number at ad.type"),
            ("tracking_token", 9, "tracking_token.number at ad.tracking_token"),
            ("direct_url", 5, "direct_url.noText at ad.direct_url"),
            ("direct_url", "nowhere", "direct_url.noURL at ad.direct_url"),
            ("direct_url", "javascript:alert(1)", "direct_url.noURL at ad.direct_url"),
            ("disclosure", "yes", "disclosure.noObject at ad.disclosure"),
            ("disclosure.sponsor_name", 3, "sponsor_name.noText at ad.disclosure.sponsor_name"),
            ("disclosure.is_sponsored", "yes", "is_sponsored.noTruth at ad.disclosure.is_sponsored"),
            ("disclosure.is_sponsored", false, "is_sponsored.false at ad.disclosure.is_sponsored"),
        ] as [(String, AdJSON, String)]
    )
    func wrongKinds(path: String, value: AdJSON, issue: String) throws {
        let offer = try #require(try self.batch(try self.whole().with("ad." + path, value)).offers.first)
        // Then the advertiser is unknown.
        let isNameless = ["disclosure", "disclosure.sponsor_name"].contains(path)
        let missing = isNameless ? ["sponsor_name.missing at ad.disclosure.sponsor_name"] : []
        #expect(offer.repairs.sorted() == ([issue] + missing).sorted())
        #expect(offer.card?.disclosure.label == "Sponsored", "the card is always labeled as an ad")
        #expect(offer.card?.headline == "The pot that listens")
    }

    @Test("integers and decimals are accepted, and unknown fields ignored")
    func lenient() throws {
        let json = try self.whole().with("ad.payout", .double(42.5)).with("ad.score", [1, nil]).with("trace", "t")
        let offer = try #require(try self.batch(json).offers.first)
        #expect(offer.detailsText.contains(#""payout":42.5"#))
        #expect(offer.repairs.isEmpty)
        let texts = try self.whole().with("ad.payout", "42").with("ad.id", 7).with("ad.type", 1)
        let repaired = try #require(try self.batch(texts).offers.first)
        #expect(repaired.detailsText.hasPrefix(#"{"id":"7","type":"1","payout":42,"#))
    }

    @Test("the card is labeled as an ad even when the advertiser is unknown")
    func disclosure() throws {
        for value in [nil, .null, "", "  "] as [AdJSON?] {
            let offer = try #require(
                try self.batch(try self.whole().with("ad.disclosure.sponsor_name", value)).offers.first
            )
            #expect(offer.card?.disclosure == AdDisclosure(advertiser: nil))
            #expect(offer.repairs == ["sponsor_name.missing at ad.disclosure.sponsor_name"])
            #expect(offer.card?.fragment.contains(">Sponsored</strong>") == true)
        }
        let none = try #require(try self.batch(try self.whole().with("ad.disclosure", nil)).offers.first)
        #expect(none.card?.disclosure.description == "Sponsored")
        #expect(none.repairs == ["sponsor_name.missing at ad.disclosure.sponsor_name"])
    }

    @Test("a card without a title uses another text, with an issue; without any text it is an error")
    func title() throws {
        let bare = try self.whole().with("ad.creative.title", nil)
        let first = try #require(try self.batch(bare).offers.first)
        #expect(first.card?.headline == "Somebody is thirsty")
        #expect(first.repairs == ["title.missing at ad.creative.title"])
        #expect(first.card?.teaser == nil && first.card?.body != nil, "no text appears twice")
        let second = try #require(try self.batch(bare.with("ad.creative.teaser", "")).offers.first)
        #expect(second.card?.headline == "Frondolo hears your fern before you see it wilt.")
        #expect(second.card?.body == nil)
        let wrong = try #require(try self.batch(bare.with("ad.creative.title", 5)).offers.first)
        #expect(wrong.repairs == ["title.noText at ad.creative.title", "title.missing at ad.creative.title"])
    }

    @Test(
        "the error of a card without text carries the issues found before it",
        arguments: [
            ([("creative", "a text")], ["creative.noObject at ad.creative"]),
            (
                [("creative.title", 5), ("creative.body", " "), ("creative.teaser", nil)],
                ["title.noText at ad.creative.title"]
            ),
            (
                [("creative", ["title": [], "body": [:]])],
                ["body.noText at ad.creative.body", "title.noText at ad.creative.title"]
            ),
        ] as [([(String, AdJSON)], [String])]
    )
    func nothingToShow(changes: [(String, AdJSON)], issues: [String]) throws {
        var json = try self.whole()
        for (path, value) in changes { json = json.with("ad." + path, value) }
        let error = try #require(self.failure(json.text()))
        #expect(error.code == .incompleteOffer && error.message.contains("neither a title nor a body"))
        #expect(error.issues.map(\.brief) == issues)
    }

    @Test("only http, https and schemes that the host allows are click-through URLs")
    func schemes() throws {
        let json = try self.whole().with("ad.click_url", "frondolo-app://pots/7")
        let refused = try #require(try self.batch(json).offers.first)
        #expect(refused.card?.link?.text == "https://frondolo.example/pots")
        #expect(refused.repairs == ["click_url.scheme at ad.click_url", "click_url.missing at ad.click_url"])
        let open = AttentionMarketProvider(keys: Cards.keys, allowedSchemes: ["frondolo-app"])
        let allowed = try #require(try self.batch(json, from: open).offers.first)
        #expect(allowed.card?.link?.text == "frondolo-app://pots/7" && allowed.repairs.isEmpty)
        #expect(allowed.rules.clickThrough == allowed.card?.link)
    }

    @Test(
        "an unusable click_url is replaced by direct_url",
        arguments: [
            (nil, []), (.null, []), ("", []), (7, ["click_url.noText at ad.click_url"]),
            ("javascript:alert(1)", ["click_url.noURL at ad.click_url"]),
            ("data:text/html,x", ["click_url.noURL at ad.click_url"]),
            ("file:///etc/passwd", ["click_url.noURL at ad.click_url"]), ("pots", ["click_url.noURL at ad.click_url"]),
            (" \u{1}javascript:alert(1)", ["click_url.noURL at ad.click_url"]),
            (
                .string("https://a.example/" + String(repeating: "a", count: 40_000)),
                ["click_url.noURL at ad.click_url"]
            ),
        ] as [(AdJSON?, [String])]
    )
    func links(value: AdJSON?, issues: [String]) throws {
        let offer = try #require(try self.batch(try self.whole().with("ad.click_url", value)).offers.first)
        #expect(offer.card?.link?.text == "https://frondolo.example/pots")
        #expect(offer.repairs == issues + ["click_url.missing at ad.click_url"])
        #expect(offer.issues.allSatisfy { $0.message.utf8.count < 500 })
    }

    @Test("a card without a click-through URL is an error, whose issues explain both addresses")
    func noLink() throws {
        let json = try self.whole().with("ad.click_url", "javascript:alert(1)").with("ad.direct_url", "vbscript:x")
        let error = try #require(self.failure(json.text()))
        #expect(error.code == .incompleteOffer && error.message.contains("no click-through URL"))
        #expect(error.issues.map(\.brief) == ["direct_url.noURL at ad.direct_url", "click_url.noURL at ad.click_url"])
    }

    @Test("markup in a text stays text")
    func markup() throws {
        let evil = "<img src=x onerror=alert(1)><b>Pot</b>\"'&"
        var json = try self.whole()
        for name in ["title", "body", "cta", "teaser", "promo_code"] {
            json = json.with("ad.creative.\(name)", .string(evil))
        }
        let offer = try #require(try self.batch(json.with("ad.disclosure.sponsor_name", .string(evil))).offers.first)
        let card = try #require(offer.card)
        #expect(
            [card.headline, card.body, card.callToAction, card.teaser, card.promoCode]
                == Array(repeating: evil, count: 5)
        )
        #expect(!card.document.contains("<img") && !card.document.contains("<b>"))
        #expect(offer.issues.isEmpty)
    }

    @Test("long texts are truncated, also when one character has many code points")
    func megabytes() throws {
        let family = "👩‍👩‍👧‍👦"
        for text in [String(repeating: "a", count: 1 << 20), String(repeating: family, count: 40_000)] {
            var json = try self.whole()
            for name in ["title", "body", "cta", "teaser", "promo_code"] {
                json = json.with("ad.creative.\(name)", .string(text))
            }
            let offer = try #require(
                try self.batch(json.with("ad.disclosure.sponsor_name", .string(text))).offers.first
            )
            let card = try #require(offer.card)
            for kept in [
                card.headline, card.body, card.callToAction, card.teaser, card.promoCode, card.disclosure.advertiser,
            ] {
                #expect(kept?.unicodeScalars.count == 1_001 && kept?.hasSuffix("\u{2026}") == true)
            }
            #expect(
                Set(offer.repairs) == [
                    "title.long at ad.creative.title", "body.long at ad.creative.body", "cta.long at ad.creative.cta",
                    "teaser.long at ad.creative.teaser", "promo_code.long at ad.creative.promo_code",
                    "sponsor_name.long at ad.disclosure.sponsor_name",
                ]
            )
        }
        let thousand = String(repeating: "a", count: 1_000)
        let fits = try #require(
            try self.batch(try self.whole().with("ad.creative.title", .string(thousand))).offers.first
        )
        #expect(fits.card?.headline == thousand && fits.repairs.isEmpty)
    }

    @Test("repairs of the JSON are reported with an offer and with an error")
    func repairs() throws {
        let body = try self.whole().text().replacing("{\"ad\":", with: "{\"ad\":1,\"ad\":")
        let batch = try Cards.market.offers(from: Responses.response(body), for: Self.placement, in: AdContext())
        #expect(batch.issues.map(\.code) == ["json.duplicate"])
        let error = try #require(self.failure(#"{"ad":1,"ad":{"creative":{"title":7}}}"#))
        #expect(error.issues.map(\.code) == ["json.duplicate", "title.noText"])
    }
}

@Suite("AttentionMarket clicks")
struct AttentionMarketClickTests {
    private func offer(_ token: AdJSON?, from provider: AttentionMarketProvider = Cards.market) throws -> Offer {
        let json = try AdJSON.example(CardExamples.decide.answer).with("ad.tracking_token", token)
        let placement = AttentionMarketPlacement(userMessage: "hello")
        let batch = try provider.offers(from: Responses.response(json.text()), for: placement, in: Cards.everything)
        return try #require(batch.offers.first)
    }

    @Test("a click is a beacon of the protocol with its token, and a view has none")
    func whole() throws {
        let offer = try self.offer("trk_91ac")
        let click = try #require(offer.beacons.first)
        #expect(offer.beacons.count == 1 && click.event == .click)
        #expect(click.call.method == .post)
        #expect(click.call.address.text == "https://market.example/functions/v1/track/click")
        #expect(Cards.text(click.call.body) == #"{"tracking_token":"trk_91ac"}"#)
        #expect(click.call.successRule == .only200)
        #expect(click.call.guarantee == .atMostOnce)
        #expect(click.call.isBilling)
        #expect(click.providerKey == "attentionmarket/click/trk_91ac")
        #expect(
            click.call.headers.lines == [
                "Content-Type: application/json", "Accept: application/json", "User-Agent: yabbi",
                "X-Agent-ID: agt_test_demo",
            ]
        )
        let resending = AttentionMarketProvider(keys: Cards.keys, guarantee: .atLeastOnce)
        #expect(try self.offer("t", from: resending).beacons.first?.call.guarantee == .atLeastOnce)
    }

    @Test("the beacon stores only the key's name, and the key is in the header when the click is sent")
    func secret() throws {
        let offer = try self.offer("trk_91ac")
        let template = try #require(offer.beacons.first)
        #expect(template.call.secrets.map(\.name) == ["X-API-Key"])
        #expect(template.call.secrets.map(\.credential) == ["attentionmarket.agt_test_demo.apiKey"])
        #expect(Cards.market.credentials == ["attentionmarket.agt_test_demo.apiKey": "am_test_abc123xyz"])
        var written = ""
        dump(offer, to: &written)
        #expect(!written.contains(Cards.keys.apiKey) && !written.contains(Cards.keys.anonKey))

        let beacon = Beacon(template.key(of: AdID("a"), index: 0), template.call, of: "attentionmarket")
        let request = try beacon.request { Cards.market.credentials[$0] }
        #expect(request.headers["X-API-Key"] == "am_test_abc123xyz")
        #expect(request.secretHeaders == ["X-API-Key"] && request.repetition == .counted)
        #expect(request.headers["Idempotency-Key"] == "attentionmarket/click/trk_91ac")
        #expect(throws: TransportError.self) { try beacon.request { _ in nil } }
    }

    @Test("two ads with the same token send one click, and different tokens have different keys")
    func keys() throws {
        func key(_ token: String, _ ad: String) throws -> BeaconKey {
            try #require(try self.offer(.string(token)).beacons.first).key(of: AdID(ad), index: 0)
        }
        #expect(try key("t", "a") == key("t", "b"))
        #expect(try key("a/b ü", "a").text == "attentionmarket/click/a%2Fb%20%C3%BC")
        let long = String(repeating: "x", count: 1 << 20)
        #expect(try key(long + "1", "a") != key(long + "2", "a"))
        #expect(try key(long, "a").text.utf8.count <= 512)
        #expect(Cards.text(try self.offer("a\"b/ü").beacons.first?.call.body) == #"{"tracking_token":"a\"b/ü"}"#)
    }

    @Test("without a token the click has no beacon, with an issue", arguments: [nil, .null, "", true] as [AdJSON?])
    func missing(token: AdJSON?) throws {
        let offer = try self.offer(token)
        #expect(offer.beacons.isEmpty)
        #expect(offer.repairs.last == "tracking_token.missing at ad.tracking_token")
    }
}
