/// Videos, and what is shown with them.
///
/// A stage plays one spot at a time: the first to begin with, and then the one that it is told to play next. What it
/// reports names the spot that it is about.
public struct VideoCreative: Hashable, Sendable {
    /// Everything that may be played; the first is played first.
    public let spots: [VideoSpot]
    /// How many of them, at the end, only stand in for others that fail.
    public let standIns: Int

    /// Spots in the order of play, the last `standIns` of them for emergencies.
    public init(_ first: VideoSpot, _ others: [VideoSpot] = [], standIns: Int = 0) {
        self.spots = [first] + others
        self.standIns = min(max(0, standIns), others.count)
    }

    /// What the lifecycle must know of it.
    public var terms: VideoRules {
        VideoRules(self.spots[0].terms, self.spots.dropFirst().map(\.terms), standIns: self.standIns)
    }
}

/// One video or overlay, with all that belongs to it.
public struct VideoSpot: Hashable, Sendable {
    /// What is played.
    public enum Content: Hashable, Sendable {
        /// A video: files that hold the same, the most suitable first.
        ///
        /// A stage that can't play one goes on to the next.
        case media([MediaFile])
        /// Something that is shown and not played.
        case overlay(VideoPart)
    }

    /// What is played.
    public var content: Content
    /// Its rules and its times.
    public var terms: SpotRules
    /// What it is called.
    public var title: String?
    /// What is shown with it, by the ids of its terms.
    public var parts: [VideoPartID: VideoPart]
    /// Its end card, where it has one.
    public var endCard: VideoPartID?
    /// Its captions.
    public var captions: [Caption]

    /// A spot.
    public init(
        _ content: Content,
        terms: SpotRules,
        title: String? = nil,
        parts: [VideoPartID: VideoPart] = [:],
        endCard: VideoPartID? = nil,
        captions: [Caption] = []
    ) {
        self.content = content
        self.terms = terms
        self.title = title
        self.parts = parts
        self.endCard = endCard
        self.captions = captions
    }

    /// A file of captions.
    public struct Caption: Hashable, Sendable {
        /// Where it is.
        public let url: HTTPURL
        /// Its type, where it is told.
        public let type: String?
        /// Its language, where it is told.
        public let language: String?

        /// A file.
        public init(_ url: HTTPURL, type: String?, language: String?) {
            self.url = url
            self.type = type
            self.language = language
        }
    }
}

/// A file to play.
public struct MediaFile: Hashable, Sendable {
    /// Where it is.
    public let url: HTTPURL
    /// Its type, as in `video/mp4`.
    public let type: String
    /// Its size in pixels; nil where it is not told.
    public let size: Size?
    /// Its kilobits in a second; nil where they are not told.
    public let bitrate: Int?

    /// A file.
    public init(_ url: HTTPURL, type: String, size: Size? = nil, bitrate: Int? = nil) {
        self.url = url
        self.type = type
        self.size = size
        self.bitrate = bitrate
    }
}

/// A picture, a page or a piece of HTML that is shown with a video, over it, or behind it.
public struct VideoPart: Hashable, Sendable {
    /// What it is made of.
    public enum Content: Hashable, Sendable {
        /// A picture.
        case image(HTTPURL)
        /// A page of its own.
        case page(HTTPURL)
        /// HTML.
        case html(HTMLCreative)
    }

    /// Where it stands, from the left or the top.
    public enum Place: Hashable, Sendable {
        /// At the left, or the top.
        case start
        /// At the right, or the bottom.
        case end
        /// So many points away.
        case points(Int)
    }

    /// What it is made of.
    public var content: Content
    /// Its size in points; nil where it is not told.
    public var size: Size?
    /// Where it stands from left to right; nil where that is left to the stage.
    public var x: Place?
    /// Where it stands from top to bottom; nil where that is left to the stage.
    public var y: Place?
    /// What is read to those who can't see it.
    public var altText: String?
    /// What it is for, as in `AdChoices`.
    public var program: String?

    /// A part.
    public init(_ content: Content, size: Size? = nil, altText: String? = nil) {
        self.content = content
        self.size = size
        self.altText = altText
    }
}
