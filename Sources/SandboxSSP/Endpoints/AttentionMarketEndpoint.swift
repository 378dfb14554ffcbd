import AdCore
import LoopbackServer

/// AttentionMarket: a sponsored card for a chat message, and the click on it.
enum AttentionMarketEndpoint {
    /// The test credentials of AttentionMarket's own documentation; the anonymous key is the sandbox's.
    static let apiKey = Sandbox.TestKeys.attentionMarketAPIKey
    static let agentID = Sandbox.TestKeys.attentionMarketAgentID
    static let anonKey = Sandbox.TestKeys.attentionMarketAnonKey

    static let all = [
        Endpoint(
            path: .exact("/functions/v1/decide"),
            methods: ["POST"],
            about: "a card in AttentionMarket's protocol, selected by the words of user_message; "
                + "Authorization: Bearer \(apiKey), apikey: \(anonKey)",
            isAdRequest: true
        ) { request, state in
            if let refusal = request.refusal(unless: "Authorization", is: "Bearer \(Self.apiKey)")
                ?? request.refusal(unless: "apikey", is: Self.anonKey)
            {
                return refusal
            }
            do throws(FieldError) {
                return try Self.decision(Fields(parsing: request.body), &state)
            } catch {
                return .failure(error)
            }
        },
        Endpoint(
            path: .exact("/functions/v1/track/click"),
            methods: ["POST"],
            about: "a click in AttentionMarket's protocol; X-API-Key: \(apiKey), X-Agent-ID: \(agentID)",
            billed: .attentionMarket
        ) { request, state in
            if let refusal = request.refusal(unless: "X-API-Key", is: Self.apiKey)
                ?? request.refusal(unless: "X-Agent-ID", is: Self.agentID)
            {
                return refusal
            }
            do throws(FieldError) {
                let token = try Fields(parsing: request.body).text("tracking_token")
                guard state.cards.tokens.contains(token) else {
                    return .failure(.unknownID("tracking_token"), status: 404)
                }
                return .json(["success": true])
            } catch {
                return .failure(error)
            }
        },
    ]

    private static let maxMessages = 10

    private static func decision(_ fields: Fields, _ state: inout SandboxState) throws(FieldError) -> ServerResponse {
        try fields.allow(only: ["user_message", "conversation_history", "placement", "session_context"])
        let message = try fields.text("user_message", mayBeEmpty: true)
        let history = try fields.texts("conversation_history", atMost: self.maxMessages)
        _ = try fields.text("placement")
        let session = try fields.object("session_context")
        try session.allow(only: ["device_type", "platform"])
        for name in ["device_type", "platform"] { _ = try session.text(name) }

        if let scenario = CardScenario(message, of: .attentionMarket) { return self.response(scenario, &state) }
        guard let card = AttentionCard.best(for: message, after: history) else { return ServerResponse(status: 204) }
        return .json(Ad(card, &state).json)
    }

    private static func response(_ scenario: CardScenario, _ state: inout SandboxState) -> ServerResponse {
        if let response = scenario.commonResponse { return response }
        if scenario == .noFill { return ServerResponse(status: 204) }
        if scenario == .null { return .json(["ad": nil]) }
        var ad = Ad(.sample, &state)
        switch scenario {
        case .broken: return Scenario.broken(.json(ad.json))
        case .minimal: (ad.teaser, ad.promoCode) = (nil, nil)
        case .odd:
            (ad.isSponsored, ad.payout) = (false, "42")
            ad.extra = [.init("score", .double(0.87)), .init("experiments", ["blue-button", 7, nil])]
        case .evil:
            ad.transformText = CardScenario.injected
            (ad.clickURL, ad.directURL) = (CardScenario.scriptLink, CardScenario.scriptLink)
        case .noFill, .null, .html, .error, .notOK: break
        }
        return .json(ad.json)
    }

    /// The response's ad, field by field; scenarios change some of them.
    private struct Ad {
        let card: AttentionCard
        let token: String
        /// Applied to all texts that users see.
        var transformText: @Sendable (String) -> String = { $0 }
        var teaser: String?
        var promoCode: String?
        var clickURL: String
        var directURL: String
        var payout: AdJSON
        var isSponsored = true
        var extra: [AdJSON.Member] = []

        init(_ card: AttentionCard, _ state: inout SandboxState) {
            let number = state.nextAdNumber()
            self.card = card
            self.token = state.name("am-token", number)
            self.teaser = card.teaser
            self.promoCode = card.promoCode
            self.directURL = state.base + "/landing?from=attentionmarket-\(card.id)"
            self.clickURL = self.directURL + "&ad=\(number)"
            self.payout = .int(card.payout)
            state.cards.tokens.insert(self.token)
        }

        var json: AdJSON {
            let text = { [transformText] (text: String) in AdJSON.string(transformText(text)) }
            var creative: [AdJSON.Member] = [
                .init("title", text(self.card.title)), .init("body", text(self.card.body)),
                .init("cta", text(self.card.button)),
            ]
            if let teaser = self.teaser { creative.append(.init("teaser", text(teaser))) }
            if let promoCode = self.promoCode { creative.append(.init("promo_code", text(promoCode))) }
            let members: [AdJSON.Member] = [
                .init("id", .string("am-\(self.card.id)")), .init("type", "sponsored_suggestion"),
                .init("creative", .object(creative)), .init("click_url", .string(self.clickURL)),
                .init("direct_url", .string(self.directURL)), .init("tracking_token", .string(self.token)),
                .init("payout", self.payout),
                .init(
                    "disclosure",
                    ["sponsor_name": text(self.card.sponsor), "is_sponsored": .bool(self.isSponsored)]
                ),
            ]
            return ["ad": .object(members + self.extra)]
        }
    }
}

extension ServerRequest {
    /// The refusal of a request whose header is missing or wrong; nil when it is right.
    ///
    /// The message has the expected value: it is no secret.
    func refusal(unless name: String, is wanted: String) -> ServerResponse? {
        let value = self.headers[name.asciiLowercased]
        guard value != wanted else { return nil }
        let problem = value == nil ? "is missing" : "is wrong"
        return .failure(401, "the header \"\(name)\" \(problem); use \"\(wanted)\"", field: name)
    }
}
