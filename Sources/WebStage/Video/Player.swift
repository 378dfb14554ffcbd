import AdCore

/// The state machine of video playback in the host page: decides which file is played, and what is reported.
///
/// Its inputs are commands of the ad, messages of the page and presses of the user; its outputs are steps. The sound is
/// off until the ad is on screen and `play` is called, and on from then until the user mutes it. If the engine blocks
/// sound (autoplay policy), playback starts muted, and `mute` is reported before `start`.
struct Player: Hashable, Sendable {
    /// An action of the player.
    enum Step: Hashable, Sendable {
        /// Report an event of the current spot to the ad.
        case report(VideoEvent)
        /// The first spot is ready.
        case ready
        /// Call a function of `player.js`.
        case page(PlayerCall)
        case fetch(MediaOrder)
        /// Remove a media file that is not needed any more.
        case drop(Int)
        /// Load the current spot's overlay, hidden.
        case openOverlay(VideoPart)
        /// Show the loaded overlay.
        case showOverlay
        case setAlarm(PlayerAlarm, after: Duration)
    }

    /// The loading state of the current spot.
    enum Load: Hashable, Sendable {
        /// There is no spot, or it is over.
        case none
        /// Its media file is being fetched.
        case fetching
        /// The host page loads the media file, or a frame loads the overlay.
        case opening
        case ready
    }

    /// The media file of the next spot, fetched in advance.
    struct Ahead: Hashable, Sendable {
        let spot: Int
        let order: MediaOrder
        var media: FetchedMedia?
    }

    /// How long the host page may take until it can play a file.
    static let opening = Duration.seconds(5)
    /// How long a playing video may stall.
    static let stalling = Duration.seconds(8)
    /// The interval of an overlay's progress reports.
    static let step = Duration.milliseconds(250)
    /// The maximum number of files that are tried; the user waits for each.
    static let fileLimit = 8

    let creative: VideoCreative
    let terms: PlayerTerms
    var spot = 0
    var load = Load.none
    var isReady = false
    /// The current media file.
    var order: MediaOrder?
    /// The size of the stored media file, in bytes.
    var size = 0
    var place = 0
    /// The number of the latest media file.
    var last = 0
    var faults: [MediaFault] = []
    /// The next spot's media file, fetched during the current one.
    var ahead: Ahead?
    /// The network error of a media file that the engine fetches.
    var trouble: MediaFault?
    /// Whether the ad has commanded it to play.
    var isWanted = false
    var isPausedByUser = false
    var isMuted = false
    var hasStarted = false
    var isMoving = false
    var position = Duration.zero
    var length: Duration?
    /// When the position last advanced, and the number of the current stall check.
    var movedAt = Duration.zero
    var looks = 0
    var label = PlayerLabel.none
    var buttons: PlayerCall?

    init(_ creative: VideoCreative, _ terms: PlayerTerms) {
        self.creative = creative
        self.terms = terms
    }

    var current: VideoSpot { self.creative.spots[self.spot] }
    /// Whether media files are fetched and stored by the stage, not by the engine.
    var isStored: Bool { self.terms.storeAddress != nil }
    /// The number of spots without the fallback ads.
    var planned: Int { self.creative.spots.count - self.creative.standIns }
    var isOverlay: Bool { if case .overlay = self.current.content { true } else { false } }

    /// Whether nothing plays and nothing is about to play by itself; an overlay without a duration counts as idle.
    var isIdle: Bool {
        switch self.load {
        case .none: true
        case .fetching, .opening: false
        case .ready: !self.isWanted || self.isPausedByUser || (self.isOverlay && self.length == nil)
        }
    }

    // MARK: Files

    /// Prepares the first spot.
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
            let fault = self.faults.first ?? MediaFault(code: 401, message: "there is no media file")
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

    /// Fetches the first file of the next spot in advance.
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
        // If the browser fetches the file, the limit includes the download.
        let limit = !self.isStored ? MediaFetch.timeLimit : Player.opening
        return [.page(call), .setAlarm(.opening(order.number), after: limit)]
    }

    /// Handles the result of fetching a media file.
    mutating func fetched(_ number: Int, _ result: Result<FetchedMedia, MediaFault>) -> [Step] {
        if number == self.ahead?.order.number {
            self.ahead?.media = try? result.get()
            // A failed file is fetched again when its spot starts; its error is reported then.
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

    /// Tries the next file of the spot after one has failed.
    mutating func giveUp(_ fault: MediaFault) -> [Step] {
        guard let order else { return [] }
        self.faults.append(fault)
        let steps: [Step] = self.load == .opening ? [.page(.unload), .drop(order.number)] : [.drop(order.number)]
        return steps + self.tryNext()
    }

    /// Stores the network error of a media file that the engine fetches.
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

    /// Unloads the current spot and prepares another one.
    mutating func next(_ spot: Int) -> [Step] {
        guard self.creative.spots.indices.contains(spot) else { return [] }
        let steps = self.leave(for: spot)
        self.spot = spot
        return steps + self.prepare()
    }

    /// Unloads the current spot and resets its state; `next` is the spot that follows.
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

    /// Pauses or resumes for the user.
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

    // MARK: Labels and buttons

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
