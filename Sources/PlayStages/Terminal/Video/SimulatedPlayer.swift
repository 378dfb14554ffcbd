import AdCore
import PlayConsole

/// The machine of a player without a picture, which only lets the duration of a video pass.
struct SimulatedPlayer: Sendable {
    enum Action: Equatable, Sendable {
        case report(StageEvent)
        case probe(spot: Int, [MediaFile])
        case print(String)
    }

    /// The state of a spot's file.
    private enum Load: Equatable {
        case none, requested, ready
    }

    /// The interval of progress events.
    private static let step = Duration.milliseconds(250)
    /// The assumed duration of a video of unknown duration.
    private static let defaultLength = Duration.seconds(15)

    private let creative: VideoCreative
    private var spot = 0
    private var load = Load.none
    private var isReady = false
    private var hasStarted = false
    private var isOver = false
    /// Whether the ad has commanded it to play.
    private var shouldPlay = false
    private var isPausedByUser = false
    private(set) var isMuted = false
    private var endCard: VideoPartID?
    /// Since when the video plays; nil while it is paused.
    private var playingSince: Moment?
    /// The position at that time.
    private var position = Duration.zero
    private var length: Duration?

    init(_ creative: VideoCreative) { self.creative = creative }

    private var current: VideoSpot { self.creative.spots[self.spot] }
    private var isOverlay: Bool { if case .overlay = self.current.content { true } else { false } }
    /// The end card on screen.
    var shownEndCard: (spot: Int, part: VideoPartID)? { self.endCard.map { (self.spot, $0) } }

    /// Whether nothing plays or will play by itself.
    ///
    /// An overlay without a duration counts as idle.
    var isIdle: Bool {
        guard self.load == .ready, !self.isOver else { return self.load == .none || self.isOver }
        return self.playingSince == nil || self.length == nil
    }

    /// When the next progress event is due.
    func nextTick() -> Moment? {
        guard let since = self.playingSince else { return nil }
        let end = self.length.map { max(.zero, $0 - self.position) }
        return since + min(SimulatedPlayer.step, end ?? SimulatedPlayer.step)
    }

    // MARK: Files

    /// Loads the first spot.
    mutating func start() -> [Action] { self.prepare() }

    private mutating func prepare() -> [Action] {
        self.load = .requested
        switch self.current.content {
        case .media(let files): return [.probe(spot: self.spot, files)]
        case .overlay: return self.found(self.spot, length: nil, at: nil)
        }
    }

    /// Handles the result of a probe.
    mutating func probed(_ result: Result<MediaProbe.Found, MediaProbe.Failure>, for spot: Int, at now: Moment)
        -> [Action]
    {
        guard spot == self.spot, self.load == .requested else { return [] }
        switch result {
        case .success(let found):
            let size = found.file.size.map { ", \($0)" } ?? ""
            let text = "plays \(found.file.type)\(size) from \(Redaction.address(found.file.url.text))"
            let skipped = found.skipped.map { Action.print("skips a media file: \($0.message)") }
            return skipped + [.print(text)] + self.found(spot, length: found.duration, at: now)
        case .failure(let failure):
            // Without a fallback ad nothing plays any more.
            self.load = .none
            return [.report(.video(.failed(vastCode: failure.code, failure.message), spot: spot))]
        }
    }

    private mutating func found(_ spot: Int, length: Duration?, at now: Moment?) -> [Action] {
        self.load = .ready
        if case .overlay(let least) = self.current.rules.form {
            self.length = least.flatMap { $0 > .zero ? $0 : nil }
        } else {
            self.length = length ?? self.current.rules.length ?? SimulatedPlayer.defaultLength
        }
        var actions: [Action] = [.report(.video(.loaded, spot: spot))]
        if !self.isReady {
            self.isReady = true
            actions.append(.report(.ready))
        }
        if let now { actions += self.resume(at: now) }
        return actions
    }

    // MARK: Commands

    mutating func handle(_ command: VideoCommand, at now: Moment) -> [Action] {
        switch command {
        case .play:
            self.shouldPlay = true
            return self.resume(at: now)
        case .pause:
            self.shouldPlay = false
            return self.pause(at: now)
        case .next(let spot):
            guard self.creative.spots.indices.contains(spot) else { return [] }
            self.reset()
            self.spot = spot
            let title = self.current.title.map { ": \(Style.printable($0))" } ?? ""
            return [.print("spot \(spot + 1)\(title)")] + self.prepare()
        case .showEndCard:
            let (spot, card) = (self.spot, self.current.endCard)
            self.reset()
            self.isOver = true
            self.endCard = card
            guard let card else { return [] }
            return [.print("end card: \(self.describe(card))"), .report(.video(.partShown(card), spot: spot))]
        case .part(let part, visible: true):
            guard self.current.parts[part] != nil else { return [] }
            return [.print("shows \(self.describe(part))"), .report(.video(.partShown(part), spot: self.spot))]
        case .part(let part, visible: false): return [.print("hides \(part)")]
        }
    }

    private mutating func reset() {
        self.playingSince = nil
        self.position = .zero
        self.length = nil
        self.load = .none
        self.hasStarted = false
        self.isPausedByUser = false
        self.shouldPlay = false
    }

    private func describe(_ id: VideoPartID) -> String {
        guard let part = self.current.parts[id] else { return "\(id)" }
        let size = part.size.map { " \($0)" } ?? ""
        let program = part.program.map { " (\(Style.printable($0)))" } ?? ""
        let what =
            switch part.content {
            case .image(let url): "picture \(Redaction.address(url.text))"
            case .page(let url): "page \(Redaction.address(url.text))"
            case .html(let html): "HTML, \(html.markup.utf8.count) bytes"
            }
        return "\(id)\(program)\(size): \(what)"
    }

    // MARK: The user

    /// Handles an action of the user.
    ///
    /// `isHandled` is false if it does not concern the player.
    mutating func handle(_ action: UserScript.Action, at now: Moment) -> (isHandled: Bool, actions: [Action]) {
        switch action {
        case .mute, .unmute:
            self.isMuted = action == .mute
            return (true, [.report(.video(.muted(self.isMuted), spot: self.spot))])
        case .pause:
            self.isPausedByUser = true
            return (true, self.pause(at: now))
        case .resume:
            self.isPausedByUser = false
            return (true, self.resume(at: now))
        case .fullScreen, .exitFullScreen:
            return (true, [.report(.video(.enlarged(action == .fullScreen), spot: self.spot))])
        case .click, .close, .skip, .back, .captions, .cover, .uncover, .background, .foreground, .rotate, .scroll,
            .volume, .obstruct:
            return (false, [])
        }
    }

    /// Pauses the video, or resumes it if the user has paused it.
    mutating func toggle(at now: Moment) -> [Action] {
        self.handle(self.isPausedByUser ? UserScript.Action.resume : .pause, at: now).actions
    }

    // MARK: Time

    private mutating func resume(at now: Moment) -> [Action] {
        guard self.shouldPlay, !self.isPausedByUser, !self.isOver, self.load == .ready, self.playingSince == nil else {
            return []
        }
        self.playingSince = now
        guard self.hasStarted else {
            self.hasStarted = true
            return [.report(.video(.started(duration: self.length), spot: self.spot))]
        }
        return [.report(.video(.resumed, spot: self.spot))]
    }

    private mutating func pause(at now: Moment) -> [Action] {
        guard self.playingSince != nil else { return [] }
        let actions = self.tick(at: now)
        guard self.playingSince != nil else { return actions }
        self.playingSince = nil
        return actions + [.report(.video(.paused, spot: self.spot))]
    }

    /// Advances the position to the current time.
    mutating func tick(at now: Moment) -> [Action] {
        guard let since = self.playingSince, now >= since else { return [] }
        self.position += now - since
        self.playingSince = now
        guard let length, self.position >= length else {
            return now == since ? [] : [.report(.video(.progressed(self.position), spot: self.spot))]
        }
        self.playingSince = nil
        self.shouldPlay = false
        let last = Action.report(.video(.progressed(length), spot: self.spot))
        // The ad decides when an overlay ends.
        return self.isOverlay ? [last] : [last, .report(.video(.completed, spot: self.spot))]
    }

    /// Stops the player, when the ad is closed.
    mutating func end() {
        self.reset()
        self.isOver = true
    }
}
