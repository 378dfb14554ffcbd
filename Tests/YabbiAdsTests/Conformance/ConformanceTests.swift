import AdCore
import AdProviders
import Testing
import YabbiAds
import YabbiTesting

@Suite("Provider conformance")
struct ConformanceTests {
    private func url(_ text: String) throws -> HTTPURL { try HTTPURL(parsing: text) }

    @Test("YABBI")
    func yabbi() async throws {
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let response = #"""
            {"type": 1, "adm": "<a href='https://shop.example/'>Buy</a>", "closeTimeout": 5000, "width": 320, "height": 50,
            "tracker": {"view": "https://t.example/v", "click": "https://t.example/c"}}
            """#
        let provider = YabbiProvider(endpoint: try self.url("https://ssp.example/load"), app: app)
        let kit = ProviderConformance(
            provider,
            placement: .banner(unit: "u"),
            response: response,
            noFill: [#"{"adm": ""}"#]
        )
        #expect(await kit.findings() == [])
    }

    @Test("AttentionMarket")
    func attentionMarket() async throws {
        let keys = AttentionMarketKeys(apiKey: "k", agentID: "a", anonKey: "n")
        let response = #"""
            {"ad": {"id": "1", "type": "sponsored", "creative": {"title": "Fern pots", "body": "For every window", "cta": "See",
            "teaser": "Green", "promo_code": "FERN"}, "click_url": "https://am.example/c", "direct_url": "https://f.example/",
            "tracking_token": "t", "payout": 250, "disclosure": {"sponsor_name": "Frondolo", "is_sponsored": true}}}
            """#
        let kit = ProviderConformance(
            AttentionMarketProvider(keys: keys),
            placement: AttentionMarketPlacement(userMessage: "which fern?"),
            response: response,
            noFill: [#"{"ad": null}"#, "{}"]
        )
        #expect(await kit.findings() == [])
    }

    @Test("CeedAds")
    func ceedAds() async throws {
        let response = #"""
            {"ok": true, "ad": {"id": "1", "advertiserId": "2", "advertiserName": "Frondolo", "format": "action_card",
            "title": "Fern pots", "description": "For every window", "ctaText": "See", "ctaUrl": "https://f.example/"},
            "requestId": "r"}
            """#
        let kit = ProviderConformance(
            CeedAdsProvider(app: CeedAdsApp(appID: "app")),
            placement: CeedAdsPlacement(conversationID: "c", messageID: "m", contextText: "ferns"),
            response: response,
            noFill: [#"{"ok": true, "ad": null, "requestId": "r"}"#]
        )
        #expect(await kit.findings() == [])
    }

    @Test("ActiveAds", arguments: ActiveAdsPlacement.allCases)
    func activeAds(placement: ActiveAdsPlacement) async throws {
        let response = #"""
            {"ads": [{"id": "1", "format": "FORMAT", "title": "Krukor", "description": null,
            "image_url": "https://i.example/p.png", "cta_text": null, "cta_url": "https://f.example/", "daily_bid": 50.00}]}
            """#
        let kit = ProviderConformance(
            ActiveAdsProvider(base: try self.url("https://x.example/functions/v1")),
            placement: placement,
            response: response.replacingFormat(by: placement.rawValue),
            noFill: [#"{"ads": []}"#, #"{"ads": null}"#]
        )
        #expect(await kit.findings() == [])
    }

    @Test("a provider that breaks the rules has findings")
    func careless() async throws {
        let kit = ProviderConformance(
            CarelessProvider(),
            placement: (),
            response: #"{"link": "https://a.example/", "text": "x"}"#
        )
        let checks = Set(await kit.findings().map(\.check))
        for check in ["request", "no fill", "status 500", "text is null"] {
            #expect(checks.contains(check), "\(check) in \(checks.sorted().prefix(20))")
        }
    }
}

extension String {
    fileprivate func replacingFormat(by format: String) -> String {
        guard let range = self.firstRange(of: "FORMAT") else { return self }
        return self[..<range.lowerBound] + format + self[range.upperBound...]
    }
}

/// Builds another request each time, and accepts every response as an ad.
private struct CarelessProvider: AdProvider {
    let name: ProviderName = "careless"

    func request(for placement: Void, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        guard let url = HTTPURL("https://a.example/\(UInt64.random(in: 0 ... .max))") else {
            throw AdError(.invalidRequest, "no URL")
        }
        return AdHTTPRequest(.get, url)
    }

    func offers(from response: AdHTTPResponse, for placement: Void, in context: AdContext) throws(AdError) -> OfferBatch
    {
        let json = (try? AdJSON(parsing: response.body)) ?? .null
        let headline = json["text"]?.string ?? ""
        return OfferBatch(offers: [
            Offer(
                provider: self.name,
                creative: .card(CardCreative(headline: headline, by: nil)),
                rules: ShowRules(.card, closeControl: .host),
                size: .adaptive
            )
        ])
    }
}
