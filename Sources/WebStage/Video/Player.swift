import AdCore

/// Plays the spots of a video in our page: decides which file is tried, and what is reported.
///
/// A value: commands of the ad, messages of the page and presses of the user go in, steps come out. The sound is off until
/// the ad is on screen and `play` is commanded, and on from then until the user mutes it, as on the terminal's stage. Only
/// where the engine blocks sound (autoplay policy) it starts muted, which is reported before the start.
struct Player: Hashable, Sendable {
    /// What is to be done next.
    enum Step: Hashable, Sendable {
        /// Report to the ad, about the current spot.
        case report(VideoEvent)
        /// The first spot could be shown.
        case ready
        /// Call a function of our page.
        case page(PlayerCall)
        case fetch(MediaOrder)
        /// A media file is not needed any more.
        case drop(Int)
        /// Get the current spot's overlay ready, out of sight.
        case openOverlay(VideoPart)
        /// Show it.
        case showOverlay
        case setAlarm(PlayerAlarm, after: Duration)
    }

    /// How far the current spot is.
    enum Load: Hashable, Sendable {
        /// There is none, or it is over.
        case none
        /// Its file is being fetched.
        case fetching
        /// Our page, or a frame in it, looks at it.
        case opening
        case ready
    }

    /// A media file that is fetched before its turn.
    struct Ahead: Hashable, Sendable {
        let spot: Int
        let order: MediaOrder
        var media: FetchedMedia?
    }

    /// How long our page may take to see whether it can play a file.
    static let opening = Duration.seconds(5)
    /// How long a video that has to play may stall.
    static let stalling = Duration.seconds(8)
    /// How often an overlay's time is reported.
    static let step = Duration.milliseconds(250)
    /// How many files of a video are tried; the viewer waits for each.
    static let fileLimit = 8

    let creative: VideoCreative
    let terms: PlayerTerms
    var spot = 0
    var load = Load.none
    var isReady = false
    /// The current media file, and its place among the spot's files.
    var order: MediaOrder?
    /// How many bytes it has, where we hold it.
    var size = 0
    var place = 0
    /// The last number that was given to a media file.
    var last = 0
    var faults: [MediaFault] = []
    /// The next spot's media file, fetched while this one plays.
    var ahead: Ahead?
    /// The network's error of a media file that the engine fetches.
    var trouble: MediaFault?
    /// Whether it has to play: by the ad's commands, and by the user's presses.
    var isWanted = false
    var isPausedByUser = false
    var isMuted = false
    var hasStarted = false
    var isMoving = false
    var position = Duration.zero
    var length: Duration?
    /// When it was last seen to move, and which look after that is the last that was asked for.
    var movedAt = Duration.zero
    var looks = 0
    var label = PlayerLabel.none
    var buttons: PlayerCall?

    init(_ creative: VideoCreative, _ terms: PlayerTerms) {
        self.creative = creative
        self.terms = terms
    }

    var current: VideoSpot { self.creative.spots[self.spot] }
    /// Whether media files are stored by us, and not fetched by the engine itself.
    var isStored: Bool { self.terms.storeAddress != nil }
    /// How many spots are played where nothing fails.
    var planned: Int { self.creative.spots.count - self.creative.standIns }
    var isOverlay: Bool { if case .overlay = self.current.content { true } else { false } }

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
    mutating func start() -> [Step] { self.prepare() }

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
        guard self.place < min(files.count, Player.fileLimit) else {
            self.load = .none
            self.order = nil
            let fault = self.faults.first ?? MediaFault(code: 401, message: "there is no file")
            return [.report(.failed(vastCode: fault.code, fault.message))]
        }
        self.trouble = nil
        let ahead = self.place == 0 ? self.ahead : nil
        self.ahead = nil
        let order = ahead?.order ?? self.newOrder(files[self.place])
        self.order = order
        self.place += 1
        guard self.isStored else { return self.open(order) }
        if let media = ahead?.media {
            self.size = media.size
            return self.open(order)
        }
        self.load = .fetching
        let alarm = Step.setAlarm(.fetch(order.number), after: MediaFetch.timeLimit + .milliseconds(500))
        return ahead == nil ? [.fetch(order), alarm] : [alarm]
    }

    private mutating func newOrder(_ file: MediaFile) -> MediaOrder {
        self.last += 1
        return MediaOrder(number: self.last, file: file)
    }

    /// Fetches the file of the next spot, so that the viewer does not wait for it.
    mutating func fetchAhead() -> [Step] {
        let next = self.spot + 1
        guard self.isStored, self.ahead == nil, next < self.planned,
            case .media(let files) = self.creative.spots[next].content, let file = files.first
        else { return [] }
        let order = self.newOrder(file)
        self.ahead = Ahead(spot: next, order: order)
        return [.fetch(order)]
    }

    private mutating func open(_ order: MediaOrder) -> [Step] {
        self.load = .opening
        let call = PlayerCall.load(number: order.number, address: self.terms.address(of: order), rate: self.terms.rate)
        // Where the browser fetches it, it has the time for that as well.
        let limit = !self.isStored ? MediaFetch.timeLimit : Player.opening
        return [.page(call), .setAlarm(.opening(order.number), after: limit)]
    }

    /// A media file was fetched, or can't be.
    mutating func fetched(_ number: Int, _ result: Result<FetchedMedia, MediaFault>) -> [Step] {
        if number == self.ahead?.order.number {
            self.ahead?.media = try? result.get()
            // It is fetched again in its turn, and its error is reported then.
            if self.ahead?.media == nil { self.ahead = nil }
            return []
        }
        guard let order, order.number == number, self.load == .fetching else { return [.drop(number)] }
        switch result {
        case .success(let media):
            self.size = media.size
            return self.open(order)
        case .failure(let fault): return self.giveUp(fault)
        }
    }

    /// This file can't be played; perhaps the next.
    mutating func giveUp(_ fault: MediaFault) -> [Step] {
        guard let order else { return [] }
        self.faults.append(fault)
        let steps: [Step] = self.load == .opening ? [.page(.unload), .drop(order.number)] : [.drop(order.number)]
        return steps + self.tryNext()
    }

    /// Adds the network's error of a media file that the engine fetches.
    mutating func add(_ fault: MediaFault) { self.trouble = self.trouble ?? fault }

    func address(_ order: MediaOrder) -> String { Redaction.address(order.file.url.text.excerpt(500)) }

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
        let steps = self.leave(for: spot)
        self.spot = spot
        return steps + self.prepare()
    }

    /// Leaves what is played, for another spot or for good: frees it, and forgets how far it was.
    mutating func leave(for next: Int? = nil) -> [Step] {
        var steps: [Step] = []
        if let ahead, ahead.spot != next {
            steps.append(.drop(ahead.order.number))
            self.ahead = nil
        }
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

    // MARK: What is written above it

    mutating func relabel() -> [Step] {
        var steps: [Step] = []
        let isShown = self.load == .ready && !self.isOverlay
        let count = self.planned
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
