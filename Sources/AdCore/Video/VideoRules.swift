/// The rules of a video that the lifecycle applies.
///
/// Several spots are an ad pod (VAST 4.3 §3.3.1), played one after the other; those at the end are fallback ads.
public struct VideoRules: Hashable, Sendable {
    /// The rules of the spots in playing order; there is at least one.
    public let spots: [SpotRules]
    /// The number of fallback ads at the end of `spots`, each played in place of a failed one.
    public let fallbackCount: Int
    /// The total duration of the planned spots by the markup; nil if one is unknown.
    public var duration: Duration? { self.length() }

    /// Creates rules from spots in playing order, of which the last `fallbackCount` are fallback ads.
    public init(_ first: SpotRules, _ others: [SpotRules] = [], fallbackCount: Int = 0) {
        self.spots = [first] + others
        self.fallbackCount = min(max(0, fallbackCount), others.count)
    }

    /// Creates the rules of a single linear ad.
    public init(duration: Duration? = nil, skipOffset: Duration? = nil, hasEndCard: Bool = false) {
        self.init(SpotRules(duration: duration, skipOffset: skipOffset.map { .time($0) }, hasEndCard: hasEndCard))
    }

    /// The rules of the first spot.
    package var first: SpotRules { self.spots[0] }
    /// The number of spots without fallback ads.
    package var planned: Int { self.spots.count - self.fallbackCount }

    /// The total duration of the planned spots and of the fallback ads that were played; nil if one is unknown.
    ///
    /// `real` contains the known durations of the spots that were played.
    package func length(real: [Int: Duration] = [:]) -> Duration? {
        // The sum is clamped to the range of `Duration`.
        let longest = Duration.seconds(Int64.max)
        var sum = Duration.zero
        for (index, spot) in self.spots.enumerated() where index < self.planned || real[index] != nil {
            guard let duration = real[index] ?? spot.length else { return nil }
            sum = min(sum + min(duration, longest), longest)
        }
        return sum
    }

    /// Whether each planned spot has a skip offset.
    package var isSkippable: Bool { self.spots.prefix(self.planned).allSatisfy { $0.skipOffset != nil } }
}

/// The rules of one spot.
public struct SpotRules: Hashable, Sendable {
    /// The form of a spot.
    public enum Form: Hashable, Sendable {
        /// A linear ad, played from its start to its end.
        case linear
        /// A nonlinear ad over the content; `minimum` is its `minSuggestedDuration` (VAST 4.3 §3.12.1).
        case overlay(minimum: Duration?)
    }

    /// Whether it is linear or an overlay.
    public var form: Form
    /// The media's duration by the markup.
    public var duration: Duration?
    /// The offset from which it can be skipped; nil if it can't.
    public var skipOffset: MediaOffset?
    /// Whether an end card is shown when the media has ended.
    public var hasEndCard: Bool
    /// The offsets of its `progress` trackers.
    public var progress: [MediaOffset]
    /// The rules of its companions and icons.
    public var parts: [PartRules]
    /// The number of its verification vendors; one whose script is not run is tracked with `verificationNotExecuted`.
    public var verifications: Int
    /// The click-through URL of a click that has none of its own.
    public var clickThrough: ClickThroughURL?
    /// What its interactive part is to the ad; nil if it has none.
    public var interactive: Interactive?

    /// What an interactive part is to its ad.
    public enum Interactive: Hashable, Sendable {
        /// It goes with a video, which is played without it by a stage that does not run it (error 409, VAST 4.3
        /// §2.3.6.3).
        case besideVideo
        /// It is the ad, which fails with this VAST error code on a stage that does not run it.
        case alone(vastCode: Int)
    }

    /// The media's duration; nil if it is unknown or not positive.
    package var length: Duration? { self.duration.flatMap { $0 > .zero ? $0 : nil } }

    /// Creates the rules of a spot.
    public init(
        _ form: Form = .linear,
        duration: Duration? = nil,
        skipOffset: MediaOffset? = nil,
        hasEndCard: Bool = false,
        progress: [MediaOffset] = [],
        parts: [PartRules] = [],
        verifications: Int = 0,
        clickThrough: ClickThroughURL? = nil,
        interactive: Interactive? = nil
    ) {
        self.form = form
        self.duration = duration
        self.skipOffset = skipOffset
        self.hasEndCard = hasEndCard
        self.progress = progress
        self.parts = parts
        self.verifications = verifications
        self.clickThrough = clickThrough
        self.interactive = interactive
    }
}

/// The id of a companion, icon or verification script of a spot.
public enum VideoPartID: Hashable, Sendable, CustomStringConvertible {
    /// An icon, as of AdChoices, by its index.
    case icon(Int)
    /// A companion, such as an end card, by its index.
    case companion(Int)
    /// A verification script, by its index; it is never displayed.
    case verification(Int)

    /// The kind and the index, as in `icon-0`.
    public var description: String {
        switch self {
        case .icon(let number): "icon-\(number)"
        case .companion(let number): "companion-\(number)"
        case .verification(let number): "verification-\(number)"
        }
    }
}

/// The rules of a companion or icon.
public struct PartRules: Hashable, Sendable {
    /// The part's id.
    public let id: VideoPartID
    /// When it is displayed in the spot's time; nil for an end card.
    public let time: Time?
    /// Its click-through URL.
    public let clickThrough: ClickThroughURL?

    /// A span of a spot's time.
    public struct Time: Hashable, Sendable {
        /// When it appears.
        public let start: Duration
        /// How long it stays; nil for until the end of the spot.
        public let length: Duration?

        /// Creates a span.
        public init(start: Duration = .zero, length: Duration? = nil) {
            self.start = start
            self.length = length
        }
    }

    /// Creates the rules of a part.
    public init(_ id: VideoPartID, time: Time?, clickThrough: ClickThroughURL? = nil) {
        self.id = id
        self.time = time
        self.clickThrough = clickThrough
    }
}
