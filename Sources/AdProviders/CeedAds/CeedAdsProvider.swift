public import AdCore

/// CeedAds: a card that suits what a chat is about.
///
/// ```swift
/// let loader = AdLoader(CeedAdsProvider(app: CeedAdsApp(appID: "…")), services: services)
/// let ad = try await loader.load(CeedAdsPlacement(conversationID: "c1", messageID: "m7", contextText: text))
/// ```
public struct CeedAdsProvider: AdProvider {
    /// `ceedads`.
    public let name: ProviderName = "ceedads"
    /// The app that asks.
    public let app: CeedAdsApp
    /// Where the server is; `/api` may be part of it.
    public let base: HTTPURL
    /// Schemes besides http and https to which a card may lead.
    public let allowedSchemes: Set<String>
    /// What becomes of an event of which nobody knows whether it arrived.
    public let guarantee: DeliveryGuarantee

    /// Where the server is where nothing else is said.
    public static let standardBase: HTTPURL = {
        guard let url = HTTPURL("https://ceed-ads.vercel.app") else { preconditionFailure("A literal is no address.") }
        return url
    }()

    /// A provider for an app.
    public init(
        app: CeedAdsApp,
        base: HTTPURL = CeedAdsProvider.standardBase,
        allowedSchemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce
    ) {
        self.app = app
        self.base = base
        self.allowedSchemes = allowedSchemes
        self.guarantee = guarantee
    }

    /// Nobody waits.
    public var memory: CeedAdsCooldown { CeedAdsCooldown() }

    /// The server would give none, and is not asked.
    public func refusal(for placement: CeedAdsPlacement, with memory: CeedAdsCooldown, at now: Moment) -> AdError? {
        guard let end = memory.end(of: placement.conversationID, at: now) else { return nil }
        let seconds = AdJSON.double((end - now).inSeconds.rounded(.up)).text()
        let text = "this conversation has just had an ad; ask again in \(seconds) s"
        return AdError(.coolingDown, text, underlying: Cooldown(until: end))
    }

    /// A card was given: its conversation waits, even where nobody can show that card.
    public func remember(
        _ answer: Result<OfferBatch, AdError>,
        for placement: CeedAdsPlacement,
        in memory: inout CeedAdsCooldown,
        at now: Moment
    ) {
        let hadCard: Bool
        switch answer {
        case .success(let batch): hadCard = !batch.proposals.isEmpty
        case .failure(let error): hadCard = [.incompleteOffer, .unknownType].contains(error.code)
        }
        if hadCard { memory.begin(for: placement.conversationID, at: now) }
    }

    /// The request, field by field; what is not known is null.
    public func request(for placement: CeedAdsPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        for (value, name) in [
            (self.app.appID, "appId"), (placement.conversationID, "conversationId"), (placement.messageID, "messageId"),
        ] where value.trimmed.isEmpty {
            throw AdError(.invalidRequest, "the \(name) is empty; the server knows no ad for nobody")
        }
        let body: AdJSON = [
            "appId": .string(self.app.appID),
            "conversationId": .string(placement.conversationID),
            "messageId": .string(placement.messageID),
            "contextText": .string(placement.contextText),
            "language": .text(placement.language),
            "userId": .text(placement.userID),
            "sdkVersion": .string(self.app.sdkVersion),
        ]
        return AdHTTPRequest(.post, try self.call("requests"), headers: .neutralJSON(), body: body.bytes(.sorted))
    }

    /// The card in an answer; none for 204, an empty body, and `ad: null`.
    public func offers(
        from response: AdHTTPResponse,
        for placement: CeedAdsPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        if response.status == 401 {
            throw AdError(.unauthorized, "the server answered with status 401; check the appId")
        }
        guard let body = try Answer.body(of: response) else { return .noFill }
        let (json, repairs) = try Answer.object(body, of: response)
        if let error = AdError.foreign(json, hasNoneOf: "ok", "ad", "requestId") { throw error }
        var fields = LenientFields(json)
        if fields.truth("ok") == false {
            let words = fields.words("error") ?? fields.words("message")
            let quote = words.map { " and says: \($0.excerpt(200))" } ?? ""
            let text = "the server answers that it is not ok\(quote)"
            throw AdError(.serverStatus, text, issues: repairs + fields.issues)
        }
        let requestID = fields.identifier("requestId")
        guard let ad = json["ad"], ad != .null else { return OfferBatch(offers: [], issues: repairs + fields.issues) }
        guard case .object = ad else {
            throw AdError(.unreadableAnswer, "ad is \(ad.kind) where an object should be")
        }
        if requestID == nil {
            fields.note("requestId.missing", "requestId", "there is none, and nobody is told of view and click")
        }
        let answer = try Answer.part(after: repairs + fields.issues) { () throws(AdError) in
            try CeedAdsAnswer(reading: ad, requestID: requestID, allowing: self.allowedSchemes)
        }
        let offer = Offer(
            provider: self.name,
            creative: .card(answer.card),
            terms: ShowRules(.card, closeControl: .host, clickThrough: answer.card.link),
            size: .adaptive,
            beacons: try self.events(answer, for: placement),
            details: answer.details,
            issues: answer.issues
        )
        return OfferBatch(offers: [offer], issues: repairs + fields.issues)
    }

    /// The impression, once for each ad of each answer; the click.
    private func events(_ answer: CeedAdsAnswer, for placement: CeedAdsPlacement) throws(AdError) -> [BeaconTemplate] {
        guard let id = answer.id, let requestID = answer.requestID else { return [] }
        let url = TrackingURL(try self.call("events"))
        return [(BeaconEvent.view, "impression"), (.click, "click")].map { event, type in
            let body: AdJSON = [
                "type": .string(type),
                "adId": .string(id),
                "advertiserId": .string(answer.advertiserID ?? ""),
                "requestId": .string(requestID),
                "appId": .string(self.app.appID),
                "conversationId": .string(placement.conversationID),
                "userId": .text(placement.userID),
            ]
            let call = BeaconCall(
                .post,
                url,
                headers: .neutralJSON(),
                body: body.bytes(.sorted),
                verdict: .okNotFalse,
                guarantee: self.guarantee,
                isBilling: event == .view
            )
            let parts = ["ceedads", type, PercentEncoding.component(id), PercentEncoding.component(requestID)]
            return BeaconTemplate(event, call, providerKey: parts.joined(separator: "/"))
        }
    }

    private func call(_ name: String) throws(AdError) -> HTTPURL {
        let path = self.base.target
        let hasAPI = path.hasSuffix("/api") || path.hasSuffix("/api/")
        return try self.base.call(hasAPI ? "/\(name)" : "/api/\(name)")
    }
}
