import AdCore
import TestSupport
import Testing

@testable import AdProviders

/// The page lists every field that leaves the device; its tables are generated from the providers' requests.
@Suite("The page on consent and privacy")
struct PrivacyPageTests {
    private func page() throws -> Page { try #require(Page("Sources/YabbiAds/YabbiAds.docc/ConsentAndPrivacy.md")) }

    private func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map {
            "|\($0.map { $0.isEmpty ? " " : " \($0) " }.joined(separator: "|"))|\n"
        }
        .joined()
    }

    /// The values of a context, one at a time.
    private let facts: [(name: String, set: @Sendable (inout AdContext) -> Void)] = [
        ("the advertising identifier", { $0.ifa = Cards.everything.ifa }),
        ("the user agent", { $0.userAgent = Cards.everything.userAgent }),
        ("the place", { $0.location = Cards.everything.location }),
        ("whether the GDPR applies", { $0.consent.gdprApplies = true }),
        ("the TCF string", { $0.consent.tcf = "TCF" }),
        ("the GPP string", { $0.consent.gpp = "GPP" }),
        ("the GPP sections", { $0.consent.gppSections = [7] }),
        ("the US privacy string", { $0.consent.usPrivacy = "1YNN" }),
        ("whether the user is a child", { $0.consent.coppa = true }),
        ("whether the user has allowed tracking", { $0.authorization = .authorized }),
        ("the kind of network", { $0.network = .cellular }), ("the operating system", { $0.device.os = "iOS" }),
        ("its version", { $0.device.osVersion = "18.1" }), ("the device's make", { $0.device.make = "Apple" }),
        ("the device's model", { $0.device.model = "iPhone" }),
        ("the hardware's version", { $0.device.hardwareVersion = "17,1" }),
        (
            "the screen",
            {
                ($0.device.width, $0.device.height) = (1179, 2556)
                ($0.device.ppi, $0.device.pixelRatio) = (460, 3)
            }
        ), ("the language", { $0.device.language = "pt-BR" }), ("the mobile operator", { $0.device.carrier = "c" }),
        ("what the load allows", { $0.terms = .init(timeout: .seconds(8), allowsInsecure: false) }),
    ]

    /// Each provider with a typical request.
    private let providers: [(name: String, makeRequest: @Sendable (AdContext) throws -> AdHTTPRequest)] = [
        ("YABBI", { try Responses.yabbi.request(for: .banner(unit: "u"), in: $0) }),
        ("OpenRTB", { try Responses.rtb.request(for: .banner(unit: "u"), in: $0) }),
        (
            "AttentionMarket",
            { context in
                let here = AttentionMarketPlacement(userMessage: "a", conversationHistory: ["b", "a"])
                return try Cards.market.request(for: here, in: context)
            }
        ),
        (
            "CeedAds",
            { context in
                let here = CeedAdsPlacement(
                    conversationID: "c",
                    messageID: "m",
                    contextText: "t",
                    language: "en",
                    userID: "u"
                )
                return try Cards.ceed.request(for: here, in: context)
            }
        ),
        ("ActiveAds", { try Cards.active.request(for: .feed, in: $0) }),
    ]

    @Test("each context value is sent in the documented fields")
    func known() throws {
        var rows: [[String]] = []
        for fact in self.facts {
            var context = AdContext()
            fact.set(&context)
            var row = [fact.name]
            for provider in self.providers {
                let nothing = OutgoingFields(try provider.makeRequest(AdContext()))
                row.append(OutgoingFields(try provider.makeRequest(context)).names(differingFrom: nothing).cell)
            }
            rows.append(row)
        }
        let drawn = self.table([""] + self.providers.map(\.name), rows)
        #expect(try self.page().differences("facts", from: drawn) == [])
    }

    @Test("the fields that are always sent are documented")
    func always() throws {
        var context = AdContext()
        context.requestID = "r"
        let rows = try self.providers.map { [$0.name, OutgoingFields(try $0.makeRequest(context)).names.cell] }
        #expect(try self.page().differences("always", from: self.table(["", "Fields"], rows)) == [])
    }

    @Test("the fields that a withheld context leaves out are documented")
    func withheld() throws {
        var context = Cards.everything
        for fact in self.facts { fact.set(&context) }
        (context.consent.coppa, context.authorization) = (false, nil)
        let known = context
        let rows = try self.providers.map { provider in
            let all = OutgoingFields(try provider.makeRequest(known))
            let impersonal = OutgoingFields(try provider.makeRequest(known.withholding()))
            let bare = known.withholding(DeviceData.personal.union([.deviceModel]))
            let rest = OutgoingFields(try provider.makeRequest(bare))
            return [
                provider.name, all.names(differingFrom: impersonal).cell, impersonal.names(differingFrom: rest).cell,
            ]
        }
        let head = ["", "Everything personal", "The device's model"]
        #expect(try self.page().differences("withheld", from: self.table(head, rows)) == [])
    }

    @Test("what each condition withholds is documented")
    func policy() throws {
        let rows = PrivacyCondition.allCases.map { condition in
            [condition.label]
                + DeviceData.allCases.map { PrivacyPolicy.withheld(by: condition).contains($0) ? "withheld" : "" }
        }
        let head = [""] + DeviceData.allCases.map(\.label)
        #expect(try self.page().differences("policy", from: self.table(head, rows)) == [])
    }

    @Test("the fields of beacons are documented")
    func beacons() throws {
        let here = AttentionMarketPlacement(userMessage: "a")
        let there = CeedAdsPlacement(conversationID: "c", messageID: "m", contextText: "t", userID: "u")
        let bid = """
            {"id": "r", "seatbid": [{"bid": [{"id": "1", "impid": "1", "price": 1, "adm": "<p>See</p>",
            "burl": "https://t.example/b"}]}]}
            """
        let market = try #require(CardExamples.decide.answer)
        let ceed = try #require(CardExamples.ceedRequest.answer)
        let active = try #require(CardExamples.activeAds.answer)
        let context = Cards.everything
        let batches: [(String, OfferBatch)] = [
            (
                "YABBI",
                try Responses.yabbi.offers(
                    from: Responses.response(Responses.whole),
                    for: .banner(unit: "u"),
                    in: context
                )
            ),
            ("OpenRTB", try Responses.rtb.offers(from: Responses.response(bid), for: .banner(unit: "u"), in: context)),
            ("AttentionMarket", try Cards.market.offers(from: Responses.response(market), for: here, in: context)),
            ("CeedAds", try Cards.ceed.offers(from: Responses.response(ceed), for: there, in: context)),
            ("ActiveAds", try Cards.active.offers(from: Responses.response(active), for: .feed, in: context)),
        ]
        let rows = try batches.flatMap { name, batch in
            try #require(batch.offers.first).beacons.map { beacon in
                [name, "\(beacon.event)", OutgoingFields(beacon.call).names.cell]
            }
        }
        #expect(try self.page().differences("beacons", from: self.table(["", "When", "Fields"], rows)) == [])
    }

    @Test("the fields of WebSocket messages are documented")
    func session() throws {
        let app = SmarticoApp(
            labelKey: "l",
            brandKey: "b",
            id: "com.example.game",
            version: "1",
            deviceID: "d",
            agent: SmarticoAgent(fingerprint: 1, userAgent: "Agent", host: "example.com", browser: "Browser")
        )
        let push = SmarticoPush(token: "t", platform: .iOS)
        let user = SmarticoUser(id: "u", hash: "h")
        let messages: [(String, SmarticoOutgoing)] = [
            ("when it connects", .initialize(app, session: "s")), ("when a user logs in", .identify(user, app, push)),
            ("when a logical session starts", .login(app)), ("for push notifications", .push(push)),
            ("when the language changes", .language("en")), ("in reply to a ping", .pong(uuid: "p")),
        ]
        let time = EngagementTime(now: .origin, wall: WallTime(milliseconds: 1), minutesBehindUTC: -180)
        let rows = messages.map { [$0.0, OutgoingFields(text: $0.1.text(at: time, uuid: "id")).names.cell] }
        #expect(try self.page().differences("session", from: self.table(["", "Fields"], rows)) == [])
    }
}
