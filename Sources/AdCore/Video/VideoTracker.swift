/// A tracking event of a video: an event of VAST or VMAP with the values of its macros.
public struct TrackingEvent: Hashable, Sendable {
    /// The index of the spot; nil for an event of the whole break.
    public let spot: Int?
    /// The companion, icon or script; nil for the spot itself.
    public let part: VideoPartID?
    /// The event's VAST name; `progress` with its offset, as in `progress-2.5`.
    public let event: BeaconEvent
    /// How often the same event happened before.
    public let ordinal: Int
    /// The position in the spot, for `[ADPLAYHEAD]`; nil before its start.
    public let position: Duration?
    /// The value of `[ERRORCODE]` or `[REASON]`.
    public let code: Int?
    /// Whether the video was muted, for `[PLAYERSTATE]`.
    public let isMuted: Bool
    /// Whether the video filled the screen, for `[PLAYERSTATE]`.
    public let isFullScreen: Bool

    /// Creates a tracking event.
    public init(
        _ event: BeaconEvent,
        spot: Int?,
        part: VideoPartID? = nil,
        ordinal: Int = 0,
        position: Duration? = nil,
        code: Int? = nil,
        isMuted: Bool = false,
        isFullScreen: Bool = true
    ) {
        self.spot = spot
        self.part = part
        self.event = event
        self.ordinal = ordinal
        self.position = position
        self.code = code
        self.isMuted = isMuted
        self.isFullScreen = isFullScreen
    }

    /// The spot and part as a path in a beacon's key.
    public var path: String {
        guard let spot else { return "break" }
        return "spot-\(spot + 1)" + (self.part.map { "/\($0)" } ?? "")
    }
}

/// A tracker of a video, from the markup of an offer.
public struct VideoTracker: Hashable, Sendable {
    /// The index of the spot; nil for a tracker of the whole break.
    public let spot: Int?
    /// The companion, icon or script; nil for the spot itself.
    public let part: VideoPartID?
    /// The event to track.
    public let event: BeaconEvent
    /// The URL; its macros are replaced when it is called.
    public let url: URLTemplate
    /// The depth of the response that contains it: 0 is the outermost, and each wrapper adds one.
    public let depth: Int

    /// Creates a tracker.
    public init(_ event: BeaconEvent, spot: Int?, part: VideoPartID? = nil, _ url: URLTemplate, depth: Int = 0) {
        self.event = event
        self.spot = spot
        self.part = part
        self.url = url
        self.depth = depth
    }

    fileprivate var trigger: VideoTrigger { VideoTrigger(spot: self.spot, part: self.part, event: self.event) }
}

/// What an event and its trackers have in common.
private struct VideoTrigger: Hashable, Sendable {
    let spot: Int?
    let part: VideoPartID?
    let event: BeaconEvent

    init(spot: Int?, part: VideoPartID?, event: BeaconEvent) {
        self.spot = spot
        self.part = part
        self.event = event
    }

    init(_ event: TrackingEvent) { self.init(spot: event.spot, part: event.part, event: event.event) }
}

/// All trackers of a video, and how they are sent.
public struct VideoTrackers: Hashable, Sendable {
    /// The trackers in the order of the markup.
    public let all: [VideoTracker]
    /// The headers of each request.
    public let headers: AdHTTPHeaders
    /// What happens if the delivery of a tracker is unconfirmed.
    public let guarantee: DeliveryGuarantee
    /// The context of the ad request, for the macros that identify or locate the user.
    package var context: AdContext {
        get { self.boxedContext?.value ?? AdContext() }
        set { self.boxedContext = Boxed(newValue) }
    }
    private var boxedContext: Boxed<AdContext>?
    /// The indices in `all` by trigger, because there may be thousands.
    private let indices: [VideoTrigger: [Int]]

    /// Creates trackers.
    public init(
        _ all: [VideoTracker] = [],
        headers: AdHTTPHeaders = [:],
        guarantee: DeliveryGuarantee = .atMostOnce
    ) {
        self.all = all
        self.headers = headers
        self.guarantee = guarantee
        self.indices = Dictionary(grouping: all.indices) { all[$0].trigger }
    }

    /// The trackers of an event, in order.
    public func trackers(for event: TrackingEvent) -> [VideoTracker] {
        self.indices[VideoTrigger(event), default: []].map { self.all[$0] }
    }

    /// The call of a tracker whose macros are replaced; only an impression is billed (VAST 4.3 §3.4.4).
    public func call(_ event: BeaconEvent, _ address: BeaconAddress) -> BeaconCall {
        BeaconCall(
            .get,
            address,
            headers: self.headers,
            guarantee: self.guarantee,
            isBilling: event == .impression
        )
    }
}

extension BeaconEvent {
    /// The impression of VAST: the first frame is on screen.
    public static let impression: BeaconEvent = "impression"
    /// An error of VAST.
    public static let error: BeaconEvent = "error"
}
