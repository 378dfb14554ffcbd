public import AdCore

/// Where an app shows campaigns, and how many at a time.
public enum ActiveAdsPlacement: String, Hashable, Sendable, CaseIterable {
    /// Among the entries of a feed: at most three.
    case feed
    /// Side by side in a carousel: all of them.
    case banner
    /// By itself: one.
    case popup

    /// How many are served at a time; nil for all.
    public var most: Int? {
        switch self {
        case .feed: 3
        case .banner: nil
        case .popup: 1
        }
    }

    /// Where a feed's cards stand: behind the fourth entry.
    public static let feedRule = FeedInserter(after: 4, most: 3)
}

/// ActiveAds: the same campaigns for everybody, and nothing about anybody leaves the device.
///
/// No key is sent, because the protocol forbids an auth token in its requests: a server that asks for one answers 401,
/// and its error says how to deploy the functions without.
///
/// ```swift
/// let loader = AdLoader(ActiveAdsProvider(base: base), services: services)
/// let cards = try await loader.loadAll(.feed)
/// let rows = ActiveAdsPlacement.feedRule.rows(of: posts, with: cards)
/// ```
public struct ActiveAdsProvider: AdProvider {
    /// `activeads`.
    public let name: ProviderName = "activeads"
    /// Where its functions are, up to `/functions/v1`.
    public let base: HTTPURL
    /// Schemes besides http and https to which a card may lead.
    public let allowedSchemes: Set<String>
    /// What becomes of a click of which nobody knows whether it arrived.
    public let guarantee: DeliveryGuarantee

    /// Where campaigns are asked for; nil where that can't be an address.
    private let listURL: HTTPURL?

    /// How long an answer serves.
    static let freshness = Duration.seconds(300)
    /// More campaigns than these of one answer are not read.
    static let mostCampaigns = 500

    /// A provider at an address.
    public init(
        base: HTTPURL,
        allowedSchemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce
    ) {
        self.base = base
        self.listURL = try? base.call("/get-active-ads")
        self.allowedSchemes = allowedSchemes
        self.guarantee = guarantee
    }

    /// The request: the format, and nothing else of anything.
    public func request(for placement: ActiveAdsPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        let body: AdJSON = ["format": .string(placement.rawValue)]
        let url: HTTPURL
        if let listURL { url = listURL } else { url = try self.base.call("/get-active-ads") }
        return AdHTTPRequest(.post, url, headers: .neutralJSON(), body: body.bytes(.sorted))
    }

    /// The campaigns in an answer; none for 204, an empty body and an empty list.
    public func offers(
        from response: AdHTTPResponse,
        for placement: ActiveAdsPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        switch response.status {
        case 400:
            let text = "the server answered with status 400: it does not know the format \(placement.rawValue)"
            throw AdError(.serverStatus, text + "; check that the base address ends with /functions/v1")
        case 401, 403:
            let text = "the server answered with status \(response.status): it wants a key, and none is ever sent"
            let cure = "deploy get-active-ads and track-ad-click without verification of keys (--no-verify-jwt)"
            throw AdError(.unauthorized, "\(text); \(cure)")
        case 500:
            let text = "the server answered with status 500: its function failed; its own log says why"
            throw AdError(.serverStatus, text)
        default: break
        }
        guard let body = try Answer.body(of: response) else { return .noFill }
        let (json, repairs) = try Answer.object(body, of: response)
        if let error = AdError.foreign(json, hasNoneOf: "ads") { throw error }
        guard let list = json["ads"], list != .null else { return OfferBatch(offers: [], issues: repairs) }
        guard let campaigns = list.array else {
            throw AdError(.unreadableAnswer, "ads is \(list.kind) where a list should be")
        }
        var issues = repairs
        if campaigns.count > Self.mostCampaigns {
            let text = "there are \(campaigns.count), and only the first \(Self.mostCampaigns) were read"
            issues.append(AdIssue("ads.tooMany", at: .field("ads"), text))
        }
        // The same for each campaign.
        let click = TrackingURL(try self.base.call("/track-ad-click"))
        let headers = AdHTTPHeaders.neutralJSON()
        var offers: [Offer] = []
        offers.reserveCapacity(campaigns.count)
        for (index, campaign) in campaigns.prefix(Self.mostCampaigns).enumerated() {
            do throws(AdError) {
                offers.append(try self.offer(campaign, index, placement) { self.click($0, click, headers) })
            } catch {
                issues += error.issues + [AdIssue("ads.leftOut", at: .field("ads[\(index)]"), error.message)]
            }
        }
        if offers.isEmpty, !campaigns.isEmpty {
            throw AdError(.incompleteOffer, "none of the \(campaigns.count) campaigns can be shown", issues: issues)
        }
        return OfferBatch(offers: offers, issues: issues)
    }

    /// Five minutes; what was shown may be shown again.
    public func cachePolicy(in context: AdContext) -> CachePolicy? { CachePolicy(Self.freshness, includesShown: true) }

    /// So many at random, without regard to the user or the bid, in the server's order.
    public func choice(
        among proposals: [Proposal],
        for placement: ActiveAdsPlacement,
        random: inout some RandomNumberGenerator
    ) -> [Int] {
        guard let most = placement.most, proposals.count > most else { return Array(proposals.indices) }
        // As far into a shuffle as places are needed.
        var places = Array(proposals.indices)
        for index in 0..<most { places.swapAt(index, Int.random(in: index..<places.count, using: &random)) }
        return places.prefix(most).sorted()
    }

    private func offer(
        _ json: AdJSON,
        _ index: Int,
        _ placement: ActiveAdsPlacement,
        _ click: (String) -> BeaconTemplate
    ) throws(AdError) -> Offer {
        let campaign = try ActiveAdsCampaign(reading: json, index, placement, allowing: self.allowedSchemes)
        return Offer(
            provider: self.name,
            creative: .card(campaign.card),
            terms: ShowRules(
                .card,
                closeControl: placement == .popup ? .button : .host,
                clickThrough: campaign.card.link,
                // Of a carousel's cards those beside the one that is seen stand in its margins.
                viewPolicy: placement == .banner ? .halfInView : .anyPixel
            ),
            size: .adaptive,
            beacons: campaign.id.map { [click($0)] } ?? [],
            details: campaign.details,
            issues: campaign.issues
        )
    }

    /// Tells of a click on a campaign.
    package func click(_ campaign: String) throws(AdError) -> BeaconTemplate {
        self.click(campaign, TrackingURL(try self.base.call("/track-ad-click")), .neutralJSON())
    }

    private func click(_ campaign: String, _ url: TrackingURL, _ headers: AdHTTPHeaders) -> BeaconTemplate {
        let body: AdJSON = ["campaign_id": .string(campaign)]
        let call = BeaconCall(.post, url, headers: headers, body: body.bytes(.sorted), guarantee: self.guarantee)
        return BeaconTemplate(.click, call)
    }
}
