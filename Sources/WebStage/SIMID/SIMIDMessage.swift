import AdCore

/// A message between a SIMID creative and the player (SIMID 1.2 §8.1).
struct SIMIDMessage: Hashable, Sendable {
    let session: String
    let id: Int
    let type: String
    let arguments: AdJSON

    init(session: String, id: Int, type: String, arguments: AdJSON) {
        self.session = session
        self.id = id
        self.type = type
        self.arguments = arguments
    }

    /// Reads a creative's message; nil for anything else that a page may post.
    init?(_ text: String) {
        guard text.utf8.count <= EngineMessage.byteLimit, let json = try? AdJSON(parsing: text),
            let session = json["sessionId"]?.string, !session.isEmpty, session.utf8.count <= 200,
            let id = json["messageId"]?.number.flatMap(Int.init(exactly:)), id >= 0,
            let type = json["type"]?.string, type.utf8.count <= 100
        else { return nil }
        self.init(session: session, id: id, type: type, arguments: json["args"] ?? .null)
    }

    /// The message as it is posted; the host page sets `timestamp`.
    var text: String {
        let json: AdJSON = [
            "sessionId": .string(self.session), "messageId": .int(self.id), "timestamp": 0,
            "type": .string(self.type), "args": self.arguments,
        ]
        return json.text()
    }
}

/// A request of a creative that the player handles (SIMID 1.2 §4.4).
enum SIMIDRequest: Hashable, Sendable {
    case getMediaState, pause, play, skip, stop, requestFullscreen, exitFullscreen, expand, collapse
    case changeVolume(Double, isMuted: Bool)
    /// In seconds; nil for an unknown duration.
    case changeDuration(Double?)
    case resize(media: MRAIDRect, creative: MRAIDRect)
    /// A click that counts, with the URL that the player opens, if any.
    case clickThrough(String?)
    /// A page to open.
    case navigate(String)
    case track([String])
    case fatalError(code: Int, String)
    case log

    /// Reads a message; nil for an unknown type or without its required arguments.
    init?(_ message: SIMIDMessage) {
        let arguments = message.arguments
        guard message.type.hasPrefix("SIMID:Creative:") else { return nil }
        let name = message.type.dropFirst("SIMID:Creative:".count)
        if let request = SIMIDRequest.plain[name] {
            self = request
            return
        }
        switch name {
        case "requestChangeVolume":
            guard let volume = arguments["volume"]?.number, volume.isFinite else { return nil }
            self = .changeVolume(min(max(volume, 0), 1), isMuted: arguments["muted"] == true)
        case "requestChangeAdDuration":
            guard let duration = arguments["duration"]?.number, duration.isFinite, duration > 0 || duration == -2 else {
                return nil
            }
            self = .changeDuration(duration > 0 ? duration : nil)
        case "requestResize":
            // `mediaDimensions` in the text of SIMID, `videoDimensions` in its data.
            guard let media = MRAIDRect(dimensions: arguments["mediaDimensions"] ?? arguments["videoDimensions"]),
                let creative = MRAIDRect(dimensions: arguments["creativeDimensions"])
            else { return nil }
            self = .resize(media: media, creative: creative)
        case "clickThru": self = .clickThrough(SIMIDRequest.url(arguments["url"] ?? arguments["uri"]))
        case "requestNavigation":
            guard let url = SIMIDRequest.url(arguments["uri"] ?? arguments["url"]) else { return nil }
            self = .navigate(url)
        case "reportTracking":
            guard let urls = arguments["trackingUrls"]?.array?.compactMap(\.string) else { return nil }
            self = .track(urls)
        case "fatalError":
            let code = arguments["errorCode"]?.number.flatMap(Int.init(exactly:)) ?? 0
            self = .fatalError(code: code, (arguments["errorMessage"]?.string ?? "").excerpt(200))
        default: return nil
        }
    }

    /// The requests without arguments that are needed.
    private static let plain: [Substring: SIMIDRequest] = [
        "getMediaState": .getMediaState, "requestPause": .pause, "requestPlay": .play, "requestSkip": .skip,
        "requestStop": .stop, "requestFullScreen": .requestFullscreen, "requestFullscreen": .requestFullscreen,
        "requestExitFullScreen": .exitFullscreen, "requestExitFullscreen": .exitFullscreen,
        "expandNonlinear": .expand, "collapseNonlinear": .collapse, "log": .log,
    ]

    private static func url(_ json: AdJSON?) -> String? {
        guard let text = json?.string, !text.isEmpty, text.utf8.count <= 16_384 else { return nil }
        return text
    }

    /// Whether the creative expects a reply.
    var hasReply: Bool {
        switch self {
        case .log, .fatalError: false
        default: true
        }
    }
}

extension MRAIDRect {
    /// Reads `Dimensions` of SIMID.
    init?(dimensions json: AdJSON?) {
        guard let x = json?["x"]?.number, let y = json?["y"]?.number, let width = json?["width"]?.number,
            let height = json?["height"]?.number, [x, y, width, height].allSatisfy({ abs($0) < 1e6 }), width > 0,
            height > 0
        else { return nil }
        self.init(x: x, y: y, width: width, height: height)
    }
}
