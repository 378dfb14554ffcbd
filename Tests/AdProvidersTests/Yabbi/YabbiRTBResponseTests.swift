import AdCore
import AdProviders
import Testing

@Suite("OpenRTB responses")
struct YabbiRTBResponseTests {
    private func batch(_ bid: String, status: Int = 200) throws -> OfferBatch {
        let body = #"{"id":"r1","cur":"USD","seatbid":[{"seat":"s","bid":[\#(bid)]}]}"#
        return try Responses.rtb.offers(
            from: Responses.response(body, status: status),
            for: .banner(unit: "u"),
            in: Responses.context
        )
    }

    @Test("price macros are replaced, and the billing notice tracks the view")
    func prices() throws {
        let bid = #"""
            {"id":"b","impid":"1","price":1.5,"mtype":1,"w":300,"h":250,"exp":90,
             "adm":"<a href='https://x.example/?p=${AUCTION_PRICE}'>Buy</a>",
             "nurl":"https://t.example/win","burl":"https://t.example/bill?p=${AUCTION_PRICE}&a=${AUCTION_ID}"}
            """#
        let offer = try #require(try self.batch(bid).offers.first)
        #expect(offer.provider == "openrtb")
        let html = try #require(offer.creative.html)
        #expect(html.markup == "<a href='https://x.example/?p=1.5'>Buy</a>")
        #expect(offer.beacons.map(\.call.address.text) == ["https://t.example/bill?p=1.5&a=r1"])
        #expect(offer.beacons.map(\.event) == [.view])
        #expect(offer.rules.lifetime == .seconds(90))
        #expect(offer.size == .fixed(Size(width: 300, height: 250)))
    }

    @Test("an offer has the signed impression of its bid")
    func attribution() throws {
        let ext = #"{"adattributionkit":{"jwt":"a.b.c"}}"#
        let bid = #"{"id":"b","impid":"1","price":1,"mtype":1,"w":300,"h":250,"adm":"<p>Buy</p>","ext":\#(ext)}"#
        let offer = try #require(try self.batch(bid).offers.first)
        #expect(offer.info.attribution?.adAttributionKit?.compactJWS == "a.b.c")
    }

    @Test(
        "every form of a no-bid response is no fill",
        arguments: [
            #"{"id":"r1","nbr":2}"#, #"{"id":"r1","seatbid":[]}"#, #"{"seatbid":null}"#, "{}", "",
            #"{"seatbid":[{"bid":[{"impid":"other","price":5,"adm":"x"}]}]}"#,
            #"{"seatbid":[{"bid":[{"impid":"1","price":5,"adm":""}]}]}"#,
        ]
    )
    func noBid(body: String) throws {
        let batch = try Responses.rtb.offers(
            from: Responses.response(body),
            for: .banner(unit: "u"),
            in: Responses.context
        )
        #expect(batch.offers.isEmpty)
    }

    @Test(
        "an object that is not a BidResponse is an error that names its fields",
        arguments: [(#"{"error": "no such publisher", "status": 3}"#, "error, status"), (Responses.whole, "type, adm")]
    )
    func foreign(body: String, hint: String) {
        #expect {
            try Responses.rtb.offers(from: Responses.response(body), for: .banner(unit: "u"), in: Responses.context)
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .incompleteOffer && error.message.contains("neither id, seatbid nor nbr")
                && error.message.contains(hint)
        }
    }

    @Test("repairs of the JSON are recorded, with and without a bid")
    func repairs() throws {
        let bid = #"{"impid":"1","price":1,"price":2,"adm":"<p>\ud800</p>"}"#
        #expect(try self.batch(bid).issues.map(\.code) == ["json.duplicate", "json.surrogate"])
        let body = #"{"id":"r1","id":"r2","nbr":2}"#
        let none = try Responses.rtb.offers(
            from: Responses.response(body),
            for: .banner(unit: "u"),
            in: Responses.context
        )
        #expect(none.issues.map(\.code) == ["nbr", "json.duplicate"])
    }

    @Test(
        "a bid that can't be shown is rejected with a typed error",
        arguments: [
            (#"{"impid":"1","price":1,"mtype":9,"adm":"<p>x</p>"}"#, AdError.Code.unknownType),
            (#"{"impid":"1","price":1,"mtype":2,"adm":"<p>x</p>"}"#, .markupMismatch),
            (#"{"impid":"1","price":1,"mtype":1,"adm":"<VAST version='3.0'/>"}"#, .markupMismatch),
            (#"{"impid":"1","price":1,"adm":"<VAST version='3.0'/>"}"#, .formatMismatch),
            (#"{"impid":"1","price":1,"mtype":4,"adm":"{}"}"#, .unsupportedCreative),
            (#"{"impid":"1","price":1}"#, .noFill),
        ]
    )
    func errors(bid: String, code: AdError.Code) throws {
        let batch = try self.batch(bid)
        #expect(batch.proposals.isEmpty)
        #expect(batch.rejected.map(\.error.code) == [code])
    }

    @Test("videos and banners are proposed by descending price")
    func videos() throws {
        let body = #"""
            {"seatbid":[{"bid":[{"impid":"1","price":1,"adm":"<p>fourth</p>"},{"impid":"1","price":9,"mtype":2,
             "adm":"<VAST version='3.0'><!--${AUCTION_PRICE}--></VAST>","burl":"https://t.example/b?p=${AUCTION_PRICE}"},
             {"impid":"1","price":5,"mtype":2,"adm":"<VAST version='2.0'/>"},{"impid":"1","price":3,"adm":"<p>third</p>"}]}]}
            """#
        let response = Responses.response(body)
        let batch = try Responses.rtb.offers(from: response, for: .interstitial(unit: "u"), in: Responses.context)
        try #require(batch.proposals.count == 4)
        guard case .video(let first) = batch.proposals[0], case .video = batch.proposals[1],
            case .offer = batch.proposals[2], case .offer = batch.proposals[3]
        else {
            Issue.record("expected two videos and a banner: \(batch.proposals)")
            return
        }
        #expect(first.markup == "<VAST version='3.0'><!--9--></VAST>")
        #expect(first.beacons.map(\.call.address.text) == ["https://t.example/b?p=9"])
        #expect(batch.offers.compactMap(\.creative.html?.markup) == ["<p>third</p>", "<p>fourth</p>"])
    }

    @Test("an unusable bid is skipped for the next one, with an issue")
    func nextBest() throws {
        let body = #"""
            {"seatbid":[{"bid":[{"impid":"1","price":1,"adm":"<p>third</p>"},{"impid":"1","price":3,"mtype":4,"adm":"{}"},
             {"impid":"1","price":2,"adm":"<!-- nothing -->"},{"impid":"1","price":1,"adm":"<p>fourth</p>"}]}]}
            """#
        let batch = try Responses.rtb.offers(
            from: Responses.response(body),
            for: .banner(unit: "u"),
            in: Responses.context
        )
        #expect(try #require(batch.offers.first?.creative.html).markup == "<p>third</p>")
        #expect(batch.issues.map(\.code) == ["bid.passedOver", "bid.passedOver"])
    }

    @Test("without a billing notice there is no beacon, with an issue")
    func noNotice() throws {
        let offer = try #require(try self.batch(#"{"impid":"1","price":1,"adm":"<p>x</p>"}"#).offers.first)
        #expect(offer.beacons.isEmpty)
        #expect(offer.issues.contains { $0.code == "burl.missing" })
    }

    @Test("the no-bid reason is recorded")
    func reason() throws {
        let batch = try Responses.rtb.offers(
            from: Responses.response(#"{"id":"r1","nbr":6}"#),
            for: .banner(unit: "u"),
            in: Responses.context
        )
        #expect(batch.offers.isEmpty)
        #expect(batch.issues.map(\.code) == ["nbr"])
        #expect(batch.issues.first?.message.contains("device") == true)
    }

    @Test("the notices of win and loss are no beacons of the view, and have the macros of their outcome")
    func notices() throws {
        let bid = #"""
            {"impid":"1","price":1.50,"adm":"<p>x</p>","burl":"https://t.example/b",
             "nurl":"https://t.example/w?p=${AUCTION_PRICE}",
             "lurl":"https://t.example/l?r=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}&p=${AUCTION_PRICE}"}
            """#
        let offer = try #require(try self.batch(bid).offers.first)
        let notices = try #require(offer.info.notices)
        #expect(notices.winCalls(at: WallTime(milliseconds: 0)).map(\.address.text) == ["https://t.example/w?p=1.5"])
        let loss = try #require(notices.lossCalls(.outbid, minimumToWin: 2.05).first)
        #expect(loss.address.text == "https://t.example/l?r=102&m=2.05&p=2.05")
        let late = notices.lossCalls(.expired, minimumToWin: nil)
        #expect(late.map(\.address.text) == ["https://t.example/l?r=2&m=&p="])
        #expect(!loss.isBilling && loss.headers["User-Agent"] == "Agent/1")
        #expect(offer.beacons.map(\.call.address.text) == ["https://t.example/b"])
        #expect(offer.beacons.first?.call.isBilling == true)
        #expect(offer.beacons.first?.call.headers["User-Agent"] == "Agent/1")
    }

    @Test("the highest price of all seats wins")
    func highest() throws {
        let body = #"""
            {"seatbid":[{"bid":[{"impid":"1","price":1,"adm":"<p>low</p>"},{"impid":"2","price":9,"adm":"<p>other</p>"}]},
             {"seat":"s2","bid":[{"impid":"1","price":2,"adm":"<p>high ${AUCTION_SEAT_ID}</p>"}]}]}
            """#
        let batch = try Responses.rtb.offers(
            from: Responses.response(body),
            for: .banner(unit: "u"),
            in: Responses.context
        )
        guard case .html(let creative) = try #require(batch.offers.first).creative else {
            Issue.record("the creative is not HTML: \(batch.offers)")
            return
        }
        #expect(creative.markup == "<p>high s2</p>")
    }

    @Test("an unknown macro in markup or a notice is an issue")
    func leftover() throws {
        let bid =
            #"{"impid":"1","price":1,"adm":"<p>${AUCTION_PRIZE}</p>","burl":"https://t.example/b?p=${AUCTION_PRICE"}"#
        let offer = try #require(try self.batch(bid).offers.first)
        #expect(Set(offer.issues.map(\.code)).isSuperset(of: ["macro.unknown", "macro.open"]))
    }

    @Test(
        "transport-level errors are the same as in YABBI's own protocol",
        arguments: [
            ("oops", 500, AdError.Code.serverStatus), ("<html>", 200, .unreadableResponse),
            ("{", 200, .unreadableResponse),
            ("[]", 200, .unreadableResponse), ("NaN", 200, .unreadableResponse),
        ]
    )
    func transportLevel(body: String, status: Int, code: AdError.Code) {
        #expect {
            try Responses.rtb.offers(
                from: Responses.response(body, status: status),
                for: .banner(unit: "u"),
                in: Responses.context
            )
        } throws: { error in
            (error as? AdError)?.code == code
        }
    }

    @Test(
        "markup that is neither HTML nor VAST is a mismatch, with or without mtype",
        arguments: [
            #"{"impid":"1","price":1,"mtype":1,"adm":"{\"native\": {}}"}"#,
            #"{"impid":"1","price":1,"adm":"<?xml version='1.0'?><feed/>"}"#,
        ]
    )
    func otherMarkup(bid: String) throws {
        #expect(try self.batch(bid).rejected.map(\.error.code) == [.markupMismatch])
    }

    @Test("a rewarded placement refuses a banner")
    func rewarded() throws {
        let body = #"{"seatbid":[{"bid":[{"impid":"1","price":1,"adm":"<p>x</p>"}]}]}"#
        let response = Responses.response(body)
        let batch = try Responses.rtb.offers(from: response, for: .rewarded(unit: "u"), in: Responses.context)
        #expect(batch.rejected.map(\.error.code) == [.formatMismatch])
        #expect(batch.rejected.map(\.reason) == [.wrongFormat])
    }

    @Test("an offer has its exact price, its advertiser and its ids")
    func info() throws {
        let bid = #"""
            {"impid":"1","price":2.350,"adm":"<p>x</p>","adomain":["brand.example",7],"cid":"c1","crid":12,
             "cat":["IAB1"]}
            """#
        let offer = try #require(try self.batch(bid).offers.first)
        #expect(offer.info.price?.description == "2.35 USD")
        #expect(offer.info.advertiserDomains == ["brand.example"])
        #expect(offer.info.campaignID == "c1" && offer.info.creativeID == "12" && offer.info.seat == "s")
        #expect(offer.info.categories == ["IAB1"])
        #expect(offer.rules.sale.revenue?.amount == 0.00235)
    }

    @Test(
        "a bid with an impossible price is left out, and costs no other bid",
        arguments: ["-1", "1e308", "1e999", "\"NaN\"", "null", "true", "1000000000.01", "\"\""]
    )
    func impossiblePrice(price: String) throws {
        let bids = #"{"impid":"1","price":\#(price),"adm":"<p>a</p>"},{"impid":"1","price":1,"adm":"<p>b</p>"}"#
        let batch = try self.batch(bids)
        #expect(batch.offers.compactMap(\.creative.html?.markup) == ["<p>b</p>"])
        #expect(batch.issues.contains { $0.code == "bid.price" })
    }

    @Test("of a thousand bids, the hundred with the highest prices take part")
    func thousandSeats() throws {
        let seats = (1...1000).map { #"{"seat":"s","bid":[{"impid":"1","price":\#($0),"adm":"<p>x</p>"}]}"# }
        let body = #"{"seatbid":[\#(seats.joined(separator: ","))]}"#
        let response = Responses.response(body)
        let batch = try Responses.rtb.offers(from: response, for: .banner(unit: "u"), in: Responses.context)
        #expect(Set(batch.offers.compactMap(\.info.price?.description)) == Set((901...1000).map { "\($0) USD" }))
        #expect(batch.issues.contains { $0.code == "bids.surplus" })
    }
}
