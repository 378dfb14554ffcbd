import AdCore
import AdProviders
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("ActiveAds client")
struct ActiveAdsClientTests {
    private let fixture: CardFixture
    private let ads: ActiveAds

    init() throws {
        self.fixture = try CardFixture()
        self.ads = ActiveAds(baseURL: try self.fixture.url("/functions/v1"), services: self.fixture.services)
    }

    private func load(_ placement: ActiveAdsPlacement) async throws(AdError) -> [Ad] {
        switch placement {
        case .feed: try await self.ads.feed()
        case .banner: try await self.ads.banner()
        case .popup: try await self.ads.popup().map { [$0] } ?? []
        }
    }

    @Test(
        "a request contains the format and nothing about the user, even if the context has everything",
        arguments: ActiveAdsPlacement.allCases
    )
    func neutral(placement: ActiveAdsPlacement) async throws {
        let ads = try await self.load(placement)
        #expect(!ads.isEmpty)
        let hit = try #require(self.fixture.sandbox.requests().first)
        #expect(self.fixture.sandbox.hits().count == 1)
        #expect(hit.method == "POST" && hit.path == "/functions/v1/get-active-ads" && hit.query.isEmpty)
        #expect(hit.text == "{\"format\":\"\(placement.rawValue)\"}")
        #expect(hit.headersToCompare == hit.expectedHeaders(on: self.fixture.sandbox))
        for name in ["cookie", "authorization", "apikey", "x-api-key", "x-forwarded-for", "accept-language", "referer"]
        {
            #expect(hit.headers[name] == nil)
        }
        for secret in CardFixture.secrets { #expect(!hit.allText.contains(secret)) }
    }

    @Test("the request and the click are exactly these bytes")
    func wire() async throws {
        let server = try RawHTTPServer()
        let host = "127.0.0.1:\(server.port)"
        let base = try #require(HTTPURL("http://\(host)/functions/v1"))
        let ads = ActiveAds(baseURL: base, services: self.fixture.services)
        func check(_ text: String, _ path: String, _ body: String, _ more: String...) {
            let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
            let own = ["Content-Type: application/json", "Accept: application/json", "User-Agent: yabbi"]
            // The accepted encodings depend on the platform's libcurl.
            #expect(
                lines.filter { !$0.hasPrefix("Accept-Encoding: ") }.sorted()
                    == (["POST \(path) HTTP/1.1", "Host: \(host)", "Content-Length: \(body.utf8.count)", "", body] + own
                    + more).sorted()
            )
            #expect(lines.first == "POST \(path) HTTP/1.1" && lines.suffix(2) == ["", body])
        }
        async let popup = ads.popup()
        let request = try await server.receive(
            respondingWith: #"{"ads":[{"id":"c-1","title":"Fern pots","cta_url":"https://fern.example/"}]}"#
        )
        check(request, "/functions/v1/get-active-ads", #"{"format":"popup"}"#)
        let ad = try #require(try await popup)
        let (place, _) = try await self.fixture.show(ad)
        place.recordClick()
        let click = try await server.receive(respondingWith: #"{"success":true}"#)
        check(
            click,
            "/functions/v1/track-ad-click",
            #"{"campaign_id":"c-1"}"#,
            "Idempotency-Key: \(ad.id)/-/click/0/0"
        )
        ad.destroy()
    }

    @Test("the same services send the context to YABBI's server")
    func known() async throws {
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let loader = AdLoader.yabbi(try self.fixture.url("/yabbi/load"), app: app, services: self.fixture.services)
        #expect(try await loader.load(.banner(unit: "banner")).isLoaded)
        let hit = try #require(self.fixture.sandbox.requests().first)
        for secret in CardFixture.secrets.prefix(4) { #expect(hit.allText.contains(secret)) }
    }

    @Test("a click is sent once for each ad, with the campaign only; an impression is not sent")
    func click() async throws {
        let cards = try await self.ads.feed()
        let ad = try #require(cards.first { $0.card?.link != nil })
        var (place, adEvents) = try await self.fixture.show(ad)
        #expect(await self.fixture.deliveredHits(at: "/functions/v1/track-ad-click").isEmpty)
        for _ in 0..<3 {
            place.recordClick()
            #expect(await adEvents.waitFor("linkOpened"))
        }
        let hits = await self.fixture.deliveredHits(at: "/functions/v1/track-ad-click")
        let hit = try #require(hits.first)
        let campaign = try #require(ad.detail("id"))
        #expect(hits.count == 1 && hit.method == "POST" && hit.query.isEmpty)
        #expect(hit.text == "{\"campaign_id\":\"\(campaign)\"}")
        #expect(
            hit.headersToCompare
                == hit.expectedHeaders(["idempotency-key": "\(ad.id)/-/click/0/0"], on: self.fixture.sandbox)
        )
        for secret in CardFixture.secrets { #expect(!hit.allText.contains(secret)) }
        let bill = self.fixture.sandbox.bill()
        #expect(bill.clicks == 1 && bill.views == 0 && bill.repeats == 0 && bill.refused == 0)
        #expect(bill.lines.map(\.ad) == [campaign])
        #expect(Set(self.fixture.opener.opened) == [try #require(ad.card?.link)])
        for card in cards { card.destroy() }
    }

    @Test("each card with a link sends its own click")
    func several() async throws {
        let cards = try await self.ads.banner().filter { $0.card?.link != nil }
        let campaigns = cards.compactMap { $0.detail("id") }
        for ad in cards {
            var (place, adEvents) = try await self.fixture.show(ad)
            place.recordClick()
            #expect(await adEvents.waitFor("click"))
            place.remove()
            #expect(await adEvents.waitFor("closed"))
        }
        let hits = await self.fixture.deliveredHits(at: "/functions/v1/track-ad-click")
        let clicked = hits.compactMap { (try? AdJSON(parsing: $0.body))?["campaign_id"]?.string }
        #expect(campaigns.count > 1 && clicked.sorted() == campaigns.sorted())
        #expect(self.fixture.sandbox.bill().clicks == cards.count)
    }

    @Test("a tap on a card without a link is reported, records no click and opens nothing")
    func noLink() async throws {
        let ad = try #require(try await self.ads.banner().first { $0.card?.link == nil })
        var (place, adEvents) = try await self.fixture.show(ad)
        place.recordClick()
        #expect(await adEvents.waitFor("tap"))
        place.remove()
        #expect(await adEvents.waitFor("closed"))
        #expect(!self.fixture.observer.names.contains("click"))
        #expect(self.fixture.opener.opened.isEmpty)
        ad.destroy()
    }

    @Test("trackClick sends each click, and the click of an unknown campaign is dead")
    func trackClick() async throws {
        let id = try #require(try await self.ads.popup()?.detail("id"))
        for campaign in [id, id, "nobody's"] { try await self.ads.trackClick(campaignId: campaign) }
        let hits = await self.fixture.deliveredHits(at: "/functions/v1/track-ad-click")
        #expect(hits.map(\.text).sorted() == [id, id, "nobody's"].map { "{\"campaign_id\":\"\($0)\"}" }.sorted())
        let bill = self.fixture.sandbox.bill()
        #expect(bill.clicks == 2 && bill.refused == 1)
        let states = try await self.fixture.services.beacons.entries().map(\.state)
        #expect(states.filter { $0 == .dead(reason: "status 404") }.count == 1)
    }

    @Test("a feed has at most three cards in one block after the fourth entry, a banner all, and a popup one")
    func numbers() async throws {
        let feed = try await self.ads.feed()
        #expect(feed.count == 3)
        let rows = ActiveAdsPlacement.feedRule.rows(of: Array(0..<6), with: feed)
        #expect(rows.count == 9)
        let cards = rows.indices.filter { if case .card = rows[$0] { true } else { false } }
        #expect(cards == [4, 5, 6])
        let banner = try await self.ads.banner()
        #expect(banner.count == 4 && banner.allSatisfy { $0.detail("format") == "banner" })
        let popup = try #require(try await self.ads.popup())
        #expect(popup.offer?.rules.closeControl == .button && banner[0].offer?.rules.closeControl == .host)
        #expect((feed + banner + [popup]).allSatisfy { $0.offer?.issues.isEmpty == true })
    }

    @Test("a format is requested once in five minutes, and its cards are served again after they were shown")
    func kept() async throws {
        var seen: Set<String> = []
        for _ in 0..<8 {
            for ad in try await self.ads.feed() {
                seen.insert(try #require(ad.card?.headline))
                let (place, _) = try await self.fixture.show(ad)
                place.remove()
            }
        }
        #expect(self.fixture.sandbox.requests().count == 1)
        #expect(seen.count > 3, "other cards are chosen")
        for _ in 0..<3 { _ = try await (self.ads.banner(), self.ads.popup()) }
        #expect(self.fixture.sandbox.requests().count == 3)
    }

    @Test("a response without campaigns is not an error", arguments: ActiveAdsPlacement.allCases)
    func none(placement: ActiveAdsPlacement) async throws {
        try self.fixture.sandbox.setFaults(["/functions/v1/": [Sandbox.Fault(.status(204))]])
        #expect(try await self.load(placement).isEmpty)
        #expect(try await self.load(placement).isEmpty == false, "and the empty response is not cached")
    }

    @Test(
        "an error status is an error that says where to look",
        arguments: [
            (400, "format feed", AdError.Code.serverStatus), (500, "log", .serverStatus),
            (401, "--no-verify-jwt", .unauthorized), (503, "503", .serverStatus),
        ]
    )
    func failing(status: Int, hint: String, code: AdError.Code) async throws {
        try self.fixture.sandbox.setFaults(["/functions/v1/": [Sandbox.Fault(.status(status))]])
        let error = try #require(await failure { () async throws(AdError) in try await self.ads.feed() })
        #expect(error.code == code && error.message.contains(hint), "\(error)")
        #expect(error.place.provider == "activeads")
        #expect(error.place.url == self.fixture.sandbox.baseURL.text + "functions/v1/get-active-ads")
        #expect(self.fixture.sandbox.requests().count == 1)
    }
}
