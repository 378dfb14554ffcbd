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
            guard proposals.count < AuctionMachine.offerLimit else {
                let text = "only the \(AuctionMachine.offerLimit) highest bids take part; the others are not told"
                issues.append(AdIssue("bids.surplus", at: .field("seatbid"), text))
                break
            }
            let terms = self.terms(of: bid, in: response, context)
            do throws(AdError) {
                proposals.append(try self.proposal(bid, terms, for: format, in: context))
            } catch {
                let text = "the bid at price \(bid.price) was skipped: \(error.message)"
                issues.append(AdIssue("bid.passedOver", at: .field("seatbid"), text))
                rejected.append(RejectedBid(terms.info, error.lossReason, error))
            }
        }
        for bid in response.bids where bid.impressionID != BidReader.impressionID {
            let text = "the bid is for another impression: \(bid.impressionID.excerpt())"
            issues.append(AdIssue("bid.impid.other", at: .field("seatbid"), "\(text); it was left out"))
            let error = AdError(.unreadableResponse, text)
            rejected.append(RejectedBid(self.terms(of: bid, in: response, context).info, .invalidBid, error))
        }
        rejected += response.invalidBids.map { self.rejected($0, in: response, context) }
        guard rejected.count > AuctionMachine.offerLimit else {
            return OfferBatch(proposals, rejected: rejected, issues: issues)
        }
        let text = "only \(AuctionMachine.offerLimit) of \(rejected.count) bids that can't be shown are told so"
        issues.append(AdIssue("bids.surplus", at: .field("seatbid"), text))
        return OfferBatch(proposals, rejected: Array(rejected.prefix(AuctionMachine.offerLimit)), issues: issues)
    }

    // MARK: One bid

    /// What a bid says besides its creative.
    private struct Terms {
        let macros: PriceMacros
        let info: OfferInfo
    }

    /// A bid that can't be understood; its bidder is told so.
    private func rejected(
        _ bid: BidResponse.InvalidBid,
        in response: BidResponse,
        _ context: AdContext
    ) -> RejectedBid {
        let macros = PriceMacros(
            auctionID: response.id ?? context.requestID,
            bidID: response.bidID,
            impressionID: bid.impressionID,
            seatID: bid.seat,
            currency: response.currency
        )
        var info = OfferInfo()
        info.seat = bid.seat
        info.notices = BidNotices(
            wins: [],
            loss: bid.lossNotice,
            macros: macros,
            userAgent: context.userAgent,
            guarantee: self.guarantee
        )
        return RejectedBid(info, .invalidBid, AdError(.unreadableResponse, bid.reason))
    }

    private func terms(of bid: BidResponse.Bid, in response: BidResponse, _ context: AdContext) -> Terms {
        let macros = PriceMacros(
            auctionID: response.id ?? context.requestID,
            bidID: response.bidID,
            impressionID: bid.impressionID,
            seatID: bid.seat,
            adID: bid.adID,
            price: bid.price,
            currency: response.currency,
            // In a first-price auction, the price is the bid; a bid is for one impression.
            marketBidRatio: 1,
            multiplier: 1
        )
        let notices = BidNotices(
            wins: [bid.winNotice, bid.prebid.winEvent].compactMap { $0 },
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
        info.attribution = bid.attribution
        return Terms(macros: macros, info: info)
    }

    private func proposal(
        _ bid: BidResponse.Bid,
        _ terms: Terms,
        for format: AdFormat,
        in context: AdContext
    ) throws(AdError) -> Proposal {
        guard let markup = bid.markup, !markup.trimmed.isEmpty else {
            return try self.served(bid, terms, for: format, in: context)
        }
        return try self.proposal(bid, terms, markup, for: format, in: context)
    }

    /// A bid without markup, which its win notice may return (OpenRTB 2.6 §4.3.1).
    private func served(
        _ bid: BidResponse.Bid,
        _ terms: Terms,
        for format: AdFormat,
        in context: AdContext
    ) throws(AdError) -> Proposal {
        guard let notice = bid.winNotice else { throw BidReader.noContent }
        guard let url = HTTPURL(terms.macros.substituted(in: notice.text).text) else {
            throw AdError(.incompleteOffer, "the bid has no adm, and its nurl is no URL")
        }
        var headers: AdHTTPHeaders = [:]
        headers["User-Agent"] = context.userAgent
        let request = AdHTTPRequest(.get, url, headers: headers, limits: ServedMarkup.limits, repetition: .counted)
        return .served(
            ServedMarkup(request, info: terms.info, lifetime: bid.lifetime) { markup throws(AdError) in
                guard !markup.trimmed.isEmpty else { throw BidReader.noContent }
                return try self.proposal(bid, terms, markup, for: format, in: context)
            }
        )
    }

    private func proposal(
        _ bid: BidResponse.Bid,
        _ terms: Terms,
        _ markup: String,
        for format: AdFormat,
        in context: AdContext
    ) throws(AdError) -> Proposal {
        let isVideo = try bid.isVideo(markup, for: format)
        let filled = terms.macros.substituted(in: markup)
        let (beacons, notices) = self.beacons(of: bid, terms.macros, context)
        let issues = filled.issues + notices
        if isVideo {
            var video = VideoProposal(
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
            video.reward = format == .rewarded ? bid.prebid.reward : nil
            return .video(video)
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
        let templates = [bid.billingNotice, bid.prebid.impressionEvent].compactMap { $0 }
        guard !templates.isEmpty else {
            return ([], [AdIssue("burl.missing", at: .field("burl"), "no burl; the view is not tracked")])
        }
        var headers: AdHTTPHeaders = [:]
        headers["User-Agent"] = context.userAgent
        var beacons: [BeaconTemplate] = []
        var issues: [AdIssue] = []
        for template in templates {
            let filled = macros.withoutTime.substituted(in: template.text)
            issues += filled.issues
            let beacon = BeaconTemplate(.view, timed: filled.text) { address in
                BeaconCall(.get, address, headers: headers, guarantee: self.guarantee, isBilling: true)
            }
            if let reason = beacon.call.address.uncallableReason {
                let text = "\(reason); the view beacon is recorded as dead and never sent"
                issues.append(AdIssue("burl.noURL", at: .field("burl"), text))
            }
            beacons.append(beacon)
        }
        return (beacons, issues)
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
