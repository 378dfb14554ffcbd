import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("The OpenRTB auction")
struct OpenRTBEndpointTests {
    private static func response(to body: AdJSON) -> ServerResponse {
        var state = Samples.state()
        return state.request("POST", "/openrtb2/auction", body)
    }

    private static func bid(_ response: ServerResponse, _ index: Int = 0) -> AdJSON? {
        let bids = response.json?["seatbid"]?.array?.first?["bid"]?.array ?? []
        return bids.indices.contains(index) ? bids[index] : AdJSON?.none
    }

    @Test("a bid has all required fields")
    func wins() throws {
        let response = Self.response(to: Samples.bid("leaf"))
        #expect(response.status == 200)
        #expect(response.headers["x-openrtb-version"] == "2.6")
        #expect(response.json?["id"]?.string == "auction-1")
        #expect(response.json?["cur"]?.string == "USD")
        let bid = try #require(Self.bid(response))
        #expect(bid["id"]?.string == "bid-1")
        #expect(bid["impid"]?.string == "1")
        #expect(bid["price"]?.number == 1.25)
        #expect(bid["nurl"]?.string == "http://127.0.0.1:9/t/openrtb/win?ad=1&unit=leaf&price=${AUCTION_PRICE}")
        #expect(bid["burl"]?.string == "http://127.0.0.1:9/t/openrtb/bill?ad=1&unit=leaf&price=${AUCTION_PRICE}")
        #expect(bid["crid"]?.string == "leaf")
        #expect(bid["adomain"]?.array == ["example.com"])
        #expect(bid["w"]?.number == 320 && bid["h"]?.number == 50)
        #expect(bid["mtype"]?.number == 1)
        #expect(bid["exp"]?.number == 300)
    }

    @Test("the markup has a link and a pixel with a price macro")
    func macrosInHTML() throws {
        let markup = try #require(Self.bid(Self.response(to: Samples.bid("leaf")))?["adm"]?.string)
        #expect(markup.contains(#"href="http://127.0.0.1:9/landing?price=${AUCTION_PRICE}&from=leaf""#))
        #expect(markup.contains("http://127.0.0.1:9/t/openrtb/impression?ad=1&unit=leaf&price=${AUCTION_PRICE}"))
        #expect(!markup.contains("${SANDBOX}"))
        let page = try #require(Self.bid(Self.response(to: Samples.bid("sail")))?["adm"]?.string)
        #expect(page.hasSuffix(#"style="position:absolute"></body></html>"#))
    }

    @Test("a video gets an impression with a price macro and keeps its own", arguments: ["river", "prize"])
    func macrosInVAST(unit: String) throws {
        let bid = try #require(Self.bid(Self.response(to: Samples.bid(unit))))
        let markup = try #require(bid["adm"]?.string)
        #expect(bid["mtype"]?.number == 2)
        #expect(bid["exp"]?.number == 1800)
        #expect(
            markup.contains(
                "<Impression><![CDATA[http://127.0.0.1:9/t/openrtb/impression?ad=1&unit=\(unit)&price=${AUCTION_PRICE}]]></Impression>"
            )
        )
        if unit == "river" { #expect(markup.contains("<![CDATA[http://127.0.0.1:9/t/vast/impression]]>")) }
    }

    @Test("text is inserted before the first or last mark, or not at all")
    func inserting() {
        #expect("a</b>c</b>".inserting("x", before: "</b>") == "ax</b>c</b>")
        #expect("a</b>c</b>".inserting("x", before: "</b>", lastOne: true) == "a</b>cx</b>")
        #expect("a</b".inserting("x", before: "</b>") == nil)
    }

    @Test("an adaptive creative has no size")
    func adaptive() throws {
        let bid = try #require(Self.bid(Self.response(to: Samples.bid("sail"))))
        #expect(bid["w"] == nil && bid["h"] == nil)
    }

    @Test(
        "the error names a missing, invalid or forbidden member of a request",
        arguments: [
            ("id", .none, "id"), ("id", .some(7), "id"), ("site", ["page": "x"], "site"),
            ("site", .some(.null), "site"),
            ("app", .none, "app"), ("app", ["name": "Example"], "app.bundle"), ("app", ["bundle": "b"], "app.name"),
            ("app", ["name": "", "bundle": "b"], "app.name"), ("imp", .none, "imp"), ("imp", [], "imp"),
            ("imp", ["x"], "imp[0]"), ("imp", [["tagid": "leaf"]], "imp[0].id"), ("imp", [["id": "1"]], "imp[0].tagid"),
            ("imp", [["id": "1", "tagid": "leaf", "bidfloor": "1"]], "imp[0].bidfloor"),
        ] as [(String, AdJSON?, String)]
    )
    func refused(member: String, value: AdJSON?, named: String) {
        let response = Self.response(to: Samples.bid("leaf", [member: value]))
        #expect(response.status == 400)
        #expect(response.json?["field"]?.string == named)
        #expect(response.headers["x-openrtb-version"] == "2.6")
    }

    @Test("every impression with an ad gets a bid, at its floor or higher")
    func several() {
        let impressions: AdJSON = [
            ["id": "a", "tagid": "leaf"], ["id": "b", "tagid": "nofill"],
            ["id": "c", "tagid": "river", "bidfloor": .double(3.5)],
        ]
        let response = Self.response(to: Samples.bid("", ["imp": impressions]))
        #expect(Self.bid(response, 0)?["impid"]?.string == "a")
        #expect(Self.bid(response, 1)?["impid"]?.string == "c")
        #expect(Self.bid(response, 1)?["price"]?.number == 3.5)
        #expect(Self.bid(response, 2) == nil)
    }

    @Test("an unknown placement is an error that names its impression")
    func unknown() {
        let response = Self.response(
            to:
                Samples.bid("", ["imp": [["id": "a", "tagid": "leaf"], ["id": "b", "tagid": "leave"]]])
        )
        #expect(response.status == 404)
        #expect(response.json?["field"]?.string == "imp[1].tagid")
        #expect(response.json?["error"]?.string?.contains("nofill-nbr") == true)
    }

    @Test("a no-bid is status 204, a reason, an empty body or an empty markup")
    func noBid() {
        #expect(Self.response(to: Samples.bid("nofill")).status == 204)
        #expect(Self.response(to: Samples.bid("nofill")).headers["x-openrtb-version"] == "2.6")
        #expect(Self.response(to: Samples.bid("nofill-nbr")).json == ["id": "auction-1", "nbr": 2])
        #expect(Self.response(to: Samples.bid("nofill-empty")).bytes.isEmpty)
        let empty = Self.bid(Self.response(to: Samples.bid("nofill-adm")))
        #expect(empty?["adm"]?.string == "")
        #expect(empty?["nurl"] == nil, "a win notice could return markup")
    }

    @Test("each scenario has its own response")
    func bad() {
        #expect(Self.response(to: Samples.bid("slow")).delay == .seconds(3))
        #expect(Self.response(to: Samples.bid("broken")).json == nil)
        #expect(Self.bid(Self.response(to: Samples.bid("bad-type")))?["mtype"]?.number == 9)
        #expect(Self.bid(Self.response(to: Samples.bid("bad-adm-mismatch")))?["mtype"]?.number == 2)
        #expect(Self.bid(Self.response(to: Samples.bid("bad-size")))?["w"] == "320")
        #expect(Self.bid(Self.response(to: Samples.bid("bad-empty-tracker")))?["nurl"] == "")
        #expect(Self.response(to: Samples.bid("bad-500")).status == 500)
        #expect(Self.response(to: Samples.bid("bad-huge")).body.count > 50 << 20)
        #expect(Self.response(to: Samples.bid("bad-close-timeout")).status == 404)
    }
}
