import AdCore
import OpenRTB
import Testing

@Suite("The attribution of installs in OpenRTB")
struct AttributionTests {
    private func impression(_ change: (inout AttributionSupport) -> Void) throws -> AdJSON {
        var support = AttributionSupport(sourceApp: "880047117")
        change(&support)
        var impression = BidRequest.Impression(tagID: "u", media: .banner(.init()))
        impression.attribution = support
        return try #require(BidRequest(id: "r", impression: impression, app: .init()).json["imp"]?.array?.first)
    }

    @Test("a request has the versions, the source app and the networks")
    func request() throws {
        let impression = try self.impression { support in
            support.skAdNetworkVersions = ["2.2", "3.0", "4.0"]
            support.networks = ["cdkw7geqsh.skadnetwork", "m2jqnlggk3.adattributionkit"]
            support.adAttributionKitVersion = "1.0"
        }
        #expect(
            impression["ext"]?.text(.sorted)
                == #"{"adattributionkit":{"skadnetids":["cdkw7geqsh.skadnetwork","m2jqnlggk3.adattributionkit"],"#
                + #""sourceapp":"880047117","version":"1.0"},"skadn":{"skadnetids":["cdkw7geqsh.skadnetwork"],"#
                + #""sourceapp":"880047117","version":"4.0","versions":["2.2","3.0","4.0"]}}"#
        )
    }

    @Test("a request has the list of networks, product pages and overlays")
    func list() throws {
        let impression = try self.impression { support in
            support.skAdNetworkVersions = ["4.0"]
            support.list = .init(last: 306, excluded: [2, 8])
            support.showsProductPages = true
            support.showsOverlays = true
        }
        let object = try #require(impression["ext"]?["skadn"])
        #expect(object["skadnetlist"]?.text(.sorted) == #"{"excl":[2,8],"max":306}"#)
        #expect(object["productpage"] == 1 && object["skoverlay"] == 1 && object["skadnetids"] == nil)
    }

    @Test("without networks or versions a request says nothing")
    func nothing() throws {
        #expect(try self.impression { $0.skAdNetworkVersions = ["4.0"] }["ext"] == nil)
        #expect(try self.impression { $0.networks = ["a.skadnetwork"] }["ext"] == nil)
        #expect(try self.impression { $0.adAttributionKitVersion = "1.0" }["ext"] == nil)
    }

    @Test("the user's answer is in the request, and is the limit of tracking")
    func authorization() throws {
        var context = AdContext(ifa: "7D1F2E9A-0000-4000-8000-000000000000")
        let cases: [(TrackingAuthorization?, String)] = [
            (nil, #"{"ifa":"7D1F2E9A-0000-4000-8000-000000000000"}"#),
            (.notDetermined, #"{"dnt":1,"ext":{"atts":0},"lmt":1}"#),
            (.restricted, #"{"dnt":1,"ext":{"atts":1},"lmt":1}"#), (.denied, #"{"dnt":1,"ext":{"atts":2},"lmt":1}"#),
            (.authorized, #"{"ext":{"atts":3},"ifa":"7D1F2E9A-0000-4000-8000-000000000000","lmt":0}"#),
        ]
        for (authorization, device) in cases {
            context.authorization = authorization
            let request = BidRequest(
                impression: .init(tagID: nil, media: .banner(.init())),
                app: .init(),
                in: context.permitted
            )
            #expect(request.json["device"]?.text(.sorted) == device)
        }
    }

    // MARK: Bids

    private func bid(_ ext: String) throws -> (InstallAttribution?, [String]) {
        let text = #"{"id":"r","seatbid":[{"bid":[{"impid":"1","price":1,"ext":\#(ext)}]}]}"#
        let response = try BidResponse(parsing: try AdJSON(parsing: text))
        return (response.bids.first?.attribution, response.issues.map { "\($0.code) \($0.place)" })
    }

    private func skadn(_ more: String, version: String = "4.0") -> String {
        #"{"skadn":{"version":"\#(version)","network":"cDkw7geQsH.skadnetwork","itunesitem":"123456789","#
            + #""sourceapp":"880047117",\#(more)}}"#
    }

    private let fidelities = """
        "fidelities":[{"fidelity":1,"signature":"click","nonce":"A","timestamp":"1"},\
        {"fidelity":0,"signature":"MEQC","nonce":"473B1A16-B4EF-43AD-9591-FCF3AEFA82A7","timestamp":"1594406341232"}]
        """

    @Test("a bid's signature for a view is read, with the campaign of its version")
    func impression() throws {
        let (attribution, issues) = try self.bid(self.skadn(#""sourceidentifier":"4321",\#(self.fidelities)"#))
        #expect(
            attribution?.skAdNetwork
                == SKAdNetworkImpression(
                    version: "4.0",
                    network: "cdkw7geqsh.skadnetwork",
                    campaign: .source(4321),
                    advertisedApp: 123_456_789,
                    sourceApp: 880_047_117,
                    nonce: "473b1a16-b4ef-43ad-9591-fcf3aefa82a7",
                    timestamp: 1_594_406_341_232,
                    signature: "MEQC"
                )
        )
        #expect(issues == [])
        let older = try self.bid(self.skadn(#""campaign":45,\#(self.fidelities)"#, version: "3.0"))
        #expect(older.0?.skAdNetwork?.campaign == .identifier(45))
    }

    @Test("a bid's signature for the App Store's page is read, beside that for a view or alone")
    func storePage() throws {
        let both = try self.bid(self.skadn(#""sourceidentifier":"4321",\#(self.fidelities)"#)).0
        #expect(both?.storePage?.signature == "click" && both?.storePage?.nonce == "a")
        let alone = #""fidelities":[{"fidelity":1,"signature":"S","nonce":"N","timestamp":1}]"#
        let (attribution, issues) = try self.bid(self.skadn(#""sourceidentifier":"4321",\#(alone)"#))
        #expect(attribution?.storePage?.campaign == .source(4321) && attribution?.skAdNetwork == nil && issues == [])
    }

    private static let signed = #"{"fidelity":0,"signature":"S","nonce":"N","timestamp":1}"#

    @Test(
        "what can't be attributed is left out, with an issue",
        arguments: [
            (#""sourceidentifier":"4321","signature":"S","nonce":"N","timestamp":"1""#, "skadn.noSignature"),
            (#""sourceidentifier":"43210","fidelities":[\#(signed)]"#, "sourceidentifier.range"),
            (#""campaign":"4","fidelities":[\#(signed)]"#, "skadn.incomplete"),
            (#""sourceidentifier":"4321","fidelities":[{"fidelity":0,"signature":"S","nonce":"N"}]"#, "skadn.unsigned"),
            (#""fidelities":{}"#, "skadn.noSignature"),
        ]
    )
    func incomplete(members: String, code: String) throws {
        let (attribution, issues) = try self.bid(self.skadn(members))
        #expect(attribution == nil)
        #expect(issues.contains { $0.hasPrefix("\(code) seatbid[0].bid[0].ext.skadn") }, "\(issues)")
    }

    @Test("the signed impression of AdAttributionKit is read, if it is one")
    func adAttributionKit() throws {
        let (attribution, issues) = try self.bid(#"{"adattributionkit":{"jwt":"eyJh.eyJp-_.c2ln","version":"1.0"}}"#)
        #expect(attribution?.adAttributionKit?.compactJWS == "eyJh.eyJp-_.c2ln" && issues == [])
        for text in ["", "a.b", "a..c", "a.b.c=", "a.b.c.d"] {
            let (none, issues) = try self.bid(#"{"adattributionkit":{"jwt":"\#(text)"}}"#)
            #expect(none == nil)
            #expect(issues == ["adattributionkit.unsigned seatbid[0].bid[0].ext.adattributionkit"])
        }
        #expect(try self.bid(#"{"adattributionkit":7}"#).0 == nil && self.bid("{}").1 == [])
    }
}
