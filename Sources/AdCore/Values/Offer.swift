/// One ad that a provider offers: what to show, under which rules, and whom to tell.
public struct Offer: Hashable, Sendable {
    /// Who offered it.
    public let provider: ProviderName
    /// What to show.
    public let creative: Creative
    /// The rules of its life.
    public package(set) var terms: ShowRules
    /// The size the provider asked for; a video asks for none and fills its container.
    public let size: RequestedSize
    /// Whom to tell of what.
    public let beacons: [BeaconTemplate]
    /// Whom to tell of what happens to its video.
    public let videoBeacons: VideoBeacons
    /// What else the provider says of it, by the provider's own names: for the app, not for the runtime.
    public let details: [AdJSON.Member]
    /// The provider's name for this very ad, where one that was shown must not be served again; nil where it has none.
    public let identity: String?
    /// What was repaired in reading it.
    public package(set) var issues: [AdIssue]

    /// An offer.
    ///
    /// The size is that of a banner, a card or a page: with a video it has no meaning, and is left out.
    public init(
        provider: ProviderName,
        creative: Creative,
        terms: ShowRules,
        size: RequestedSize = .adaptive,
        beacons: [BeaconTemplate] = [],
        videoBeacons: VideoBeacons = VideoBeacons(),
        details: [AdJSON.Member] = [],
        identity: String? = nil,
        issues: [AdIssue] = []
    ) {
        self.details = details
        self.identity = identity
        self.provider = provider
        self.creative = creative
        self.terms = terms
        self.size = creative.isVideo ? .adaptive : size
        self.beacons = beacons
        self.videoBeacons = videoBeacons
        self.issues = issues
    }

    /// The same offer, with what else was repaired before what is known of it.
    package func adding(_ issues: [AdIssue]) -> Offer {
        var offer = self
        offer.issues = issues + self.issues
        return offer
    }
}

/// What a provider proposes: an ad as it is, or a video that has to be asked for on other servers first.
public enum Proposal: Hashable, Sendable {
    /// An ad that can be shown.
    case offer(Offer)
    /// VAST or VMAP, with all the rest of the offer.
    case video(VideoProposal)

    /// The provider's name for this very ad.
    var identity: String? {
        if case .offer(let offer) = self { offer.identity } else { nil }
    }
}

/// A video ad as a provider sends it: its markup may name other servers, and is read on its way to an offer.
public struct VideoProposal: Hashable, Sendable {
    /// Who proposed it.
    public let provider: ProviderName
    /// VAST or VMAP, to the letter.
    public let markup: String
    /// Whether watching it to the end earns a reward.
    public let isRewarded: Bool
    /// How long it must be seen before it can be closed; nil where the provider says nothing.
    public let closeDelay: Duration?
    /// How long after loading it may be shown; nil where the provider says nothing.
    public let lifetime: Duration?
    /// When it counts as viewed.
    public let viewPolicy: ViewabilityPolicy
    /// Whom to tell of what, besides those whom the markup names.
    public let beacons: [BeaconTemplate]
    /// What the device was known to be when the ad was asked for: the user agent, and what macros tell.
    public let context: AdContext
    /// The app's technical name, for macros.
    public let appBundle: String?
    /// What becomes of a beacon of the markup of which nobody knows whether it arrived.
    public let guarantee: DeliveryGuarantee
    /// What was repaired in reading it.
    public let issues: [AdIssue]

    /// A video ad.
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
        issues: [AdIssue] = []
    ) {
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

/// What a provider answered: any number of offers, none meaning *no fill*.
public struct OfferBatch: Hashable, Sendable {
    /// What is proposed, best first.
    public let proposals: [Proposal]
    /// What was repaired in reading the answer as a whole.
    public let issues: [AdIssue]

    /// A batch.
    public init(_ proposals: [Proposal], issues: [AdIssue] = []) {
        self.proposals = proposals
        self.issues = issues
    }

    /// A batch of ads that can be shown as they are.
    public init(offers: [Offer], issues: [AdIssue] = []) {
        self.init(offers.map { .offer($0) }, issues: issues)
    }

    /// The ads that can be shown as they are.
    public var offers: [Offer] {
        self.proposals.compactMap { proposal in
            if case .offer(let offer) = proposal { offer } else { nil }
        }
    }

    /// The answer that there is no ad.
    public static let noFill = OfferBatch(offers: [])
}
