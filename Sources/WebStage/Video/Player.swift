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
        case fetch(MediaDownload)
        /// Remove a media file that is not needed any more.
        case drop(Int)
        /// Load the current spot's overlay, hidden.
        case openOverlay(VideoPart)
        /// Show the loaded overlay.
        case showOverlay
        /// Start or resume the spot's program, or pause it.
        case program(isPlaying: Bool)
        case setAlarm(PlayerAlarm, after: Duration)
        /// Tell what is unusual about the sound of a file.
        case tell(ConsoleMessage)
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
    struct Prefetch: Hashable, Sendable {
        let spot: Int
        let download: MediaDownload
        var media: FetchedMedia?
    }

    /// How long the host page may take until it can play a file.
    static let opening = Duration.seconds(5)
    /// How long a playing video may stall.
    static let stallLimit = Duration.seconds(8)
    /// The interval of an overlay's progress reports.
    static let step = Duration.milliseconds(250)
    /// The maximum number of files that are tried; the user waits for each.
    static let fileLimit = 8

    let creative: VideoCreative
    let options: PlayerOptions
    var spot = 0
    var load = Load.none
    var isReady = false
    /// The current media file.
    var download: MediaDownload?
    /// The size of the stored media file, in bytes.
    var size = 0
    var place = 0
    /// The number of the latest media file.
    var last = 0
    var fileErrors: [MediaError] = []
    /// The next spot's media file, fetched during the current one.
    var ahead: Prefetch?
    /// The network error of a media file that the engine fetches.
    var networkError: MediaError?
    /// Whether the ad has commanded it to play.
    var isPlayCommanded = false
    var isPausedByUser = false
    /// Whether an interactive creative has paused it.
    var isPausedByCreative = false
    var isMuted = false
    /// Whether an interactive creative has muted it.
    var isMutedByCreative = false
    /// Whether the user has muted it.
    var isMutedByUser = false
    var volume = 1.0
    var hasStarted = false
    var isPlaying = false
    var position = Duration.zero
    var length: Duration?
    /// When the position last advanced, and the number of the current stall check.
    var lastProgress = Duration.zero
    var checkNumber = 0
    var label = PlayerLabel.none
    var buttons: PlayerCall?

    init(_ creative: VideoCreative, _ options: PlayerOptions) {
        self.creative = creative
        self.options = options
    }

    var current: VideoSpot { self.creative.spots[self.spot] }
    /// Whether media files are fetched and stored by the stage, not by the engine.
    var isStored: Bool { self.options.storeAddress != nil }
    /// The number of spots without the fallback ads.
    var plannedCount: Int { self.creative.spots.count - self.creative.fallbackCount }
    var isOverlay: Bool { if case .overlay = self.current.content { true } else { false } }

    /// Whether the spot is a program that plays itself.
    var isProgram: Bool { self.current.interactive?.api == .vpaid }

    /// Whether nothing plays and nothing is about to play by itself; an overlay without a duration counts as idle.
    var isIdle: Bool {
        switch self.load {
        case .none: true
        case .fetching, .opening: false
        case .ready:
            !self.isPlayCommanded || self.isPausedByUser || self.isPausedByCreative
                || (self.isOverlay && self.length == nil && !self.isProgram)
        }
    }

    // MARK: Files

    /// Prepares the first spot.
    mutating func start() -> [Step] { self.prepare() }

    private mutating func prepare() -> [Step] {
        switch self.current.content {
        case .media: return self.openNextFile()
        case .overlay(let part):
            self.load = .opening
            return [.openOverlay(part)]
        }
    }

    private mutating func openNextFile() -> [Step] {
        guard case .media(let files) = self.current.content else { return [] }
        guard self.place < min(files.count, Player.fileLimit) else {
            self.load = .none
            self.download = nil
            let error = self.fileErrors.first ?? MediaError(code: 401, message: "there is no media file")
            return [.report(.failed(vastCode: error.code, error.message))]
        }
        self.networkError = nil
        let ahead = self.place == 0 ? self.ahead : nil
        self.ahead = nil
        let download = ahead?.download ?? self.newDownload(files[self.place])
        self.download = download
        self.place += 1
        guard self.isStored else { return self.open(download) }
        if let media = ahead?.media { return self.open(download, media) }
        self.load = .fetching
        let alarm = Step.setAlarm(.fetch(download.number), after: MediaFetch.timeLimit + .milliseconds(500))
        return ahead == nil ? [.fetch(download), alarm] : [alarm]
    }

    private mutating func newDownload(_ file: MediaFile) -> MediaDownload {
        MediaDownload(number: self.newNumber(), file: file)
    }

    /// A number for a download that no other has.
    mutating func newNumber() -> Int {
        self.last += 1
        return self.last
    }

    /// Fetches the first file of the next spot in advance.
    mutating func prefetchNext() -> [Step] {
        let next = self.spot + 1
        guard self.isStored, self.ahead == nil, next < self.plannedCount,
            case .media(let files) = self.creative.spots[next].content, let file = files.first
        else { return [] }
        let download = self.newDownload(file)
        self.ahead = Prefetch(spot: next, download: download)
        return [.fetch(download)]
    }

    private mutating func open(_ download: MediaDownload, _ media: FetchedMedia) -> [Step] {
        self.size = media.size
        let sound = media.soundMessage(self.address(download)).map { Step.tell(ConsoleMessage($0.level, $0.text)) }
        return [sound].compactMap(\.self) + self.open(download)
    }

    private mutating func open(_ download: MediaDownload) -> [Step] {
        self.load = .opening
        let call = PlayerCall.load(
            number: download.number,
            address: self.options.address(of: download),
            rate: self.options.rate
        )
        // If the browser fetches the file, the limit includes the download.
        let limit = !self.isStored ? MediaFetch.timeLimit : Player.opening
        return [.page(call), .setAlarm(.opening(download.number), after: limit)]
    }

    /// Handles the result of fetching a media file.
    mutating func fetched(_ number: Int, _ result: Result<FetchedMedia, MediaError>) -> [Step] {
        if number == self.ahead?.download.number {
            self.ahead?.media = try? result.get()
            // A failed file is fetched again when its spot starts; its error is reported then.
            if self.ahead?.media == nil { self.ahead = nil }
            return []
        }
        guard let download, download.number == number, self.load == .fetching else { return [.drop(number)] }
        switch result {
        case .success(let media): return self.open(download, media)
        case .failure(let error): return self.tryNextFile(after: error)
        }
    }

    /// Tries the next file of the spot after one has failed.
    mutating func tryNextFile(after error: MediaError) -> [Step] {
        guard let download else { return [] }
        self.fileErrors.append(error)
        let steps: [Step] = self.load == .opening ? [.page(.unload), .drop(download.number)] : [.drop(download.number)]
        return steps + self.openNextFile()
    }

    /// Stores the network error of a media file that the engine fetches.
    mutating func add(_ error: MediaError) { self.networkError = self.networkError ?? error }

    func address(_ download: MediaDownload) -> String { Redaction.address(download.file.url.text.excerpt(500)) }

    // MARK: Commands

    mutating func play(at now: Duration) -> [Step] {
        self.isPlayCommanded = true
        return self.resumePlayback(at: now)
    }

    mutating func pause(at now: Duration) -> [Step] {
        self.isPlayCommanded = false
        return self.halt(at: now)
    }

    /// Unloads the current spot and prepares another one.
    mutating func switchSpot(to spot: Int) -> [Step] {
        guard self.creative.spots.indices.contains(spot) else { return [] }
        var steps = self.unload(for: spot)
        self.spot = spot
        // The sound of one spot's creative is not that of the next one.
        if self.isMuted, self.isMutedByCreative {
            self.isMuted = false
            steps.append(.report(.muted(false)))
        }
        (self.volume, self.isMutedByCreative) = (1, false)
        return steps + self.prepare()
    }

    /// Unloads the current spot and resets its state; `next` is the spot that follows.
    mutating func unload(for next: Int? = nil) -> [Step] {
        var steps: [Step] = []
        if let ahead, ahead.spot != next {
            steps.append(.drop(ahead.download.number))
            self.ahead = nil
        }
        if let download { steps += [.page(.unload), .drop(download.number)] }
        self.download = nil
        self.load = .none
        self.place = 0
        self.fileErrors = []
        self.isPlayCommanded = false
        self.isPausedByUser = false
        self.isPausedByCreative = false
        self.hasStarted = false
        self.isPlaying = false
        self.position = .zero
        self.length = nil
        self.checkNumber += 1
        return steps + self.updateLabels()
    }

    // MARK: The user

    /// Pauses or resumes for the user.
    mutating func togglePause(at now: Duration) -> [Step] {
        guard self.load == .ready, !self.isOverlay else { return [] }
        self.isPausedByUser.toggle()
        return self.updateLabels() + (self.isPausedByUser ? self.halt(at: now) : self.resumePlayback(at: now))
    }

    /// Pauses or resumes for an interactive creative.
    mutating func setPausedByCreative(_ isPaused: Bool, at now: Duration) -> [Step] {
        guard self.load == .ready, isPaused != self.isPausedByCreative else { return [] }
        self.isPausedByCreative = isPaused
        return isPaused ? self.halt(at: now) : self.resumePlayback(at: now)
    }

    /// Sets the volume for an interactive creative.
    mutating func setVolume(_ volume: Double, isMuted: Bool) -> [Step] {
        guard self.load == .ready, !self.isOverlay else { return [] }
        // What the user has muted stays so.
        let isMuted = isMuted || self.isMutedByUser
        let hasChanged = isMuted != self.isMuted
        (self.volume, self.isMuted) = (volume, isMuted)
        self.isMutedByCreative = isMuted && !self.isMutedByUser
        return [.page(.volume(volume, isMuted: isMuted))] + (hasChanged ? [.report(.muted(isMuted))] : [])
            + self.updateLabels()
    }

    /// Takes over what a program has reported.
    mutating func follow(_ event: VideoEvent) {
        switch event {
        case .started: self.hasStarted = true
        case .progressed(let position): self.position = position
        case .muted(let isMuted): self.isMuted = isMuted
        default: break
        }
    }

    /// Ends the spot before its end, for an interactive creative.
    mutating func stop(_ end: VideoEvent) -> [Step] { self.unload(for: self.spot + 1) + [.report(end)] }

    mutating func toggleSound() -> [Step] {
        guard self.load == .ready, !self.isOverlay else { return [] }
        self.isMuted.toggle()
        self.isMutedByUser = self.isMuted
        return [.page(.mute(self.isMuted)), .report(.muted(self.isMuted))] + self.updateLabels()
    }

    // MARK: Labels and buttons

    mutating func updateLabels() -> [Step] {
        var steps: [Step] = []
        let isShown = self.load == .ready && !self.isOverlay
        let count = self.plannedCount
        let skipAt = self.options.isSkippable ? self.current.rules.skipOffset?.time(in: self.length) : nil
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
