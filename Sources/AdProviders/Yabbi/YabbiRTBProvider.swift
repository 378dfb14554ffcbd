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
    /// What the app adds to its requests.
    public var additions: RequestAdditions

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
        var headers: AdHTTPHeaders = [
            "Content-Type": "application/json", "Accept": "application/json", "x-openrtb-version": "2.6",
        ]
        headers["User-Agent"] = context.userAgent
        let body = self.bidRequest(for: placement, in: context).json.bytes(.sorted)
        return AdHTTPRequest(.post, self.endpoint, headers: headers, body: body)
    }

    private func bidRequest(for placement: YabbiPlacement, in context: AdContext) -> BidRequest {
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
        // With other participants, the app makes the final decision.
        if context.terms?.hasRivals == true { request.source.decision = .upstream }
        self.additions.add(to: &request)
        return request
    }

    /// The accepted ad formats: a video for a rewarded placement, HTML for a banner, either over the whole screen.
    private func media(for placement: YabbiPlacement, _ terms: AdContext.LoadTerms?) -> BidRequest.Impression.Media {
        switch placement.format {
        case .rewarded: .video(self.video(for: placement, terms))
        case .interstitial: .bannerOrVideo(self.banner(for: placement), self.video(for: placement, terms))
        default: .banner(self.banner(for: placement))
        }
    }

    private func banner(for placement: YabbiPlacement) -> BidRequest.Banner {
        let said = self.additions.banner
        var banner = BidRequest.Banner(placement.size)
        if !said.sizes.isEmpty {
            var sizes: [WholeSize] = []
            for size in ([placement.size] + said.sizes).compactMap(WholeSize.init) where !sizes.contains(size) {
                sizes.append(size)
            }
            let exact = sizes.first.map(BidRequest.Banner.Sizes.exactly) ?? .unknown
            banner.sizes = sizes.count > 1 ? .anyOf(sizes) : exact
        }
        banner.apis = said.apis
        banner.expandableDirections = said.expandableDirections
        banner.blockedTypes = said.blockedTypes
        banner.position = said.position ?? (placement.format == .banner ? nil : .fullScreen)
        return banner
    }

    /// A video over the whole screen: the player shows no other.
    private func video(for placement: YabbiPlacement, _ terms: AdContext.LoadTerms?) -> BidRequest.Video {
        let said = self.additions.video
        var video = BidRequest.Video(size: placement.size, for: terms)
        // Overlays are not rewarded.
        if placement.format == .rewarded { video.linearity = .linear }
        if let minimum = said.minimumDuration {
            let maximum = terms?.maximumDuration
            video.durations = maximum.map { .between(min(minimum, $0)...$0) } ?? .atLeast(minimum)
        }
        video.startDelay = said.startDelay
        video.plcmt = said.plcmt ?? .interstitial
        video.placement = said.placement ?? .interstitial
        // The user can skip where the markup says so, and never a rewarded video.
        video.skip = .byMarkupOnly
        video.playback = said.playback
        video.apis = said.apis
        video.position = .fullScreen
        return video
    }

    /// Its offers are bids.
    public var sendsBids: Bool { true }

    /// Parses the bids, the highest first; there is none for 204, an empty body, a no-bid reason (`nbr`), and when no
    /// bid matches the impression.
    ///
    /// A bid that can't be shown is an issue, and so is a value that the request could not contain.
    public func offers(
        from response: AdHTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        let issues = self.bidRequest(for: placement, in: context).written().issues
        guard let body = try ResponseReader.body(of: response) else { return .noFill.adding(issues) }
        let reader = BidReader(
            self.name,
            bundle: self.app.bundle,
            guarantee: self.guarantee,
            viewPolicy: self.viewPolicy
        )
        return try reader.bids(in: body, response.headers["Content-Type"], for: placement.format, in: context)
            .rewarding(placement.reward).adding(issues)
    }
}
