public import AdCore

/// What we say of an OpenRTB 2.6 BidRequest: one impression in an app.
///
/// What is not known is left out, never invented.
public struct BidRequest: Hashable, Sendable {
    /// Names the auction.
    public var id: String
    /// The placement.
    public var impression: Impression
    /// The app.
    public var app: App
    /// The device.
    public var device: Device
    /// The consent signals, passed on to the letter.
    public var consent: AdContext.Consent
    /// How long the exchange may take, the way there and back included.
    public var timeout: Duration?
    /// What the winner pays.
    public var auction: Auction?
    /// The currencies in which bids may come; none means that the exchange decides.
    public var currencies: [String] = []

    /// What the winner of an auction pays.
    public enum Auction: Int, Hashable, Sendable {
        /// What it bid.
        case firstPrice = 1
        /// What the second bid, and a little more.
        case secondPrice = 2
    }

    /// The one impression of a request.
    public struct Impression: Hashable, Sendable {
        /// What may be shown there.
        public enum Media: Hashable, Sendable {
            /// HTML, of this size where it is known.
            case banner(Size?)
            /// A video, in a player of this size where it is known.
            case video(Size?)
        }

        /// Names the impression within the request.
        public var id = "1"
        /// The placement's id.
        public var tagID: String
        /// What may be shown there.
        public var media: Media
        /// Whether it covers the whole screen.
        public var isInterstitial: Bool
        /// Whether it is rewarded.
        public var isRewarded: Bool
        /// Whether everything in the ad must come over https.
        public var isSecure: Bool?
        /// The software that shows the ad.
        public var displayManager: String?
        /// The version of that software.
        public var displayManagerVersion: String?

        /// An impression.
        public init(tagID: String, media: Media, isInterstitial: Bool = false, isRewarded: Bool = false) {
            self.tagID = tagID
            self.media = media
            self.isInterstitial = isInterstitial
            self.isRewarded = isRewarded
        }
    }

    /// The app that asks.
    public struct App: Hashable, Sendable {
        /// The app's name as people read it.
        public var name: String
        /// The app's technical name.
        public var bundle: String
        /// The publisher's id.
        public var publisherID: String

        /// An app.
        public init(name: String, bundle: String, publisherID: String) {
            self.name = name
            self.bundle = bundle
            self.publisherID = publisherID
        }
    }

    /// The device that asks.
    public struct Device: Hashable, Sendable {
        /// The user agent.
        public var userAgent: String?
        /// The advertising identifier.
        public var ifa: String?
        /// Where it is.
        public var location: AdContext.Location?
        /// Whether the user limits tracking.
        public var limitsTracking: Bool?

        /// A device; what is not known is left out.
        public init(userAgent: String? = nil, ifa: String? = nil, location: AdContext.Location? = nil) {
            self.userAgent = userAgent
            self.ifa = ifa
            self.location = location
        }
    }

    /// A request.
    public init(id: String, impression: Impression, app: App, device: Device, consent: AdContext.Consent = .init()) {
        self.id = id
        self.impression = impression
        self.app = app
        self.device = device
        self.consent = consent
    }
}
