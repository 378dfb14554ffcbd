import AdCore
import AdProviders
import TestSupport
import Testing

@Suite("ActiveAds requests")
struct ActiveAdsRequestTests {
    @Test("the request body contains exactly the format", arguments: ActiveAdsPlacement.allCases)
    func bytes(placement: ActiveAdsPlacement) throws {
        let request = try Cards.active.request(for: placement, in: Cards.everything)
        #expect(request.method == .post)
        #expect(request.url.text == "https://active.example/functions/v1/get-active-ads")
        #expect(Cards.text(request.body) == #"{"format":"\#(placement.rawValue)"}"#)
        #expect(
            request.headers.lines == [
                "Content-Type: application/json", "Accept: application/json", "User-Agent: yabbi",
            ]
        )
        #expect(request.secretHeaders.isEmpty)
        #expect(try Cards.active.request(for: placement, in: AdContext()) == request, "the context changes nothing")
    }

    @Test("there are three formats, each with its own maximum of cards")
    func formats() {
        #expect(ActiveAdsPlacement.allCases.map(\.rawValue) == ["feed", "banner", "popup"])
        #expect(ActiveAdsPlacement.allCases.map(\.maximumCount) == [3, nil, 1])
        #expect(ActiveAdsPlacement(rawValue: "video") == nil)
        #expect(ActiveAdsPlacement.feedRule == FeedInserter(after: 4, limit: 3))
        #expect(Cards.active.retries == .once && Cards.active.openMode == .systemBrowser)
        #expect(Cards.active.credentials.isEmpty && Cards.active.name == "activeads")
    }

    @Test("the base URL may end with a slash")
    func base() throws {
        let provider = ActiveAdsProvider(base: Responses.url("https://active.example/functions/v1/"))
        let request = try provider.request(for: .feed, in: AdContext())
        #expect(request.url.text == "https://active.example/functions/v1/get-active-ads")
    }
}

@Suite("ActiveAds responses")
struct ActiveAdsResponseTests {
    private func batch(
        _ body: String,
        status: Int = 200,
        for placement: ActiveAdsPlacement = .feed,
        from provider: ActiveAdsProvider = Cards.active
    ) throws(AdError) -> OfferBatch {
        try provider.offers(from: Responses.response(body, status: status), for: placement, in: Cards.everything)
    }

    private func failure(_ body: String, status: Int = 200) -> AdError? {
        Cards.failure { () throws(AdError) in try self.batch(body, status: status) }
    }

    /// The first example campaign with one member changed, as the only one in its list.
    private func list(_ name: String, _ value: AdJSON?) throws -> String {
        let ads = try AdJSON.example(CardExamples.activeAds.answer)["ads"]?.array ?? []
        return AdJSON.object([.init("ads", .array([try #require(ads.first).with(name, value)]))]).text()
    }

    @Test("the example response is parsed into cards field by field, including a campaign of nulls")
    func fields() throws {
        let batch = try self.batch(try #require(CardExamples.activeAds.answer))
        #expect(Cards.active.cachePolicy(in: AdContext()) == CachePolicy(.seconds(300), includesShown: true))
        #expect(batch.issues.isEmpty && batch.offers.allSatisfy(\.issues.isEmpty) && batch.proposals.count == 2)
        let first = try #require(batch.offers.first)
        let card = try #require(first.card)
        #expect(card.headline == "Krukan som hör av sig")
        #expect(card.body == "Frondolo skriver när ormbunken är törstig.")
        #expect(card.image?.text == "https://img.frondolo.example/kruka.png")
        #expect(card.callToAction == "Träffa krukan")
        #expect(card.link?.text == "https://frondolo.example/kruka")
        #expect(card.teaser == nil && card.promoCode == nil)
        #expect(card.disclosure == AdDisclosure(advertiser: nil))
        #expect(first.provider == "activeads" && first.size == .adaptive)
        #expect(first.rules == ShowRules(.card, closeControl: .host, clickThrough: card.link))
        #expect(first.detailsText == #"{"id":"0d6f1c52-0000-4000-8000-000000000001","format":"feed","daily_bid":50}"#)

        let second = try #require(batch.offers.last)
        #expect(second.card == CardCreative(headline: "Strumpor i tretal", by: nil))
        #expect(second.rules.clickThrough == nil)
        #expect(second.detailsText == #"{"id":"0d6f1c52-0000-4000-8000-000000000002","format":"feed"}"#)
    }

    @Test("a popup has a close button; other cards are closed by the host", arguments: ActiveAdsPlacement.allCases)
    func closing(placement: ActiveAdsPlacement) throws {
        let body = try self.list("format", .string(placement.rawValue))
        let offer = try #require(try self.batch(body, for: placement).offers.first)
        #expect(offer.rules.closeControl == (placement == .popup ? .button : .host))
        #expect(offer.issues.isEmpty)
    }

    @Test(
        "a response without an ad is no fill, not an error",
        arguments: [
            (#"{"ads":[]}"#, 200), (#"{"ads":null}"#, 200), ("{}", 200), ("", 200), (" \r\n", 200), ("", 204),
            ("ignored", 204),
        ]
    )
    func noFill(body: String, status: Int) throws {
        #expect(try self.batch(body, status: status).proposals.isEmpty)
    }

    @Test(
        "an unusable response is a typed error that says why and where to look",
        arguments: [
            (#"{"error":"format is missing"}"#, 400, AdError.Code.serverStatus, "does not know the format feed"),
            ("", 400, .serverStatus, "/functions/v1"), ("", 500, .serverStatus, "log"),
            ("", 401, .unauthorized, "--no-verify-jwt"), ("{\"code\":401}", 403, .unauthorized, "403"),
            ("", 404, .serverStatus, "404"), ("", 503, .serverStatus, "503"),
            ("<!DOCTYPE html><p>Portal</p>", 200, .unreadableResponse, "HTML"),
            (#"{"ads":["#, 200, .unreadableResponse, "not JSON"), ("[]", 200, .unreadableResponse, "an array"),
            (#"{"ads":{}}"#, 200, .unreadableResponse, "ads is an object"),
            (#"{"ads":"none"}"#, 200, .unreadableResponse, "ads is a string"),
            (#"{"ads":7}"#, 200, .unreadableResponse, "ads is a number"),
            (#"{"message":"no such function"}"#, 200, .incompleteOffer, "message"),
            (#"{"ads":[{}]}"#, 200, .incompleteOffer, "none of the 1 campaigns"),
            (#"{"ads":[7,null]}"#, 200, .incompleteOffer, "none of the 2 campaigns"),
        ]
    )
    func errors(body: String, status: Int, code: AdError.Code, hint: String) throws {
        let error = try #require(self.failure(body, status: status))
        #expect(error.code == code)
        #expect(error.message.contains(hint), "\(error.message)")
    }

    @Test(
        "a value of a wrong type is ignored or repaired, with an issue at its place",
        arguments: [
            ("description", nil, []), ("description", .null, []), ("description", 3, ["description.noText"]),
            ("image_url", .null, []), ("image_url", "img.png", ["image_url.noURL"]),
            ("image_url", "data:image/png;base64,AA", ["image_url.noURL"]), ("image_url", [], ["image_url.noText"]),
            ("cta_text", .null, []), ("cta_text", "", []), ("cta_text", [:], ["cta_text.noText"]),
            ("cta_url", .null, []), ("cta_url", nil, []), ("cta_url", "", []),
            ("cta_url", "javascript:alert(1)", ["cta_url.noURL"]), ("cta_url", "frondolo-app://x", ["cta_url.scheme"]),
            ("cta_url", 5, ["cta_url.noText"]), ("daily_bid", .null, []), ("daily_bid", "50.00", ["daily_bid.text"]),
            ("daily_bid", "a lot", ["daily_bid.noNumber"]), ("daily_bid", false, ["daily_bid.noNumber"]),
            ("id", 7, ["id.number"]), ("id", .null, ["id.missing"]), ("id", [], ["id.noText", "id.missing"]),
            ("format", .null, []), ("format", "popup", ["format.other"]), ("format", "FEED", ["format.other"]),
            ("title", 9, ["title.noText", "title.missing"]), ("start_date", "2026-01-01", []),
        ] as [(String, AdJSON?, [String])]
    )
    func wrongKinds(name: String, value: AdJSON?, codes: [String]) throws {
        let batch = try self.batch(try self.list(name, value))
        let offer = try #require(batch.offers.first)
        #expect(batch.issues.isEmpty)
        #expect(offer.repairs == codes.map { "\($0) at ads[0].\(name)" })
        #expect(offer.card?.disclosure.label == "Sponsored")
        if name.hasPrefix("cta_url") { #expect(offer.card?.link == nil, "and it is shown all the same") }
        if name == "image_url" { #expect(offer.card?.image == nil) }
    }

    @Test("a custom URL scheme is allowed only by the host")
    func schemes() throws {
        let open = ActiveAdsProvider(base: Responses.url("https://active.example"), allowedSchemes: ["frondolo-app"])
        let offer = try #require(try self.batch(try self.list("cta_url", "frondolo-app://x"), from: open).offers.first)
        #expect(offer.card?.link?.text == "frondolo-app://x" && offer.rules.clickThrough == offer.card?.link)
    }

    @Test("an invalid campaign is left out, and the others keep their order")
    func leftOut() throws {
        let body = #"{"ads":[{"title":"a"},{"title":5},"x",{"title":"b"},null,{"description":"c"}]}"#
        let batch = try self.batch(body)
        #expect(batch.offers.map(\.card?.headline) == ["a", "b", "c"])
        #expect(
            batch.issues.map(\.brief) == [
                "title.noText at ads[1].title", "ads.leftOut at ads[1]", "ads.leftOut at ads[2]",
                "ads.leftOut at ads[4]",
            ]
        )
        #expect(batch.offers.last?.repairs == ["title.missing at ads[5].title", "id.missing at ads[5].id"])
        let error = try #require(self.failure(#"{"ads":[{"title":5},"x"],"ads":[{"title":5},"x"]}"#))
        #expect(
            error.issues.map(\.brief) == [
                "json.duplicate at line 1", "title.noText at ads[0].title", "ads.leftOut at ads[0]",
                "ads.leftOut at ads[1]",
            ]
        )
    }

    @Test("of ten thousand campaigns the first five hundred are read in order, with an issue")
    func tenThousand() throws {
        let ads = (0..<10_000).map { #"{"id":"\#($0)","title":"Card \#($0)"}"# }.joined(separator: ",")
        let batch = try self.batch("{\"ads\":[\(ads)]}", for: .banner)
        #expect(batch.offers.compactMap(\.card?.headline) == (0..<500).map { "Card \($0)" })
        #expect(batch.issues.map(\.brief) == ["ads.tooMany at ads"])
        #expect(batch.issues.first?.message.contains("10000") == true)
        let broken = (0..<10_000).map { _ in #"{"title":5,"description":[]}"# }.joined(separator: ",")
        let error = try #require(self.failure("{\"ads\":[\(broken)]}"))
        #expect(error.code == .incompleteOffer && error.issues.count <= 1_501)
    }

    @Test("markup in a text stays text, and a long text is truncated")
    func texts() throws {
        let evil = "<img src=x onerror=alert(1)>"
        let card = try #require(try self.batch(try self.list("title", .string(evil))).offers.first?.card)
        #expect(card.headline == evil && !card.document.contains("<img src=x"))
        let long = try self.batch(try self.list("description", .string(String(repeating: "å", count: 1 << 20))))
        #expect(long.offers.first?.card?.body?.unicodeScalars.count == 1_001)
        #expect(long.offers.first?.repairs == ["description.long at ads[0].description"])
        let scripts = try self.batch(
            try self.list("cta_url", .string("javascript:" + String(repeating: "a", count: 1 << 20)))
        )
        #expect(scripts.offers.first?.issues.allSatisfy { $0.message.utf8.count < 500 } == true)
    }

    @Test("a click is a beacon of the protocol, and a view has none")
    func click() throws {
        let offer = try #require(try self.batch(try self.list("id", "a\"b/c")).offers.first)
        let click = try #require(offer.beacons.first)
        #expect(offer.beacons.count == 1 && click.event == .click)
        #expect(click.call.method == .post)
        #expect(click.call.address.text == "https://active.example/functions/v1/track-ad-click")
        #expect(Cards.text(click.call.body) == #"{"campaign_id":"a\"b/c"}"#)
        #expect(
            click.call.headers.lines == [
                "Content-Type: application/json", "Accept: application/json", "User-Agent: yabbi",
            ]
        )
        #expect(click.call.successRule == .success && click.call.secrets.isEmpty && !click.call.isBilling)
        #expect(click.call.guarantee == .atMostOnce)
        #expect(click.providerKey == nil, "clicks on one campaign in several ads all count")
        let without = try #require(try self.batch(try self.list("id", nil)).offers.first)
        #expect(without.beacons.isEmpty)
        let resending = ActiveAdsProvider(base: Responses.url("https://active.example"), guarantee: .atLeastOnce)
        #expect(
            try self.batch(try self.list("id", "a"), from: resending).offers.first?.beacons.first?.call.guarantee
                == .atLeastOnce
        )
    }
}

@Suite("Choice of ActiveAds campaigns")
struct ActiveAdsChoiceTests {
    /// Campaigns in the server's order, whose bids have another order.
    private func proposals(_ count: Int, bid: (Int) -> Int = { $0 }) throws -> [Proposal] {
        let ads = (0..<count).map { #"{"id":"\#($0)","title":"Card \#($0)","daily_bid":\#(bid($0))}"# }
        let body = "{\"ads\":[\(ads.joined(separator: ","))]}"
        return try Cards.active.offers(from: Responses.response(body), for: .feed, in: AdContext()).proposals
    }

    private func choice(_ proposals: [Proposal], _ placement: ActiveAdsPlacement, _ seed: UInt64) -> [Int] {
        var random = TestRandom(seed: seed)
        return Cards.active.choice(among: proposals, for: placement, random: &random)
    }

    @Test(
        "a feed gets at most three, a popup one, and a carousel all, always in the server's order",
        arguments: [0, 1, 2, 3, 4, 8, 100, 500]
    )
    func number(count: Int) throws {
        let proposals = try self.proposals(count)
        for seed in 0..<50 as Range<UInt64> {
            for placement in ActiveAdsPlacement.allCases {
                let choice = self.choice(proposals, placement, seed)
                #expect(choice.count == min(count, placement.maximumCount ?? count))
                #expect(choice == Set(choice).sorted(), "each is chosen once, in order")
                #expect(choice.allSatisfy(proposals.indices.contains))
            }
        }
    }

    @Test("no random number is drawn when all campaigns are served")
    func noChance() throws {
        for (count, placement) in [(3, .feed), (500, .banner), (1, .popup)] as [(Int, ActiveAdsPlacement)] {
            var random = ConstantGenerator(0)
            let choice = Cards.active.choice(among: try self.proposals(count), for: placement, random: &random)
            #expect(choice == Array(0..<count) && random.draws == 0)
        }
    }

    @Test("the same seed chooses the same cards, whatever the bids are")
    func bids() throws {
        let rising = try self.proposals(20) { $0 }
        let falling = try self.proposals(20) { 1_000 - $0 }
        for seed in 0..<200 as Range<UInt64> {
            #expect(self.choice(rising, .feed, seed) == self.choice(falling, .feed, seed))
            #expect(self.choice(rising, .feed, seed) == self.choice(rising, .feed, seed))
        }
        #expect(Set((0..<50).map { self.choice(rising, .feed, $0) }).count > 25, "other seeds choose other cards")
    }

    @Test("all campaigns are chosen equally often in the long run")
    func fair() throws {
        let seed = TestSeed.chosen ?? .random(in: 0 ... .max)
        var random = TestRandom(seed: seed)
        for placement in [ActiveAdsPlacement.feed, .popup] {
            let proposals = try self.proposals(10)
            let rounds = 20_000
            var served = Array(repeating: 0, count: proposals.count)
            for _ in 0..<rounds {
                for index in Cards.active.choice(among: proposals, for: placement, random: &random) {
                    served[index] += 1
                }
            }
            let share = Double(placement.maximumCount ?? 0) / 10
            let expected = Double(rounds) * share
            let deviation = (expected * (1 - share)).squareRoot()
            for (index, count) in served.enumerated() {
                #expect(
                    abs(Double(count) - expected) < 6 * deviation,
                    "YABBI_SEED=\(seed), \(placement) \(index): \(count)"
                )
            }
        }
    }
}
