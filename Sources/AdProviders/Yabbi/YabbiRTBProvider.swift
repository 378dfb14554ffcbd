public import AdCore
package import OpenRTB

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
    /// What the app adds to its requests.
    public var additions: RequestAdditions
    /// The interfaces of the stage that shows banners (`imp.banner.api`); a server takes others for missing.
    package var bannerAPIs: [APIFramework] = []

    /// Creates a provider.
    public init(
        endpoint: HTTPURL,
        app: YabbiApp,
        guarantee: DeliveryGuarantee = .atMostOnce,
        viewPolicy: ViewabilityPolicy = .anyPixel,
        additions: RequestAdditions = RequestAdditions()
    ) {
        self.endpoint = endpoint
        self.app = app
        self.guarantee = guarantee
        self.viewPolicy = viewPolicy
        self.additions = additions
    }

    /// The placement's id.
    public func placementName(of placement: YabbiPlacement) -> String? { placement.unitID }

    /// Builds the request: the values of YABBI's own request in the fields that OpenRTB has for them, the consent, and
    /// what is known about the device and the player.
    public func request(for placement: YabbiPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        try placement.check(with: self.app)
        var impression = BidRequest.Impression(
            tagID: placement.unitID,
            media: self.media(for: placement, context.terms),
            isInterstitial: placement.format != .banner,
            isRewarded: placement.format == .rewarded
        )
        impression.apply(context.terms)
        let app = BidRequest.App(name: self.app.name, bundle: self.app.bundle, publisherID: self.app.publisherID)
        var request = BidRequest(impression: impression, app: app, in: context)
        // The request's header says 2.6. A winner pays what it bid.
        request.readers = .openRTB26
        request.auction = .firstPrice
        self.additions.add(to: &request)
        var headers: AdHTTPHeaders = [
            "Content-Type": "application/json", "Accept": "application/json", "x-openrtb-version": "2.6",
        ]
        headers["User-Agent"] = context.userAgent
        return AdHTTPRequest(.post, self.endpoint, headers: headers, body: request.json.bytes(.sorted))
    }

    /// The accepted ad formats: a video for a rewarded placement, HTML for a banner, either over the whole screen.
    private func media(for placement: YabbiPlacement, _ terms: AdContext.LoadTerms?) -> BidRequest.Impression.Media {
        guard placement.format != .rewarded else {
            var video = BidRequest.Video(size: placement.size, for: terms)
            // Overlays are not rewarded.
            video.linearity = .linear
            return .video(video)
        }
        var banner = BidRequest.Banner(placement.size)
        banner.apis = self.bannerAPIs
        guard placement.format == .interstitial else { return .banner(banner) }
        return .bannerOrVideo(banner, BidRequest.Video(size: placement.size, for: terms))
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
        let reader = BidReader(
            self.name,
            bundle: self.app.bundle,
            guarantee: self.guarantee,
            viewPolicy: self.viewPolicy
        )
        return try reader.bids(in: body, response.headers["Content-Type"], for: placement.format, in: context)
            .rewarding(placement.reward)
    }
}
