public import AdCore
import AdMarkup
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
    /// The interfaces of the stage that shows banners (`imp.banner.api`); a server takes others for missing.
    package var bannerAPIs: [APIFramework] = []

    fileprivate static let impressionID = "1"

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
        // The request's header says 2.6.
        request.readers = .openRTB26
        var headers: AdHTTPHeaders = [
            "Content-Type": "application/json", "Accept": "application/json", "x-openrtb-version": "2.6",
        ]
        headers["User-Agent"] = context.userAgent
        return AdHTTPRequest(.post, self.endpoint, headers: headers, body: request.json.bytes(.sorted))
    }

    /// The accepted ad format: a video for a rewarded placement, HTML for the others.
    private func media(for placement: YabbiPlacement, _ terms: AdContext.LoadTerms?) -> BidRequest.Impression.Media {
        guard placement.format != .rewarded else {
            var video = BidRequest.Video(size: placement.size, for: terms)
            // Overlays are not rewarded.
            video.linearity = .linear
            return .video(video)
        }
        var banner = BidRequest.Banner(placement.size)
        banner.apis = self.bannerAPIs
        return .banner(banner)
    }

    /// Parses the best bid that can be shown; there is none for 204, an empty body, a no-bid reason (`nbr`), and when
    /// no bid matches the impression.
    ///
    /// A bid that can't be shown is an issue when another one can, and an error when none can.
    public func offers(
        from response: AdHTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        guard let body = try ResponseReader.body(of: response) else { return .noFill }
        let reading = YabbiRTBOffers(app: self.app, guarantee: self.guarantee, viewPolicy: self.viewPolicy)
        return try reading.offers(in: body, response.headers["Content-Type"], for: placement, in: context)
    }
}

/// Parses the body of an OpenRTB response, wherever it comes from.
package struct YabbiRTBOffers: Sendable {
    package let name: ProviderName = "openrtb"
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
        let bidResponse = try BidResponse(parsing: json, to: context.requestID)
        var issues = bidResponse.issues + repairs
        var first: AdError?
        // Resolving a video's wrappers may end without an ad; then the next best bid is tried.
        var videos: [Proposal] = []
        for bid in bidResponse.ranked(for: YabbiRTBProvider.impressionID) {
            do throws(AdError) {
                switch try self.proposal(bid, of: bidResponse, for: placement, in: context) {
                case .offer(let offer)?: return OfferBatch(videos + [.offer(offer)], issues: issues)
                case .video(let video)?: videos.append(.video(video))
                case nil: issues.append(self.skipped(bid, "the creative has no visible content"))
                }
            } catch {
                first = first ?? error
                issues.append(self.skipped(bid, error.message))
            }
        }
        if let first, videos.isEmpty { throw first }
        return OfferBatch(videos, issues: issues)
    }

    private func skipped(_ bid: BidResponse.Bid, _ reason: String) -> AdIssue {
        AdIssue("bid.passedOver", at: .field("seatbid"), "the bid at price \(bid.price) was skipped: \(reason)")
    }

    /// Converts a bid to a proposal; nil when the creative has no visible content.
    private func proposal(
        _ bid: BidResponse.Bid,
        of bidResponse: BidResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> Proposal? {
        guard let markup = bid.markup, !markup.trimmed.isEmpty else {
            // Markup may also be returned by the win notice (OpenRTB 2.6 §4.3.1), but it is not requested.
            guard bid.winNotice != nil else { return nil }
            throw AdError(.unsupportedCreative, "the markup is served by the win notice (nurl); only adm is supported")
        }
        let isVideo = try self.checkIsVideo(bid, markup, for: placement)
        let macros = PriceMacros(
            auctionID: bidResponse.id ?? context.requestID,
            bidID: bidResponse.bidID,
            impressionID: bid.impressionID,
            seatID: bid.seat,
            adID: bid.adID,
            price: bid.price,
            currency: bidResponse.currency
        )
        let filled = macros.substituted(in: markup)
        let (beacons, notices) = self.beacons(of: bid, macros, context)
        if isVideo {
            return .video(
                VideoProposal(
                    provider: self.name,
                    markup: filled.text,
                    isRewarded: placement.format == .rewarded,
                    lifetime: bid.lifetime,
                    viewPolicy: self.viewPolicy,
                    beacons: beacons,
                    context: context,
                    appBundle: self.app.bundle,
                    guarantee: self.guarantee,
                    issues: filled.issues + notices
                )
            )
        }
        guard let creative = try BannerCreative.parse(filled.text) else { return nil }
        let offer = Offer(
            provider: self.name,
            creative: creative,
            rules: ShowRules(
                placement.format == .banner ? .banner : .interstitial,
                lifetime: bid.lifetime,
                viewPolicy: self.viewPolicy
            ),
            size: RequestedSize(width: bid.width, height: bid.height),
            beacons: beacons,
            issues: filled.issues + notices
        )
        return .offer(offer)
    }

    /// Throws an error for a bid that the placement can't show, and returns whether the bid is a video.
    private func checkIsVideo(
        _ bid: BidResponse.Bid,
        _ markup: String,
        for placement: YabbiPlacement
    ) throws(AdError) -> Bool {
        let kind = MarkupKind(sniffing: markup)
        let isVideo = kind == .vast || kind == .vmap
        switch (bid.type, isVideo) {
        case (nil, _) where bid.rawType != nil:
            throw AdError(.unknownType, "unknown mtype \(bid.rawType ?? 0) in the bid; known types are 1 to 4")
        case (.audio, _), (.native, _):
            throw AdError(
                .unsupportedCreative,
                "the bid has mtype \(bid.rawType ?? 0) (audio or native), which is not supported"
            )
        case (.banner, true):
            throw AdError(
                .markupMismatch,
                "the bid has mtype 1 (banner), which needs HTML, but its adm is \(kind)"
            )
        case (.video, false):
            throw AdError(
                .markupMismatch,
                "the bid has mtype 2 (video), which needs VAST, but its adm is \(kind)"
            )
        case (.video, true), (nil, true):
            guard placement.format != .banner else {
                throw AdError(.formatMismatch, "the bid is a video, which a banner placement can't show")
            }
            return true
        case (.banner, false), (nil, false):
            break
        }
        switch kind {
        case .html, .text, .empty: break
        case .vast, .vmap, .xml, .json, .binary:
            throw AdError(.markupMismatch, "the bid is a banner, which needs HTML, but its adm is \(kind)")
        }
        guard placement.format == .banner || placement.format == .interstitial else {
            throw AdError(
                .formatMismatch,
                "the bid is a banner, which a \(placement.format.rawValue) placement can't show"
            )
        }
        return false
    }

    /// The beacon for the billing notice (`burl`), which is sent with the view.
    ///
    /// The win notice (`nurl`) is not called: the app did not hold the auction, and a win is not a view.
    private func beacons(
        of bid: BidResponse.Bid,
        _ macros: PriceMacros,
        _ context: AdContext
    ) -> ([BeaconTemplate], [AdIssue]) {
        guard let template = bid.billingNotice else {
            return (
                [], [AdIssue("burl.missing", at: .field("burl"), "no burl; the view is not tracked")]
            )
        }
        let filled = macros.substituted(in: template.text)
        let address = BeaconAddress(filled.text)
        let unusable = address.fault.map {
            AdIssue("burl.noURL", at: .field("burl"), "\($0); the view beacon is recorded as dead and never sent")
        }
        var headers: AdHTTPHeaders = [:]
        headers["User-Agent"] = context.userAgent
        let call = BeaconCall(.get, address, headers: headers, guarantee: self.guarantee, isBilling: true)
        return ([BeaconTemplate(.view, call)], filled.issues + [unusable].compactMap { $0 })
    }
}
