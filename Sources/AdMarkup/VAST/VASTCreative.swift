public import AdCore

/// A part of an ad: what is played, what lies over the content, or what stands beside it.
public struct VASTCreative: Hashable, Sendable {
    /// What kind of part it is.
    public enum Body: Hashable, Sendable {
        /// Played in the line of the content.
        case linear(VASTLinear)
        /// Laid over the content.
        case nonLinear(VASTNonLinears)
        /// Shown beside it.
        case companions(VASTCompanions)
    }

    /// The ad server's name for it.
    public internal(set) var id: String?
    /// The ad's id on the creative's server.
    public internal(set) var adID: String?
    /// Its place among the creatives.
    public internal(set) var sequence: Int?
    /// What runs it, where it is a program.
    public internal(set) var apiFramework: String?
    /// Its ids in registries.
    public internal(set) var universalAdIDs: [VASTUniversalAdID] = []
    /// What the ad server adds of its own.
    public internal(set) var extensions: [VASTNode] = []
    /// What it is.
    public internal(set) var body: Body
    /// The line where it begins.
    public internal(set) var line: Int

    /// What is played.
    public var linear: VASTLinear? { if case .linear(let linear) = self.body { linear } else { nil } }
    /// What lies over the content.
    public var nonLinear: VASTNonLinears? { if case .nonLinear(let nonLinear) = self.body { nonLinear } else { nil } }
    /// What stands beside it.
    public var companions: VASTCompanions? {
        if case .companions(let companions) = self.body { companions } else { nil }
    }
}

/// A creative's id in a registry.
public struct VASTUniversalAdID: Hashable, Sendable {
    /// The id.
    public let value: String
    /// The registry, as in `ad-id.org`.
    public let registry: String?
}

/// What is played in the line of the content.
public struct VASTLinear: Hashable, Sendable {
    /// How long it plays; nil if that is not told, or not to be read.
    public internal(set) var duration: Duration?
    /// When it can be skipped; nil if it can't.
    public internal(set) var skipOffset: MediaOffset?
    /// What its program is given.
    public internal(set) var parameters: String?
    /// The click-through URL.
    public internal(set) var clickThrough: URLTemplate?
    /// Called when it is clicked.
    public internal(set) var clickTracking: [URLTemplate] = []
    /// Called for clicks that open nothing.
    public internal(set) var customClicks: [URLTemplate] = []
    /// Called as it plays.
    public internal(set) var tracking: [VASTTracking] = []
    /// The files it can be played from.
    public internal(set) var mediaFiles: [VASTMediaFile] = []
    /// The files that it was made from, for servers that make others of them.
    public internal(set) var mezzanines: [VASTMezzanine] = []
    /// Programs that run beside the video.
    public internal(set) var interactiveFiles: [VASTInteractiveFile] = []
    /// Its captions.
    public internal(set) var captions: [VASTCaption] = []
    /// Pictures that say something of the ad, as in *AdChoices*.
    public internal(set) var icons: [VASTIcon] = []
}

/// A tracker of an event.
public struct VASTTracking: Hashable, Sendable {
    /// What happened, as the specification names it.
    public let event: String
    /// When, for `progress`.
    public let offset: MediaOffset?
    /// Where to call.
    public let url: URLTemplate
}

/// A file to play.
public struct VASTMediaFile: Hashable, Sendable {
    /// Where it is.
    public internal(set) var url: URLTemplate
    /// Its name.
    public internal(set) var id: String?
    /// Its type, as in `video/mp4`.
    public internal(set) var type: String?
    /// Its width in pixels.
    public internal(set) var width: Int?
    /// Its height in pixels.
    public internal(set) var height: Int?
    /// Its kilobits in a second.
    public internal(set) var bitrate: Int?
    /// The least of them, where it varies.
    public internal(set) var minBitrate: Int?
    /// The most of them, where it varies.
    public internal(set) var maxBitrate: Int?
    /// `progressive` or `streaming`.
    public internal(set) var delivery: String?
    /// Its codec after RFC 4281.
    public internal(set) var codec: String?
    /// What runs it, where it is a program: `VPAID`, as a rule.
    public internal(set) var apiFramework: String?
    /// Its size in bytes.
    public internal(set) var fileSize: Int?
    /// `2D`, `3D` or `360`.
    public internal(set) var mediaType: String?
    /// Whether it may be scaled.
    public internal(set) var isScalable: Bool?
    /// Whether it keeps its proportions where it is scaled.
    public internal(set) var keepsAspectRatio: Bool?
    /// The line where it stands.
    public internal(set) var line: Int

    /// Whether it is a program after VPAID, which no stage of ours runs.
    public var isVPAID: Bool {
        // Versions are written behind it, and Flash before it.
        let name = self.apiFramework?.prefix(16).asciiLowercased ?? ""
        return name.hasPrefix("vpaid") || name.hasPrefix("flashvpaid")
    }
}

/// The file that a creative was made from.
public struct VASTMezzanine: Hashable, Sendable {
    /// Where it is.
    public let url: URLTemplate
    /// Its type.
    public let type: String?
    /// Its width in pixels.
    public let width: Int?
    /// Its height in pixels.
    public let height: Int?
    /// `progressive` or `streaming`.
    public let delivery: String?
    /// Its codec.
    public let codec: String?
    /// Its name.
    public let id: String?
}

/// A program that runs beside a video: SIMID, as a rule.
public struct VASTInteractiveFile: Hashable, Sendable {
    /// Where it is.
    public let url: URLTemplate
    /// Its type.
    public let type: String?
    /// What runs it.
    public let apiFramework: String?
    /// Whether it decides how long the ad lasts.
    public let hasVariableDuration: Bool?
}

/// A file of captions.
public struct VASTCaption: Hashable, Sendable {
    /// Where it is.
    public let url: URLTemplate
    /// Its type.
    public let type: String?
    /// Its language.
    public let language: String?
}
