import AdCore
import OpenRTB
import Testing

@testable import AdProviders

@Suite("What an app adds to its OpenRTB requests")
struct RequestAdditionsTests {
    private func request(
        _ placement: YabbiPlacement = .banner(unit: "top", size: Size(width: 320, height: 50)),
        terms: AdContext.LoadTerms? = nil,
        _ change: (inout RequestAdditions) throws -> Void
    ) throws -> AdJSON {
        var additions = RequestAdditions()
        try change(&additions)
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let endpoint = try #require(HTTPURL("https://exchange.example/bid"))
        let provider = YabbiRTBProvider(endpoint: endpoint, app: app, additions: additions)
        var context = AdContext()
        context.requestID = "r"
        context.terms = terms
        return try AdJSON(parsing: try provider.request(for: placement, in: context).body ?? [])
    }

    @Test("the request has the app, the sellers, the floor, and what is blocked")
    func request() throws {
        let json = try self.request { additions in
            additions.isTest = true
            additions.currencies = [.usd]
            additions.blockedAdvertisers = ["rival.example"]
            additions.blockedCategories = ["IAB9-30"]
            additions.blockedApps = ["com.rival"]
            additions.floor = AdPrice(0.5)
            additions.appID = "17"
            additions.appDomain = "game.example.com"
            additions.appCategories = ["IAB9"]
            additions.appVersion = "1.2"
            additions.storeURL = HTTPURL("https://store.example/17")
            additions.supplyChain = SupplyChain([.init(system: "exchange.example", sellerID: "s1")])
            additions.requestExtension = [.init("mine", 1)]
        }
        #expect(json["test"] == 1 && json["cur"] == ["USD"] && json["badv"] == ["rival.example"])
        #expect(json["bcat"] == ["IAB9-30"] && json["bapp"] == ["com.rival"] && json["ext"]?["mine"] == 1)
        let app = try #require(json["app"])
        #expect(
            app["id"] == "17" && app["domain"] == "game.example.com" && app["cat"] == ["IAB9"] && app["ver"] == "1.2"
        )
        #expect(app["storeurl"] == "https://store.example/17")
        let impression = try #require(json["imp"]?.array?.first)
        #expect(impression["bidfloor"]?.number == 0.5 && impression["bidfloorcur"]?.string == "USD")
        let chain = try #require(json["source"]?["schain"])
        #expect(chain["complete"] == 1 && chain["nodes"]?.array?.first?["asi"] == "exchange.example")
        #expect(chain["nodes"]?.array?.first?["sid"] == "s1" && json["source"]?["fd"] == nil)
    }

    @Test("in an auction its floor counts, and with other participants the app decides")
    func auction() throws {
        let bids = AdContext.LoadTerms.Bids(floor: AdPrice(2), timeout: .milliseconds(300), hasRivals: true)
        let terms = AdContext.LoadTerms(timeout: .seconds(8)).limited(by: bids)
        let json = try self.request(terms: terms) { $0.floor = AdPrice(0.5) }
        #expect(json["imp"]?.array?.first?["bidfloor"]?.number == 2)
        #expect(json["source"]?["fd"] == 1 && json["tmax"] == 300)
    }

    @Test("a banner has its sizes, interfaces, directions, blocked types and position")
    func banner() throws {
        let json = try self.request { additions in
            additions.banner.sizes = [Size(width: 300, height: 250), Size(width: 320, height: 50)]
            additions.banner.apis = [.mraid3]
            additions.banner.expandableDirections = [.fullScreen]
            additions.banner.blockedTypes = [.frame]
            additions.banner.position = .footer
            additions.impressionExtension = [.init("gpid", "/top")]
        }
        let impression = try #require(json["imp"]?.array?.first)
        let banner = try #require(impression["banner"])
        #expect(banner["format"]?.array?.map { $0["w"] } == [320, 300], "the placement's own size comes first, once")
        #expect(banner["api"] == [6] && banner["expdir"] == [5] && banner["btype"] == [4] && banner["pos"] == 5)
        #expect(impression["ext"]?["gpid"] == "/top")
    }

    @Test("a video says how it is played; over the whole screen unless the app says otherwise")
    func video() throws {
        let json = try self.request(.rewarded(unit: "coins")) { additions in
            additions.video.minimumDuration = .seconds(5)
            additions.video.startDelay = .preRoll
            additions.video.playback = .automaticMuted
            additions.video.apis = [.simid11]
        }
        let video = try #require(json["imp"]?.array?.first?["video"])
        #expect(video["minduration"] == 5 && video["startdelay"] == 0 && video["playbackmethod"] == [2])
        #expect(video["api"] == [9] && video["plcmt"] == 3 && video["placement"] == 5 && video["pos"] == 7)
    }

    @Test("stored requests and impressions of a Prebid Server are named, by unit if the app wants")
    func stored() throws {
        func impression(_ json: AdJSON) -> AdJSON? {
            json["imp"]?.array?.first?["ext"]?["prebid"]?["storedrequest"]?["id"]
        }
        let named = try self.request {
            $0.storedRequestID = "settings"
            $0.storedImpressionID = "one"
            $0.storesImpressionsByUnit = true
        }
        #expect(named["ext"]?["prebid"]?["storedrequest"]?["id"] == "settings" && impression(named) == "one")
        #expect(impression(try self.request { $0.storesImpressionsByUnit = true }) == "top")
        #expect(impression(try self.request { _ in }) == nil)
    }

    @Test("the request says what the app can do to have installs attributed, beside what the app adds itself")
    func attribution() throws {
        let json = try self.request { additions in
            var support = AttributionSupport(sourceApp: "880047117")
            support.skAdNetworkVersions = ["4.0"]
            support.networks = ["a.skadnetwork"]
            additions.attribution = support
            additions.impressionExtension = [.init("skadn", ["ext": 1]), .init("mine", 2)]
        }
        let ext = try #require(json["imp"]?.array?.first?["ext"])
        #expect(ext["mine"] == 2 && ext["skadn"]?["ext"] == 1 && ext["skadn"]?["sourceapp"] == "880047117")
    }

    @Test("every provider names its placement for frequency caps")
    func placements() throws {
        let url = try #require(HTTPURL("https://server.example/"))
        let card = CeedAdsPlacement(conversationID: "c", messageID: "m", contextText: "t")
        #expect(CeedAdsProvider(app: CeedAdsApp(appID: "a")).placementName(of: card) == "chat")
        #expect(ActiveAdsProvider(base: url).placementName(of: .feed) != nil)
        #expect(Responses.yabbi.placementName(of: .banner(unit: "u")) == "u")
        #expect(Responses.rtb.placementName(of: .banner(unit: "u")) == "u")
    }
}
