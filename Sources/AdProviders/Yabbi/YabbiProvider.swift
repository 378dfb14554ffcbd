public import AdCore

/// YABBI's own protocol: a POST request with JSON, a JSON response, two trackers.
///
/// A call of the view tracker is what gets billed.
///
/// ```swift
/// let app = YabbiApp(publisherID: "…", bundle: "com.example.app", name: "Example")
/// let provider = YabbiProvider(endpoint: endpoint, app: app)
/// ```
public struct YabbiProvider: AdProvider {
    /// `yabbi`.
    public let name: ProviderName = "yabbi"
    /// The full URL of the load call.
    public let endpoint: HTTPURL
    /// The app's data in requests to YABBI.
    public let app: YabbiApp
    /// What happens to a beacon when it is unknown whether the server received it.
    public let guarantee: DeliveryGuarantee
    /// When an ad counts as viewed.
    public let viewPolicy: ViewabilityPolicy

    /// Creates a provider.
    public init(
        endpoint: HTTPURL,
        app: YabbiApp,
        guarantee: DeliveryGuarantee = .atMostOnce,
        viewPolicy: ViewabilityPolicy = .anyPixel
    ) {
        self.endpoint = endpoint
        self.app = app
        self.guarantee = guarantee
        self.viewPolicy = viewPolicy
    }

    /// The placement's id.
    public func placementName(of placement: YabbiPlacement) -> String? { placement.unitID }

    /// Builds the request; unknown values are empty strings, an unknown location is null.
    public func request(for placement: YabbiPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        try placement.check(with: self.app)
        var geo = AdJSON.null
        if let location = context.location {
            geo = [
                "latitude": .double(location.latitude),
                "longitude": .double(location.longitude),
                "precision": .double(location.precision),
            ]
        }
        let body: AdJSON = [
            "ifa": .string(context.ifa ?? ""),
            "pubID": .string(self.app.publisherID),
            "unitID": .string(placement.unitID),
            "bundle": .string(self.app.bundle),
            "userAgent": .string(context.userAgent ?? ""),
            "appName": .string(self.app.name),
            "geo": geo,
        ]
        var headers: AdHTTPHeaders = ["Content-Type": "application/json", "Accept": "application/json"]
        headers["User-Agent"] = context.userAgent
        return AdHTTPRequest(.post, self.endpoint, headers: headers, body: body.bytes(.sorted))
    }

    /// Parses the offer in a response; there is none for 204, an empty body, an empty `adm` and markup without visible
    /// content.
    ///
    /// Markup without visible content is an issue as well.
    public func offers(
        from response: AdHTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        guard let body = try ResponseReader.body(of: response) else { return .noFill }
        let reading = YabbiOffers(app: self.app, guarantee: self.guarantee, viewPolicy: self.viewPolicy)
        return try reading.offers(in: body, response.headers["Content-Type"], for: placement, in: context)
            .rewarding(placement.reward)
    }
}

/// Parses the body of a response of YABBI's own protocol, wherever it comes from.
package struct YabbiOffers: Sendable {
    package let name: ProviderName = "yabbi"
    private let app: YabbiApp
    private let guarantee: DeliveryGuarantee
    private let viewPolicy: ViewabilityPolicy
    package init(app: YabbiApp, guarantee: DeliveryGuarantee = .atMostOnce, viewPolicy: ViewabilityPolicy = .anyPixel) {
        self.app = app
        self.guarantee = guarantee
        self.viewPolicy = viewPolicy
    }

    package func offers(
        in body: [UInt8],
        _ type: String? = nil,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        let (json, repairs) = try ResponseReader.object(body, contentType: type)
        guard let parsed = try YabbiResponse(reading: json) else { return OfferBatch(offers: [], issues: repairs) }
        try parsed.type.check(suits: placement.format)
        switch try parsed.content() {
        case .banner(let creative):
            return OfferBatch(offers: [self.offer(parsed, creative, for: placement, in: context)], issues: repairs)
        case .video: return OfferBatch([.video(self.video(parsed, for: placement, in: context))], issues: repairs)
        case .blank:
            // The response does contain markup, so an issue has the reason why it is no ad.
            let blank = AdIssue("adm.blank", at: .field("adm"), "the creative has no visible content")
            return OfferBatch(offers: [], issues: [blank] + parsed.issues + repairs)
        }
    }

    private func beacons(_ response: YabbiResponse, in context: AdContext) -> [BeaconTemplate] {
        var headers: AdHTTPHeaders = [:]
        headers["User-Agent"] = context.userAgent
        return [(BeaconEvent.view, response.viewTracker), (.click, response.clickTracker)].compactMap {
            event,
            address in
            address.map { address in
                BeaconTemplate(
                    event,
                    BeaconCall(.get, address, headers: headers, guarantee: self.guarantee, isBilling: event == .view)
                )
            }
        }
    }

    private func video(
        _ response: YabbiResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) -> VideoProposal {
        VideoProposal(
            provider: self.name,
            markup: response.markup,
            isRewarded: placement.format == .rewarded,
            closeDelay: response.closeDelay,
            viewPolicy: self.viewPolicy,
            beacons: self.beacons(response, in: context),
            context: context,
            appBundle: self.app.bundle,
            guarantee: self.guarantee,
            issues: response.issues
        )
    }

    private func offer(
        _ response: YabbiResponse,
        _ creative: Creative,
        for placement: YabbiPlacement,
        in context: AdContext
    ) -> Offer {
        return Offer(
            provider: self.name,
            creative: creative,
            rules: ShowRules(
                placement.format == .banner ? .banner : .interstitial,
                closeDelay: response.closeDelay,
                viewPolicy: self.viewPolicy
            ),
            size: response.size,
            beacons: self.beacons(response, in: context),
            issues: response.issues + placement.sizeIssues(for: response.size)
        )
    }
}
