/// Something that happened to a video, for whoever wants to be told.
public struct TrackingEvent: Hashable, Sendable {
    /// Which spot it is about; nil for what is about all of them.
    public let spot: Int?
    /// Which of the things that are shown with it; nil for the spot itself.
    public let part: VideoPartID?
    /// What happened, as VAST names it; progress with its offset, as in `progress-2.5`.
    public let event: BeaconEvent
    /// For what can happen more than once, which time it was, counted from 0.
    public let ordinal: Int
    /// How far the spot had played.
    public let position: Duration?
    /// What stands for `[ERRORCODE]` or `[REASON]`.
    public let code: Int?
    /// Whether the sound was off.
    public let isMuted: Bool

    /// A fact.
    public init(
        _ event: BeaconEvent,
        spot: Int?,
        part: VideoPartID? = nil,
        ordinal: Int = 0,
        position: Duration? = nil,
        code: Int? = nil,
        isMuted: Bool = false
    ) {
        self.spot = spot
        self.part = part
        self.event = event
        self.ordinal = ordinal
        self.position = position
        self.code = code
        self.isMuted = isMuted
    }

    /// Which creative of the ad it is about, as it stands in a beacon's key.
    public var path: String {
        guard let spot else { return "break" }
        return "spot-\(spot + 1)" + (self.part.map { "/\($0)" } ?? "")
    }
}

/// Whom to tell of what happens to a video: part of an offer.
public struct VideoBeacon: Hashable, Sendable {
    /// Which spot it is about; nil for what is about all of them.
    public let spot: Int?
    /// Which of the things that are shown with it; nil for the spot itself.
    public let part: VideoPartID?
    /// What it tells of.
    public let event: BeaconEvent
    /// Where to call; its macros are filled in when it is.
    public let url: URLTemplate
    /// Who asked for it: 0 is the outermost answer, and each wrapper's is one more.
    public let depth: Int

    /// A beacon to be sent when something happens.
    public init(_ event: BeaconEvent, spot: Int?, part: VideoPartID? = nil, _ url: URLTemplate, depth: Int = 0) {
        self.event = event
        self.spot = spot
        self.part = part
        self.url = url
        self.depth = depth
    }

    fileprivate var occasion: VideoOccasion { VideoOccasion(spot: self.spot, part: self.part, event: self.event) }
}

/// What has to be the same of a fact and of a beacon that tells of it.
private struct VideoOccasion: Hashable, Sendable {
    let spot: Int?
    let part: VideoPartID?
    let event: BeaconEvent

    init(spot: Int?, part: VideoPartID?, event: BeaconEvent) {
        self.spot = spot
        self.part = part
        self.event = event
    }

    init(_ fact: TrackingEvent) { self.init(spot: fact.spot, part: fact.part, event: fact.event) }
}

/// All whom a video's markup names, and how they are told.
public struct VideoBeacons: Hashable, Sendable {
    /// Whom to tell of what.
    public let all: [VideoBeacon]
    /// The headers of each call.
    public let headers: AdHTTPHeaders
    /// What becomes of a beacon of which nobody knows whether it arrived.
    public let guarantee: DeliveryGuarantee
    /// The places in `all` of those who want to be told of the same: there may be thousands.
    private let places: [VideoOccasion: [Int]]

    /// Beacons, and how they are sent.
    public init(
        _ all: [VideoBeacon] = [],
        headers: AdHTTPHeaders = [:],
        guarantee: DeliveryGuarantee = .atMostOnce
    ) {
        self.all = all
        self.headers = headers
        self.guarantee = guarantee
        self.places = Dictionary(grouping: all.indices) { all[$0].occasion }
    }

    /// Those who want to be told of this, in their order.
    public func telling(of fact: TrackingEvent) -> [VideoBeacon] {
        self.places[VideoOccasion(fact), default: []].map { self.all[$0] }
    }

    /// The call to an address whose macros are filled in; an impression is what is billed.
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
    /// The ad's first frame is on screen: what VAST bills.
    public static let impression: BeaconEvent = "impression"
    /// Something failed.
    public static let error: BeaconEvent = "error"
}
