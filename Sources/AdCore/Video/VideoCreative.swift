/// One or more video spots with their companions and icons.
///
/// A stage plays one spot at a time: first the first one, and then the one of each `next` command. Its events contain
/// the index of their spot.
public struct VideoCreative: Hashable, Sendable {
    /// All spots in playing order, fallback ads last.
    public let spots: [VideoSpot]
    /// The number of fallback ads at the end of `spots`.
    public let fallbackCount: Int

    /// Creates a creative from spots in playing order, of which the last `fallbackCount` are fallback ads.
    public init(_ first: VideoSpot, _ others: [VideoSpot] = [], fallbackCount: Int = 0) {
        self.spots = [first] + others
        self.fallbackCount = min(max(0, fallbackCount), others.count)
    }

    /// The rules of its spots, for the lifecycle.
    public var rules: VideoRules {
        VideoRules(self.spots[0].rules, self.spots.dropFirst().map(\.rules), fallbackCount: self.fallbackCount)
    }
}

/// One linear ad or overlay with its companions and icons.
public struct VideoSpot: Hashable, Sendable {
    /// The content of a spot.
    public enum Content: Hashable, Sendable {
        /// A linear ad: media files of the same video, the most suitable first.
        ///
        /// A stage that can't play one of them tries the next.
        case media([MediaFile])
        /// A nonlinear ad, which is displayed without media.
        case overlay(VideoPart)
    }

    /// What is displayed.
    public var content: Content
    /// Its rules and times.
    public var rules: SpotRules
    /// The ad's title.
    public var title: String?
    /// Its companions and icons, by the ids in its rules.
    public var parts: [VideoPartID: VideoPart]
    /// The companion that is its end card, if any.
    public var endCard: VideoPartID?
    /// Its closed captions.
    public var captions: [Caption]
    /// Its verification vendors, by the numbers in `VideoPartID.verification`.
    public var verifications: [VideoVerification]
    /// Its interactive part, if any.
    public var interactive: InteractiveCreative?

    /// Creates a spot.
    public init(
        _ content: Content,
        rules: SpotRules,
        title: String? = nil,
        parts: [VideoPartID: VideoPart] = [:],
        endCard: VideoPartID? = nil,
        captions: [Caption] = [],
        verifications: [VideoVerification] = [],
        interactive: InteractiveCreative? = nil
    ) {
        self.content = content
        self.rules = rules
        self.title = title
        self.parts = parts
        self.endCard = endCard
        self.captions = captions
        self.verifications = verifications
        self.interactive = interactive
    }

    /// A file with closed captions (VAST 4.3 §3.9.5).
    public struct Caption: Hashable, Sendable {
        /// The file's URL.
        public let url: HTTPURL
        /// Its MIME type; nil if the markup has none.
        public let type: String?
        /// Its language; nil if the markup has none.
        public let language: String?

        /// Creates a caption file.
        public init(_ url: HTTPURL, type: String?, language: String?) {
            self.url = url
            self.type = type
            self.language = language
        }
    }
}

/// A media file (VAST 4.3 §3.9.1).
public struct MediaFile: Hashable, Sendable {
    /// The file's URL.
    public let url: HTTPURL
    /// Its MIME type, as in `video/mp4`.
    public let type: String
    /// Its size in pixels; nil if the markup has none.
    public let size: Size?
    /// Its bitrate in kilobits per second; nil if the markup has none.
    public let bitrate: Int?

    /// Creates a media file.
    public init(_ url: HTTPURL, type: String, size: Size? = nil, bitrate: Int? = nil) {
        self.url = url
        self.type = type
        self.size = size
        self.bitrate = bitrate
    }
}

/// A companion, icon or overlay of a video, with one of the resources of VAST 4.3 §3.15.
public struct VideoPart: Hashable, Sendable {
    /// The resource of a part.
    public enum Content: Hashable, Sendable {
        /// An image: StaticResource.
        case image(HTTPURL)
        /// A page in a frame: IFrameResource.
        case page(HTTPURL)
        /// Markup: HTMLResource.
        case html(HTMLCreative)
    }

    /// A position along one axis: `xPosition` or `yPosition` of an icon (VAST 4.3 §3.11.1).
    public enum Place: Hashable, Sendable {
        /// At the left or the top edge.
        case start
        /// At the right or the bottom edge.
        case end
        /// This many points from the left or the top edge.
        case points(Int)
    }

    /// The resource.
    public var content: Content
    /// Its size in points; nil if the markup has none.
    public var size: Size?
    /// Its horizontal position; nil if the stage chooses it.
    public var x: Place?
    /// Its vertical position; nil if the stage chooses it.
    public var y: Place?
    /// The alternative text for screen readers.
    public var altText: String?
    /// The icon's program, as in `AdChoices`.
    public var program: String?
    /// The image that is shown if the icon's click-through URL can't be opened (VAST 4.3 §3.11.6).
    public var clickFallback: HTTPURL?

    /// Creates a part.
    public init(_ content: Content, size: Size? = nil, altText: String? = nil) {
        self.content = content
        self.size = size
        self.altText = altText
    }
}
