public import AdCore

/// CeedAds: a card that matches the topic of a chat.
///
/// ```swift
/// let loader = AdLoader(CeedAdsProvider(app: CeedAdsApp(appID: "…")), services: services)
/// let ad = try await loader.load(CeedAdsPlacement(conversationID: "c1", messageID: "m7", contextText: text))
/// ```
public struct CeedAdsProvider: AdProvider {
    /// `ceedads`.
    public let name: ProviderName = "ceedads"
    /// The app's data in requests to CeedAds.
    public let app: CeedAdsApp
    /// The server's base URL, with or without `/api`.
    public let base: HTTPURL
    /// URL schemes that a click-through URL may have, besides http and https.
    public let allowedSchemes: Set<String>
    /// What happens to an event beacon when it is unknown whether the server received it.
    public let guarantee: DeliveryGuarantee

    /// The default base URL.
    public static let standardBase: HTTPURL = {
        guard let url = HTTPURL("https://ceed-ads.vercel.app") else { preconditionFailure("invalid URL literal") }
        return url
    }()

    /// Creates a provider.
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

    /// `chat`: an app has one place for cards, whatever the conversation.
    public func placementName(of placement: CeedAdsPlacement) -> String? { "chat" }

    /// The initial state: no conversation is cooling down.
    public var memory: CeedAdsCooldown { CeedAdsCooldown() }

    /// The error for a conversation that is cooling down: the server would send no ad, so no request is made.
    public func refusal(for placement: CeedAdsPlacement, with memory: CeedAdsCooldown, at now: Moment) -> AdError? {
        guard let end = memory.end(of: placement.conversationID, at: now) else { return nil }
        let seconds = AdJSON.double((end - now).inSeconds.rounded(.up)).text()
        let text = "this conversation got an ad recently; request the next one in \(seconds) s"
        return AdError(.coolingDown, text, underlying: Cooldown(until: end))
    }

    /// Starts the cooldown when the response contained a card, even one that can't be shown.
    public func remember(
        _ result: Result<OfferBatch, AdError>,
        for placement: CeedAdsPlacement,
        in memory: inout CeedAdsCooldown,
        at now: Moment
    ) {
        let hadCard: Bool
        switch result {
        case .success(let batch): hadCard = !batch.proposals.isEmpty
        case .failure(let error): hadCard = [.incompleteOffer, .unknownType].contains(error.code)
        }
        if hadCard { memory.start(for: placement.conversationID, at: now) }
    }

    /// Builds the request; unknown values are null.
    public func request(for placement: CeedAdsPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        for (value, name) in [
            (self.app.appID, "appId"), (placement.conversationID, "conversationId"), (placement.messageID, "messageId"),
        ] where value.trimmed.isEmpty {
            throw AdError(.invalidRequest, "the \(name) is empty; set it")
        }
        let body: AdJSON = [
            "appId": .string(self.app.appID),
            "conversationId": .string(placement.conversationID),
            "messageId": .string(placement.messageID),
            "contextText": .string(placement.contextText),
            "language": .text(placement.language),
            "userId": .text(placement.permitted(in: context).userID),
            "sdkVersion": .string(self.app.sdkVersion),
        ]
        return AdHTTPRequest(.post, try self.call("requests"), headers: .neutralJSON(), body: body.bytes(.sorted))
    }

    /// Parses the card in a response; there is none for 204, an empty body and `ad: null`.
    public func offers(
        from response: AdHTTPResponse,
        for placement: CeedAdsPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        if response.status == 401 {
            throw AdError(.unauthorized, "the server responded with status 401; check the appId")
        }
        guard let body = try ResponseReader.body(of: response) else { return .noFill }
        return try self.offers(in: body, response.headers["Content-Type"], for: placement.permitted(in: context))
    }

    /// Parses the body of a response, wherever it comes from.
    package func offers(
        in body: [UInt8],
        _ type: String? = nil,
        for placement: CeedAdsPlacement
    ) throws(AdError) -> OfferBatch {
        let (json, repairs) = try ResponseReader.object(body, contentType: type)
        if let error = AdError.foreign(json, hasNoneOf: "ok", "ad", "requestId") { throw error }
        var fields = LenientFields(json)
        if fields.bool("ok") == false {
            let detail = fields.displayText("error") ?? fields.displayText("message")
            let quote = detail.map { ": \($0.excerpt(200))" } ?? ""
            let text = "the server responded with ok: false\(quote)"
            throw AdError(.serverStatus, text, issues: repairs + fields.issues)
        }
        let requestID = fields.identifier("requestId")
        guard let member = json["ad"], member != .null else {
            return OfferBatch(offers: [], issues: repairs + fields.issues)
        }
        guard case .object = member else {
            throw AdError(.unreadableResponse, "ad is \(member.kind); expected an object")
        }
        if requestID == nil {
            fields.addIssue("requestId.missing", "requestId", "no requestId; impression and click are not tracked")
        }
        let ad = try ResponseReader.part(after: repairs + fields.issues) { () throws(AdError) in
            try CeedAdsAd(reading: member, requestID: requestID, allowing: self.allowedSchemes)
        }
        let offer = Offer(
            provider: self.name,
            creative: .card(ad.card),
            rules: ShowRules(.card, closeControl: .host, clickThrough: ad.card.link),
            size: .adaptive,
            beacons: try self.events(ad, for: placement),
            details: ad.details,
            issues: ad.issues
        )
        return OfferBatch(offers: [offer], issues: repairs + fields.issues)
    }

    /// The beacons for the impression and the click, each sent once for each ad of each response.
    private func events(_ ad: CeedAdsAd, for placement: CeedAdsPlacement) throws(AdError) -> [BeaconTemplate] {
        guard let id = ad.id, let requestID = ad.requestID else { return [] }
        let url = TrackingURL(try self.call("events"))
        return [(BeaconEvent.view, "impression"), (.click, "click")].map { event, type in
            let body: AdJSON = [
                "type": .string(type),
                "adId": .string(id),
                "advertiserId": .string(ad.advertiserID ?? ""),
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
                successRule: .okNotFalse,
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
        return try self.base.endpoint(hasAPI ? "/\(name)" : "/api/\(name)")
    }
}
