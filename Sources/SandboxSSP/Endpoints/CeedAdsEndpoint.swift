import AdCore
import LoopbackServer

/// CeedAds: an ad for the topic of a conversation, and its events.
enum CeedAdsEndpoint {
    /// The app id that the sandbox accepts.
    static let appID = Sandbox.TestKeys.ceedAdsAppID
    /// How long a conversation gets no ad after one with an ad.
    static let cooldown = Duration.seconds(60)

    static let all = [
        Endpoint(
            path: .exact("/api/requests"),
            methods: ["POST"],
            about: "an ad in CeedAds' protocol, selected by the words of contextText, once per conversation and "
                + "\(cooldown.wholeMilliseconds / 1000) seconds; appId \(appID)",
            isAdRequest: true
        ) { request, state in
            do throws(FieldError) {
                return try Self.decision(Fields(parsing: request.body), &state)
            } catch {
                return Self.failure(error)
            }
        },
        Endpoint(
            path: .exact("/api/events"),
            methods: ["POST"],
            about: "an impression or a click in CeedAds' protocol",
            billed: .ceedAds
        ) { request, state in
            do throws(FieldError) {
                let id = try Self.eventRequest(Fields(parsing: request.body))
                guard state.cards.requests.contains(id) else {
                    return Self.failure(.unknownID("requestId"), status: 404)
                }
                return .json(["ok": true])
            } catch {
                return Self.failure(error)
            }
        },
    ]

    private static func decision(_ fields: Fields, _ state: inout SandboxState) throws(FieldError) -> ServerResponse {
        let app = try fields.text("appId")
        let conversation = try fields.id("conversationId")
        _ = try fields.text("messageId")
        let text = try fields.text("contextText", mayBeEmpty: true)
        let named = try fields.textOrNull("language")
        _ = try fields.textOrNull("userId")
        _ = try fields.text("sdkVersion")
        guard app == self.appID else {
            let message = "unknown appId; use \"\(self.appID)\""
            return .json(["ok": false, "error": .string(message)], status: 401)
        }
        let scenario = CardScenario(text, of: .ceedAds)
        if let response = scenario?.commonResponse { return response }
        if scenario == .notOK { return .json(["ok": false, "error": "scenario notok"]) }

        let language = CeedLanguage(named: named, text: text)
        let ad = scenario == nil ? CeedAd.best(for: text, in: language) : scenario == .noFill ? nil : .sample
        let request = state.name("ceed-request", state.nextAdNumber())
        state.cards.requests.insert(request)
        guard let ad, scenario != nil || !self.isCoolingDown(conversation, state) else {
            return self.response(nil, to: request)
        }
        let content = self.content(ad, in: language, isInjection: scenario == .evil, request, state)
        let response = self.response(content, to: request)
        if scenario == .broken { return Scenario.broken(response) }
        state.cards.lastAds.insert(state.now, for: conversation)
        return response
    }

    /// Whether a conversation got its last ad less than the cooldown ago.
    ///
    /// An ad in the future does not count: the system's time was set back.
    private static func isCoolingDown(_ conversation: String, _ state: SandboxState) -> Bool {
        guard let last = state.cards.lastAds[conversation] else { return false }
        return (.zero..<self.cooldown).contains(state.now - last)
    }

    private static func response(_ ad: AdJSON?, to request: String) -> ServerResponse {
        .json(["ok": true, "ad": ad ?? .null, "requestId": .string(request)])
    }

    private static func content(
        _ ad: CeedAd,
        in language: CeedLanguage,
        isInjection: Bool,
        _ request: String,
        _ state: SandboxState
    ) -> AdJSON {
        let texts = ad.texts(in: language)
        let text = { (text: String) in AdJSON.string(isInjection ? CardScenario.injected(text) : text) }
        let link = state.base + "/landing?from=ceedads-\(ad.name)&lang=\(language.rawValue)&request=\(request)"
        return [
            "id": .string("ceed-\(ad.name)"), "advertiserId": .string("adv-\(ad.name)"),
            "advertiserName": text(texts.advertiser), "format": .string(ad.format), "title": text(texts.title),
            "description": text(texts.description), "ctaText": text(texts.button),
            "ctaUrl": .string(isInjection ? CardScenario.scriptLink : link),
        ]
    }

    /// An error response in CeedAds' format.
    private static func failure(_ error: FieldError, status: Int = 400) -> ServerResponse {
        var members: [AdJSON.Member] = [.init("ok", false), .init("error", .string(error.message))]
        if !error.field.isEmpty { members.append(.init("field", .string(error.field))) }
        return .json(.object(members), status: status)
    }

    /// Checks all seven fields of an event and returns the request id.
    private static func eventRequest(_ fields: Fields) throws(FieldError) -> String {
        let type = try fields.text("type")
        guard ["impression", "click"].contains(type) else {
            throw fields.error("type", "is unknown: \"\(type)\"; allowed: impression, click")
        }
        for name in ["adId", "advertiserId", "appId"] { _ = try fields.text(name) }
        for name in ["conversationId", "userId"] { _ = try fields.textOrNull(name) }
        return try fields.text("requestId")
    }
}
