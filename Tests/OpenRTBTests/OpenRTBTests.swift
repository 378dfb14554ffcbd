import AdCore
import OpenRTB
import Testing

@Suite("OpenRTB")
struct OpenRTBTests {
    @Test("a request has an app and no site, and omits unknown values")
    func bareRequest() {
        let request = BidRequest(
            id: "r1",
            impression: .init(tagID: "unit", media: .banner(.init())),
            app: .init(name: "Example", bundle: "com.example", publisherID: "pub"),
            tracking: .unstated(.init(ifa: ""))
        )
        #expect(
            request.json.text(.sorted)
                == #"{"app":{"bundle":"com.example","name":"Example","publisher":{"id":"pub"}},"#
                + #""id":"r1","imp":[{"banner":{},"id":"1","tagid":"unit"}]}"#
        )
    }

    @Test("every known value has its member in the request")
    func fullRequest() {
        let consent = AdContext.Consent(
            gdprApplies: true,
            tcf: "TCF",
            gpp: "GPP",
            gppSections: [2, 6],
            usPrivacy: "1YNN",
            coppa: false
        )
        let place = AdContext.Location(latitude: 42.5, longitude: 23.25, precision: 99.6)
        var request = BidRequest(
            id: "r1",
            impression: .init(tagID: "unit", media: .video(.init()), isInterstitial: true, isRewarded: true),
            app: .init(name: "Example", bundle: "com.example", publisherID: "pub"),
            device: .init(userAgent: "UA"),
            tracking: .unstated(.init(ifa: "IFA", geo: .init(place))),
            consent: consent
        )
        request.readers = .openRTB26
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

    @Test("a web site's request becomes an app's request")
    func inApp() throws {
        let web = try AdJSON(parsing: #"{"id":"1","site":{"page":"x"},"app":{"ver":"2","name":"old"},"imp":[]}"#)
        let app = BidRequest.App(name: "Example", bundle: "com.example", publisherID: "p")
        #expect(
            BidRequest.appRequest(from: web, app: app).text()
                == #"{"id":"1","imp":[],"app":{"ver":"2","name":"Example","bundle":"com.example"}}"#
        )
    }

    @Test("the highest bid for the impression wins, a price of 0 is valid, invalid bids are left out with issues")
    func bids() throws {
        let text = #"""
            {"id":"r1","cur":"EUR","seatbid":[{"seat":"s","bid":[
              {"id":"a","impid":"1","price":"0.5","adm":"a"},{"id":"b","impid":"1","price":2.5,"adm":"b","mtype":1},
              {"id":"c","impid":"2","price":9},{"id":"d","price":9},{"id":"e","impid":"1","price":"NaN"}]},
              {"bid":[{"id":"f","impid":"1","price":2.5}]},{"bid":null},"junk"]}
            """#
        let response = try BidResponse(parsing: AdJSON(parsing: text))
        #expect(response.bids.map(\.id) == ["a", "b", "c", "f"])
        #expect(response.best(for: "1")?.id == "b")
        #expect(response.best(for: "3") == nil)
        #expect(response.currency == "EUR")
        #expect(
            response.issues.map(\.code).sorted() == [
                "bid.impid", "bid.price", "price.noNumber", "price.text", "seatbid.noObject",
            ]
        )
        let free = try BidResponse(parsing: AdJSON(parsing: #"{"seatbid":[{"bid":[{"impid":"1","price":0}]}]}"#))
        #expect(free.best(for: "1")?.price == 0)
    }

    @Test("an impossible size is left out and does not crash", arguments: [0, 0.5, -1, 1e6, 1e300])
    func impossibleSizes(width: Double) {
        let request = BidRequest(
            id: "r1",
            impression: .init(tagID: "u", media: .banner(.init(Size(width: width, height: 50)))),
            app: .init(name: "n", bundle: "b", publisherID: "p")
        )
        #expect(request.json["imp"]?.array?.first?["banner"]?.text() == "{}")
    }

    @Test(
        "the issue of a no-bid has the reason in words",
        arguments: [
            (0, "unknown error"), (2, "invalid request"), (8, "user"), (17, "supply chain"), (501, "exchange-specific"),
            (-4, "unknown reason"),
        ]
    )
    func reasons(number: Int, words: String) throws {
        let response = try BidResponse(parsing: AdJSON(parsing: #"{"id":"r1","nbr":\#(number)}"#))
        #expect(response.noBidReason?.rawValue == number)
        let issue = try #require(response.issues.first { $0.code == "nbr" })
        #expect(issue.place == .field("nbr"))
        #expect(issue.message.contains(words) && issue.message.contains("nbr \(number)"))
    }

    @Test("a bid together with a no-bid reason counts, with an issue")
    func contradiction() throws {
        let text = #"{"nbr":2,"seatbid":[{"bid":[{"id":"a","impid":"1","price":1}]}]}"#
        let response = try BidResponse(parsing: AdJSON(parsing: text))
        #expect(response.best(for: "1")?.id == "a")
        #expect(response.issues.map(\.code) == ["nbr.contradicted"])
    }

    @Test(
        "a repair in a bid is recorded with the path of its field",
        arguments: [
            (#""exp":-1"#, "exp.impossible"), (#""exp":0"#, "exp.impossible"), (#""exp":1e12"#, "exp.huge"),
            (#""exp":"60""#, "exp.text"), (#""mtype":1.5"#, "mtype.noWhole"), (#""mtype":"1""#, "mtype.text"),
            (#""w":"320""#, "w.text"), (#""h":"NaN""#, "h.noNumber"), (#""w":-3"#, "w.impossible"),
            (#""w":"0x140""#, "w.noNumber"), (#""adm":{}"#, "adm.noText"), (#""burl":5"#, "burl.noText"),
            (#""id":7"#, "id.number"), (#""adid":18446744073709551615"#, "adid.number"),
        ]
    )
    func repairs(field: String, code: String) throws {
        let text = #"{"seatbid":[{"bid":[{"impid":"1","price":1,\#(field)}]}]}"#
        let response = try BidResponse(parsing: AdJSON(parsing: text))
        #expect(response.bids.count == 1)
        let issue = try #require(response.issues.first { $0.code == code }, "\(response.issues)")
        #expect(issue.place.description.hasPrefix("seatbid[0].bid[0]."))
    }

    @Test("ids that are written as numbers keep every digit")
    func numericIDs() throws {
        let text = #"{"seatbid":[{"bid":[{"impid":1,"adid":18446744073709551615,"price":1}]}]}"#
        let bid = try #require(try BidResponse(parsing: AdJSON(parsing: text)).best(for: "1"))
        #expect(bid.adID == "18446744073709551615")
    }

    @Test(
        "the lifetime of a bid is its exp, at most a week",
        arguments: [("90", Duration.seconds(90)), ("0.0001", .milliseconds(1)), ("1e12", .seconds(604_800))]
    )
    func lifetimes(exp: String, lifetime: Duration) throws {
        let text = #"{"seatbid":[{"bid":[{"impid":"1","price":1,"exp":\#(exp)}]}]}"#
        #expect(try BidResponse(parsing: AdJSON(parsing: text)).bids.first?.lifetime == lifetime)
    }

    @Test("a bid with an invalid price does not win", arguments: ["1e300", "-1", "null", "[]", "1e999"])
    func impossiblePrices(price: String) throws {
        let bids = #"{"id":"bad","impid":"1","price":\#(price)},{"id":"good","impid":"1","price":0}"#
        let response = try BidResponse(parsing: AdJSON(parsing: #"{"seatbid":[{"bid":[\#(bids)]}]}"#))
        #expect(response.best(for: "1")?.id == "good")
        #expect(response.issues.contains { $0.code == "bid.price" })
    }

    @Test("a response to another request is an issue")
    func otherRequest() throws {
        let json: AdJSON = ["id": "r2"]
        #expect(try BidResponse(parsing: json, to: "r1").issues.map(\.code) == ["id.other"])
        #expect(try BidResponse(parsing: json, to: "r2").issues.isEmpty)
        #expect(try BidResponse(parsing: json).issues.isEmpty)
    }

    @Test(
        "a value that must be an array and is not is an issue, and gives no bid",
        arguments: [#"{"seatbid":{}}"#, #"{"seatbid":[{"bid":{}}]}"#, #"{"seatbid":"x"}"#]
    )
    func noArrays(text: String) throws {
        let response = try BidResponse(parsing: AdJSON(parsing: text))
        #expect(response.bids.isEmpty)
        #expect(response.issues.count == 1)
    }

    @Test("a response that is not an object is unreadable", arguments: ["[]", "null", "5", #""x""#])
    func noObject(text: String) throws {
        let json = try AdJSON(parsing: text)
        #expect {
            try BidResponse(parsing: json)
        } throws: { error in
            (error as? AdError)?.code == .unreadableResponse
        }
    }

    @Test("the numbers of bids and issues are limited")
    func many() throws {
        let bid = #"{"impid":"1","price":1}"#
        let bids = Array(repeating: bid, count: 5000).joined(separator: ",")
        let crowded = try BidResponse(parsing: AdJSON(parsing: #"{"seatbid":[{"bid":[\#(bids)]},{"bid":[\#(bids)]}]}"#))
        #expect(crowded.bids.count == BidResponse.maxBids)
        #expect(crowded.issues.map(\.code) == ["bids.many"])
        let junk = Array(repeating: "0", count: 50_000).joined(separator: ",")
        #expect(try BidResponse(parsing: AdJSON(parsing: #"{"seatbid":[\#(junk)]}"#)).issues.count <= 1000)
    }
}
