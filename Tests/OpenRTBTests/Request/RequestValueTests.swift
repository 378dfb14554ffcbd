import AdCore
import Testing

@testable import OpenRTB

@Suite("Values of bid requests")
struct RequestValueTests {
    @Test("a price is exact in JSON", arguments: ["0", "0.1", "1.25", "123456789012.345678", "0.0000001"])
    func exact(text: String) throws {
        var request = RequestSamples.bare
        request.impression.floor = AdPrice(try #require(AdDecimal(text)))
        #expect(request.json.text().contains(#""bidfloor":\#(text),"bidfloorcur":"USD""#))
    }

    @Test(
        "a size is whole and fits on a screen",
        arguments: [(0, 1), (1, 0), (-1, 5), (100_001, 5), (.max, .max), (.min, 1)] as [(Int, Int)]
    )
    func sizes(width: Int, height: Int) { #expect(WholeSize(width: width, height: height) == nil) }

    @Test("a size in points is rounded down, and one that no screen has is unknown")
    func points() {
        #expect(WholeSize(Size(width: 320.9, height: 50.1)) == WholeSize(width: 320, height: 50))
        #expect(WholeSize(Size(width: 0.9, height: 50)) == nil)
        #expect(WholeSize(Size(width: 1e300, height: .nan)) == nil)
        #expect(WholeSize(nil) == nil)
    }

    @Test(
        "the language is ISO 639-1 if it has such a code, and else the tag",
        arguments: [
            ("en", .iso639("en")), ("EN", .iso639("en")), ("pt-BR", .iso639("pt")), ("zh_Hant_TW", .iso639("zh")),
            ("fil", .bcp47("fil")), ("gsw_CH", .bcp47("gsw-CH")), ("", nil), ("e", nil), ("en-", nil), ("-", nil),
            ("e1", nil), ("en\u{0}", nil), ("en-verylongpart", nil), ("русский", nil),
            ("en-a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r", nil),
        ] as [(String, BidRequest.Language?)]
    )
    func languages(tag: String, language: BidRequest.Language?) {
        #expect(BidRequest.Language(tag: tag) == language)
    }

    @Test(
        "a mobile network has a country of three digits and a network of two or three, with a dash between them",
        arguments: [
            ("310", "005", "310-005"), ("250", "01", "250-01"), ("31", "005", nil), ("310", "5", nil),
            ("310", "0055", nil), ("3a0", "05", nil), ("310", "-5", nil), ("", "", nil),
        ] as [(String, String, String?)]
    )
    func networks(country: String, network: String, text: String?) {
        #expect(BidRequest.MobileNetwork(country: country, network: network)?.text == text)
    }

    @Test("the lists have the numbers of AdCOM 1.0 without those for unknown values")
    func lists() {
        #expect(BannerType.allCases.map(\.rawValue) == Array(1...4))
        #expect(ExpandableDirection.allCases.map(\.rawValue) == Array(1...6))
        #expect(APIFramework.allCases.map(\.rawValue) == Array(1...9))
        #expect(PlacementPosition.allCases.map(\.rawValue) == Array(1...17))
        #expect(DeviceType.allCases.map(\.rawValue) == Array(1...8))
        #expect(ConnectionType.allCases.map(\.rawValue) == Array(1...7))
        #expect(LocationType.allCases.map(\.rawValue) == Array(1...3))
        #expect(VideoPlacement.allCases.map(\.rawValue) == Array(1...5))
        #expect(Plcmt.allCases.map(\.rawValue) == Array(1...9))
        #expect(PlaybackMethod.allCases.map(\.rawValue) == Array(1...11))
        #expect(DeliveryMethod.allCases.map(\.rawValue) == Array(1...3))
        #expect(Linearity.allCases.map(\.rawValue) == [1, 2])
        // 9 and 10 are DAAST.
        #expect(VideoProtocol.allCases.map(\.rawValue) == Array(1...8) + Array(11...16))
        #expect(VideoProtocol.readable.map(\.rawValue) == [2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16])
    }

    @Test(
        "a Prebid Server is told which bids get key-value pairs, and one kind always does",
        arguments: [
            (.winnersAndBidders, "{}"), (.winners, #"{"includebidderkeys":false}"#),
            (.bidders, #"{"includewinners":false}"#),
        ] as [(PrebidTargeting.Bids, String)]
    )
    func targeting(bids: PrebidTargeting.Bids, text: String) {
        var request = RequestSamples.bare
        var targeting = PrebidTargeting()
        targeting.bids = bids
        request.prebid = .init(targeting: targeting)
        #expect(request.json["ext"]?.text() == #"{"prebid":{"targeting":\#(text)}}"#)
    }

    @Test(
        "a Prebid Server is told what to keep",
        arguments: [
            (.bids(.init()), #"{"bids":{}}"#),
            (.vast(.init(lifetime: .seconds(60))), #"{"vastxml":{"ttlseconds":60}}"#),
            (
                .bidsAndVAST(.init(returnsCreative: false), .init()),
                #"{"bids":{"returnCreative":false},"vastxml":{}}"#
            ),
        ] as [(PrebidCache, String)]
    )
    func cache(cache: PrebidCache, text: String) {
        var request = RequestSamples.bare
        var targeting = PrebidTargeting()
        targeting.cache = cache
        request.prebid = .init(targeting: targeting)
        #expect(request.json["ext"]?["prebid"]?["cache"]?.text() == text)
    }

    @Test("an extension of the app's own is merged with Prebid's, and does not replace it")
    func merged() {
        var request = RequestSamples.bare
        request.ext = [.init("prebid", ["debug": true, "storedrequest": ["id": "other"]])]
        request.prebid = .init(storedRequestID: "stored")
        #expect(request.json["ext"]?.text() == #"{"prebid":{"debug":true,"storedrequest":{"id":"stored"}}}"#)
        request.ext = [.init("prebid", "no object")]
        #expect(request.json["ext"]?.text() == #"{"prebid":{"storedrequest":{"id":"stored"}}}"#)
        request.prebid = .init()
        request.ext = []
        #expect(request.json["ext"] == nil)
    }

    @Test("of bidders with the same name the last one counts, and one without a name is left out")
    func bidders() {
        var request = RequestSamples.bare
        let bidders = ["one", "", "one"].enumerated().map { index, name in
            PrebidImpression.Bidder(name, [.init("n", .int(index))])
        }
        request.impression.prebid = .init(bidders: bidders)
        #expect(
            request.json["imp"]?.array?.first?["ext"]?.text() == #"{"prebid":{"bidder":{"one":{"n":2}}}}"#
        )
    }
}
