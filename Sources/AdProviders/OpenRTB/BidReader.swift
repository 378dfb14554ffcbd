package import AdCore
import AdMarkup
import OpenRTB

/// Reads OpenRTB 2.6 responses, wherever they come from.
package struct BidReader: Sendable {
    package let name: ProviderName
    private let bundle: String?
    private let guarantee: DeliveryGuarantee
    private let viewPolicy: ViewabilityPolicy

    /// Creates a reader; `bundle` is the app's bundle id.
    package init(
        _ name: ProviderName = "openrtb",
        bundle: String?,
        guarantee: DeliveryGuarantee = .atMostOnce,
        viewPolicy: ViewabilityPolicy = .anyPixel
    ) {
        self.name = name
        self.bundle = bundle
        self.guarantee = guarantee
        self.viewPolicy = viewPolicy
    }

    /// The id of the only impression of a request.
    static let impressionID = "1"

    /// The offers for a placement of a format; an error if there are bids, and none of them can be shown.
    package func offers(
        in body: [UInt8],
        _ type: String? = nil,
        for format: AdFormat,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        let batch = try self.bids(in: body, type, for: format, in: context)
        if batch.proposals.isEmpty, let bid = batch.rejected.first(where: { $0.error.code != .noFill }) {
            throw bid.error
        }
        return batch
    }

    /// The bids for a placement of a format, the highest first; those that can't be shown are rejected, with an issue.
    func bids(
        in body: [UInt8],
        _ type: String?,
        for format: AdFormat,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        let (json, repairs) = try ResponseReader.object(body, contentType: type)
        let response = try BidResponse(parsing: json, to: context.requestID)
        var issues = response.issues + repairs
        var proposals: [Proposal] = []
        var rejected: [RejectedBid] = []
        for bid in response.ranked(for: BidReader.impressionID) {
            let terms = self.terms(of: bid, in: response, context)
            do throws(AdError) {
                proposals.append(try self.proposal(bid, terms, for: format, in: context))
            } catch {
                let text = "the bid at price \(bid.price) was skipped: \(error.message)"
                issues.append(AdIssue("bid.passedOver", at: .field("seatbid"), text))
                rejected.append(RejectedBid(terms.notices, error.lossReason, error))
            }
        }
        return OfferBatch(proposals, rejected: rejected, issues: issues)
    }

    // MARK: One bid

    /// What a bid says besides its creative.
    private struct Terms {
        let macros: PriceMacros
        let notices: BidNotices
        let info: OfferInfo
    }

    private func terms(of bid: BidResponse.Bid, in response: BidResponse, _ context: AdContext) -> Terms {
        let macros = PriceMacros(
            auctionID: response.id ?? context.requestID,
            bidID: response.bidID,
            impressionID: bid.impressionID,
            seatID: bid.seat,
            adID: bid.adID,
            price: bid.price,
            currency: response.currency
        )
        let notices = BidNotices(
            win: bid.winNotice,
            loss: bid.lossNotice,
            macros: macros,
            userAgent: context.userAgent,
            guarantee: self.guarantee
        )
        var info = OfferInfo(price: AdCurrency(response.currency).map { AdPrice(bid.price, $0) })
        info.advertiserDomains = bid.domains
        info.campaignID = bid.campaignID
        info.creativeID = bid.creativeID
        info.categories = bid.categories
        info.seat = bid.seat
        info.notices = notices
        return Terms(macros: macros, notices: notices, info: info)
    }

    private func proposal(
        _ bid: BidResponse.Bid,
        _ terms: Terms,
        for format: AdFormat,
        in context: AdContext
    ) throws(AdError) -> Proposal {
        guard let markup = bid.markup, !markup.trimmed.isEmpty else {
            // Markup may also be returned by the win notice (OpenRTB 2.6 §4.3.1), but it is not requested.
            guard bid.winNotice != nil else { throw BidReader.noContent }
            throw AdError(.unsupportedCreative, "the markup is served by the win notice (nurl); only adm is supported")
        }
        let isVideo = try bid.isVideo(markup, for: format)
        let filled = terms.macros.substituted(in: markup)
        let (beacons, notices) = self.beacons(of: bid, terms.macros, context)
        let issues = filled.issues + notices
        if isVideo {
            return .video(
                VideoProposal(
                    provider: self.name,
                    markup: filled.text,
                    isRewarded: format == .rewarded,
                    lifetime: bid.lifetime,
                    viewPolicy: self.viewPolicy,
                    beacons: beacons,
                    context: context,
                    appBundle: self.bundle,
                    guarantee: self.guarantee,
                    info: terms.info,
                    issues: issues
                )
            )
        }
        guard let creative = try BannerCreative.parse(filled.text) else { throw BidReader.noContent }
        let kind: ShowRules.Kind = format == .banner ? .banner : .interstitial
        return .offer(
            Offer(
                provider: self.name,
                creative: creative,
                rules: ShowRules(kind, lifetime: bid.lifetime, viewPolicy: self.viewPolicy),
                size: RequestedSize(width: bid.width, height: bid.height),
                beacons: beacons,
                info: terms.info,
                issues: issues
            )
        )
    }

    private static let noContent = AdError(.noFill, "the creative has no visible content")

    /// The beacon for the billing notice (`burl`, OpenRTB 2.6 §4.2.3), which is sent with the view.
    private func beacons(
        of bid: BidResponse.Bid,
        _ macros: PriceMacros,
        _ context: AdContext
    ) -> ([BeaconTemplate], [AdIssue]) {
        guard let template = bid.billingNotice else {
            return ([], [AdIssue("burl.missing", at: .field("burl"), "no burl; the view is not tracked")])
        }
        let filled = macros.substituted(in: template.text)
        let address = BeaconAddress(filled.text)
        let unusable = address.uncallableReason.map {
            AdIssue("burl.noURL", at: .field("burl"), "\($0); the view beacon is recorded as dead and never sent")
        }
        var headers: AdHTTPHeaders = [:]
        headers["User-Agent"] = context.userAgent
        let call = BeaconCall(.get, address, headers: headers, guarantee: self.guarantee, isBilling: true)
        return ([BeaconTemplate(.view, call)], filled.issues + [unusable].compactMap { $0 })
    }
}

extension AdError {
    /// What the bidder is told of a bid that can't be shown for this error.
    fileprivate var lossReason: LossReason {
        switch self.code {
        case .formatMismatch, .markupMismatch, .unknownType: .wrongFormat
        case .noFill: .missingMarkup
        default: .filtered
        }
    }
}
