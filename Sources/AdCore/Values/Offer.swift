/// An ad that is ready to be shown: creative, rules and beacons.
public struct Offer: Hashable, Sendable {
    /// What an offer consists of, in a box that its copies share, because it is large.
    ///
    /// The issues are not in it: a load adds its own, and the rest stays shared.
    private struct Values: Hashable, Sendable {
        let provider: ProviderName
        let creative: Creative
        var rules: Boxed<ShowRules>
        let size: RequestedSize
        let beacons: [BeaconTemplate]
        let videoBeacons: VideoTrackers
        let details: [AdJSON.Member]
        let identity: String?
        var info: Boxed<OfferInfo>?
    }

    private var boxed: Boxed<Values>
    private var values: Values {
        get { self.boxed.value }
        set { self.boxed = Boxed(newValue) }
    }

    /// The provider that offered it.
    public var provider: ProviderName { self.values.provider }
    /// What the stage displays.
    public var creative: Creative { self.values.creative }
    /// The rules of closing, skipping, expiry and viewability.
    public package(set) var rules: ShowRules {
        get { self.values.rules.value }
        set { self.values.rules = Boxed(newValue) }
    }
    /// The rules in the box that the ad's lifecycle shares.
    package var boxedRules: Boxed<ShowRules> { self.values.rules }
    /// The size that the provider requests; a video requests none and fills its container.
    public var size: RequestedSize { self.values.size }
    /// The beacons of the ad's view and click.
    public var beacons: [BeaconTemplate] { self.values.beacons }
    /// The trackers of its video.
    public var videoBeacons: VideoTrackers { self.values.videoBeacons }
    /// Further fields of the provider, by the provider's own names, for the app; the runtime does not use them.
    public var details: [AdJSON.Member] { self.values.details }
    /// The provider's id of this ad, by which a shown ad is not served again; nil if the provider has none.
    public var identity: String? { self.values.identity }
    /// The price, and who pays it, as far as the provider tells it.
    public package(set) var info: OfferInfo {
        get { self.values.info?.value ?? OfferInfo() }
        set { self.values.info = newValue == OfferInfo() ? nil : Boxed(newValue) }
    }
    /// The repairs made in parsing it.
    public package(set) var issues: [AdIssue]

    /// Creates an offer.
    ///
    /// The size applies to banners, cards and pages; it is ignored for a video.
    public init(
        provider: ProviderName,
        creative: Creative,
        rules: ShowRules,
        size: RequestedSize = .adaptive,
        beacons: [BeaconTemplate] = [],
        videoBeacons: VideoTrackers = VideoTrackers(),
        details: [AdJSON.Member] = [],
        identity: String? = nil,
        info: OfferInfo = OfferInfo(),
        issues: [AdIssue] = []
    ) {
        var rules = rules
        rules.sale.revenue = info.revenue
        self.boxed = Boxed(
            Values(
                provider: provider,
                creative: creative,
                rules: Boxed(rules),
                size: creative.isVideo ? .adaptive : size,
                beacons: beacons,
                videoBeacons: videoBeacons,
                details: details,
                identity: identity,
                info: info == OfferInfo() ? nil : Boxed(info)
            )
        )
        self.issues = issues
    }

    /// The same offer with the transaction of its reward, if it is rewarded.
    ///
    /// The transaction has random bits of its own: trackers are told the ad's id.
    package func rewarding(_ bits: () -> UInt64) -> Offer {
        guard self.rules.isRewarded else { return self }
        var offer = self
        var reward = self.rules.reward ?? AdReward()
        reward.transactionID = AdID(bits: bits()).rawValue
        offer.rules.reward = reward
        guard let url = reward.verificationURL else { return offer }
        if let reason = BeaconAddress(reward.filling(url, for: RewardUser())).uncallableReason {
            let text = "\(reason); the reward will not be verified"
            offer.issues.append(AdIssue("reward.noURL", at: .field("verificationURL"), text))
        }
        return offer
    }

    /// Sets the price that the host knows.
    package mutating func setPrice(_ price: AdPrice) {
        self.info.price = price
        self.info.precision = .publisherGiven
        self.rules.sale.revenue = self.info.revenue
    }

    /// The same offer with these issues in front of its own.
    package func adding(_ issues: [AdIssue]) -> Offer {
        var offer = self
        // A list that is not changed is shared.
        offer.issues = self.issues.isEmpty ? issues : issues + self.issues
        return offer
    }
}

/// What a provider's response contains: an offer, or a video whose wrappers must be resolved first.
public indirect enum Proposal: Hashable, Sendable {
    /// An ad that is ready to be shown.
    case offer(Offer)
    /// A VAST or VMAP document with the other parts of an offer.
    case video(VideoProposal)
    /// A bid whose markup must be fetched first.
    case served(ServedMarkup)

    /// The provider's id of this ad.
    var identity: String? {
        if case .offer(let offer) = self { offer.identity } else { nil }
    }

    /// The same proposal, with a placement's reward where it has none of its own; markup to be fetched has it later.
    fileprivate func rewarding(_ placement: AdReward) -> Proposal {
        switch self {
        case .video(var video) where video.isRewarded:
            video.reward = (video.reward ?? AdReward()).completed(by: placement)
            return .video(video)
        case .served(let markup): return .served(markup.changed { $0.rewarding(placement) })
        case .offer, .video: return self
        }
    }

    /// The price, and who pays it.
    package var info: OfferInfo {
        switch self {
        case .offer(let offer): offer.info
        case .video(let video): video.info
        case .served(let markup): markup.info
        }
    }
}

/// A video ad as a provider sends it: a VAST or VMAP document whose wrappers are not resolved yet.
public struct VideoProposal: Hashable, Sendable {
    /// The provider that sent it.
    public let provider: ProviderName
    /// The VAST or VMAP document, unchanged.
    public let markup: String
    /// Whether watching it to the end earns a reward.
    public let isRewarded: Bool
    /// What it earns, as far as the response or the placement says so.
    public var reward: AdReward?
    /// How long it must be visible before it can be closed; nil if the provider sends none.
    public let closeDelay: Duration?
    /// How long after loading it may be shown; nil if the provider sends none.
    public let lifetime: Duration?
    /// When it counts as viewed.
    public let viewPolicy: ViewabilityPolicy
    /// The provider's own beacons, besides the trackers of the document.
    public let beacons: [BeaconTemplate]
    /// The context of the ad request: the user agent and the values of macros.
    public let context: AdContext
    /// The app's bundle id, for `[APPBUNDLE]`.
    public let appBundle: String?
    /// The delivery guarantee of the document's trackers.
    public let guarantee: DeliveryGuarantee
    /// The price, and who pays it, as far as the provider tells it.
    public let info: OfferInfo
    /// The repairs made in parsing the response.
    public let issues: [AdIssue]

    /// Creates a video proposal.
    public init(
        provider: ProviderName,
        markup: String,
        isRewarded: Bool,
        closeDelay: Duration? = nil,
        lifetime: Duration? = nil,
        viewPolicy: ViewabilityPolicy = .anyPixel,
        beacons: [BeaconTemplate] = [],
        context: AdContext = AdContext(),
        appBundle: String? = nil,
        guarantee: DeliveryGuarantee = .atMostOnce,
        info: OfferInfo = OfferInfo(),
        issues: [AdIssue] = []
    ) {
        self.info = info
        self.provider = provider
        self.markup = markup
        self.isRewarded = isRewarded
        self.closeDelay = closeDelay
        self.lifetime = lifetime
        self.viewPolicy = viewPolicy
        self.beacons = beacons
        self.context = context
        self.appBundle = appBundle
        self.guarantee = guarantee
        self.issues = issues
    }
}

/// The proposals of a provider's response; an empty batch is *no fill*.
public struct OfferBatch: Hashable, Sendable {
    /// The proposals, best first.
    public let proposals: [Proposal]
    /// The repairs made in parsing the response as a whole.
    public private(set) var issues: [AdIssue]
    /// The bids whose creatives can't be shown.
    package private(set) var rejected: [RejectedBid] = []

    /// Creates a batch of proposals.
    public init(_ proposals: [Proposal], issues: [AdIssue] = []) {
        self.proposals = proposals
        self.issues = issues
    }

    /// Creates a batch of bids.
    package init(_ proposals: [Proposal], rejected: [RejectedBid], issues: [AdIssue] = []) {
        self.init(proposals, issues: issues)
        self.rejected = rejected
    }

    /// The same batch, whose rewarded ads have the placement's reward where the response does not say it.
    package func rewarding(_ placement: AdReward?) -> OfferBatch {
        guard let placement else { return self }
        return OfferBatch(self.proposals.map { $0.rewarding(placement) }, rejected: self.rejected, issues: self.issues)
    }

    /// The same batch with further issues, which come first.
    package func adding(_ issues: [AdIssue]) -> OfferBatch {
        issues.isEmpty ? self : self.replacingIssues(issues + self.issues)
    }

    func replacingIssues(_ issues: [AdIssue]) -> OfferBatch {
        var batch = self
        batch.issues = issues
        return batch
    }

    /// Creates a batch of offers.
    public init(offers: [Offer], issues: [AdIssue] = []) {
        self.init(offers.map { .offer($0) }, issues: issues)
    }

    /// The proposals that are offers.
    public var offers: [Offer] {
        self.proposals.compactMap { proposal in
            if case .offer(let offer) = proposal { offer } else { nil }
        }
    }

    /// A response without an ad.
    public static let noFill = OfferBatch(offers: [])
}
