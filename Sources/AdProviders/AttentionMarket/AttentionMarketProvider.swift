public import AdCore

/// AttentionMarket: a sponsored card that matches the user's question.
///
/// ```swift
/// let keys = AttentionMarketKeys(apiKey: "…", agentID: "…", anonKey: "…")
/// let loader = AdLoader(AttentionMarketProvider(keys: keys), services: services)
/// let ad = try await loader.load(AttentionMarketPlacement(userMessage: "which fern should I buy?"))
/// ```
public struct AttentionMarketProvider: AdProvider {
    /// `attentionmarket`.
    public let name: ProviderName = "attentionmarket"
    /// Click-through URLs open in a page of the app.
    public let openMode: LinkOpenMode = .inApp
    /// The base URL of the API, up to `/functions/v1`.
    public let base: HTTPURL
    /// The API credentials.
    public let keys: AttentionMarketKeys
    /// The device as requests describe it.
    public let device: AttentionMarketDevice
    /// URL schemes that a click-through URL may have, besides http and https.
    public let allowedSchemes: Set<String>
    /// What happens to a click beacon when it is unknown whether the server received it.
    public let guarantee: DeliveryGuarantee

    /// How long a response to the same question can be reused; longer on a mobile network, where requests cost money.
    static let freshness = (usual: Duration.seconds(60), cellular: Duration.seconds(300))

    /// The default base URL.
    public static let standardBase: HTTPURL = {
        guard let url = HTTPURL("https://peruwnbrqkvmrldhpoom.supabase.co/functions/v1") else {
            preconditionFailure("invalid URL literal")
        }
        return url
    }()

    /// Creates a provider.
    public init(
        keys: AttentionMarketKeys,
        base: HTTPURL = AttentionMarketProvider.standardBase,
        device: AttentionMarketDevice = .ios,
        allowedSchemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce
    ) {
        self.keys = keys
        self.base = base
        self.device = device
        self.allowedSchemes = allowedSchemes
        self.guarantee = guarantee
    }

    /// Three attempts of ten seconds each, after timeouts and server errors.
    ///
    /// They must fit into the time limit of the whole load. That is ten seconds by default, the time of one slow
    /// request. To retry after a timeout, allow more: `AdServices.standard(opener: opener, loadTimeout: .seconds(32))`.
    public var retries: RetryPolicy { RetryPolicy(attempts: 3, attemptTimeout: .seconds(10)) }

    /// Responses are cached for 60 seconds, on a mobile network for 300; an ad that was shown is not served again.
    public func cachePolicy(in context: AdContext) -> CachePolicy? {
        let isCostly = context.network == .cellular
        return CachePolicy(isCostly ? Self.freshness.cellular : Self.freshness.usual, includesShown: false)
    }

    /// The API key for clicks; the newest key of an agent is used for all its clicks.
    public var credentials: [CredentialName: String] { [self.credential: self.keys.apiKey] }

    /// One credential for each agent, because an app can have several.
    private var credential: CredentialName { CredentialName("attentionmarket.\(self.keys.agentID).apiKey") }

    /// The placement's name.
    public func placementName(of placement: AttentionMarketPlacement) -> String? { placement.placement }

    /// Builds the request.
    public func request(
        for placement: AttentionMarketPlacement,
        in context: AdContext
    ) throws(AdError) -> AdHTTPRequest {
        try self.keys.check()
        let history = placement.conversationHistory.suffix(ConversationHistory.window)
        let body: AdJSON = [
            "user_message": .string(placement.userMessage),
            "conversation_history": .array(history.map { .string($0) }),
            "placement": .string(placement.placement),
            "session_context": ["device_type": .string(self.device.type), "platform": .string(self.device.platform)],
        ]
        var headers = AdHTTPHeaders.neutralJSON()
        headers["Authorization"] = "Bearer " + self.keys.apiKey
        headers["apikey"] = self.keys.anonKey
        // The provider's document requires this header. A click has none: it must reach the server.
        headers["Cache-Control"] = "max-age=60"
        return AdHTTPRequest(
            .post,
            try self.base.endpoint("/decide"),
            headers: headers,
            secretHeaders: ["apikey"],
            body: body.bytes(.sorted)
        )
    }

    /// Parses the card in a response; there is none for 204, an empty body and `ad: null`.
    public func offers(
        from response: AdHTTPResponse,
        for placement: AttentionMarketPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        if response.status == 401 {
            let fix =
                "check the API key (Authorization, X-API-Key), the agent id (X-Agent-ID) and the anon key (apikey)"
            throw AdError(.unauthorized, "the server responded with status 401: it rejects the keys; \(fix)")
        }
        guard let body = try ResponseReader.body(of: response) else { return .noFill }
        return try self.offers(in: body, response.headers["Content-Type"], for: placement)
    }

    /// Parses the body of a response, wherever it comes from.
    package func offers(
        in body: [UInt8],
        _ type: String? = nil,
        for placement: AttentionMarketPlacement
    ) throws(AdError) -> OfferBatch {
        let (json, repairs) = try ResponseReader.object(body, contentType: type)
        if let error = AdError.foreign(json, hasNoneOf: "ad") { throw error }
        guard let member = json["ad"], member != .null else { return OfferBatch(offers: [], issues: repairs) }
        guard case .object = member else {
            throw AdError(.unreadableResponse, "ad is \(member.kind); expected an object")
        }
        let ad = try ResponseReader.part(after: repairs) { () throws(AdError) in
            try AttentionMarketAd(reading: member, allowing: self.allowedSchemes)
        }
        return OfferBatch(offers: [try self.offer(ad)], issues: repairs)
    }

    private func offer(_ ad: AttentionMarketAd) throws(AdError) -> Offer {
        Offer(
            provider: self.name,
            creative: .card(ad.card),
            rules: ShowRules(.card, closeControl: .host, clickThrough: ad.card.link),
            size: .adaptive,
            beacons: try ad.trackingToken.map { token throws(AdError) in [try self.click(token)] } ?? [],
            details: ad.details,
            identity: ad.id ?? ad.trackingToken,
            issues: ad.issues
        )
    }

    /// The beacon for a click; each tracking token is sent once.
    package func click(_ token: String) throws(AdError) -> BeaconTemplate {
        var headers = AdHTTPHeaders.neutralJSON()
        headers["X-Agent-ID"] = self.keys.agentID
        let call = BeaconCall(
            .post,
            TrackingURL(try self.base.endpoint("/track/click")),
            headers: headers,
            secrets: [SecretHeader("X-API-Key", self.credential)].compactMap { $0 },
            body: (["tracking_token": .string(token)] as AdJSON).bytes(.sorted),
            successRule: .only200,
            guarantee: self.guarantee,
            isBilling: true
        )
        return BeaconTemplate(.click, call, providerKey: "attentionmarket/click/\(PercentEncoding.component(token))")
    }
}
