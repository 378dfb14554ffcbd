import AdCore

/// An event of OMID (OMID API 1.3) with its data.
struct OMIDEvent: Hashable, Sendable {
    let type: String
    let data: [AdJSON.Member]

    init(_ type: String, _ data: [AdJSON.Member] = []) {
        self.type = type
        self.data = data
    }

    static func playerState(_ state: String) -> OMIDEvent {
        OMIDEvent("playerStateChange", [.init("state", .string(state))])
    }

    static func interaction(_ type: String) -> OMIDEvent {
        OMIDEvent("adUserInteraction", [.init("interactionType", .string(type))])
    }

    /// Whether an ad has at most one of them.
    var isOnce: Bool {
        switch self.type {
        case "loaded", "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skipped",
            "sessionFinish":
            true
        default: false
        }
    }

    /// Whether only session observers get it.
    var isOfSession: Bool { self.type.hasPrefix("session") }

    /// The types by which listeners get all events of a media ad.
    static let mediaTypes: Set<String> = ["media", "video"]
    /// The events that these listeners get.
    private static let media: Set<String> = [
        "loaded", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume", "bufferStart",
        "bufferFinish", "skipped", "volumeChange", "playerStateChange", "adUserInteraction",
    ]

    /// Whether a listener of a type gets it.
    func matches(_ type: String) -> Bool {
        type == self.type || (OMIDEvent.mediaTypes.contains(type) && OMIDEvent.media.contains(self.type))
    }
}

/// What is measured: the kind of ad, and how its impression is counted.
struct OMIDSubject: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A linear ad.
        case video
        /// A nonlinear ad of VAST.
        case overlay
        /// An HTML creative.
        case html
    }

    let kind: Kind
    /// Whether the stage shows it as on a phone.
    let isMobile: Bool

    /// `creativeType`, `mediaType` and `impressionType`: the impression of a video needs one visible pixel while it
    /// plays; that of HTML depends on the provider.
    var types: [AdJSON.Member] {
        switch self.kind {
        case .video: OMIDSubject.types("video", media: "video", impression: "onePixel")
        case .overlay: OMIDSubject.types("nativeDisplay", media: "display", impression: "onePixel")
        case .html: OMIDSubject.types("htmlDisplay", media: "display", impression: "unspecified")
        }
    }

    private static func types(_ creative: String, media: String, impression: String) -> [AdJSON.Member] {
        [
            .init("creativeType", .string(creative)), .init("mediaType", .string(media)),
            .init("impressionType", .string(impression)),
        ]
    }

    /// The name and version that partners of OMID have; no certification by the IAB Tech Lab is claimed.
    static let partner = "Yabbi"
    static let version = MRAIDBridge.sdkVersion

    /// The `context` of `sessionStart`.
    ///
    /// A script in its own hidden frame has no access to the ad; one in an HTML creative has access to all of it.
    var context: AdJSON {
        let isHTML = self.kind == .html
        return [
            "apiVersion": "1.0", "environment": "app", "accessMode": isHTML ? "full" : "limited",
            "adSessionType": isHTML ? "html" : "native", "sessionOwner": "native",
            "supports": self.kind == .video ? ["clid", "vlid"] : ["clid"],
            "omidNativeInfo": [
                "partnerName": .string(OMIDSubject.partner), "partnerVersion": .string(OMIDSubject.version),
            ],
            "omidJsInfo": ["omidImplementer": "yabbi", "serviceVersion": .string(OMIDSubject.version)],
            "app": ["libraryVersion": .string(OMIDSubject.version)],
            "deviceInfo": ["deviceType": "browser", "os": "Linux", "osVersion": ""],
            "deviceCategory": self.isMobile ? "mobile" : "desktop", "canMeasureVisibility": true,
            "underEvaluation": false,
        ]
    }
}
