package import AdCore

extension BidRequest {
    /// One impression (OpenRTB 2.6 §3.2.4).
    package struct Impression: Hashable, Sendable {
        /// The ad formats that an impression accepts; a bid conforms to one of them.
        package enum Media: Hashable, Sendable {
            /// HTML (`banner`).
            case banner(Banner)
            /// A video (`video`).
            case video(Video)
            /// HTML or a video, whichever is bid.
            case bannerOrVideo(Banner, Video)
        }

        /// The impression's id within the request.
        package var id = "1"
        /// The placement's id (`tagid`).
        package var tagID: String?
        /// The ad formats that are accepted.
        package var media: Media
        /// Whether the ad covers the whole screen (`instl`).
        package var isInterstitial: Bool
        /// Whether the user gets a reward for the ad (`rwdd`).
        package var isRewarded: Bool
        /// The lowest price that is accepted (`bidfloor`, `bidfloorcur`).
        ///
        /// The currency is always written: a reader that has another default than OpenRTB's USD would misread the price.
        package var floor: AdPrice?
        /// Whether all assets and markup must be loaded over HTTPS (`secure`).
        package var isSecure: Bool?
        /// The SDK or player that renders the ad (`displaymanager`, `displaymanagerver`).
        package var displayManager: DisplayManager?
        /// How long after the auction the ad may still be shown (`exp`).
        package var lifetime: Duration?
        /// What a Prebid Server is told about the impression (`ext.prebid`).
        package var prebid: PrebidImpression?
        /// What the app can do to have installs attributed (`ext.skadn`, `ext.adattributionkit`).
        package var attribution: AttributionSupport?
        /// Further members of `ext`; those that have a place of their own in this request replace them.
        package var ext: [AdJSON.Member] = []

        /// Creates an impression with the id 1.
        package init(tagID: String?, media: Media, isInterstitial: Bool = false, isRewarded: Bool = false) {
            self.tagID = tagID
            self.media = media
            self.isInterstitial = isInterstitial
            self.isRewarded = isRewarded
        }
    }

    /// The SDK or player that renders the ad.
    package struct DisplayManager: Hashable, Sendable {
        /// Its name.
        package var name: String
        /// Its version.
        package var version: String?

        /// Creates a display manager.
        package init(_ name: String, version: String? = nil) {
            self.name = name
            self.version = version
        }
    }

    /// What HTML an impression accepts (OpenRTB 2.6 §3.2.6).
    package struct Banner: Hashable, Sendable {
        /// The sizes that are accepted.
        package enum Sizes: Hashable, Sendable {
            /// The size is unknown.
            case unknown
            /// Only this one (`w`, `h`).
            case exactly(WholeSize)
            /// Any of these (`format`, §3.2.10), the preferred first.
            case anyOf([WholeSize])
        }

        /// The sizes that are accepted.
        package var sizes: Sizes
        /// The interfaces that the app provides (`api`); what is not listed is not provided.
        package var apis: [APIFramework] = []
        /// The directions in which the banner may expand (`expdir`).
        package var expandableDirections: [ExpandableDirection] = []
        /// The types of banners that are blocked (`btype`).
        package var blockedTypes: [BannerType] = []
        /// The MIME types that are accepted (`mimes`).
        package var mimeTypes: [String] = []
        /// Where the ad is on the screen (`pos`).
        package var position: PlacementPosition?

        /// Creates a banner.
        package init(_ sizes: Sizes = .unknown) { self.sizes = sizes }

        /// Creates a banner of one size; a size that no screen can have is unknown.
        package init(_ size: Size?) { self.sizes = WholeSize(size).map(Sizes.exactly) ?? .unknown }
    }
}
