import AdCore
import PlayConsole
import PlayReport

/// A player without a picture: a video is the time that passes.
///
/// A plain value: commands, keys and the clock go in, and what a stage reports comes out.
struct SimulatedPlayer: Sendable {
    /// What is to be done next.
    enum Output: Equatable, Sendable {
        case report(StageEvent)
        case probe(spot: Int, [MediaFile])
        case say(String)
    }

    /// How far a spot's file is.
    private enum Load: Equatable {
        case none, asked, ready
    }

    /// How often a player says where it is.
    private static let step = Duration.milliseconds(250)
    /// The assumed length of a video of unknown length.
    private static let guess = Duration.seconds(15)

    private let creative: VideoCreative
    private var spot = 0
    private var load = Load.none
    private var isReady = false
    private var hasStarted = false
    private var isOver = false
    /// Whether it is to play, as the ad wants it and as the user does.
    private var wanted = false
    private var isPausedByUser = false
    private(set) var isMuted = false
    private var endCard: VideoPartID?
    /// Since when the picture moves; nil while it stands still.
    private var movingSince: Moment?
    /// Where it was then.
    private var position = Duration.zero
    private var length: Duration?

    init(_ creative: VideoCreative) { self.creative = creative }

    private var current: VideoSpot { self.creative.spots[self.spot] }
    private var isOverlay: Bool { if case .overlay = self.current.content { true } else { false } }
    /// What is on screen instead of the video, when it is over.
    var shownEndCard: (spot: Int, part: VideoPartID)? { self.endCard.map { (self.spot, $0) } }

    /// Whether nothing plays, nor will by itself: an overlay that is there for any time is no reason to wait.
    var isIdle: Bool {
        guard self.load == .ready, !self.isOver else { return self.load == .none || self.isOver }
        return self.movingSince == nil || self.length == nil
    }

    /// When the player has something to say again.
    func nextTick() -> Moment? {
        guard let since = self.movingSince else { return nil }
        let end = self.length.map { max(.zero, $0 - self.position) }
        return since + min(SimulatedPlayer.step, end ?? SimulatedPlayer.step)
    }

    // MARK: Files

    /// Gets the first spot ready.
    mutating func begin() -> [Output] { self.prepare() }

    private mutating func prepare() -> [Output] {
        self.load = .asked
        switch self.current.content {
        case .media(let files): return [.probe(spot: self.spot, files)]
        case .overlay: return self.found(self.spot, length: nil, at: nil)
        }
    }

    /// A spot's file is there, or can't be had.
    mutating func answered(_ result: Result<MediaProbe.Found, MediaProbe.Fault>, for spot: Int, at now: Moment)
        -> [Output]
    {
        guard spot == self.spot, self.load == .asked else { return [] }
        switch result {
        case .success(let found):
            let size = found.file.size.map { ", \($0)" } ?? ""
            let text = "plays \(found.file.type)\(size) from \(Redaction.address(found.file.url.text))"
            let passed = found.passedOver.map { Output.say("passes over a file: \($0.message)") }
            return passed + [.say(text)] + self.found(spot, length: found.duration, at: now)
        case .failure(let fault):
            // Where nothing comes in its place, nothing will play any more.
            self.load = .none
            return [.report(.video(.failed(vastCode: fault.code, fault.message), spot: spot))]
        }
    }

    private mutating func found(_ spot: Int, length: Duration?, at now: Moment?) -> [Output] {
        self.load = .ready
        if case .overlay(let least) = self.current.terms.form {
            self.length = least.flatMap { $0 > .zero ? $0 : nil }
        } else {
            self.length = length ?? self.current.terms.length ?? SimulatedPlayer.guess
        }
        var outputs: [Output] = [.report(.video(.loaded, spot: spot))]
        if !self.isReady {
            self.isReady = true
            outputs.append(.report(.ready))
        }
        if let now { outputs += self.move(at: now) }
        return outputs
    }

    // MARK: Commands

    mutating func obey(_ command: VideoCommand, at now: Moment) -> [Output] {
        switch command {
        case .play:
            self.wanted = true
            return self.move(at: now)
        case .pause:
            self.wanted = false
            return self.stand(at: now)
        case .next(let spot):
            guard self.creative.spots.indices.contains(spot) else { return [] }
            self.leave()
            self.spot = spot
            let title = self.current.title.map { ": \(Style.printable($0))" } ?? ""
            return [.say("spot \(spot + 1)\(title)")] + self.prepare()
        case .showEndCard:
            let (spot, card) = (self.spot, self.current.endCard)
            self.leave()
            self.isOver = true
            self.endCard = card
            guard let card else { return [] }
            return [.say("end card: \(self.words(card))"), .report(.video(.partShown(card), spot: spot))]
        case .part(let part, visible: true):
            guard self.current.parts[part] != nil else { return [] }
            return [.say("shows \(self.words(part))"), .report(.video(.partShown(part), spot: self.spot))]
        case .part(let part, visible: false): return [.say("hides \(part)")]
        }
    }

    private mutating func leave() {
        self.movingSince = nil
        self.position = .zero
        self.length = nil
        self.load = .none
        self.hasStarted = false
        self.isPausedByUser = false
        self.wanted = false
    }

    private func words(_ id: VideoPartID) -> String {
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

    /// What a user does; `isMine` is false where it does not concern a player.
    mutating func act(_ act: Script.Action, at now: Moment) -> (isMine: Bool, outputs: [Output]) {
        switch act {
        case .mute, .unmute:
            self.isMuted = act == .mute
            return (true, [.report(.video(.muted(self.isMuted), spot: self.spot))])
        case .pause:
            self.isPausedByUser = true
            return (true, self.stand(at: now))
        case .resume:
            self.isPausedByUser = false
            return (true, self.move(at: now))
        case .click, .close, .skip, .back, .cover, .uncover, .background, .foreground, .rotate, .scroll:
            return (false, [])
        }
    }

    /// Pauses what plays, and plays what the user has paused.
    mutating func toggle(at now: Moment) -> [Output] {
        self.act(self.isPausedByUser ? .resume : .pause, at: now).outputs
    }

    // MARK: Time

    private mutating func move(at now: Moment) -> [Output] {
        guard self.wanted, !self.isPausedByUser, !self.isOver, self.load == .ready, self.movingSince == nil else {
            return []
        }
        self.movingSince = now
        guard self.hasStarted else {
            self.hasStarted = true
            return [.report(.video(.started(duration: self.length), spot: self.spot))]
        }
        return [.report(.video(.resumed, spot: self.spot))]
    }

    private mutating func stand(at now: Moment) -> [Output] {
        guard self.movingSince != nil else { return [] }
        let outputs = self.tick(at: now)
        guard self.movingSince != nil else { return outputs }
        self.movingSince = nil
        return outputs + [.report(.video(.paused, spot: self.spot))]
    }

    /// Time has passed.
    mutating func tick(at now: Moment) -> [Output] {
        guard let since = self.movingSince, now >= since else { return [] }
        self.position += now - since
        self.movingSince = now
        guard let length, self.position >= length else {
            return now == since ? [] : [.report(.video(.progressed(self.position), spot: self.spot))]
        }
        self.movingSince = nil
        self.wanted = false
        let last = Output.report(.video(.progressed(length), spot: self.spot))
        // When an overlay has been there for long enough is for the ad to say.
        return self.isOverlay ? [last] : [last, .report(.video(.completed, spot: self.spot))]
    }

    /// The ad is off the screen.
    mutating func end() {
        self.leave()
        self.isOver = true
    }
}
