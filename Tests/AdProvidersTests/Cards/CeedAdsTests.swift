import AdCore
import AdProviders
import TestSupport
import Testing

@Suite("CeedAds requests")
struct CeedAdsRequestTests {
    private let placement = CeedAdsPlacement(
        conversationID: "chat-1",
        messageID: "message-7",
        contextText: "How often does a fern want water?"
    )

    @Test("the request body matches the protocol byte for byte, with null for unknown values")
    func bare() throws {
        let request = try Cards.ceed.request(for: self.placement, in: AdContext())
        #expect(request.method == .post)
        #expect(request.url.text == "https://ceed.example/api/requests")
        #expect(
            Cards.text(request.body)
                == #"{"appId":"app_test_demo","contextText":"How often does a fern want water?","#
                + #""conversationId":"chat-1","language":null,"messageId":"message-7","sdkVersion":"1.0.0","userId":null}"#
        )
        #expect(
            request.headers.lines == [
                "Content-Type: application/json", "Accept: application/json", "User-Agent: yabbi",
            ]
        )
        #expect(request.secretHeaders.isEmpty && request.repetition == .harmless)
    }

    @Test("the host's values are sent with unescaped slashes and any characters")
    func full() throws {
        let provider = CeedAdsProvider(app: CeedAdsApp(appID: "a/1", sdkVersion: "2.1.0"))
        let placement = CeedAdsPlacement(
            conversationID: "c/1",
            messageID: "m\"1",
            contextText: "植物に\n水を https://a.example/b",
            language: "jpn",
            userID: "user/9"
        )
        let request = try provider.request(for: placement, in: AdContext())
        #expect(request.url.text == "https://ceed-ads.vercel.app/api/requests")
        #expect(
            Cards.text(request.body)
                == #"{"appId":"a/1","contextText":"植物に\n水を https://a.example/b","conversationId":"c/1","#
                + #""language":"jpn","messageId":"m\"1","sdkVersion":"2.1.0","userId":"user/9"}"#
        )
    }

    @Test(
        "the base URL may end with a slash, and may contain /api",
        arguments: [
            "https://ceed.example", "https://ceed.example/", "https://ceed.example/api", "https://ceed.example/api/",
        ]
    )
    func bases(base: String) throws {
        let provider = CeedAdsProvider(app: CeedAdsApp(appID: "a"), base: Responses.url(base))
        #expect(
            try provider.request(for: self.placement, in: AdContext()).url.text == "https://ceed.example/api/requests"
        )
    }

    @Test("the request contains nothing about the device; the user's id is the host's")
    func neutral() throws {
        let bare = try Cards.ceed.request(for: self.placement, in: AdContext())
        #expect(try Cards.ceed.request(for: self.placement, in: Cards.everything) == bare)
    }

    @Test(
        "an empty id is refused before sending, with its name",
        arguments: ["appId", "conversationId", "messageId"],
        ["", " \n"]
    )
    func empty(name: String, value: String) throws {
        let provider = CeedAdsProvider(app: CeedAdsApp(appID: name == "appId" ? value : "a"))
        let placement = CeedAdsPlacement(
            conversationID: name == "conversationId" ? value : "c",
            messageID: name == "messageId" ? value : "m",
            contextText: ""
        )
        let error = try #require(
            Cards.failure { () throws(AdError) in try provider.request(for: placement, in: AdContext()) }
        )
        #expect(error.code == .invalidRequest && error.message.contains(name))
    }

    @Test("a request is not retried, and links open in the browser")
    func manners() {
        #expect(Cards.ceed.retries == .once)
        #expect(Cards.ceed.openMode == .systemBrowser)
        #expect(Cards.ceed.credentials.isEmpty)
        #expect(Cards.ceed.name == "ceedads")
    }
}

@Suite("CeedAds responses")
struct CeedAdsResponseTests {
    private static let placement = CeedAdsPlacement(
        conversationID: "chat-1",
        messageID: "message-7",
        contextText: "How often does a fern want water?"
    )

    private func whole() throws -> AdJSON { try .example(CardExamples.ceedRequest.answer) }

    private func batch(_ json: AdJSON, from provider: CeedAdsProvider = Cards.ceed) throws(AdError) -> OfferBatch {
        try provider.offers(from: Responses.response(json.text()), for: Self.placement, in: AdContext())
    }

    private func failure(_ body: String, status: Int = 200) -> AdError? {
        Cards.failure { () throws(AdError) in
            try Cards.ceed.offers(from: Responses.response(body, status: status), for: Self.placement, in: AdContext())
        }
    }

    @Test("the example response of CeedAds becomes a card, field by field")
    func fields() throws {
        let batch = try self.batch(try self.whole())
        let offer = try #require(batch.offers.first)
        #expect(batch.proposals.count == 1 && batch.issues.isEmpty && offer.issues.isEmpty)
        #expect(Cards.ceed.cachePolicy(in: AdContext()) == nil, "responses are not cached")
        let card = try #require(offer.card)
        #expect(card.headline == "A fern with an opinion")
        #expect(card.body == "The pot tells you what the leaves think of the heating.")
        #expect(card.callToAction == "Listen in")
        #expect(card.link?.text == "https://frondolo.example/listen")
        #expect(card.teaser == nil && card.promoCode == nil && card.image == nil)
        #expect(card.disclosure == AdDisclosure(advertiser: "Frondolo"))
        #expect(offer.provider == "ceedads")
        #expect(offer.rules == ShowRules(.card, closeControl: .host, clickThrough: card.link))
        #expect(offer.size == .adaptive)
        #expect(
            offer.detailsText
                == #"{"format":"action_card","id":"ceed-ad-3","advertiserId":"adv-frondolo","requestId":"request-19"}"#
        )
    }

    @Test(
        "a response without an ad is no fill, not an error",
        arguments: [
            (#"{"ok":true,"ad":null,"requestId":"r"}"#, 200), (#"{"ok":true,"requestId":"r"}"#, 200), ("{}", 200),
            (#"{"ok":true,"ad":null}"#, 200), (#"{"ad":null}"#, 200), (#"{"ok":null,"ad":null}"#, 200), ("", 200),
            ("", 204), ("ignored", 204),
        ]
    )
    func noFill(body: String, status: Int) throws {
        let batch = try Cards.ceed.offers(
            from: Responses.response(body, status: status),
            for: Self.placement,
            in: AdContext()
        )
        #expect(batch.proposals.isEmpty && batch.issues.isEmpty)
    }

    @Test(
        "an unusable response is a typed error that says why",
        arguments: [
            (
                #"{"ok":false,"error":"contextText is missing"}"#, 400, AdError.Code.serverStatus,
                "contextText is missing"
            ),
            (#"{"ok":false,"error":"the app is unknown"}"#, 401, .unauthorized, "check the appId"),
            ("", 401, .unauthorized, "401"), ("", 404, .serverStatus, "404"),
            ("oops", 500, .serverStatus, "500: oops"),
            (#"{"ok":false,"error":"no budget left"}"#, 200, .serverStatus, "ok: false: no budget left"),
            (#"{"ok":false,"message":"later"}"#, 200, .serverStatus, "ok: false: later"),
            (#"{"ok":false}"#, 200, .serverStatus, "ok: false"),
            (#"{"ok":false,"ad":{"id":"a","title":"t"},"requestId":"r"}"#, 200, .serverStatus, "ok: false"),
            ("<html>Sign in</html>", 200, .unreadableResponse, "HTML"), ("{", 200, .unreadableResponse, "not JSON"),
            ("[]", 200, .unreadableResponse, "an array"),
            (#"{"ok":true,"ad":[],"requestId":"r"}"#, 200, .unreadableResponse, "ad is an array"),
            (#"{"ok":true,"ad":"none","requestId":"r"}"#, 200, .unreadableResponse, "ad is a string"),
            (#"{"error":"quota","code":7}"#, 200, .incompleteOffer, "error, code"),
            (#"{"ok":true,"ad":{},"requestId":"r"}"#, 200, .incompleteOffer, "neither a title nor a description"),
        ]
    )
    func errors(body: String, status: Int, code: AdError.Code, hint: String) throws {
        let error = try #require(self.failure(body, status: status))
        #expect(error.code == code)
        #expect(error.message.contains(hint), "\(error.message)")
        #expect(error.message.utf8.count < 1_000)
    }

    @Test("a long error message of the server is truncated")
    func longWords() throws {
        let error = try #require(self.failure(#"{"ok":false,"error":"\#(String(repeating: "x", count: 1 << 20))"}"#))
        #expect(error.message.utf8.count < 1_000)
    }

    @Test(
        "each format of the protocol is shown as a card as far as its fields allow",
        arguments: CeedAdsFormat.allCases
    )
    func formats(format: CeedAdsFormat) throws {
        let json = try self.whole().with("ad.format", .string(format.rawValue))
        let offer = try #require(try self.batch(json).offers.first)
        #expect(offer.card?.headline == "A fern with an opinion" && offer.issues.isEmpty)
        #expect(offer.detailsText.hasPrefix(#"{"format":"\#(format.rawValue)","#))
        // Only an action card needs a click-through URL.
        let bare = json.with("ad.ctaUrl", nil).with("ad.ctaText", nil)
        guard format == .actionCard else {
            let shown = try #require(try self.batch(bare).offers.first)
            #expect(shown.card?.link == nil && shown.rules.clickThrough == nil && shown.issues.isEmpty)
            return
        }
        let error = try #require(self.failure(bare.text()))
        #expect(error.code == .incompleteOffer && error.message.contains("ctaUrl"))
    }

    @Test("a static ad may have only an image and an advertiser")
    func picture() throws {
        let json = AdJSON.object([
            .init("id", "p"), .init("advertiserId", "a"), .init("advertiserName", "Kumuloo"), .init("format", "static"),
            .init("imageUrl", "https://img.kumuloo.example/cloud.png"),
        ])
        let offer = try #require(try self.batch(["ok": true, "ad": json, "requestId": "r"]).offers.first)
        #expect(offer.card?.headline == "Kumuloo" && offer.card?.image?.text == "https://img.kumuloo.example/cloud.png")
        #expect(offer.repairs == ["title.missing at ad.title"])
        let other = json.with("format", "followup")
        #expect(self.failure(AdJSON.object([.init("ok", true), .init("ad", other)]).text())?.code == .incompleteOffer)
    }

    @Test(
        "an unknown format is an error that names it and the known ones",
        arguments: ["hologram", "Action_Card", "action-card", String(repeating: "x", count: 1 << 20)]
    )
    func unknownFormat(name: String) throws {
        let error = try #require(self.failure(try self.whole().with("ad.format", .string(name)).text()))
        #expect(error.code == .unknownType)
        #expect(error.message.contains("action_card, lead_gen, static, followup"))
        #expect(error.message.contains(name.prefix(8)) && error.message.utf8.count < 500)
    }

    @Test(
        "a missing format means action_card, with an issue",
        arguments: [nil, .null, "", true] as [AdJSON?]
    )
    func noFormat(value: AdJSON?) throws {
        let offer = try #require(try self.batch(try self.whole().with("ad.format", value)).offers.first)
        #expect(offer.repairs.last == "format.missing at ad.format")
        #expect(offer.detailsText.hasPrefix(#"{"format":"action_card""#))
    }

    @Test(
        "a value of a wrong type is ignored or repaired, with an issue at its place",
        arguments: [
            ("ad.description", 5, ["description.noText at ad.description"]),
            ("ad.description", nil, []), ("ad.advertiserName", nil, ["advertiserName.missing at ad.advertiserName"]),
            (
                "ad.advertiserName", [],
                ["advertiserName.noText", "advertiserName.missing"].map { $0 + " at ad.advertiserName" }
            ),
            ("ad.ctaText", true, ["ctaText.noText at ad.ctaText"]), ("ad.ctaText", "", []),
            ("ad.imageUrl", "ftp://img.example/x", ["imageUrl.noURL at ad.imageUrl"]),
            ("ad.imageUrl", "javascript:alert(1)", ["imageUrl.noURL at ad.imageUrl"]),
            ("ad.imageUrl", 1, ["imageUrl.noText at ad.imageUrl"]), ("ad.imageUrl", nil, []),
            ("ad.id", 3, ["id.number at ad.id"]), ("ad.id", nil, ["id.missing at ad.id"]),
            ("ad.id", [], ["id.noText at ad.id", "id.missing at ad.id"]),
            ("ad.advertiserId", 4, ["advertiserId.number at ad.advertiserId"]),
            ("ad.advertiserId", "", ["advertiserId.missing at ad.advertiserId"]),
            ("requestId", 9, ["requestId.number at requestId"]), ("requestId", nil, ["requestId.missing at requestId"]),
            ("ok", "yes", ["ok.noTruth at ok"]), ("ok", nil, []), ("ad.colour", "green", []), ("extra", [1], []),
        ] as [(String, AdJSON?, [String])]
    )
    func wrongKinds(path: String, value: AdJSON?, issues: [String]) throws {
        let batch = try self.batch(try self.whole().with(path, value))
        let offer = try #require(batch.offers.first)
        #expect(batch.issues.map(\.brief) + offer.repairs == issues)
        #expect(offer.card?.headline == "A fern with an opinion")
        #expect(offer.card?.disclosure.label == "Sponsored")
    }

    @Test("with all other values null a title and a link are enough, and fewer are an error")
    func nulls() throws {
        var json = try self.whole()
        for name in ["id", "advertiserId", "advertiserName", "format", "description", "ctaText"] {
            json = json.with("ad." + name, .null)
        }
        let offer = try #require(try self.batch(json.with("requestId", .null)).offers.first)
        #expect(offer.card?.headline == "A fern with an opinion" && offer.beacons.isEmpty)
        #expect(
            offer.repairs == [
                "format.missing at ad.format", "advertiserName.missing at ad.advertiserName", "id.missing at ad.id",
                "advertiserId.missing at ad.advertiserId",
            ]
        )
        let error = try #require(self.failure(json.with("ad.title", .null).text()))
        #expect(error.code == .incompleteOffer && error.issues.count == 2)
        #expect(error.issues.map(\.brief) == Array(offer.repairs.prefix(2)))
    }

    @Test("a card without a title uses its description, with an issue")
    func title() throws {
        let offer = try #require(try self.batch(try self.whole().with("ad.title", 7)).offers.first)
        #expect(offer.card?.headline == "The pot tells you what the leaves think of the heating.")
        #expect(offer.card?.body == nil, "no text appears twice")
        #expect(offer.repairs == ["title.noText at ad.title", "title.missing at ad.title"])
    }

    @Test("only http, https and schemes that the host allows are click-through URLs")
    func schemes() throws {
        let json = try self.whole().with("ad.ctaUrl", "Frondolo-App://pots")
        let error = try #require(self.failure(json.text()))
        #expect(error.code == .incompleteOffer && error.issues.map(\.brief) == ["ctaUrl.scheme at ad.ctaUrl"])
        let open = CeedAdsProvider(app: CeedAdsApp(appID: "a"), allowedSchemes: ["frondolo-app"])
        #expect(try self.batch(json, from: open).offers.first?.card?.link?.text == "frondolo-app://pots")
        let script = try #require(self.failure(try self.whole().with("ad.ctaUrl", "JavaScript:alert(1)").text()))
        #expect(script.issues.map(\.brief) == ["ctaUrl.noURL at ad.ctaUrl"])
        let wild = CeedAdsProvider(app: CeedAdsApp(appID: "a"), allowedSchemes: ["javascript", "data"])
        #expect(throws: AdError.self) {
            try self.batch(try self.whole().with("ad.ctaUrl", "javascript:alert(1)"), from: wild)
        }
    }

    @Test("markup in a text stays text, and a long text is truncated")
    func texts() throws {
        let evil = "<script>alert(1)</script>"
        var json = try self.whole()
        for name in ["title", "description", "ctaText", "advertiserName"] {
            json = json.with("ad." + name, .string(evil))
        }
        let card = try #require(try self.batch(json).offers.first?.card)
        #expect(card.headline == evil && !card.document.contains("<script"))
        let long = try self.whole().with("ad.title", .string(String(repeating: "長", count: 1 << 20)))
        let offer = try #require(try self.batch(long).offers.first)
        #expect(offer.card?.headline.unicodeScalars.count == 1_001)
        #expect(offer.repairs == ["title.long at ad.title"])
    }

    @Test("repairs of the JSON are reported with an offer and with an error")
    func repairs() throws {
        let body = try self.whole().text().replacing("{\"ok\":true", with: "{\"ok\":false,\"ok\":true")
        let batch = try Cards.ceed.offers(from: Responses.response(body), for: Self.placement, in: AdContext())
        #expect(batch.issues.map(\.code) == ["json.duplicate"])
        let errors = [
            #"{"ok":1,"ok":"so","ad":{"title":7}}"#: ["json.duplicate", "ok.noTruth", "requestId.missing"],
            #"{"ok":true,"ok":false,"error":7}"#: ["json.duplicate", "error.noText"],
        ]
        for (body, codes) in errors {
            #expect(self.failure(body)?.issues.map(\.code).prefix(codes.count) == codes[...])
        }
    }
}

@Suite("CeedAds impressions and clicks")
struct CeedAdsEventTests {
    private func offer(
        _ changes: [(String, AdJSON?)] = [],
        user: String? = nil,
        from provider: CeedAdsProvider = Cards.ceed
    ) throws -> Offer {
        var json = try AdJSON.example(CardExamples.ceedRequest.answer)
        for (path, value) in changes { json = json.with(path, value) }
        let placement = CeedAdsPlacement(conversationID: "chat-1", messageID: "m", contextText: "fern", userID: user)
        let batch = try provider.offers(from: Responses.response(json.text()), for: placement, in: Cards.everything)
        return try #require(batch.offers.first)
    }

    @Test("impression and click match the protocol byte for byte, and the impression is the billing event")
    func whole() throws {
        let beacons = try self.offer().beacons
        #expect(beacons.map(\.event) == [.view, .click])
        #expect(beacons.map(\.call.isBilling) == [true, false])
        for (beacon, type) in zip(beacons, ["impression", "click"]) {
            #expect(beacon.call.method == .post)
            #expect(beacon.call.address.text == "https://ceed.example/api/events")
            #expect(
                Cards.text(beacon.call.body)
                    == #"{"adId":"ceed-ad-3","advertiserId":"adv-frondolo","appId":"app_test_demo","#
                    + #""conversationId":"chat-1","requestId":"request-19","type":"\#(type)","userId":null}"#
            )
            #expect(
                beacon.call.headers.lines == [
                    "Content-Type: application/json", "Accept: application/json", "User-Agent: yabbi",
                ]
            )
            #expect(beacon.call.secrets.isEmpty)
            #expect(beacon.call.successRule == .okNotFalse && beacon.call.guarantee == .atMostOnce)
            #expect(beacon.providerKey == "ceedads/\(type)/ceed-ad-3/request-19")
        }
    }

    @Test("events contain the host's user id, and are sent at least once when the host wants it")
    func user() throws {
        let provider = CeedAdsProvider(app: CeedAdsApp(appID: "app"), guarantee: .atLeastOnce)
        let beacons = try self.offer(user: "user/9", from: provider).beacons
        #expect(beacons.allSatisfy { Cards.text($0.call.body).hasSuffix(#""userId":"user/9"}"#) })
        #expect(beacons.allSatisfy { $0.call.guarantee == .atLeastOnce })
    }

    @Test("each ad of each response has its own impression, whatever characters the ids contain")
    func keys() throws {
        func key(_ ad: String, _ request: String) throws -> BeaconKey {
            let offer = try self.offer([("ad.id", .string(ad)), ("requestId", .string(request))])
            return try #require(offer.beacons.first).key(of: AdID("x"), index: 0)
        }
        #expect(try key("a", "r") == key("a", "r"))
        #expect(try key("a", "r") != key("b", "r"))
        #expect(try key("a", "r") != key("a", "s"))
        #expect(try key("a/b", "c") != key("a", "b/c"))
        #expect(try key("a", "r").text != self.offer([("ad.id", "a"), ("requestId", "r")]).beacons[1].providerKey)
    }

    @Test("a missing advertiser is sent as an empty text; without an ad or request id there are no beacons")
    func missing() throws {
        let body = Cards.text(try self.offer([("ad.advertiserId", nil)]).beacons.first?.call.body)
        #expect(body.contains(#""advertiserId":"""#))
        #expect(try self.offer([("ad.id", nil)]).beacons.isEmpty)
        #expect(try self.offer([("requestId", nil)]).beacons.isEmpty)
        let numbers = try self.offer([("ad.id", 7), ("requestId", 8)])
        #expect(numbers.beacons.first?.providerKey == "ceedads/impression/7/8")
    }
}

@Suite("CeedAds cooldown")
struct CeedAdsCooldownTests {
    private func placement(_ conversation: String = "chat-1") -> CeedAdsPlacement {
        CeedAdsPlacement(conversationID: conversation, messageID: "m", contextText: "fern")
    }

    private func batch() throws -> OfferBatch {
        let answer = try #require(CardExamples.ceedRequest.answer)
        return try Cards.ceed.offers(from: Responses.response(answer), for: self.placement(), in: AdContext())
    }

    @Test(
        "a conversation that got a card waits for a minute, to the millisecond",
        arguments: [(0, "60 s"), (1, "60 s"), (1_000, "59 s"), (59_999, "1 s"), (60_000, nil), (60_001, nil)]
            as [(Int, String?)]
    )
    func minute(milliseconds: Int, left: String?) throws {
        let start = Moment.origin + .seconds(1_000)
        var memory = Cards.ceed.memory
        #expect(Cards.ceed.refusal(for: self.placement(), with: memory, at: start) == nil)
        Cards.ceed.remember(.success(try self.batch()), for: self.placement(), in: &memory, at: start)
        let error = Cards.ceed.refusal(for: self.placement(), with: memory, at: start + .milliseconds(milliseconds))
        #expect(Cards.ceed.refusal(for: self.placement("chat-2"), with: memory, at: start) == nil)
        guard let left else {
            #expect(error == nil)
            return
        }
        #expect(error?.code == .coolingDown)
        #expect(error?.underlying as? Cooldown == Cooldown(until: start + .seconds(60)))
        #expect(error?.message.contains("in \(left)") == true, "\(error?.message ?? "")")
    }

    @Test("a response without a card starts no cooldown")
    func noFill() {
        var memory = Cards.ceed.memory
        Cards.ceed.remember(.success(.noFill), for: self.placement(), in: &memory, at: .origin)
        #expect(Cards.ceed.refusal(for: self.placement(), with: memory, at: .origin) == nil)
    }

    @Test(
        "a card that can't be shown starts a cooldown, and a response without a card does not",
        arguments: [
            (.incompleteOffer, true), (.unknownType, true), (.serverStatus, false), (.unreadableResponse, false),
            (.unauthorized, false),
        ] as [(AdError.Code, Bool)]
    )
    func failed(code: AdError.Code, waits: Bool) {
        var memory = Cards.ceed.memory
        Cards.ceed.remember(.failure(AdError(code, "bad")), for: self.placement(), in: &memory, at: .origin)
        #expect((Cards.ceed.refusal(for: self.placement(), with: memory, at: .origin) != nil) == waits)
    }

    @Test("the cooldown starts with the latest card")
    func last() {
        var cooldown = CeedAdsCooldown()
        cooldown.start(for: "c", at: .origin)
        cooldown.start(for: "c", at: .origin + .seconds(50))
        #expect(cooldown.end(of: "c", at: .origin + .seconds(109)) == .origin + .seconds(110))
        #expect(cooldown.end(of: "c", at: .origin + .seconds(110)) == nil)
    }

    @Test("the newest thousand conversations are tracked")
    func bounded() {
        var cooldown = CeedAdsCooldown()
        for number in 0..<3_000 {
            cooldown.start(for: "c\(number)", at: .origin + .milliseconds(number))
        }
        let now = Moment.origin + .seconds(3)
        #expect((0..<3_000).filter { cooldown.end(of: "c\($0)", at: now) != nil } == Array(2_000..<3_000))
        // Conversations whose cooldown is over are removed first.
        let later = Moment.origin + .seconds(62) + .milliseconds(500)
        cooldown.start(for: "new", at: later)
        #expect(cooldown.end(of: "c2999", at: later) != nil && cooldown.end(of: "c2501", at: later) != nil)
        #expect(cooldown.end(of: "c2500", at: later) == nil)
    }
}
