public import AdCore

/// AttentionMarket: a sponsored card that suits what the user has just asked.
///
/// ```swift
/// let keys = AttentionMarketKeys(apiKey: "…", agentID: "…", anonKey: "…")
/// let loader = AdLoader(AttentionMarketProvider(keys: keys), services: services)
/// let ad = try await loader.load(AttentionMarketPlacement(userMessage: "which fern should I buy?"))
/// ```
public struct AttentionMarketProvider: AdProvider {
    /// `attentionmarket`.
    public let name: ProviderName = "attentionmarket"
    /// A page in the app: that is where its cards lead.
    public let openMode: LinkOpenMode = .inApp
    /// Where its API is, up to `/functions/v1`.
    public let base: HTTPURL
    /// Whose cards are asked for.
    public let keys: AttentionMarketKeys
    /// What the device is.
    public let device: AttentionMarketDevice
    /// Schemes besides http and https to which a card may lead.
    public let allowedSchemes: Set<String>
    /// What becomes of a click of which nobody knows whether it arrived.
    public let guarantee: DeliveryGuarantee

    /// How long an answer serves for the same question, and how long where each request costs the user money.
    static let freshness = (usual: Duration.seconds(60), cellular: Duration.seconds(300))

    /// Where the API is where nothing else is said.
    public static let standardBase: HTTPURL = {
        guard let url = HTTPURL("https://peruwnbrqkvmrldhpoom.supabase.co/functions/v1") else {
            preconditionFailure("A literal is no address.")
        }
        return url
    }()

    /// A provider with these keys.
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

    /// Twice more on time-outs and faults of the server; each request waits ten seconds, within the load's own limit.
    ///
    /// A load that may take ten seconds, as loads may by default, waits for one slow request as the source does. Where a
    /// time-out is to be tried again the whole load needs more: `AdServices.standard(loadTimeout: .seconds(32))`.
    public var retries: RetryPolicy { RetryPolicy(attempts: 3, patience: .seconds(10)) }

    /// A minute, and longer where each request costs the user money; an ad that was shown is not served again.
    public func cachePolicy(in context: AdContext) -> CachePolicy? {
        let isCostly = context.network == .cellular
        return CachePolicy(isCostly ? Self.freshness.cellular : Self.freshness.usual, includesShown: false)
    }

    /// The API key, for clicks; of two keys for one agent the newer one is used for both's.
    public var credentials: [CredentialName: String] { [self.credential: self.keys.apiKey] }

    /// Apps may speak for several agents.
    private var credential: CredentialName { CredentialName("attentionmarket.\(self.keys.agentID).apiKey") }

    /// The request, field by field.
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
        // For caches on the way. It is the request of a card alone: no click is answered from a cache.
        headers["Cache-Control"] = "max-age=60"
        return AdHTTPRequest(
            .post,
            try self.base.call("/decide"),
            headers: headers,
            secretHeaders: ["apikey"],
            body: body.bytes(.sorted)
        )
    }

    /// The card in an answer; none for 204, an empty body, and `ad: null`.
    public func offers(
        from response: AdHTTPResponse,
        for placement: AttentionMarketPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        if response.status == 401 {
            let cure =
                "check the API key (Authorization, X-API-Key), the agent id (X-Agent-ID) and the anon key (apikey)"
            throw AdError(.unauthorized, "the server answered with status 401 and does not take the keys; \(cure)")
        }
        guard let body = try Answer.body(of: response) else { return .noFill }
        let (json, repairs) = try Answer.object(body, of: response)
        if let error = AdError.foreign(json, hasNoneOf: "ad") { throw error }
        guard let ad = json["ad"], ad != .null else { return OfferBatch(offers: [], issues: repairs) }
        guard case .object = ad else {
            throw AdError(.unreadableAnswer, "ad is \(ad.kind) where an object should be")
        }
        let answer = try Answer.part(after: repairs) { () throws(AdError) in
            try AttentionMarketAnswer(reading: ad, allowing: self.allowedSchemes)
        }
        return OfferBatch(offers: [try self.offer(answer)], issues: repairs)
    }

    private func offer(_ answer: AttentionMarketAnswer) throws(AdError) -> Offer {
        Offer(
            provider: self.name,
            creative: .card(answer.card),
            terms: ShowRules(.card, closeControl: .host, clickThrough: answer.card.link),
            size: .adaptive,
            beacons: try answer.trackingToken.map { token throws(AdError) in [try self.click(token)] } ?? [],
            details: answer.details,
            identity: answer.id ?? answer.trackingToken,
            issues: answer.issues
        )
    }

    /// Tells of a click: once for each token, whoever tells of it.
    package func click(_ token: String) throws(AdError) -> BeaconTemplate {
        var headers = AdHTTPHeaders.neutralJSON()
        headers["X-Agent-ID"] = self.keys.agentID
        let call = BeaconCall(
            .post,
            TrackingURL(try self.base.call("/track/click")),
            headers: headers,
            secrets: [SecretHeader("X-API-Key", self.credential)].compactMap { $0 },
            body: (["tracking_token": .string(token)] as AdJSON).bytes(.sorted),
            verdict: .only200,
            guarantee: self.guarantee,
            isBilling: true
        )
        return BeaconTemplate(.click, call, providerKey: "attentionmarket/click/\(PercentEncoding.component(token))")
    }
}
