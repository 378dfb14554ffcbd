public import AdCore

/// Where an app shows campaigns; decides how many are served at a time.
public enum ActiveAdsPlacement: String, Hashable, Sendable, CaseIterable {
    /// Between the entries of a feed: at most three.
    case feed
    /// In a carousel: all of them.
    case banner
    /// In a popup: one.
    case popup

    /// The maximum number of campaigns that are served at a time; nil for all.
    public var maximumCount: Int? {
        switch self {
        case .feed: 3
        case .banner: nil
        case .popup: 1
        }
    }

    /// Where the cards of a feed are inserted: after the fourth entry.
    public static let feedRule = FeedInserter(after: 4, limit: 3)
}

/// ActiveAds: a campaign list that is the same for every user.
///
/// The request contains the format only: no user id, no location, no advertising id. No key is sent either, because the
/// protocol forbids an auth token in its requests. A server that demands one responds with 401, and the error has the
/// way to deploy its functions without key verification.
///
/// ```swift
/// let loader = AdLoader(ActiveAdsProvider(base: base), services: services)
/// let cards = try await loader.loadAll(.feed)
/// let rows = ActiveAdsPlacement.feedRule.rows(of: posts, with: cards)
/// ```
public struct ActiveAdsProvider: AdProvider {
    /// `activeads`.
    public let name = Self.provider
    /// The base URL of the functions, up to `/functions/v1`.
    public let base: HTTPURL
    /// URL schemes that a click-through URL may have, besides http and https.
    public let allowedSchemes: Set<String>
    /// What happens to a click beacon when it is unknown whether the server received it.
    public let guarantee: DeliveryGuarantee

    /// The URL of the campaign list; nil when the base URL makes no valid one.
    private let listURL: HTTPURL?

    /// How long a response can be reused.
    static let freshness = Duration.seconds(300)
    /// The maximum number of campaigns that are parsed in one response.
    static let maximumCampaigns = 500

    /// Creates a provider for the server with a base URL.
    public init(
        base: HTTPURL,
        allowedSchemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce
    ) {
        self.base = base
        self.listURL = try? base.endpoint("/get-active-ads")
        self.allowedSchemes = allowedSchemes
        self.guarantee = guarantee
    }

    /// The placement's name.
    public func placementName(of placement: ActiveAdsPlacement) -> String? { placement.rawValue }

    /// Builds the request: its body contains the format and nothing else.
    public func request(for placement: ActiveAdsPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        let body: AdJSON = ["format": .string(placement.rawValue)]
        let url: HTTPURL
        if let listURL { url = listURL } else { url = try self.base.endpoint("/get-active-ads") }
        return AdHTTPRequest(.post, url, headers: .neutralJSON(), body: body.bytes(.sorted))
    }

    /// Parses the campaigns in a response; there are none for 204, an empty body and an empty list.
    public func offers(
        from response: AdHTTPResponse,
        for placement: ActiveAdsPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        switch response.status {
        case 400:
            let text = "the server responded with status 400: it does not know the format \(placement.rawValue)"
            throw AdError(.serverStatus, text + "; check that the base URL ends with /functions/v1")
        case 401, 403:
            let text = "the server responded with status \(response.status): it demands a key, but none is sent"
            let fix = "deploy get-active-ads and track-ad-click without key verification (--no-verify-jwt)"
            throw AdError(.unauthorized, "\(text); \(fix)")
        case 500:
            let text = "the server responded with status 500: its function failed; see the function's log"
            throw AdError(.serverStatus, text)
        default: break
        }
        guard let body = try ResponseReader.body(of: response) else { return .noFill }
        return try Self.offers(
            in: body,
            response.headers["Content-Type"],
            for: placement,
            allowing: self.allowedSchemes,
            guarantee: self.guarantee
        ) { () throws(AdError) in .callable(TrackingURL(try self.base.endpoint(Self.clickPath))) }
    }

    /// The path of the call that reports a click.
    private static let clickPath = "/track-ad-click"
    private static let provider: ProviderName = "activeads"

    /// Parses the body of a response, wherever it comes from.
    ///
    /// Without a server, the address of clicks is only the path of their call.
    package static func offers(
        in body: [UInt8],
        _ type: String? = nil,
        for placement: ActiveAdsPlacement,
        allowing schemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce,
        clicksAt address: () throws(AdError) -> BeaconAddress = { () throws(AdError) in BeaconAddress(clickPath) }
    ) throws(AdError) -> OfferBatch {
        let (json, repairs) = try ResponseReader.object(body, contentType: type)
        if let error = AdError.foreign(json, hasNoneOf: "ads") { throw error }
        guard let list = json["ads"], list != .null else { return OfferBatch(offers: [], issues: repairs) }
        guard let campaigns = list.array else {
            throw AdError(.unreadableResponse, "ads is \(list.kind) where a list should be")
        }
        var issues = repairs
        if campaigns.count > Self.maximumCampaigns {
            let text = "there are \(campaigns.count) campaigns; only the first \(Self.maximumCampaigns) were read"
            issues.append(AdIssue("ads.tooMany", at: .field("ads"), text))
        }
        // All campaigns have the same URL and headers for clicks.
        let click = try address()
        let headers = AdHTTPHeaders.neutralJSON()
        var offers: [Offer] = []
        offers.reserveCapacity(campaigns.count)
        for (index, campaign) in campaigns.prefix(Self.maximumCampaigns).enumerated() {
            do throws(AdError) {
                let campaign = try ActiveAdsCampaign(reading: campaign, index, placement, allowing: schemes)
                offers.append(self.offer(campaign, placement) { self.click($0, click, headers, guarantee) })
            } catch {
                issues += error.issues + [AdIssue("ads.leftOut", at: .field("ads[\(index)]"), error.message)]
            }
        }
        if offers.isEmpty, !campaigns.isEmpty {
            throw AdError(.incompleteOffer, "none of the \(campaigns.count) campaigns can be shown", issues: issues)
        }
        return OfferBatch(offers: offers, issues: issues)
    }

    /// A response can be reused for five minutes, including the campaigns that were already shown.
    public func cachePolicy(in context: AdContext) -> CachePolicy? { CachePolicy(Self.freshness, includesShown: true) }

    /// Draws campaigns at random, without regard to the user or the bid, and keeps the server's order.
    public func choice(
        among proposals: [Proposal],
        for placement: ActiveAdsPlacement,
        random: inout some RandomNumberGenerator
    ) -> [Int] {
        guard let count = placement.maximumCount, proposals.count > count else { return Array(proposals.indices) }
        // A partial Fisher-Yates shuffle: only as many swaps as there are campaigns to serve.
        var indices = Array(proposals.indices)
        for index in 0..<count { indices.swapAt(index, Int.random(in: index..<indices.count, using: &random)) }
        return indices.prefix(count).sorted()
    }

    private static func offer(
        _ campaign: ActiveAdsCampaign,
        _ placement: ActiveAdsPlacement,
        _ click: (String) -> BeaconTemplate
    ) -> Offer {
        Offer(
            provider: self.provider,
            creative: .card(campaign.card),
            rules: ShowRules(
                .card,
                closeControl: placement == .popup ? .button : .host,
                clickThrough: campaign.card.link,
                // In a carousel the neighboring cards are partly visible at the edges.
                viewPolicy: placement == .banner ? .halfInView : .anyPixel
            ),
            size: .adaptive,
            beacons: campaign.id.map { [click($0)] } ?? [],
            details: campaign.details,
            issues: campaign.issues
        )
    }

    /// The beacon for a click on a campaign.
    package func click(_ campaign: String) throws(AdError) -> BeaconTemplate {
        let url = TrackingURL(try self.base.endpoint(Self.clickPath))
        return Self.click(campaign, .callable(url), .neutralJSON(), self.guarantee)
    }

    private static func click(
        _ campaign: String,
        _ address: BeaconAddress,
        _ headers: AdHTTPHeaders,
        _ guarantee: DeliveryGuarantee
    ) -> BeaconTemplate {
        let body: AdJSON = ["campaign_id": .string(campaign)]
        let call = BeaconCall(.post, address, headers: headers, body: body.bytes(.sorted), guarantee: guarantee)
        return BeaconTemplate(.click, call)
    }
}
