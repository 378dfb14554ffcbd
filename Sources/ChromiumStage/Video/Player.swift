import AdCore

/// Plays the spots of a video in our page: which file is tried, and what is told of it.
///
/// A plain value: the ad's commands, the page's news and the user's presses go in, steps come out. Its sound is off until
/// the ad is on screen and told to play, and on from then, until the user says otherwise: nothing that is loaded out of
/// sight is heard, and whoever is shown a film hears it, as on the terminal's stage. Only where the browser lets nothing
/// be heard it begins without, which is reported before its start.
struct Player: Hashable, Sendable {
    /// What is to be done next.
    enum Step: Hashable, Sendable {
        /// Tell the ad, of the current spot.
        case report(VideoEvent)
        /// The first spot could be shown.
        case ready
        /// Have our page do something.
        case page(PlayerCall)
        case fetch(MediaOrder)
        /// Nobody needs this film any more, or waits for it.
        case drop(Int)
        /// Get the current spot's overlay ready, out of sight.
        case openOverlay(VideoPart)
        /// Have it seen.
        case showOverlay
        case setAlarm(PlayerAlarm, after: Duration)
    }

    /// How far the current spot is.
    private enum Load: Hashable, Sendable {
        /// There is none, or it is over.
        case none
        /// Its file is being fetched.
        case fetching
        /// Our page, or a frame in it, looks at it.
        case opening
        case ready
    }

    /// How long our page may take to see whether it can play a file.
    static let opening = Duration.seconds(5)
    /// How long a film that is to play may stand still.
    static let stalling = Duration.seconds(8)
    /// How often an overlay's time is told.
    static let step = Duration.milliseconds(250)
    /// How many files of a video are tried; each may keep its viewer waiting.
    static let mostFiles = 8

    private let creative: VideoCreative
    private let terms: PlayerTerms
    private(set) var spot = 0
    private var load = Load.none
    private var isReady = false
    /// The current film, and which of the spot's files it is.
    private(set) var order: MediaOrder?
    /// How many bytes it has, where we hold it.
    private(set) var size = 0
    private var place = 0
    private var last = 0
    private var faults: [MediaFault] = []
    /// What the network said of a film that the browser fetches by itself.
    private var trouble: MediaFault?
    /// Whether it is to play, as the ad wants it and as the user does.
    private var isWanted = false
    private(set) var isPausedByUser = false
    private(set) var isMuted = false
    private var hasStarted = false
    private(set) var isMoving = false
    private var position = Duration.zero
    private var length: Duration?
    /// When it was last seen to move, and which look after that is the last that was asked for.
    private var movedAt = Duration.zero
    private var looks = 0
    private var label = PlayerLabel.none
    private var buttons: PlayerCall?

    init(_ creative: VideoCreative, _ terms: PlayerTerms) {
        self.creative = creative
        self.terms = terms
    }

    var current: VideoSpot { self.creative.spots[self.spot] }
    /// Whether films are held by us, and not fetched by the browser itself.
    var isShelved: Bool { self.terms.shelf != nil }
    private var isOverlay: Bool { if case .overlay = self.current.content { true } else { false } }

    /// Whether nothing plays, nor will by itself: an overlay that is there for any time is no reason to wait.
    var isIdle: Bool {
        switch self.load {
        case .none: true
        case .fetching, .opening: false
        case .ready: !self.isWanted || self.isPausedByUser || (self.isOverlay && self.length == nil)
        }
    }

    // MARK: Files

    /// Gets the first spot ready.
    mutating func begin() -> [Step] { self.prepare() }

    private mutating func prepare() -> [Step] {
        switch self.current.content {
        case .media: return self.tryNext()
        case .overlay(let part):
            self.load = .opening
            return [.openOverlay(part)]
        }
    }

    private mutating func tryNext() -> [Step] {
        guard case .media(let files) = self.current.content else { return [] }
        guard self.place < min(files.count, Player.mostFiles) else {
            self.load = .none
            self.order = nil
            let fault = self.faults.first ?? MediaFault(code: 401, message: "there is no file")
            return [.report(.failed(vastCode: fault.code, fault.message))]
        }
        self.last += 1
        self.trouble = nil
        let order = MediaOrder(number: self.last, file: files[self.place])
        self.order = order
        self.place += 1
        guard self.terms.shelf != nil else { return self.open(order) }
        self.load = .fetching
        return [
            .fetch(order), .setAlarm(.film(order.number), after: MediaFetch.patience + .milliseconds(500)),
        ]
    }

    private mutating func open(_ order: MediaOrder) -> [Step] {
        self.load = .opening
        let call = PlayerCall.load(number: order.number, address: self.terms.address(of: order), rate: self.terms.rate)
        // Where the browser fetches it, it has the time for that as well.
        let patience = self.terms.shelf == nil ? MediaFetch.patience : Player.opening
        return [.page(call), .setAlarm(.opening(order.number), after: patience)]
    }

    /// A film is there, or can't be had.
    mutating func fetched(_ number: Int, _ result: Result<FetchedMedia, MediaFault>) -> [Step] {
        guard let order, order.number == number, self.load == .fetching else { return [.drop(number)] }
        switch result {
        case .success(let media):
            self.size = media.size
            return self.open(order)
        case .failure(let fault): return self.giveUp(fault)
        }
    }

    /// This file can't be played; perhaps the next.
    private mutating func giveUp(_ fault: MediaFault) -> [Step] {
        guard let order else { return [] }
        self.faults.append(fault)
        let steps: [Step] = self.load == .opening ? [.page(.unload), .drop(order.number)] : [.drop(order.number)]
        return steps + self.tryNext()
    }

    /// The network has said something of the film that the browser fetches by itself.
    mutating func note(_ fault: MediaFault) { self.trouble = self.trouble ?? fault }

    private func address(_ order: MediaOrder) -> String { Redaction.address(order.file.url.text.excerpt(500)) }

    // MARK: Commands

    mutating func play(at now: Duration) -> [Step] {
        self.isWanted = true
        return self.move(at: now)
    }

    mutating func pause(at now: Duration) -> [Step] {
        self.isWanted = false
        return self.stand(at: now)
    }

    /// Leaves the current spot and gets another one ready.
    mutating func next(_ spot: Int) -> [Step] {
        guard self.creative.spots.indices.contains(spot) else { return [] }
        let steps = self.leave()
        self.spot = spot
        return steps + self.prepare()
    }

    /// Leaves what is played: frees it, and forgets how far it was.
    mutating func leave() -> [Step] {
        var steps: [Step] = []
        if let order { steps += [.page(.unload), .drop(order.number)] }
        self.order = nil
        self.load = .none
        self.place = 0
        self.faults = []
        self.isWanted = false
        self.isPausedByUser = false
        self.hasStarted = false
        self.isMoving = false
        self.position = .zero
        self.length = nil
        self.looks += 1
        return steps + self.relabel()
    }

    // MARK: The user

    /// Pauses what plays, and plays what the user has paused.
    mutating func togglePause(at now: Duration) -> [Step] {
        guard self.load == .ready, !self.isOverlay else { return [] }
        self.isPausedByUser.toggle()
        return self.relabel() + (self.isPausedByUser ? self.stand(at: now) : self.move(at: now))
    }

    mutating func toggleSound() -> [Step] {
        guard self.load == .ready, !self.isOverlay else { return [] }
        self.isMuted.toggle()
        return [.page(.mute(self.isMuted)), .report(.muted(self.isMuted))] + self.relabel()
    }

    // MARK: News

    /// Our page tells something of the film.
    mutating func hear(_ news: PlayerNews, at now: Duration) -> [Step] {
        guard let order, news.number == order.number, self.load == .opening || self.load == .ready else { return [] }
        switch news.event {
        case .canPlay(let hasPicture):
            guard self.load == .opening else { return [] }
            guard hasPicture else {
                return self.giveUp(MediaFault(code: 405, message: "\(self.address(order)) holds no picture"))
            }
            return self.becomeReady(news.length ?? self.current.terms.duration, at: now)
        case .failed(let code, let text):
            let words = text.isEmpty ? "the browser's error \(code)" : text
            return self.fail(405, "\(self.address(order)) can't be played: \(words)")
        case .refused(let name):
            guard name == "NotAllowedError", !self.isMuted else {
                return self.fail(405, "\(self.address(order)) can't be played: \(name)")
            }
            self.isMuted = true
            return [.report(.muted(true)), .page(.play(isMuted: true))] + self.relabel()
        case .playing, .moved, .paused, .ended:
            guard self.load == .ready else { return [] }
            return self.take(news, at: now)
        }
    }

    private mutating func take(_ news: PlayerNews, at now: Duration) -> [Step] {
        switch news.event {
        case .playing:
            guard !self.isMoving else { return [] }
            self.isMoving = true
            self.movedAt = now
            let first = !self.hasStarted
            self.hasStarted = true
            return [.report(first ? .started(duration: self.length) : .resumed)] + self.relabel()
        case .moved: return self.hasStarted ? self.advance(to: news.position, at: now) : []
        case .paused:
            guard self.isMoving else { return [] }
            let steps = self.advance(to: news.position, at: now)
            self.isMoving = false
            return steps + [.report(.paused)]
        case .ended:
            var steps: [Step] = self.hasStarted ? [] : [.report(.started(duration: self.length))]
            steps += self.advance(to: self.length ?? news.position, at: now)
            self.load = .none
            (self.hasStarted, self.isMoving, self.isWanted) = (true, false, false)
            return steps + [.report(.completed)] + self.relabel()
        case .canPlay, .failed, .refused: return []
        }
    }

    /// It has come so far; never back, because nobody can move it.
    private mutating func advance(to position: Duration?, at now: Duration) -> [Step] {
        guard let position, position > self.position else { return [] }
        self.position = self.length.map { min($0, position) } ?? position
        self.movedAt = now
        return [.report(.progressed(self.position))] + self.relabel()
    }

    private mutating func becomeReady(_ length: Duration?, at now: Duration) -> [Step] {
        self.load = .ready
        self.length = length.flatMap { $0 > .zero ? $0 : nil }
        var steps: [Step] = [.report(.loaded)]
        if !self.isReady {
            self.isReady = true
            steps.append(.ready)
        }
        return steps + self.relabel() + self.move(at: now)
    }

    /// The film can't be played, or not any further.
    private mutating func fail(_ code: Int, _ text: String) -> [Step] {
        let fault = self.trouble ?? MediaFault(code: code, message: text)
        guard self.load == .ready else { return self.giveUp(fault) }
        return self.leave() + [.report(.failed(vastCode: fault.code, fault.message))]
    }

    // MARK: Overlays

    /// The overlay is there, out of sight.
    mutating func overlayIsThere(at now: Duration) -> [Step] {
        guard self.isOverlay, self.load == .opening, case .overlay(let least) = self.current.terms.form else {
            return []
        }
        return self.becomeReady(least, at: now)
    }

    /// The overlay can't be shown, or not any longer.
    mutating func overlayFailed(_ code: Int, _ text: String) -> [Step] {
        guard self.isOverlay, self.load != .none else { return [] }
        return self.leave() + [.report(.failed(vastCode: code, text))]
    }

    /// Time has passed for an overlay.
    private mutating func tick(at now: Duration) -> [Step] {
        guard self.isOverlay, self.isMoving, now > self.movedAt else { return [] }
        let passed = (now - self.movedAt) * self.terms.rate
        let steps = self.advance(to: self.position + passed, at: now)
        guard let length, self.position >= length else { return steps }
        // When it has been there for long enough is for the ad to say.
        (self.isMoving, self.isWanted) = (false, false)
        return steps
    }

    // MARK: Time

    /// Plays, where that is wanted and nothing stands in the way.
    private mutating func move(at now: Duration) -> [Step] {
        guard self.isWanted, !self.isPausedByUser, self.load == .ready else { return [] }
        self.movedAt = now
        var steps: [Step] = []
        if self.isOverlay {
            guard !self.isMoving else { return [] }
            self.isMoving = true
            steps = [.showOverlay, .report(self.hasStarted ? .resumed : .started(duration: self.length))]
            self.hasStarted = true
        } else {
            steps = [.page(.play(isMuted: self.isMuted))]
        }
        return steps + [self.lookAgain(after: self.isOverlay ? Player.step : Player.stalling)]
    }

    private mutating func stand(at now: Duration) -> [Step] {
        guard self.isOverlay else { return self.load == .ready ? [.page(.pause)] : [] }
        let steps = self.tick(at: now)
        guard self.isMoving else { return steps }
        self.isMoving = false
        return steps + [.report(.paused)]
    }

    /// The time is over that something was given.
    mutating func wake(_ alarm: PlayerAlarm, at now: Duration) -> [Step] {
        switch alarm {
        case .film(let number):
            guard let order, order.number == number, self.load == .fetching else { return [] }
            return self.giveUp(MediaFetch.late(self.address(order)))
        case .opening(let number):
            guard let order, order.number == number, self.load == .opening else { return [] }
            let text = "\(self.address(order)) was not ready to play within \(Player.opening)"
            let late = self.terms.shelf == nil ? MediaFetch.late(self.address(order)) : nil
            return self.giveUp(self.trouble ?? late ?? MediaFault(code: 405, message: text))
        case .look(let number): return number == self.looks ? self.look(at: now) : []
        case .part: return []
        }
    }

    private mutating func lookAgain(after delay: Duration) -> Step {
        self.looks += 1
        return .setAlarm(.look(self.looks), after: delay)
    }

    /// Looks whether what is to play does.
    private mutating func look(at now: Duration) -> [Step] {
        guard self.isWanted, !self.isPausedByUser, self.load == .ready else { return [] }
        if self.isOverlay {
            let steps = self.tick(at: now)
            return self.isMoving ? steps + [self.lookAgain(after: Player.step)] : steps
        }
        let rest = self.movedAt + Player.stalling - now
        guard rest <= .zero, let order else { return [self.lookAgain(after: max(rest, Player.step))] }
        // What is held by us does not wait for a network.
        let code = self.terms.shelf == nil ? 402 : 405
        return self.fail(code, "\(self.address(order)) stood still for \(Player.stalling)")
    }

    // MARK: What is written above it

    private mutating func relabel() -> [Step] {
        var steps: [Step] = []
        let isShown = self.load == .ready && !self.isOverlay
        let count = self.creative.spots.count - self.creative.standIns
        let skipAt = self.terms.isSkippable ? self.current.terms.skipOffset?.time(in: self.length) : nil
        let label =
            isShown
            ? PlayerLabel(
                at: self.position,
                of: self.length,
                skipAt: skipAt,
                place: count > 1 && self.spot < count ? (self.spot + 1, count) : nil
            ) : .none
        if label != self.label {
            self.label = label
            steps.append(.page(.label(label.time, label.note)))
        }
        let buttons = PlayerCall.buttons(isShown: isShown, isPaused: self.isPausedByUser, isMuted: self.isMuted)
        if buttons != self.buttons {
            self.buttons = buttons
            steps.append(.page(buttons))
        }
        return steps
    }
}
