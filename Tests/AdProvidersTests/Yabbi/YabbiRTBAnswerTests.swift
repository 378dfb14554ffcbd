import AdCore
import AdProviders
import Testing

@Suite("Answers over OpenRTB")
struct YabbiRTBAnswerTests {
    private func batch(_ bid: String, status: Int = 200) throws -> OfferBatch {
        let body = #"{"id":"r1","cur":"USD","seatbid":[{"seat":"s","bid":[\#(bid)]}]}"#
        return try Answers.rtb.offers(
            from: Answers.response(body, status: status),
            for: .banner(unit: "u"),
            in: Answers.context
        )
    }

    @Test("the price is filled in wherever a macro asks for it, and the billing notice tells of the view")
    func prices() throws {
        let bid = #"""
            {"id":"b","impid":"1","price":1.5,"mtype":1,"w":300,"h":250,"exp":90,
             "adm":"<a href='https://x.example/?p=${AUCTION_PRICE}'>Buy</a>",
             "nurl":"https://t.example/win","burl":"https://t.example/bill?p=${AUCTION_PRICE}&a=${AUCTION_ID}"}
            """#
        let offer = try #require(try self.batch(bid).offers.first)
        #expect(offer.provider == "openrtb")
        #expect(offer.creative.firstLink == LandingURL("https://x.example/?p=1.5"))
        #expect(offer.beacons.map(\.call.url.http.text) == ["https://t.example/bill?p=1.5&a=r1"])
        #expect(offer.beacons.map(\.event) == [.view])
        #expect(offer.terms.lifetime == .seconds(90))
        #expect(offer.size == .fixed(Size(width: 300, height: 250)))
    }

    @Test(
        "no bid has many forms",
        arguments: [
            #"{"id":"r1","nbr":2}"#, #"{"id":"r1","seatbid":[]}"#, #"{"seatbid":null}"#, "{}", "",
            #"{"seatbid":[{"bid":[{"impid":"other","price":5,"adm":"x"}]}]}"#,
            #"{"seatbid":[{"bid":[{"impid":"1","price":5,"adm":""}]}]}"#,
        ]
    )
    func noBid(body: String) throws {
        let batch = try Answers.rtb.offers(from: Answers.response(body), for: .banner(unit: "u"), in: Answers.context)
        #expect(batch.offers.isEmpty)
    }

    @Test(
        "a bid that can't be shown is a typed error",
        arguments: [
            (#"{"impid":"1","price":1,"mtype":9,"adm":"<p>x</p>"}"#, AdError.Code.unknownType),
            (#"{"impid":"1","price":1,"mtype":2,"adm":"<p>x</p>"}"#, .markupMismatch),
            (#"{"impid":"1","price":1,"mtype":1,"adm":"<VAST version='3.0'/>"}"#, .markupMismatch),
            (#"{"impid":"1","price":1,"adm":"<VAST version='3.0'/>"}"#, .unsupportedCreative),
            (#"{"impid":"1","price":1,"mtype":4,"adm":"{}"}"#, .unsupportedCreative),
            (#"{"impid":"1","price":1,"nurl":"https://t.example/n"}"#, .unsupportedCreative),
        ]
    )
    func errors(bid: String, code: AdError.Code) {
        #expect {
            try self.batch(bid)
        } throws: { error in
            (error as? AdError)?.code == code
        }
    }

    @Test("without a billing notice nobody is told, which is an issue")
    func noNotice() throws {
        let offer = try #require(try self.batch(#"{"impid":"1","price":1,"adm":"<p>x</p>"}"#).offers.first)
        #expect(offer.beacons.isEmpty)
        #expect(offer.issues.contains { $0.code == "burl.missing" })
    }
}
