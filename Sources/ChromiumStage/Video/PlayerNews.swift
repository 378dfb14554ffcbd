import AdCore

/// What our page tells of the film in it.
///
/// The page is ours, and yet what it tells is looked at: a film that lies about its length or its place is only a file.
struct PlayerNews: Hashable, Sendable {
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

    /// Which film.
    let number: Int
    let event: Event
    /// Where it is; nil where that is no place in a film.
    let position: Duration?
    /// How long it is; nil where that is not known, or can't be.
    let length: Duration?

    /// Reads what the page said; nil where it is nothing of a film.
    init?(_ message: JSON) {
        guard message["k"] == "film", let number = message["n"]?.number.flatMap(Int.init(exactly:)) else { return nil }
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
        let length = PlayerNews.time(message["d"]).flatMap { $0 > .zero ? $0 : nil }
        self.length = length
        self.position = PlayerNews.time(message["t"]).map { position in length.map { min($0, position) } ?? position }
    }

    /// For tests, and for what is known without a page.
    init(_ number: Int, _ event: Event, at position: Duration? = nil, of length: Duration? = nil) {
        self.number = number
        self.event = event
        self.position = position
        self.length = length
    }

    /// A time that a film can have, of milliseconds.
    private static func time(_ json: JSON?) -> Duration? {
        guard let value = json?.number, value.isFinite, value >= 0, value < 86_400_000 else { return nil }
        return .milliseconds(Int64(value.rounded()))
    }
}

/// What our page is told.
enum PlayerCall: Hashable, Sendable {
    case load(number: Int, address: String, rate: Double)
    case play(isMuted: Bool)
    case pause
    case mute(Bool)
    case unload
    /// The countdown, and a word on skipping.
    case label(String, String)
    case buttons(isShown: Bool, isPaused: Bool, isMuted: Bool)

    /// As our script understands it.
    var script: String {
        switch self {
        case .load(let number, let address, let rate):
            "yabbiLoad(\(number), \(JSON.string(address).text()), \(JSON.double(rate).text()))"
        case .play(let isMuted): "yabbiPlay(\(isMuted))"
        case .pause: "yabbiPause()"
        case .mute(let isMuted): "yabbiMute(\(isMuted))"
        case .unload: "yabbiUnload()"
        case .label(let time, let note): "yabbiLabel(\(JSON.string(time).text()), \(JSON.string(note).text()))"
        case .buttons(let isShown, let isPaused, let isMuted): "yabbiButtons(\(isShown), \(isPaused), \(isMuted))"
        }
    }
}

/// What a player waits for.
enum PlayerAlarm: Hashable, Sendable {
    /// A film has had its time to be fetched.
    case film(Int)
    /// Our page has had its time to find out whether it can play a film.
    case opening(Int)
    /// Look whether what is to play does.
    case look(Int)
    /// A part has had its time to become ready.
    case part(Int)
}
