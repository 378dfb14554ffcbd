import AdCore
import AdProviders
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("ActiveAds in its own words")
struct ActiveAdsDoorTests {
    private let world: CardWorld
    private let ads: ActiveAds

    init() throws {
        self.world = try CardWorld()
        self.ads = ActiveAds(baseURL: try self.world.url("/functions/v1"), services: self.world.services)
    }

    private func load(_ placement: ActiveAdsPlacement) async throws(AdError) -> [Ad] {
        switch placement {
        case .feed: try await self.ads.feed()
        case .banner: try await self.ads.banner()
        case .popup: try await self.ads.popup().map { [$0] } ?? []
        }
    }

    @Test(
        "nothing of the user leaves, though all is known: the body is the format, and the headers are everybody's",
        arguments: ActiveAdsPlacement.allCases
    )
    func neutral(placement: ActiveAdsPlacement) async throws {
        let ads = try await self.load(placement)
        #expect(!ads.isEmpty)
        let hit = try #require(self.world.sandbox.requests().first)
        #expect(self.world.sandbox.hits().count == 1)
        #expect(hit.method == "POST" && hit.path == "/functions/v1/get-active-ads" && hit.query.isEmpty)
        #expect(hit.text == "{\"format\":\"\(placement.rawValue)\"}")
        #expect(hit.fields == hit.neutral(on: self.world.sandbox))
        for name in ["cookie", "authorization", "apikey", "x-api-key", "x-forwarded-for", "accept-language", "referer"]
        {
            #expect(hit.headers[name] == nil)
        }
        for secret in CardWorld.secrets { #expect(!hit.all.contains(secret)) }
    }

    @Test("request and click are these bytes on the wire, and no others")
    func wire() async throws {
        let ear = try RawEar()
        let host = "127.0.0.1:\(ear.port)"
        let base = try #require(HTTPURL("http://\(host)/functions/v1"))
        let ads = ActiveAds(baseURL: base, services: self.world.services)
        func check(_ text: String, _ path: String, _ body: String, _ more: String...) {
            let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
            let own = ["Content-Type: application/json", "Accept: application/json", "User-Agent: yabbi"]
            // Which encodings are asked for is the libcurl's of the platform, the same for everybody.
            #expect(
                lines.filter { !$0.hasPrefix("Accept-Encoding: ") }.sorted()
                    == (["POST \(path) HTTP/1.1", "Host: \(host)", "Content-Length: \(body.utf8.count)", "", body] + own
                    + more).sorted()
            )
            #expect(lines.first == "POST \(path) HTTP/1.1" && lines.suffix(2) == ["", body])
        }
        async let popup = ads.popup()
        let question = try await ear.hear(
            answering: #"{"ads":[{"id":"c-1","title":"Fern pots","cta_url":"https://fern.example/"}]}"#
        )
        check(question, "/functions/v1/get-active-ads", #"{"format":"popup"}"#)
        let ad = try #require(try await popup)
        let (place, _) = try await self.world.show(ad)
        place.recordClick()
        let click = try await ear.hear(answering: #"{"success":true}"#)
        check(
            click,
            "/functions/v1/track-ad-click",
            #"{"campaign_id":"c-1"}"#,
            "Idempotency-Key: \(ad.id)/-/click/0/0"
        )
        ad.destroy()
    }

    @Test("the same services tell YABBI's server what they keep from this one")
    func known() async throws {
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let loader = AdLoader.yabbi(try self.world.url("/yabbi/load"), app: app, services: self.world.services)
        #expect(try await loader.load(.banner(unit: "banner")).isLoaded)
        let told = try #require(self.world.sandbox.requests().first)
        for secret in CardWorld.secrets.prefix(4) { #expect(told.all.contains(secret)) }
    }

    @Test("a click tells the campaign and nothing else, once for each ad, and a view is told to nobody")
    func click() async throws {
        let cards = try await self.ads.feed()
        let ad = try #require(cards.first { $0.card?.link != nil })
        var (place, ear) = try await self.world.show(ad)
        #expect(await self.world.arrived(at: "/functions/v1/track-ad-click").isEmpty)
        for _ in 0..<3 {
            place.recordClick()
            #expect(await ear.hears("linkOpened"))
        }
        let hits = await self.world.arrived(at: "/functions/v1/track-ad-click")
        let hit = try #require(hits.first)
        let campaign = try #require(ad.detail("id"))
        #expect(hits.count == 1 && hit.method == "POST" && hit.query.isEmpty)
        #expect(hit.text == "{\"campaign_id\":\"\(campaign)\"}")
        #expect(hit.fields == hit.neutral(["idempotency-key": "\(ad.id)/-/click/0/0"], on: self.world.sandbox))
        for secret in CardWorld.secrets { #expect(!hit.all.contains(secret)) }
        let bill = self.world.sandbox.bill()
        #expect(bill.clicks == 1 && bill.views == 0 && bill.repeats == 0 && bill.refused == 0)
        #expect(bill.lines.map(\.ad) == [campaign])
        #expect(Set(self.world.opener.opened) == [try #require(ad.card?.link)])
        for card in cards { card.destroy() }
    }

    @Test("each card of a list that has a link records its own click")
    func several() async throws {
        let cards = try await self.ads.banner().filter { $0.card?.link != nil }
        let campaigns = cards.compactMap { $0.detail("id") }
        for ad in cards {
            var (place, ear) = try await self.world.show(ad)
            place.recordClick()
            #expect(await ear.hears("click"))
            place.remove()
            #expect(await ear.hears("closed"))
        }
        let hits = await self.world.arrived(at: "/functions/v1/track-ad-click")
        let told = hits.compactMap { (try? AdJSON(parsing: $0.body))?["campaign_id"]?.string }
        #expect(campaigns.count > 1 && told.sorted() == campaigns.sorted())
        #expect(self.world.sandbox.bill().clicks == cards.count)
    }

    @Test("a press on a card without a link is reported, records no click and opens nothing")
    func noLink() async throws {
        let ad = try #require(try await self.ads.banner().first { $0.card?.link == nil })
        var (place, ear) = try await self.world.show(ad)
        place.recordClick()
        #expect(await ear.hears("tap"))
        place.remove()
        #expect(await ear.hears("closed"))
        #expect(!self.world.observer.names.contains("click"))
        #expect(self.world.opener.opened.isEmpty)
        ad.destroy()
    }

    @Test("clicks that the app tells of by itself are told each, and an unknown campaign's is dead")
    func trackClick() async throws {
        let id = try #require(try await self.ads.popup()?.detail("id"))
        for campaign in [id, id, "nobody's"] { try await self.ads.trackClick(campaignId: campaign) }
        let hits = await self.world.arrived(at: "/functions/v1/track-ad-click")
        #expect(hits.map(\.text).sorted() == [id, id, "nobody's"].map { "{\"campaign_id\":\"\($0)\"}" }.sorted())
        let bill = self.world.sandbox.bill()
        #expect(bill.clicks == 2 && bill.refused == 1)
        let states = try await self.world.services.beacons.entries().map(\.state)
        #expect(states.filter { $0 == .dead(reason: "status 404") }.count == 1)
    }

    @Test("a feed has three at most in one block behind the fourth entry, a carousel all, and a popup one")
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

    @Test("a format is asked for once in five minutes, and its cards are served again though they were shown")
    func kept() async throws {
        var seen: Set<String> = []
        for _ in 0..<8 {
            for ad in try await self.ads.feed() {
                seen.insert(try #require(ad.card?.headline))
                let (place, _) = try await self.world.show(ad)
                place.remove()
            }
        }
        #expect(self.world.sandbox.requests().count == 1)
        #expect(seen.count > 3, "others come round")
        for _ in 0..<3 { _ = try await (self.ads.banner(), self.ads.popup()) }
        #expect(self.world.sandbox.requests().count == 3)
    }

    @Test("no campaign is no error", arguments: ActiveAdsPlacement.allCases)
    func none(placement: ActiveAdsPlacement) async throws {
        try self.world.sandbox.setFaults(["/functions/v1/": [Sandbox.Fault(.status(204))]])
        #expect(try await self.load(placement).isEmpty)
        #expect(try await self.load(placement).isEmpty == false, "and is not kept")
    }

    @Test(
        "a server that fails is an error that says where to look",
        arguments: [
            (400, "format feed", AdError.Code.serverStatus), (500, "log", .serverStatus),
            (401, "--no-verify-jwt", .unauthorized), (503, "503", .serverStatus),
        ]
    )
    func failing(status: Int, hint: String, code: AdError.Code) async throws {
        try self.world.sandbox.setFaults(["/functions/v1/": [Sandbox.Fault(.status(status))]])
        let error = try #require(await failure { () async throws(AdError) in try await self.ads.feed() })
        #expect(error.code == code && error.message.contains(hint), "\(error)")
        #expect(error.place.provider == "activeads")
        #expect(error.place.url == self.world.sandbox.baseURL.text + "functions/v1/get-active-ads")
        #expect(self.world.sandbox.requests().count == 1)
    }
}
