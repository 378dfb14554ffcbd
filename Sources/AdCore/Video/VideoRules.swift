/// What the lifecycle must know of a video.
///
/// Several spots are played one after the other: a pod. Those at the end stand in for others that fail.
public struct VideoRules: Hashable, Sendable {
    /// What is played, in order; there is always one.
    public let spots: [SpotRules]
    /// How many of them, at the end, are only played in the place of one that failed.
    public let standIns: Int
    /// How long all of it takes where nothing fails; nil where the markup does not tell.
    public var duration: Duration? { self.length() }

    /// Spots in the order of play, the last `standIns` of them for emergencies; the first is always played.
    public init(_ first: SpotRules, _ others: [SpotRules] = [], standIns: Int = 0) {
        self.spots = [first] + others
        self.standIns = min(max(0, standIns), others.count)
    }

    /// A single video.
    public init(duration: Duration? = nil, skipOffset: Duration? = nil, hasEndCard: Bool = false) {
        self.init(SpotRules(duration: duration, skipOffset: skipOffset.map { .time($0) }, hasEndCard: hasEndCard))
    }

    /// The first spot.
    package var first: SpotRules { self.spots[0] }
    /// How many spots are played where nothing fails.
    package var planned: Int { self.spots.count - self.standIns }

    /// How long all planned spots take together, and those that stand in and whose turn came; nil where one is not known.
    ///
    /// `real` has the lengths of the spots that were played, by the players' own word where there is one.
    package func length(real: [Int: Duration] = [:]) -> Duration? {
        // What would take longer than can be counted takes as long as can be.
        let longest = Duration.seconds(Int64.max)
        var sum = Duration.zero
        for (index, spot) in self.spots.enumerated() where index < self.planned || real[index] != nil {
            guard let duration = real[index] ?? spot.length else { return nil }
            sum = min(sum + min(duration, longest), longest)
        }
        return sum
    }

    /// Whether each planned spot can be skipped at some time.
    package var isSkippable: Bool { self.spots.prefix(self.planned).allSatisfy { $0.skipOffset != nil } }
}

/// What must be known of one spot.
public struct SpotRules: Hashable, Sendable {
    /// How it is shown.
    public enum Form: Hashable, Sendable {
        /// Played from its beginning to its end.
        case linear
        /// Shown over what is there, for this long at least where it says so.
        case overlay(least: Duration?)
    }

    /// How it is shown.
    public var form: Form
    /// The media's length, where the markup tells it.
    public var duration: Duration?
    /// How far the media must have played before it can be skipped; nil where it can't.
    public var skipOffset: MediaOffset?
    /// Whether something is shown when the media has ended.
    public var hasEndCard: Bool
    /// At which points of its time somebody wants to be told, besides the quartiles.
    public var progress: [MediaOffset]
    /// What is shown with it.
    public var parts: [PartRules]
    /// How many measuring scripts came with it.
    ///
    /// None of them is run, and their senders are told.
    public var verifications: Int
    /// Where a click without a link of its own leads.
    public var clickThrough: ClickThroughURL?

    /// The media's length, unless the markup says nothing that can be true.
    package var length: Duration? { self.duration.flatMap { $0 > .zero ? $0 : nil } }

    /// A spot's terms.
    public init(
        _ form: Form = .linear,
        duration: Duration? = nil,
        skipOffset: MediaOffset? = nil,
        hasEndCard: Bool = false,
        progress: [MediaOffset] = [],
        parts: [PartRules] = [],
        verifications: Int = 0,
        clickThrough: ClickThroughURL? = nil
    ) {
        self.form = form
        self.duration = duration
        self.skipOffset = skipOffset
        self.hasEndCard = hasEndCard
        self.progress = progress
        self.parts = parts
        self.verifications = verifications
        self.clickThrough = clickThrough
    }
}

/// Which of the things that are shown with a spot is meant.
public enum VideoPartID: Hashable, Sendable, CustomStringConvertible {
    /// A picture that says something of the ad, by its number from 0.
    case icon(Int)
    /// Something beside the video, or behind it, by its number from 0.
    case companion(Int)
    /// A measuring script, by its number from 0; it is never shown.
    case verification(Int)

    /// The kind and the number, as in `icon-0`.
    public var description: String {
        switch self {
        case .icon(let number): "icon-\(number)"
        case .companion(let number): "companion-\(number)"
        case .verification(let number): "verification-\(number)"
        }
    }
}

/// When a part is shown, and where it leads.
public struct PartRules: Hashable, Sendable {
    /// Which part it is.
    public let id: VideoPartID
    /// From when to when of the spot's time it is shown, an end that is nil being the spot's; nil where the time of the
    /// spot does not matter: an end card.
    public let time: Time?
    /// Where a click on it leads.
    public let clickThrough: ClickThroughURL?

    /// A span of a spot's time.
    public struct Time: Hashable, Sendable {
        /// When it appears.
        public let start: Duration
        /// How long it stays; nil until the end.
        public let length: Duration?

        /// A span.
        public init(start: Duration = .zero, length: Duration? = nil) {
            self.start = start
            self.length = length
        }
    }

    /// A part's terms.
    public init(_ id: VideoPartID, time: Time?, clickThrough: ClickThroughURL? = nil) {
        self.id = id
        self.time = time
        self.clickThrough = clickThrough
    }
}
