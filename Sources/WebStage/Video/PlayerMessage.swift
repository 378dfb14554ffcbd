import AdCore

/// A message of our page about the video in it.
///
/// The page is ours; its values are validated nevertheless, because they come from the media file.
struct PlayerMessage: Hashable, Sendable {
    enum Event: Hashable, Sendable {
        /// It could play now.
        case canPlay(hasPicture: Bool)
        case playing
        /// It is somewhere else than before.
        case moved
        case paused
        case ended
        /// It can't be played, by the number that browsers have for it.
        case failed(code: Int, String)
        /// The browser does not let it begin.
        case refused(String)
    }

    /// The number of the media file.
    let number: Int
    let event: Event
    /// The position; nil where it is invalid.
    let position: Duration?
    /// The length; nil where it is unknown or invalid.
    let length: Duration?

    /// Reads a message; nil where it is about something else.
    init?(_ message: AdJSON) {
        guard message["k"] == "video", let number = message["n"]?.number.flatMap(Int.init(exactly:)) else { return nil }
        let text = (message["m"]?.string ?? "").excerpt(200)
        switch message["e"]?.string {
        case "canplay": self.event = .canPlay(hasPicture: (message["w"]?.number ?? 0) > 0)
        case "playing": self.event = .playing
        case "time": self.event = .moved
        case "pause": self.event = .paused
        case "ended": self.event = .ended
        case "error": self.event = .failed(code: message["c"]?.number.flatMap(Int.init(exactly:)) ?? 0, text)
        case "refused": self.event = .refused(text)
        default: return nil
        }
        self.number = number
        let length = PlayerMessage.time(message["d"]).flatMap { $0 > .zero ? $0 : nil }
        self.length = length
        self.position = PlayerMessage.time(message["t"]).map { position in length.map { min($0, position) } ?? position
        }
    }

    /// For tests, and for what is known without a page.
    init(_ number: Int, _ event: Event, at position: Duration? = nil, of length: Duration? = nil) {
        self.number = number
        self.event = event
        self.position = position
        self.length = length
    }

    /// A time that a video can have, of milliseconds.
    private static func time(_ json: AdJSON?) -> Duration? {
        guard let value = json?.number, value.isFinite, value >= 0, value < 86_400_000 else { return nil }
        return .milliseconds(Int64(value.rounded()))
    }
}

/// A call of a function of our page.
enum PlayerCall: Hashable, Sendable {
    case load(number: Int, address: String, rate: Double)
    case play(isMuted: Bool)
    case pause
    case mute(Bool)
    case unload
    /// The countdown, and when it can be skipped.
    case label(String, String)
    case buttons(isShown: Bool, isPaused: Bool, isMuted: Bool)

    /// The call as a script.
    var script: String {
        switch self {
        case .load(let number, let address, let rate):
            "yabbiLoad(\(number), \(AdJSON.string(address).text()), \(AdJSON.double(rate).text()))"
        case .play(let isMuted): "yabbiPlay(\(isMuted))"
        case .pause: "yabbiPause()"
        case .mute(let isMuted): "yabbiMute(\(isMuted))"
        case .unload: "yabbiUnload()"
        case .label(let time, let note): "yabbiLabel(\(AdJSON.string(time).text()), \(AdJSON.string(note).text()))"
        case .buttons(let isShown, let isPaused, let isMuted): "yabbiButtons(\(isShown), \(isPaused), \(isMuted))"
        }
    }
}

/// The alarms of a player.
package enum PlayerAlarm: Hashable, Sendable {
    /// A media file has had its time to be fetched.
    case fetch(Int)
    /// Our page has had its time to find out whether it can play a media file.
    case opening(Int)
    /// Look whether the video plays.
    case look(Int)
    /// A part has had its time to become ready.
    case part(Int)
}
