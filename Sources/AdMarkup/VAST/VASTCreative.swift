public import AdCore

/// A creative of an ad (VAST 4.3 §3.7).
public struct VASTCreative: Hashable, Sendable {
    /// The kind of creative.
    public enum Body: Hashable, Sendable {
        /// Played in the timeline of the content.
        case linear(VASTLinear)
        /// Shown over the content.
        case nonLinear(VASTNonLinears)
        /// Shown next to the content.
        case companions(VASTCompanions)
    }

    /// The id of the creative on the ad server.
    public internal(set) var id: String?
    /// The ad's id on the creative's server (`adId`).
    public internal(set) var adID: String?
    /// The order among the creatives of the ad.
    public internal(set) var sequence: Int?
    /// The API that executes it, if it is executable.
    public internal(set) var apiFramework: String?
    /// The ids in creative registries.
    public internal(set) var universalAdIDs: [VASTUniversalAdID] = []
    /// The creative extensions.
    public internal(set) var extensions: [VASTNode] = []
    /// The content of the creative.
    public internal(set) var body: Body
    /// The line of the start tag.
    public internal(set) var line: Int

    /// The linear content, if it is linear.
    public var linear: VASTLinear? { if case .linear(let linear) = self.body { linear } else { nil } }
    /// The nonlinear content, if it is nonlinear.
    public var nonLinear: VASTNonLinears? { if case .nonLinear(let nonLinear) = self.body { nonLinear } else { nil } }
    /// The companions, if it has companions.
    public var companions: VASTCompanions? {
        if case .companions(let companions) = self.body { companions } else { nil }
    }
}

/// A creative's id in a registry (VAST 4.3 §3.7.1).
public struct VASTUniversalAdID: Hashable, Sendable {
    /// The id.
    public let value: String
    /// The name of the registry, as in `ad-id.org`.
    public let registry: String?
}

/// A linear creative (VAST 4.3 §3.8).
public struct VASTLinear: Hashable, Sendable {
    /// The duration; nil if it is absent or invalid.
    public internal(set) var duration: Duration?
    /// When it can be skipped; nil if it can't be skipped.
    public internal(set) var skipOffset: MediaOffset?
    /// The `<AdParameters>`.
    public internal(set) var parameters: String?
    /// The click-through URL.
    public internal(set) var clickThrough: URLTemplate?
    /// The trackers of clicks on the video.
    public internal(set) var clickTracking: [URLTemplate] = []
    /// The trackers of other interactions, which open nothing (VAST 4.3 §3.10.3).
    public internal(set) var customClickTracking: [URLTemplate] = []
    /// The trackers of its events.
    public internal(set) var tracking: [VASTTracking] = []
    /// The media files.
    public internal(set) var mediaFiles: [VASTMediaFile] = []
    /// The mezzanine files, from which servers make media files.
    public internal(set) var mezzanines: [VASTMezzanine] = []
    /// The interactive files that are executed with the video.
    public internal(set) var interactiveFiles: [VASTInteractiveFile] = []
    /// The closed caption files.
    public internal(set) var captions: [VASTCaption] = []
    /// The industry icons.
    public internal(set) var icons: [VASTIcon] = []
}

/// A tracker of an event (VAST 4.3 §3.14.3).
public struct VASTTracking: Hashable, Sendable {
    /// The name of the event.
    public let event: String
    /// When a `progress` event occurs.
    public let offset: MediaOffset?
    /// The URL to call.
    public let url: URLTemplate
}

/// A media file (VAST 4.3 §3.9.1).
public struct VASTMediaFile: Hashable, Sendable {
    /// The URL of the file.
    public internal(set) var url: URLTemplate
    /// The id of the file.
    public internal(set) var id: String?
    /// The MIME type, as in `video/mp4`.
    public internal(set) var type: String?
    /// The width in pixels.
    public internal(set) var width: Int?
    /// The height in pixels.
    public internal(set) var height: Int?
    /// The average bitrate in kbit/s.
    public internal(set) var bitrate: Int?
    /// The minimum bitrate in kbit/s.
    public internal(set) var minBitrate: Int?
    /// The maximum bitrate in kbit/s.
    public internal(set) var maxBitrate: Int?
    /// `progressive` or `streaming`.
    public internal(set) var delivery: String?
    /// The codec, as in RFC 4281.
    public internal(set) var codec: String?
    /// The API that executes it: usually `VPAID` (deprecated in VAST 4.1).
    public internal(set) var apiFramework: String?
    /// The file size in bytes.
    public internal(set) var fileSize: Int?
    /// `2D`, `3D` or `360`.
    public internal(set) var mediaType: String?
    /// Whether it may be scaled.
    public internal(set) var isScalable: Bool?
    /// Whether its aspect ratio is kept when it is scaled.
    public internal(set) var keepsAspectRatio: Bool?
    /// The line of the start tag.
    public internal(set) var line: Int

    /// Whether it is a VPAID unit, which no stage executes.
    public var isVPAID: Bool {
        // Some servers append a version, or write Flash before it.
        let name = self.apiFramework?.prefix(16).asciiLowercased ?? ""
        return name.hasPrefix("vpaid") || name.hasPrefix("flashvpaid")
    }
}

/// A mezzanine file (VAST 4.3 §3.9.2).
public struct VASTMezzanine: Hashable, Sendable {
    /// The URL of the file.
    public let url: URLTemplate
    /// The MIME type.
    public let type: String?
    /// The width in pixels.
    public let width: Int?
    /// The height in pixels.
    public let height: Int?
    /// `progressive` or `streaming`.
    public let delivery: String?
    /// The codec.
    public let codec: String?
    /// The id of the file.
    public let id: String?
}

/// An interactive file that is executed with the video, usually SIMID (VAST 4.3 §3.9.3).
public struct VASTInteractiveFile: Hashable, Sendable {
    /// The URL of the file.
    public let url: URLTemplate
    /// The MIME type.
    public let type: String?
    /// The API that executes it.
    public let apiFramework: String?
    /// Whether it may change the duration of the ad.
    public let hasVariableDuration: Bool?
}

/// A closed caption file (VAST 4.3 §3.9.5).
public struct VASTCaption: Hashable, Sendable {
    /// The URL of the file.
    public let url: URLTemplate
    /// The MIME type.
    public let type: String?
    /// The language.
    public let language: String?
}
