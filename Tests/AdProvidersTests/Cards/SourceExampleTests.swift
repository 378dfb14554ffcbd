import AdCore
import AdProviders
import TestSupport
import Testing

@Suite("Examples in the documents of the card providers")
struct SourceExampleTests {
    private let market = AttentionMarketPlacement(
        userMessage: "My fern looks sad. What should I do?",
        conversationHistory: ["Good morning!", "My fern looks sad. What should I do?"]
    )
    private let ceed = CeedAdsPlacement(
        conversationID: "chat-1",
        messageID: "message-7",
        contextText: "How often does a fern want water?"
    )

    private func check(_ request: AdHTTPRequest, _ example: CardExample, base: String) throws {
        #expect(request.method == .post)
        #expect(request.url.text == base + example.path)
        #expect(Cards.text(request.body) == (try AdJSON(parsing: example.request)).text(.sorted))
        let documented = Set(example.headers.map { "\($0[0]): \($0[1])" })
        // The last header is in the document's cache listing.
        let cached: Set = example.path == "/decide" ? ["Cache-Control: max-age=60"] : []
        let own = cached.union(["Accept: application/json", "User-Agent: yabbi"])
        let sent = Set(request.headers.lines.filter { !$0.hasPrefix("Idempotency-Key: ") })
        #expect(sent == documented.union(own))
    }

    private func check(_ offer: Offer, _ event: BeaconEvent, _ example: CardExample, base: String) throws {
        let template = try #require(offer.beacons.first { $0.event == event })
        let beacon = Beacon(template.key(of: AdID("a"), index: 0), template.call, of: offer.provider)
        try self.check(try beacon.request { Cards.market.credentials[$0] }, example, base: base)
    }

    /// Checks that every text and number of a response is somewhere in the offer.
    private func check(_ offer: Offer, _ answer: AdJSON, but unsaid: Set<String> = []) {
        var all = ""
        dump(offer, to: &all)
        all += offer.beacons.map { Cards.text($0.call.body) }.joined()
        for leaf in Self.leaves(answer) where !unsaid.contains(leaf) {
            #expect(all.contains(leaf), "\(leaf) is lost")
        }
    }

    private static func leaves(_ json: AdJSON) -> [String] {
        switch json {
        case .null, .bool: []
        case .number(let number): [AdJSON.double(number.double ?? 0).text()]
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(self.leaves)
        case .object(let members): members.map(\.value).flatMap(self.leaves)
        }
    }

    @Test("AttentionMarket's request equals the example, and nothing of the response is lost")
    func attentionMarket() throws {
        let base = "https://market.example/functions/v1"
        try self.check(
            try Cards.market.request(for: self.market, in: Cards.everything),
            CardExamples.decide,
            base: base
        )
        let body = try #require(CardExamples.decide.answer)
        let batch = try Cards.market.offers(from: Responses.response(body), for: self.market, in: Cards.everything)
        let offer = try #require(batch.offers.first)
        #expect(batch.issues.isEmpty && offer.issues.isEmpty)
        self.check(offer, try AdJSON(parsing: body))
        try self.check(offer, .click, CardExamples.marketClick, base: base)
    }

    @Test(
        "AttentionMarket's Android request equals the example, and a response without teaser and promo code is parsed"
    )
    func android() throws {
        let provider = AttentionMarketProvider(keys: Cards.keys, device: .android)
        let request = try provider.request(for: self.market, in: AdContext())
        let expected = try AdJSON.example(CardExamples.decide.request).with("session_context.platform", "android")
        #expect(Cards.text(request.body) == expected.text(.sorted))
        for absent in [nil, ""] as [AdJSON?] {
            let json = try AdJSON.example(CardExamples.decide.answer).with("ad.creative.teaser", absent)
                .with("ad.creative.promo_code", absent)
            let batch = try provider.offers(from: Responses.response(json.text()), for: self.market, in: AdContext())
            #expect(batch.offers.first?.card?.teaser == nil && batch.offers.first?.card?.promoCode == nil)
            #expect(batch.offers.first?.issues.isEmpty == true)
        }
    }

    @Test("CeedAds' request and events equal the examples, and nothing of the response is lost")
    func ceedAds() throws {
        let base = "https://ceed.example"
        try self.check(
            try Cards.ceed.request(for: self.ceed, in: Cards.everything),
            CardExamples.ceedRequest,
            base: base
        )
        let body = try #require(CardExamples.ceedRequest.answer)
        let batch = try Cards.ceed.offers(from: Responses.response(body), for: self.ceed, in: Cards.everything)
        let offer = try #require(batch.offers.first)
        #expect(batch.issues.isEmpty && offer.issues.isEmpty)
        self.check(offer, try AdJSON(parsing: body))
        try self.check(offer, .view, CardExamples.ceedEvent, base: base)
        let click = try AdJSON(parsing: CardExamples.ceedEvent.request).with("type", "click")
        #expect(Cards.text(offer.beacons.last?.call.body) == click.text(.sorted))
    }

    @Test("ActiveAds' request and click equal the examples, and nothing of the response is lost")
    func activeAds() throws {
        let base = "https://active.example/functions/v1"
        try self.check(try Cards.active.request(for: .feed, in: Cards.everything), CardExamples.activeAds, base: base)
        let body = try #require(CardExamples.activeAds.answer)
        let batch = try Cards.active.offers(from: Responses.response(body), for: .feed, in: Cards.everything)
        #expect(batch.issues.isEmpty && batch.offers.allSatisfy(\.issues.isEmpty))
        let ads = try AdJSON(parsing: body)["ads"]?.array ?? []
        #expect(ads.count == batch.offers.count)
        for (offer, ad) in zip(batch.offers, ads) { self.check(offer, ad) }
        try self.check(try #require(batch.offers.first), .click, CardExamples.activeClick, base: base)
    }
}
