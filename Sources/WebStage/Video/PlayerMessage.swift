import AdCore

/// A message of `player.js` about the video element.
///
/// Its values are validated, because they depend on the media file.
struct PlayerMessage: Hashable, Sendable {
    enum Event: Hashable, Sendable {
        /// It can play (`canplay`).
        case canPlay(hasPicture: Bool)
        case playing
        /// The position has changed.
        case moved
        case paused
        case ended
        /// It can't be played; the code of `MediaError` (HTML Living Standard, "Media elements").
        case failed(code: Int, String)
        /// `play()` was rejected; the name of the exception.
        case refused(String)
        /// It waits for data.
        case waiting
        /// It has waited for data for so long, in real time.
        case stalled(Duration)
    }

    /// The number of the media file.
    let number: Int
    let event: Event
    /// The position; nil if invalid.
    let position: Duration?
    /// The duration; nil if unknown or invalid.
    let length: Duration?

    /// Reads a message; nil for other messages.
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
        case "waiting": self.event = .waiting
        case "stalled": self.event = .stalled(PlayerMessage.time(message["ms"]) ?? .zero)
        default: return nil
        }
        self.number = number
        let length = PlayerMessage.time(message["d"]).flatMap { $0 > .zero ? $0 : nil }
        self.length = length
        self.position = PlayerMessage.time(message["t"]).map { position in length.map { min($0, position) } ?? position
        }
    }

    /// For tests.
    init(_ number: Int, _ event: Event, at position: Duration? = nil, of length: Duration? = nil) {
        self.number = number
        self.event = event
        self.position = position
        self.length = length
    }

    /// A time in milliseconds; nil if it is not plausible.
    private static func time(_ json: AdJSON?) -> Duration? {
        guard let value = json?.number, value.isFinite, value >= 0, value < 86_400_000 else { return nil }
        return .milliseconds(Int64(value.rounded()))
    }
}

/// A call of a function of `player.js`.
enum PlayerCall: Hashable, Sendable {
    case load(number: Int, address: String, rate: Double)
    case play(isMuted: Bool)
    case pause
    case mute(Bool)
    /// The volume, from 0 to 1.
    case volume(Double, isMuted: Bool)
    case unload
    /// The countdown, and the time until the video can be skipped.
    case label(String, String)
    case buttons(isShown: Bool, isPaused: Bool, isMuted: Bool)

    /// The call as JavaScript.
    var script: String {
        switch self {
        case .load(let number, let address, let rate):
            "yabbiLoad(\(number), \(AdJSON.string(address).text()), \(AdJSON.double(rate).text()))"
        case .play(let isMuted): "yabbiPlay(\(isMuted))"
        case .pause: "yabbiPause()"
        case .mute(let isMuted): "yabbiMute(\(isMuted))"
        case .volume(let volume, let isMuted): "yabbiVolume(\(AdJSON.double(volume).text()), \(isMuted))"
        case .unload: "yabbiUnload()"
        case .label(let time, let note): "yabbiLabel(\(AdJSON.string(time).text()), \(AdJSON.string(note).text()))"
        case .buttons(let isShown, let isPaused, let isMuted): "yabbiButtons(\(isShown), \(isPaused), \(isMuted))"
        }
    }
}

/// The alarms of a player.
package enum PlayerAlarm: Hashable, Sendable {
    /// A media file was not fetched in time.
    case fetch(Int)
    /// The host page can't play a media file in time.
    case opening(Int)
    /// A stall check, or the next progress of an overlay, is due.
    case check(Int)
    /// A part was not loaded in time.
    case part(Int)
    /// A part that was left is not needed any more.
    case partOver(Int)
}
