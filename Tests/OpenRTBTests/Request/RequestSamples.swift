import AdCore
import Testing

@testable import OpenRTB

/// Requests of tests.
enum RequestSamples {
    /// A request of which nothing is known but that a banner is accepted.
    static let bare = BidRequest(id: "r1", impression: .init(tagID: nil, media: .banner(.init())), app: .init())

    /// A request that says everything that can be said.
    static func whole() throws -> BidRequest {
        let place = try #require(AdContext.Location(latitude: 42.5, longitude: -23.25, precision: 99.6))
        var geo = BidRequest.Geo(place)
        geo.country = "BGR"
        geo.region = "22"
        geo.city = "BG SOF"
        geo.postalCode = "1000"
        geo.minutesAheadOfUTC = 120
        var request = BidRequest(
            id: "r1",
            impression: try self.impression(),
            app: self.app(),
            device: self.device(),
            tracking: .unrestricted(.init(ifa: "IFA", userID: "user-1", geo: geo)),
            consent: AdContext.Consent(
                gdprApplies: true,
                tcf: "TCF",
                gpp: "GPP",
                gppSections: [2, 6],
                usPrivacy: "1YNN",
                coppa: false
            )
        )
        request.timeout = .milliseconds(750)
        request.auction = .firstPrice
        request.currencies = ["EUR", "USD"].compactMap { AdCurrency($0) }
        request.blockedCategories = .init(["IAB9", "IAB25"])
        request.blockedAdvertisers = ["casino.example"]
        request.blockedApps = ["com.example.rival"]
        request.isTest = true
        request.isOnlyImpression = true
        let nodes = [
            SupplyChain.Node(system: "exchange.example", sellerID: "7", requestID: "r1"),
            SupplyChain.Node(system: "reseller.example", sellerID: "8"),
        ]
        request.source = .init(
            decision: .upstream,
            transactionID: "t1",
            supplyChain: .init(nodes, isComplete: true)
        )
        var targeting = PrebidTargeting()
        targeting.bids = .winners
        targeting.priceRanges = [try self.range("20", "0.50"), try self.range("5", "0.05")]
        targeting.includesFormat = true
        targeting.prefersDeals = true
        targeting.cache = .bidsAndVAST(.init(), .init(lifetime: .seconds(300), returnsCreative: false))
        request.prebid = .init(storedRequestID: "stored-1", targeting: targeting)
        request.ext = [.init("prebid", ["debug": true]), .init("own", [1, "two"])]
        return request
    }

    private static func range(_ maximum: String, _ increment: String) throws -> PrebidTargeting.PriceRange {
        .init(upTo: try #require(AdDecimal(maximum)), by: try #require(AdDecimal(increment)))
    }

    private static func impression() throws -> BidRequest.Impression {
        var banner = BidRequest.Banner(
            .anyOf([WholeSize(width: 320, height: 50), WholeSize(width: 300, height: 250)].compactMap { $0 })
        )
        banner.apis = [.mraid2, .mraid3, .omid1]
        banner.expandableDirections = [.up, .fullScreen]
        banner.blockedTypes = [.text, .frame]
        banner.mimeTypes = ["text/html"]
        banner.position = .footer
        var impression = BidRequest.Impression(
            tagID: "unit",
            media: .bannerOrVideo(banner, self.video()),
            isInterstitial: true,
            isRewarded: true
        )
        impression.floor = AdPrice(0.10, try #require(AdCurrency("eur")))
        impression.isSecure = true
        impression.displayManager = .init("yabbi", version: "1.0")
        impression.lifetime = .seconds(1800)
        impression.prebid = .init(
            storedRequestID: "stored-2",
            bidders: [.init("one", [.init("placement", 12_345)]), .init("two", [])]
        )
        impression.ext = [.init("skadn", ["version": "2.0"])]
        return impression
    }

    private static func video() -> BidRequest.Video {
        var video = BidRequest.Video("video/webm", size: WholeSize(width: 640, height: 360))
        video.protocols = [.vast3, .vast3Wrapper, .vast43]
        video.durations = .between(.milliseconds(4500) ... .milliseconds(30_900))
        video.startDelay = .preRoll
        video.plcmt = .interstitial
        video.placement = .interstitial
        video.linearity = .linear
        video.skip = .after(.seconds(5), inVideosLongerThan: .seconds(15))
        video.apis = [.simid11]
        video.playback = .automaticMuted
        video.maximumBitrate = 1200
        video.delivery = [.progressive]
        video.position = .fullScreen
        return video
    }

    private static func app() -> BidRequest.App {
        var app = BidRequest.App(name: "Garden", bundle: "com.example.garden", publisherID: "pub")
        app.id = "app-1"
        app.domain = "garden.example"
        app.storeURL = HTTPURL("https://store.example/app/1")
        app.version = "3.2"
        app.categories = .init(["150"], of: .content30)
        app.publisher.name = "Example"
        app.publisher.domain = "example.com"
        return app
    }

    private static func device() -> BidRequest.Device {
        var device = BidRequest.Device(userAgent: "Agent/1")
        device.type = .phone
        device.make = "Apple"
        device.model = "iPhone"
        device.os = "iOS"
        device.osVersion = "18.1"
        device.hardwareVersion = "17,1"
        device.width = 1179
        device.height = 2556
        device.ppi = 460
        device.pixelRatio = 2.75
        device.language = BidRequest.Language(tag: "pt-BR")
        device.carrier = "Example Mobile"
        device.mobileNetwork = BidRequest.MobileNetwork(country: "310", network: "005")
        device.connection = .cellular5G
        device.doesNotTrack = false
        return device
    }
}

extension BidRequest {
    /// The banner of a sample; a video's impression gets one.
    var banner: Banner {
        get {
            switch self.impression.media {
            case .banner(let banner), .bannerOrVideo(let banner, _): banner
            case .video: Banner()
            }
        }
        set { self.impression.media = .banner(newValue) }
    }

    /// The video of a sample; a banner's impression gets one.
    var video: Video {
        get {
            switch self.impression.media {
            case .video(let video), .bannerOrVideo(_, let video): video
            case .banner: Video()
            }
        }
        set { self.impression.media = .video(newValue) }
    }
}
