public import AdCore
import OpenRTB

/// YABBI's placements over OpenRTB 2.6: a BidRequest with an `app` object (OpenRTB 2.6 §3.2.14) in place of `site`.
public struct YabbiRTBProvider: AdProvider {
    /// `openrtb`.
    public let name: ProviderName = "openrtb"
    /// The full URL of the auction call.
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

    /// Builds the request: the values of YABBI's own request in the fields that OpenRTB has for them.
    public func request(for placement: YabbiPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        try placement.check(with: self.app)
        let isRewarded = placement.format == .rewarded
        let request = BidRequest(
            id: context.requestID,
            impression: .init(
                tagID: placement.unitID,
                media: isRewarded ? .video(placement.size) : .banner(placement.size),
                isInterstitial: placement.format != .banner,
                isRewarded: isRewarded
            ),
            app: .init(name: self.app.name, bundle: self.app.bundle, publisherID: self.app.publisherID),
            device: .init(userAgent: context.userAgent, ifa: context.ifa, location: context.location),
            consent: context.consent
        )
        var headers: AdHTTPHeaders = [
            "Content-Type": "application/json", "Accept": "application/json", "x-openrtb-version": "2.6",
        ]
        headers["User-Agent"] = context.userAgent
        return AdHTTPRequest(.post, self.endpoint, headers: headers, body: request.json.bytes(.sorted))
    }

    /// Its offers are bids.
    public var sendsBids: Bool { true }

    /// Parses the bids, the highest first; there is none for 204, an empty body, a no-bid reason (`nbr`), and when no
    /// bid matches the impression.
    ///
    /// A bid that can't be shown is an issue.
    public func offers(
        from response: AdHTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        guard let body = try ResponseReader.body(of: response) else { return .noFill }
        let reader = BidReader(self.name, bundle: self.app.bundle, guarantee: self.guarantee, viewPolicy: self.viewPolicy)
        return try reader.bids(in: body, response.headers["Content-Type"], for: placement.format, in: context)
    }
}
