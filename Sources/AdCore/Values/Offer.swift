/// One ad that a provider offers: what to show, under which rules, and whom to tell.
public struct Offer: Hashable, Sendable {
    /// Who offered it.
    public let provider: ProviderName
    /// What to show.
    public let creative: Creative
    /// The rules of its life.
    public let terms: ShowTerms
    /// The size the provider asked for.
    public let size: SizeRequest
    /// Whom to tell of what.
    public let beacons: [BeaconTemplate]
    /// What was repaired in reading it.
    public let issues: [Issue]

    /// An offer.
    public init(
        provider: ProviderName,
        creative: Creative,
        terms: ShowTerms,
        size: SizeRequest,
        beacons: [BeaconTemplate] = [],
        issues: [Issue] = []
    ) {
        self.provider = provider
        self.creative = creative
        self.terms = terms
        self.size = size
        self.beacons = beacons
        self.issues = issues
    }
}

/// What a provider answered: any number of offers, none meaning *no fill*.
public struct OfferBatch: Hashable, Sendable {
    /// The offers, best first.
    public let offers: [Offer]
    /// What was repaired in reading the answer as a whole.
    public let issues: [Issue]
    /// How long the answer may be kept and used again; nil where it may not.
    public let freshFor: Duration?

    /// A batch.
    public init(offers: [Offer], issues: [Issue] = [], freshFor: Duration? = nil) {
        self.offers = offers
        self.issues = issues
        self.freshFor = freshFor
    }

    /// The answer that there is no ad.
    public static let noFill = OfferBatch(offers: [])
}
