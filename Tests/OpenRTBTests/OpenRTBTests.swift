import AdCore
import OpenRTB
import Testing

@Suite("OpenRTB")
struct OpenRTBTests {
    @Test("a request has an app and no site, and says nothing that nobody knows")
    func bareRequest() {
        let request = BidRequest(
            id: "r1",
            impression: .init(tagID: "unit", media: .banner(nil)),
            app: .init(name: "Example", bundle: "com.example", publisherID: "pub"),
            device: .init(ifa: "")
        )
        #expect(
            request.json.text(.sorted)
                == #"{"app":{"bundle":"com.example","name":"Example","publisher":{"id":"pub"}},"#
                + #""id":"r1","imp":[{"banner":{},"id":"1","tagid":"unit"}]}"#
        )
    }

    @Test("every fact that is known has its place")
    func fullRequest() {
        let consent = AdContext.Consent(
            gdprApplies: true,
            tcf: "TCF",
            gpp: "GPP",
            gppSections: [2, 6],
            usPrivacy: "1YNN",
            coppa: false
        )
        let request = BidRequest(
            id: "r1",
            impression: .init(tagID: "unit", media: .video, isInterstitial: true, isRewarded: true),
            app: .init(name: "Example", bundle: "com.example", publisherID: "pub"),
            device: .init(
                userAgent: "UA",
                ifa: "IFA",
                location: AdContext.Location(latitude: 42.5, longitude: 23.25, precision: 99.6)
            ),
            consent: consent
        )
        let json = request.json
        #expect(json["imp"]?.array?.first?["rwdd"]?.number == 1)
        #expect(json["imp"]?.array?.first?["instl"]?.number == 1)
        #expect(json["device"]?["geo"]?.text(.sorted) == #"{"accuracy":100,"lat":42.5,"lon":23.25,"type":1}"#)
        #expect(json["device"]?["ifa"]?.string == "IFA")
        #expect(json["user"]?["consent"]?.string == "TCF")
        #expect(
            json["regs"]?.text(.sorted)
                == #"{"coppa":0,"gdpr":1,"gpp":"GPP","gpp_sid":[2,6],"us_privacy":"1YNN"}"#
        )
    }

    @Test("a request of the web becomes one of an app")
    func inApp() throws {
        let web = try JSON(parsing: #"{"id":"1","site":{"page":"x"},"app":{"ver":"2","name":"old"},"imp":[]}"#)
        let app = BidRequest.App(name: "Example", bundle: "com.example", publisherID: "p")
        #expect(
            BidRequest.inApp(web, app).text()
                == #"{"id":"1","imp":[],"app":{"ver":"2","name":"Example","bundle":"com.example"}}"#
        )
    }

    @Test("the best bid for the impression wins, a price of 0 counts, broken bids are left out with issues")
    func bids() throws {
        let text = #"""
            {"id":"r1","cur":"EUR","seatbid":[{"seat":"s","bid":[
              {"id":"a","impid":"1","price":"0.5","adm":"a"},{"id":"b","impid":"1","price":2.5,"adm":"b","mtype":1},
              {"id":"c","impid":"2","price":9},{"id":"d","price":9},{"id":"e","impid":"1","price":"NaN"}]},
              {"bid":[{"id":"f","impid":"1","price":2.5}]},{"bid":null},"junk"]}
            """#
        let response = try BidResponse(reading: JSON(parsing: text))
        #expect(response.bids.map(\.id) == ["a", "b", "c", "f"])
        #expect(response.best(for: "1")?.id == "b")
        #expect(response.best(for: "3") == nil)
        #expect(response.currency == "EUR")
        #expect(response.issues.map(\.code).sorted() == ["bid.impid", "bid.price", "price.noNumber", "price.text"])
        let free = try BidResponse(reading: JSON(parsing: #"{"seatbid":[{"bid":[{"impid":"1","price":0}]}]}"#))
        #expect(free.best(for: "1")?.price == 0)
    }

    @Test(
        "macros are filled in, without a value with nothing",
        arguments: [
            ("p=${AUCTION_PRICE}&c=${AUCTION_CURRENCY}", "p=1.25&c=USD"),
            ("${AUCTION_ID}/${AUCTION_IMP_ID}/${AUCTION_MBR}/", "r1/1//"),
            ("${AUCTION_PRICE:B64}", "MS4yNQ"),
            ("$${AUCTION_PRICE}}", "$1.25}"),
            ("${AUCTION_PRICE", "${AUCTION_PRICE"),
            ("no macro at all", "no macro at all"),
        ]
    )
    func macros(text: String, filled: String) {
        let macros = PriceMacros(auctionID: "r1", impressionID: "1", price: 1.25, currency: "USD")
        let result = macros.filled(text)
        #expect(result.text == filled)
        #expect(result.issues.isEmpty)
    }

    @Test(
        "what is no macro stays, and is an issue with its line",
        arguments: ["${AUCTION_PRIZE}", "${AUCTION_PRICE:AES}"]
    )
    func unknownMacros(text: String) {
        let result = PriceMacros(price: 1).filled("a\nb \(text)")
        #expect(result.text == "a\nb \(text)")
        #expect(result.issues.map(\.place) == [.line(2)])
    }

    @Test("filling in takes time in proportion to the text, whatever it holds")
    func hostileMacros() {
        let text = String(repeating: "${AUCTION_", count: 200_000)
        #expect(PriceMacros(price: 1).filled(text).text == text)
    }
}
