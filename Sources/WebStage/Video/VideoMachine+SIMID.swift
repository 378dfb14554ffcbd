import AdCore

/// What an interactive creative has done to its ad.
struct InteractionState: Hashable, Sendable {
    /// Until when the ad lasts.
    enum Length: Hashable, Sendable {
        /// As long as its video.
        case video
        /// Until this position, which may be beyond the video's end.
        case until(Duration)
        /// Until the creative stops it.
        case open
    }

    /// Whether the ad need not wait for it any more.
    var isSettled = false
    /// Whether the video is ready, and waits for the creative.
    var isVideoReady = false
    var length = Length.video
    /// Whether the video has ended, and the ad goes on.
    var isExtended = false
    /// How long it has paused the video, in sum and since when.
    var paused = Duration.zero
    var pausedSince: Duration?
    /// The number of the latest alarm about its length, or about a pause.
    var alarm = 0
    /// Its place, if it has moved.
    var box: PartBox?
    /// Whether a nonlinear ad covers the whole video.
    var isExpanded = false
}

/// The alarms about an interactive creative, each with its spot.
package enum InteractiveAlarm: Hashable, Sendable {
    case session(Int), initialization(Int), start(Int), farewell(Int)
    /// The ad is longer than its video, and is over now; the number of the alarm.
    case extended(Int, Int)
    /// The creative has paused the video for too long; the number of the alarm.
    case paused(Int, Int)
}

// The interactive creative of a spot: a page in a sandboxed frame over the video (SIMID 1.2).

extension VideoMachine {
    // MARK: Start and end

    /// Loads the current spot's interactive creative, hidden.
    mutating func startInteractive(at now: Duration) -> [StageOutput] {
        (self.simid, self.vpaid) = (nil, nil)
        self.interaction = InteractionState()
        let spot = self.player.current
        guard let interactive = spot.interactive else { return [] }
        if interactive.api == .vpaid { return self.startProgram(interactive, at: now) }
        let rules = spot.rules
        var setup = SIMIDSetup(
            parameters: interactive.parameters,
            clickThrough: rules.clickThrough?.text,
            mayChangeDuration: interactive.changesDuration
        )
        if case .overlay(let minimum) = rules.form { (setup.isNonlinear, setup.nonlinearDuration) = (true, minimum) }
        if self.player.options.isSkippable { setup.skipOffset = rules.skipOffset?.time(in: rules.duration) }
        let session = SIMIDSession(setup)
        self.simid = session
        let report = StageOutput.report(.video(.interactiveLoading, spot: self.player.spot))
        let start = [report] + self.execute(session.start(), at: now)
        // The frame of an overlay is opened by the player.
        guard !self.player.isOverlay else { return start }
        return start + self.openPart(VideoPart(.page(interactive.url)), nil, as: .interactive, at: now)
    }

    /// The number of the creative's frame.
    var interactiveFrame: Int? {
        self.parts.number(as: self.player.isOverlay ? .overlay : .interactive, in: self.player.spot)
    }

    /// Why the current spot ends (SIMID 1.2 §4.3.2): a nonlinear one whose duration is over has a code of its own.
    func stopCode(_ other: Int) -> Int {
        let isOver = self.player.isOverlay && self.player.length.map { self.player.position >= $0 } == true
        return isOver ? 5 : other
    }

    /// Ends the conversation; the frame stays for as long as its last requests may take.
    mutating func endInteractive(_ end: SIMIDSession.End, at now: Duration) -> [StageOutput] {
        guard self.simid != nil else { return [] }
        let actions = self.simid?.end(end) ?? []
        let frames = self.parts.all.filter { $0.role == .interactive || $0.role == .overlay }.map(\.number)
        return self.execute(actions, at: now) + frames.flatMap { self.run("yabbiPartHide(\($0))") }
            + frames.map { .setAlarm(.player(.partOver($0)), after: SIMIDSession.farewell) }
    }

    /// The creative's frame failed; it is closed already.
    mutating func interactiveIsLost(_ reason: String, at now: Duration) -> [StageOutput] {
        let actions = self.simid?.lost(reason) ?? []
        return self.execute(actions, at: now)
    }

    /// The frame of an interactive overlay is loaded; it is shown when the creative is ready.
    mutating func interactiveOverlayIsLoaded(at now: Duration) -> [StageOutput] {
        self.interaction.isSettled ? self.execute(self.player.overlayIsComplete(at: now), at: now) : []
    }

    /// Whether the ad waits for the creative before it can be shown.
    mutating func isReadyHeld() -> Bool {
        guard self.simid?.isOver == false, !self.interaction.isSettled else { return false }
        self.interaction.isVideoReady = true
        return true
    }

    // MARK: Messages

    /// Handles a message of a frame.
    mutating func handleInteractive(_ message: AdJSON, at now: Duration) -> [StageOutput] {
        guard let number = message["n"]?.number.flatMap(Int.init(exactly:)), number == self.interactiveFrame else {
            return []
        }
        let context = self.interactiveContext
        let actions: [SIMIDSession.Action]?
        if let text = message["m"]?.string {
            actions = self.simid?.handle(text, context, at: now)
        } else {
            actions = self.simid?.overload()
        }
        return self.execute(actions ?? [], at: now)
    }

    private var interactiveContext: SIMIDContext {
        let skipAt = self.player.current.rules.skipOffset?.time(in: self.player.length)
        let layout = PartLayout(geometry: self.shownGeometry)
        var place: MRAIDRect?
        if self.player.isOverlay, !self.interaction.isExpanded,
            let part = self.interactiveFrame.flatMap({ self.parts[$0]?.part }),
            let box = layout.box(part, as: .overlay), let whole = self.wholeBox
        {
            place = MRAIDRect(
                x: box.left - whole.left,
                y: box.top - whole.top,
                width: box.size.width * box.scale,
                height: box.size.height * box.scale
            )
        }
        let gestures = self.interactiveFrame.flatMap { self.parts[$0]?.policy.gestures } ?? 0
        return SIMIDContext(
            area: self.shownGeometry.size.rendered,
            position: self.player.position,
            duration: self.player.length ?? self.player.current.rules.duration,
            isMuted: self.player.isMuted,
            volume: self.player.volume,
            isPaused: !self.player.isPlaying,
            hasEnded: self.interaction.isExtended,
            isFullscreen: self.fillsScreen,
            mayChangeFullscreen: !self.isAsLargeAsScreen,
            source: self.player.download?.file.url.text,
            isSkippable: self.player.options.isSkippable && skipAt.map { self.player.position >= $0 } == true,
            mayPause: self.interaction.paused < SIMIDSession.maxExtension,
            gestures: gestures,
            place: place
        )
    }

    /// Tells the creative of an event of the video.
    mutating func notifyInteractive(media event: String, _ arguments: AdJSON = [:], at now: Duration) -> [StageOutput] {
        let actions = self.simid?.media(event, arguments) ?? []
        return self.execute(actions, at: now)
    }

    /// Tells the creative of what the host page has said of the video.
    mutating func notifyInteractive(of message: PlayerMessage, at now: Duration) -> [StageOutput] {
        switch message.event {
        case .canPlay:
            guard let length = message.length else { return [] }
            return self.notifyInteractive(media: "durationchange", ["duration": .double(length.inSeconds)], at: now)
        case .playing:
            return self.notifyInteractive(media: "play", at: now) + self.notifyInteractive(media: "playing", at: now)
        case .moved:
            let time = AdJSON.double((message.position ?? .zero).inSeconds)
            return self.notifyInteractive(media: "timeupdate", ["currentTime": time], at: now)
        case .paused: return self.notifyInteractive(media: "pause", at: now)
        case .failed(let code, let text):
            return self.notifyInteractive(media: "error", ["error": .int(code), "message": .string(text)], at: now)
        case .ended, .refused, .waiting, .stalled: return []
        }
    }

    /// Tells the creative what the runtime has tracked, and what happens around the ad.
    mutating func notifyInteractive(_ notice: StageNotice, at now: Duration) -> [StageOutput] {
        let actions: [SIMIDSession.Action]
        switch notice {
        case .host(.background(let isThere)):
            actions = self.simid?.player(isThere ? "appBackgrounded" : "appForegrounded") ?? []
        case .tracked(let event) where event.event == "skip" && event.spot == self.player.spot:
            guard self.vpaid == nil else { return self.endProgram(skipped: true, at: now) }
            actions = self.simid?.end(.skipped) ?? []
        case .host, .tracked, .linkNotOpened, .location: actions = []
        }
        return self.execute(actions, at: now)
    }

    /// Tells the creative of a new size.
    mutating func interactiveResized(at now: Duration) -> [StageOutput] {
        let context = self.interactiveContext
        let dimensions = context.dimensions
        let sizes: AdJSON = [
            "videoDimensions": dimensions, "mediaDimensions": dimensions,
            "creativeDimensions": context.creative.json,
            "fullscreen": .bool(self.fillsScreen),
        ]
        let actions = self.simid?.player("resize", sizes) ?? []
        let area = context.area
        let calls = self.vpaid?.resize(to: area) ?? []
        return self.execute(actions, at: now) + self.execute(calls, at: now)
    }

    /// Reports an event of the video, with what it means for the interactive creative.
    mutating func report(_ event: VideoEvent, at now: Duration) -> [StageOutput] {
        var report = [StageOutput.report(.video(event, spot: self.player.spot))]
        if case .started = event { report += self.loadScripts(at: now) }
        guard self.simid?.isOver == false else { return report }
        switch event {
        case .started:
            let actions = self.simid?.videoStarted() ?? []
            return report + self.execute(actions, at: now)
        case .muted(let isMuted):
            let state: AdJSON = ["volume": .double(self.player.volume), "muted": .bool(isMuted)]
            return report + self.notifyInteractive(media: "volumechange", state, at: now)
        case .progressed(let position):
            guard case .until(let end) = self.interaction.length, position >= end,
                self.player.length.map({ end < $0 }) == true
            else { return report }
            return report + self.execute(self.player.stop(.stopped), at: now)
                + self.endInteractive(.stopped(2), at: now)
        case .completed: return self.videoEnded(report, at: now)
        case .failed(_, let text):
            // A spot that waited for its creative has not been ready.
            if self.interaction.isVideoReady, !self.interaction.isSettled { self.player.isReady = false }
            self.interaction.isVideoReady = false
            return report + self.endInteractive(.failed(1206, text), at: now)
        default: return report
        }
    }

    // MARK: Actions

    mutating func execute(_ actions: [SIMIDSession.Action], at now: Duration) -> [StageOutput] {
        actions.flatMap { self.execute($0, at: now) }
    }

    private mutating func execute(_ action: SIMIDSession.Action, at now: Duration) -> [StageOutput] {
        switch action {
        case .post(let message):
            let listed = StageOutput.observe(.bridge(SIMIDSession.listed(message)))
            return [listed] + (self.interactiveFrame.map { self.run("yabbiPost(\($0), \(message.text))") } ?? [])
        case .observe(let message): return [.observe(.bridge(message))]
        case .settled: return self.interactiveIsSettled(at: now)
        case .show: return self.showInteractive()
        case .hide:
            guard let number = self.interactiveFrame else { return [] }
            self.parts[number]?.phase = .complete
            return self.run("yabbiPartHide(\(number))")
        case .remove(let code, let text): return self.removeInteractive(code, text, at: now)
        case .fail where self.interaction.isExtended: return self.endExtension(2, at: now)
        case .fail(let code, let text):
            return self.execute(self.player.stop(.failed(vastCode: code, text)), at: now)
        case .pause: return self.pauseForCreative(at: now)
        case .play: return self.resumeForCreative(at: now)
        case .skip: return [.report(.skipRequested)]
        case .stop:
            guard !self.interaction.isExtended else {
                self.interaction.isExtended = false
                return [.report(.video(.completed, spot: self.player.spot))]
            }
            return self.execute(self.player.stop(.stopped), at: now)
        case .setVolume(let volume, let isMuted): return self.setVolumeForCreative(volume, isMuted, at: now)
        case .click(let url): return self.openForCreative(url ?? self.player.current.rules.clickThrough?.text, at: now)
        case .navigate(let url): return self.openForCreative(url, at: now)
        case .track(let urls): return self.track(urls)
        case .resize(let media, let creative): return self.resizeForCreative(media, creative)
        case .fullScreen(let isFull): return self.setFullScreen(isFull, at: now)
        case .expand: return self.setExpanded(true)
        case .collapse: return self.setExpanded(false)
        case .extend(let end):
            self.interaction.length = end.map { .until($0) } ?? .open
            return self.interaction.isExtended ? self.extensionAlarm(after: max(.zero, self.extensionTime)) : []
        case .setAlarm(let wait, let delay):
            let spot = self.player.spot
            let alarm: InteractiveAlarm =
                switch wait {
                case .session: .session(spot)
                case .initialization: .initialization(spot)
                case .start: .start(spot)
                case .farewell: .farewell(spot)
                }
            return [.setAlarm(.interactive(alarm), after: delay)]
        }
    }

    private mutating func interactiveIsSettled(at now: Duration) -> [StageOutput] {
        self.interaction.isSettled = true
        guard self.player.isOverlay else { return self.interaction.isVideoReady ? [.report(.ready)] : [] }
        // What was rejected is reported with the creative's own code.
        guard self.simid?.isOver == false else { return [] }
        guard self.simid?.phase == .ready else {
            // A nonlinear ad is nothing without its creative (SIMID 1.2 §6.7).
            return self.execute(self.player.overlayFailed(1223, "the interactive creative does not answer"), at: now)
        }
        return self.execute(self.player.overlayIsComplete(at: now), at: now)
    }

    private mutating func showInteractive() -> [StageOutput] {
        guard let number = self.interactiveFrame else { return [] }
        if self.parts[number]?.phase != .shown { self.parts[number]?.phase = .complete }
        return self.showPart(number) + [
            .report(.video(.interacted(.interactiveStart), spot: self.player.spot))
        ]
    }

    private mutating func removeInteractive(_ code: Int?, _ text: String, at now: Duration) -> [StageOutput] {
        if self.player.isOverlay, let code { return self.execute(self.player.overlayFailed(code, text), at: now) }
        let removal =
            (self.interactiveFrame.map { self.closePart($0) } ?? []) + self.resumeForCreative(at: now)
            + self.run("yabbiVideoBox(null)")
        guard let code else { return removal }
        return removal + [.report(.video(.partFailed(nil, vastCode: code, text), spot: self.player.spot))]
            + self.endExtension(2, at: now)
    }

    /// Opens a link for the creative, if the user has pressed it; each press opens one.
    private mutating func openForCreative(_ url: String?, at now: Duration) -> [StageOutput] {
        guard let number = self.interactiveFrame, let frame = self.parts[number] else { return [] }
        if let url {
            return self.decide(NavigationAttempt(trigger: .window, url: url), in: number, frame.target, at: now)
        }
        return self.updatePolicy(of: number) { $0.click(at: now) }
    }

    /// Calls the creative's own trackers from its frame, under the same rules as its other requests (SIMID 1.2
    /// §4.4.7).
    private func track(_ urls: [String]) -> [StageOutput] {
        guard let target = self.interactiveFrame.flatMap({ self.parts[$0]?.target }) else { return [] }
        let time = AdJSON.string(self.player.position.clock).text()
        let list = AdJSON.array(urls.map { .string($0) }).text()
        let script = """
            for (const url of \(list)) {
              const macros = { ADPLAYHEAD: \(time), MEDIAPLAYHEAD: \(time), TIMESTAMP: new Date().toISOString(),
                CACHEBUSTING: String(Math.floor(1e7 + Math.random() * 9e7)) };
              new Image().src = url.replace(/\\[([A-Z]+)\\]/g, (all, name) => (name in macros ? encodeURIComponent(macros[name]) : all));
            }
            """
        return [.send(.evaluate(EngineEvaluation(script, isSilent: true), in: target))]
    }
}
