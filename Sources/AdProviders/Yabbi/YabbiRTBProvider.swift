public import AdCore
import AdMarkup
import OpenRTB

/// YABBI's placements asked for as an exchange is asked: an OpenRTB 2.6 BidRequest with `app` in place of `site`.
public struct YabbiRTBProvider: AdProvider {
    /// `openrtb`.
    public let name: ProviderName = "openrtb"
    /// The whole address of the auction call.
    public let endpoint: HTTPURL
    /// The app that asks.
    public let app: YabbiApp
    /// What becomes of a beacon of which nobody knows whether it arrived.
    public let guarantee: DeliveryGuarantee
    /// When an ad counts as viewed.
    public let viewPolicy: ViewabilityPolicy

    private static let impressionID = "1"

    /// A provider that asks at this address for this app.
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

    /// The same facts as in YABBI's own request, at the places that OpenRTB has for them.
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

    /// The best bid that can be shown as an offer; none for 204, an empty body, a reason in `nbr`, and no bid for the
    /// impression.
    ///
    /// A bid that can't be shown is an issue where another one can, and an error where none can.
    public func offers(
        from response: AdHTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        guard let body = try Answer.body(of: response) else { return .noFill }
        let (json, repairs) = try Answer.object(body, of: response)
        let answer = try BidResponse(reading: json, to: context.requestID)
        var issues = answer.issues + repairs
        var first: AdError?
        // A video may turn out to be none when its wrappers are followed: then the next best bid's turn has come.
        var videos: [Proposal] = []
        for bid in answer.ranked(for: YabbiRTBProvider.impressionID) {
            do throws(AdError) {
                switch try self.proposal(bid, of: answer, for: placement, in: context) {
                case .offer(let offer)?: return OfferBatch(videos + [.offer(offer)], issues: issues)
                case .video(let video)?: videos.append(.video(video))
                case nil: issues.append(self.passedOver(bid, "there is nothing to see in it"))
                }
            } catch {
                first = first ?? error
                issues.append(self.passedOver(bid, error.message))
            }
        }
        if let first, videos.isEmpty { throw first }
        return OfferBatch(videos, issues: issues)
    }

    private func passedOver(_ bid: BidResponse.Bid, _ reason: String) -> AdIssue {
        AdIssue("bid.passedOver", at: .field("seatbid"), "the bid of \(bid.price) was passed over: \(reason)")
    }

    /// A bid as a proposal; nil where there is nothing to see in it.
    private func proposal(
        _ bid: BidResponse.Bid,
        of answer: BidResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> Proposal? {
        guard let markup = bid.markup, !markup.trimmed.isEmpty else {
            // Markup may also be the body of the win notice; fetching it is no part of an answer's reading.
            guard bid.winNotice != nil else { return nil }
            throw AdError(.unsupportedCreative, "the bid has its markup behind nurl, and only adm is read; ask for adm")
        }
        let isVideo = try self.checkIsVideo(bid, markup, for: placement)
        let macros = PriceMacros(
            auctionID: answer.id ?? context.requestID,
            bidID: answer.bidID,
            impressionID: bid.impressionID,
            seatID: bid.seat,
            adID: bid.adID,
            price: bid.price,
            currency: answer.currency
        )
        let filled = macros.filled(markup)
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
        guard let creative = try BannerCreative.read(filled.text) else { return nil }
        let offer = Offer(
            provider: self.name,
            creative: creative,
            terms: ShowRules(
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

    /// Refuses what can't be shown in a placement, and says whether it is a video.
    private func checkIsVideo(
        _ bid: BidResponse.Bid,
        _ markup: String,
        for placement: YabbiPlacement
    ) throws(AdError) -> Bool {
        let kind = MarkupKind(sniffing: markup)
        let isVideo = kind == .vast || kind == .vmap
        switch (bid.type, isVideo) {
        case (nil, _) where bid.rawType != nil:
            throw AdError(.unknownType, "the bid is of mtype \(bid.rawType ?? 0), and only 1 to 4 are known")
        case (.audio, _), (.native, _):
            throw AdError(
                .unsupportedCreative,
                "the bid is of mtype \(bid.rawType ?? 0) (audio or native), which is not shown"
            )
        case (.banner, true):
            throw AdError(
                .markupMismatch,
                "the bid is of mtype 1 (banner), which needs HTML, and its adm is \(kind)"
            )
        case (.video, false):
            throw AdError(
                .markupMismatch,
                "the bid is of mtype 2 (video), which needs VAST, and its adm is \(kind)"
            )
        case (.video, true), (nil, true):
            guard placement.format != .banner else {
                throw AdError(.formatMismatch, "the bid is a video, and a placement for banner can't show it")
            }
            return true
        case (.banner, false), (nil, false):
            break
        }
        switch kind {
        case .html, .text, .empty: break
        case .vast, .vmap, .xml, .json, .binary:
            throw AdError(.markupMismatch, "the bid is a banner, which needs HTML, and its adm is \(kind)")
        }
        guard placement.format == .banner || placement.format == .interstitial else {
            throw AdError(
                .formatMismatch,
                "the bid is a banner, and a placement for \(placement.format.rawValue) can't show it"
            )
        }
        return false
    }

    /// The billing notice is sent with the view.
    ///
    /// The win notice is not: whoever shows the ad did not hold the auction, and it must never stand for a view.
    private func beacons(
        of bid: BidResponse.Bid,
        _ macros: PriceMacros,
        _ context: AdContext
    ) -> ([BeaconTemplate], [AdIssue]) {
        guard let template = bid.billingNotice else {
            return (
                [], [AdIssue("burl.missing", at: .field("burl"), "there is none, and no server is told of the view")]
            )
        }
        let filled = macros.filled(template.text)
        let address = BeaconAddress(filled.text)
        let unusable = address.fault.map {
            AdIssue("burl.noURL", at: .field("burl"), "\($0); the beacon of the view is never sent, and listed as dead")
        }
        var headers: AdHTTPHeaders = [:]
        headers["User-Agent"] = context.userAgent
        let call = BeaconCall(.get, address, headers: headers, guarantee: self.guarantee, isBilling: true)
        return ([BeaconTemplate(.view, call)], filled.issues + [unusable].compactMap { $0 })
    }
}
