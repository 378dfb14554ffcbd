package import AdCore

/// An OpenRTB 2.6 BidRequest (§3.2.1) for one impression in an app.
///
/// Unknown values are left out.
package struct BidRequest: Hashable, Sendable {
    /// The auction's id (`id`).
    package var id: String
    /// The impression that is for sale (`imp`).
    package var impression: Impression
    /// The app that shows the ad (`app`).
    package var app: App
    /// The device that shows the ad (`device`).
    package var device: Device
    /// The consent signals, passed on unchanged (`regs`, `user.consent`).
    package var consent: AdContext.Consent
    /// How long the exchange may take to receive bids, network latency included (`tmax`).
    package var timeout: Duration?
    /// The auction type (`at`).
    package var auction: Auction?
    /// The currencies that are allowed for bids (`cur`); empty leaves the choice to the exchange.
    package var currencies: [String] = []

    /// The auction types that OpenRTB defines for `at`.
    package enum Auction: Int, Hashable, Sendable {
        /// The winner pays what it bid.
        case firstPrice = 1
        /// Second price plus: the winner pays slightly more than the second highest bid.
        case secondPrice = 2
    }

    /// One impression (OpenRTB 2.6 §3.2.4).
    package struct Impression: Hashable, Sendable {
        /// The ad formats that an impression accepts.
        package enum Media: Hashable, Sendable {
            /// HTML, with the size when it is known (`banner`, §3.2.6).
            case banner(Size?)
            /// A video, with the player's size when it is known (`video`, §3.2.7).
            case video(Size?)
        }

        /// The impression's id within the request.
        package var id = "1"
        /// The placement's id (`tagid`).
        package var tagID: String
        /// The ad format that is accepted.
        package var media: Media
        /// Whether the ad covers the whole screen (`instl`).
        package var isInterstitial: Bool
        /// Whether the user gets a reward for the ad (`rwdd`).
        package var isRewarded: Bool
        /// Whether all assets and markup must be loaded over HTTPS (`secure`).
        package var isSecure: Bool?
        /// The SDK or player that renders the ad (`displaymanager`).
        package var displayManager: String?
        /// The version of that SDK or player (`displaymanagerver`).
        package var displayManagerVersion: String?

        /// Creates an impression with the id 1.
        package init(tagID: String, media: Media, isInterstitial: Bool = false, isRewarded: Bool = false) {
            self.tagID = tagID
            self.media = media
            self.isInterstitial = isInterstitial
            self.isRewarded = isRewarded
        }
    }

    /// The app that shows the ad (OpenRTB 2.6 §3.2.14).
    package struct App: Hashable, Sendable {
        /// The app's display name (`name`).
        package var name: String
        /// The app's platform-specific identifier, unique to the app (`bundle`).
        package var bundle: String
        /// The publisher's id (`publisher.id`).
        package var publisherID: String

        /// Creates an app with its publisher.
        package init(name: String, bundle: String, publisherID: String) {
            self.name = name
            self.bundle = bundle
            self.publisherID = publisherID
        }
    }

    /// The device that shows the ad (OpenRTB 2.6 §3.2.18).
    package struct Device: Hashable, Sendable {
        /// The user agent (`ua`).
        package var userAgent: String?
        /// The advertising identifier (`ifa`).
        package var ifa: String?
        /// The device's position (`geo`).
        package var location: AdContext.Location?
        /// Whether the user limits ad tracking (`lmt`).
        package var limitsTracking: Bool?

        /// Creates a device; nil leaves a value out of the request.
        package init(userAgent: String? = nil, ifa: String? = nil, location: AdContext.Location? = nil) {
            self.userAgent = userAgent
            self.ifa = ifa
            self.location = location
        }
    }

    /// Creates a request for one impression.
    package init(id: String, impression: Impression, app: App, device: Device, consent: AdContext.Consent = .init()) {
        self.id = id
        self.impression = impression
        self.app = app
        self.device = device
        self.consent = consent
    }
}
