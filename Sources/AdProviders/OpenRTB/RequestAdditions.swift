public import AdCore
public import OpenRTB

/// What an app adds to its OpenRTB requests besides the placement, the device and the consent.
///
/// ```swift
/// var additions = RequestAdditions()
/// additions.storedImpressionID = "banner-top"
/// additions.blockedAdvertisers = ["rival.example"]
/// let exchange = AdLoader.openRTB(endpoint, app: app, services: services, additions: additions)
/// ```
public struct RequestAdditions: Hashable, Sendable {
    /// Whether requests are tests, which nobody pays for (`test`).
    public var isTest = false
    /// The currencies that are allowed for bids (`cur`); empty leaves the choice to the exchange.
    public var currencies: [AdCurrency] = []
    /// The domains of advertisers that are blocked (`badv`).
    public var blockedAdvertisers: [String] = []
    /// The IAB's categories of advertisers that are blocked, as in `IAB9-30` (`bcat`).
    public var blockedCategories: [String] = []
    /// The apps that must not be advertised, by their ids in the app store (`bapp`).
    public var blockedApps: [String] = []
    /// The lowest price that is asked for (`bidfloor`, `bidfloorcur`), unless an auction has a floor.
    ///
    /// Without an auction, a lower bid is shown all the same.
    public var floor: AdPrice?
    /// The exchange's id for the app (`app.id`).
    public var appID: String?
    /// The app's domain, as in `game.example.com` (`app.domain`).
    public var appDomain: String?
    /// What the app is about, by the IAB's categories, as in `IAB9-30` (`app.cat`).
    public var appCategories: [String] = []
    /// The app's version (`app.ver`).
    public var appVersion: String?
    /// The app's page in the app store (`app.storeurl`).
    public var storeURL: HTTPURL?
    /// The sellers on the way from the app to the exchange (`source.schain`); nil leaves them to the exchange.
    public var supplyChain: SupplyChain?
    /// What the place of a banner accepts (`imp.banner`).
    public var banner = Banner()
    /// How the app plays a video (`imp.video`).
    public var video = Video()
    /// The id of the stored request of a Prebid Server (`ext.prebid.storedrequest.id`).
    public var storedRequestID: String?
    /// The id of the stored impression of a Prebid Server (`imp.ext.prebid.storedrequest.id`), for all placements.
    public var storedImpressionID: String?
    /// Whether each placement's unit is the id of its stored impression of a Prebid Server.
    public var storesImpressionsByUnit = false
    /// Further members of the request's `ext`.
    public var requestExtension: [AdJSON.Member] = []
    /// Further members of the impression's `ext`.
    public var impressionExtension: [AdJSON.Member] = []
    /// What the app can do to have installs attributed, on Apple's systems; `AppleHost` sets it.
    package var attribution: AttributionSupport?

    /// Creates additions that add nothing.
    public init() {}

    /// What the place of a banner accepts, besides the placement's size (OpenRTB 2.6 §3.2.6).
    public struct Banner: Hashable, Sendable {
        /// Further sizes that are accepted (`format`).
        public var sizes: [Size] = []
        /// The interfaces of the app's stage (`api`); what is not listed is not provided.
        public var apis: [APIFramework] = []
        /// The directions in which the banner may expand (`expdir`).
        public var expandableDirections: [ExpandableDirection] = []
        /// The types of banners that are blocked (`btype`).
        public var blockedTypes: [BannerType] = []
        /// Where the place is on the screen (`pos`).
        public var position: PlacementPosition?

        /// Creates terms that say nothing.
        public init() {}
    }

    /// How the app plays a video, besides what its services know of formats, durations and bitrates (OpenRTB 2.6
    /// §3.2.7).
    public struct Video: Hashable, Sendable {
        /// The minimum duration (`minduration`).
        public var minimumDuration: Duration?
        /// When the video starts, in relation to the app's content (`startdelay`).
        public var startDelay: StartDelay?
        /// Where the video plays (`plcmt`); an interstitial without a value.
        public var plcmt: Plcmt?
        /// Where the video plays, for buyers that read the older list (`placement`); an interstitial without a value.
        public var placement: VideoPlacement?
        /// How the video starts (`playbackmethod`).
        public var playback: PlaybackMethod?
        /// The interfaces of the app's player (`api`); what is not listed is not provided.
        public var apis: [APIFramework] = []

        /// Creates terms that say nothing.
        public init() {}
    }

    func add(to request: inout BidRequest) {
        request.isTest = self.isTest
        request.currencies = self.currencies
        request.blockedAdvertisers = self.blockedAdvertisers
        request.blockedCategories = self.blockedCategories.isEmpty ? nil : .init(self.blockedCategories)
        request.blockedApps = self.blockedApps
        request.impression.floor = request.impression.floor ?? self.floor
        request.app.id = self.appID
        request.app.domain = self.appDomain
        request.app.categories = self.appCategories.isEmpty ? nil : .init(self.appCategories)
        request.source.supplyChain = self.supplyChain
        request.app.version = self.appVersion
        request.app.storeURL = self.storeURL
        request.prebid = self.storedRequestID.map { PrebidRequest(storedRequestID: $0) }
        let stored = self.storesImpressionsByUnit ? request.impression.tagID : nil
        request.impression.prebid = (self.storedImpressionID ?? stored).map { PrebidImpression(storedRequestID: $0) }
        request.ext = self.requestExtension
        request.impression.ext = self.impressionExtension
        request.impression.attribution = self.attribution
    }
}
