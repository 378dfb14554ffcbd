import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("Bidders of the sandbox")
struct BidderTests {
    private static func response(_ bidder: String, _ changes: [String: AdJSON?] = [:]) -> ServerResponse {
        var state = Samples.state()
        return state.request("POST", "/openrtb2/bidders/\(bidder)", Samples.bid("leaf", changes))
    }

    private static func bids(_ response: ServerResponse) -> [AdJSON] {
        (response.json?["seatbid"]?.array ?? []).flatMap { $0["bid"]?.array ?? [] }
    }

    @Test(
        "each bidder has its prices and its currency",
        arguments: [
            ("high", ["2.4"], "USD"), ("fair", ["1.5"], "USD"), ("low", ["0.9"], "USD"), ("euro", ["2"], "EUR"),
            ("yen", ["300"], "JPY"), ("floor", ["1.25"], "USD"), ("under-floor", ["0.1"], "USD"),
            ("several", ["1.1", "0.8", "1", "0.7"], "USD"), ("video", ["1.8"], "USD"),
            ("free", ["null"], "USD"), ("nan", ["\"NaN\""], "USD"), ("negative", ["-1"], "USD"),
        ]
    )
    func prices(bidder: String, prices: [String], currency: String) {
        let response = Self.response(bidder)
        #expect(response.status == 200 && response.headers["x-openrtb-version"] == "2.6")
        #expect(response.json?["cur"]?.string == currency)
        #expect(Self.bids(response).map { $0["price"]?.text() } == prices)
    }

    @Test("the floor of the request, and its currency, decide what two of them bid")
    func floors() {
        let impression: AdJSON = ["id": "1", "tagid": "leaf", "banner": [:], "bidfloor": 3, "bidfloorcur": "EUR"]
        for (bidder, price) in [("floor", 3.0), ("under-floor", 1.5)] {
            let response = Self.response(bidder, ["imp": [impression]])
            #expect(response.json?["cur"]?.string == "EUR")
            #expect(Self.bids(response).map { $0["price"]?.number } == [price])
        }
    }

    @Test("a thousand seats have a bid each, and no two bids the same id")
    func crowd() {
        let response = Self.response("crowd")
        #expect(response.json?["seatbid"]?.array?.count == 1000)
        #expect(Set(Self.bids(response).compactMap { $0["id"]?.string }).count == 1000)
    }

    @Test(
        "bidders without a bid say so by status, by reason, late, or never",
        arguments: [
            ("no-bid", 204, nil, Duration.zero), ("no-bid-reason", 200, 6, .zero), ("failing", 500, nil, .zero),
            ("slow", 200, nil, .seconds(3)), ("silent", 204, nil, .seconds(600)),
        ] as [(String, Int, Double?, Duration)]
    )
    func without(bidder: String, status: Int, reason: Double?, delay: Duration) {
        let response = Self.response(bidder)
        #expect(response.status == status && response.delay == delay)
        #expect(response.json?["nbr"]?.number == reason)
    }

    @Test("a bid has its notices, with the macros of price, reason and minimum")
    func notices() throws {
        let bid = try #require(Self.bids(Self.response("high")).first)
        let query = "ad=1&unit=leaf&bidder=high&price=${AUCTION_PRICE}"
        let base = Samples.base + "/t/openrtb"
        #expect(bid["nurl"]?.string == "\(base)/win?\(query)")
        #expect(bid["burl"]?.string == "\(base)/bill?\(query)")
        let lost = "&reason=${AUCTION_LOSS}&minimum=${AUCTION_MIN_TO_WIN}"
        #expect(bid["lurl"]?.string == "\(base)/loss?\(query)\(lost)")
    }

    @Test("a win notice can bring the markup")
    func winMarkup() throws {
        let bid = try #require(Self.bids(Self.response("win-markup")).first)
        #expect(bid["adm"] == nil)
        let url = try #require(bid["nurl"]?.string)
        var state = Samples.state()
        let response = state.request("GET", String(url.dropFirst(Samples.base.count)))
        #expect(response.text.contains("A plain banner") && !response.text.contains("${SANDBOX}"))
    }

    @Test("a placement that accepts only videos gets VAST, and a rewarded one says what is earned")
    func videos() throws {
        let impression: AdJSON = ["id": "1", "tagid": "pause", "video": ["mimes": ["video/mp4"]], "rwdd": 1]
        let bid = try #require(Self.bids(Self.response("high", ["imp": [impression]])).first)
        #expect(bid["mtype"]?.number == 2 && bid["adm"]?.string?.contains("<VAST") == true)
        #expect(bid["ext"]?["rwdd"]?["reward"]?["count"]?.number == 10)
    }

    @Test("an unknown bidder is an error that lists the known ones")
    func unknown() {
        let response = Self.response("hgih")
        #expect(response.status == 404 && response.text.contains("high, fair, low"))
    }

    @Test("every bidder is on the index page")
    func index() {
        var state = Samples.state()
        let page = state.request("GET", "/").text
        for name in Sandbox.bidderNames { #expect(page.contains("\n\(name)  "), "\(name)") }
    }
}

@Suite("The Prebid Server of the sandbox")
struct PrebidAuctionTests {
    private static func response(_ prebid: AdJSON) -> ServerResponse {
        var state = Samples.state()
        let impression: AdJSON = ["id": "1", "tagid": "leaf", "banner": [:], "ext": ["prebid": prebid]]
        return state.request("POST", "/prebid/openrtb2/auction", Samples.bid("leaf", ["imp": [impression]]))
    }

    @Test("the named bidders bid, and the errors of the others are in the response")
    func bidders() throws {
        let response = Self.response(["bidder": ["high": [:], "failing": [:], "no-bid": [:], "nobody": [:]]])
        let seats = try #require(response.json?["seatbid"]?.array)
        #expect(seats.map { $0["seat"]?.string } == ["high"])
        let bid = try #require(seats.first?["bid"]?.array?.first)
        #expect(bid["nurl"] == nil && bid["burl"] == nil && bid["mtype"] == nil && bid["adomain"] == nil)
        let prebid = try #require(bid["ext"]?["prebid"])
        #expect(prebid["type"]?.string == "banner" && prebid["targeting"]?["hb_pb"]?.string == "2.4")
        #expect(prebid["meta"]?["advertiserDomains"]?.array == ["example.com"])
        #expect(prebid["events"]?["win"]?.string == Samples.base + "/t/prebid/win?ad=1&bidder=high")
        guard case .object(let errors)? = response.json?["ext"]?["errors"] else {
            Testing.Issue.record("there are no errors")
            return
        }
        #expect(errors.map(\.name) == ["failing", "nobody"])
    }

    @Test("a stored impression names its bidders, and an unknown one is an error that lists the known ones")
    func stored() {
        let response = Self.response(["storedrequest": ["id": "stored-banner"]])
        #expect(response.json?["seatbid"]?.array?.map { $0["seat"]?.string } == ["low", "high"])
        let unknown = Self.response(["storedrequest": ["id": "other"]])
        #expect(unknown.status == 400 && unknown.text.contains("stored-banner, stored-video"))
        #expect(Self.response([:]).status == 400)
    }
}

@Suite("Rewards of the sandbox")
struct RewardTests {
    private func use(_ state: inout SandboxState, _ query: String, key: String?) -> Int {
        let headers = key.map { ["idempotency-key": $0] } ?? [:]
        return state.request("GET", "/reward" + query, headers: headers, bytes: []).status
    }

    @Test("a transaction is used once; a retry of the same beacon is accepted again")
    func once() {
        var state = Samples.state()
        #expect(self.use(&state, "?transaction=1&amount=10", key: "a") == 200)
        #expect(self.use(&state, "?transaction=1&amount=10", key: "a") == 200)
        #expect(self.use(&state, "?transaction=1&amount=99", key: "b") == 409)
        #expect(self.use(&state, "?transaction=1", key: nil) == 409)
        #expect(self.use(&state, "?transaction=2", key: nil) == 200)
        #expect(self.use(&state, "?transaction=2", key: nil) == 409, "without a key it is another call")
    }

    @Test("the bill has a reward once, and its refused second use")
    func billed() throws {
        var state = Samples.state()
        for key in ["ad-1/-/reward/0/0", "ad-1/-/reward/0/0", "ad-2/-/reward/0/0"] {
            _ = self.use(&state, "?transaction=1", key: key)
        }
        let bill = try #require(state.request("GET", "/sandbox/bill").json)
        #expect(bill["rewards"]?.number == 1 && bill["repeats"]?.number == 1 && bill["refused"]?.number == 1)
    }

    @Test("a transaction that is missing or too long is an error, and reset forgets the transactions")
    func invalid() {
        var state = Samples.state()
        #expect(self.use(&state, "", key: nil) == 400)
        #expect(self.use(&state, "?transaction=", key: nil) == 400)
        #expect(self.use(&state, "?transaction=" + String(repeating: "x", count: 201), key: nil) == 400)
        #expect(self.use(&state, "?transaction=1", key: nil) == 200)
        _ = state.request("POST", "/sandbox/reset")
        #expect(self.use(&state, "?transaction=1", key: nil) == 200)
    }
}
