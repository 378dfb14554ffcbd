package import AdCore

/// The state machine of a video: the host page plays it; icons, companions and overlays are shown in cross-site frames.
///
/// `Player` decides what is played when.
package struct VideoMachine: CommonStageMachine {
    static let subject = "the video"
    static let floodSource = "a part of the video"
    static let failureCode: Int? = 400

    package var plan: StagePlan
    var lifecycle = StageLifecycle()
    var hostPage: HostPage?
    package let page: EngineTarget
    var player: Player
    var parts = PartFrames()
    /// The rules for all requests other than those for stored media files.
    var policy = PagePolicy()
    /// The measurement of the current spot; nil if it has no verification vendors.
    var omid: OMIDSession?
    /// The numbers of the verification vendors whose scripts are loaded when the spot starts.
    var waitingScripts: [Int] = []
    /// Where the video is on the screen.
    var geometry: OMIDGeometry
    /// The device's volume from 0 to 100; nil if unknown.
    var deviceVolume: Double?
    /// The conversation with the spot's interactive creative; nil if it has none.
    var simid: SIMIDSession?
    /// The spot's program; nil if it has none.
    var vpaid: VPAIDSession?
    /// What the interactive creative has done to the ad.
    var interaction = InteractionState()
    var captions = CaptionPlayer()
    /// The language of captions that the app or the user has chosen; nil for none.
    var captionLanguage: String?
    /// The share of the video that is on the screen; nil before it is known.
    var lastRatio: Double?
    /// The icon that was clicked last, and its link.
    var clickedIcon: ClickedIcon?
    /// Whether a video whose place is smaller than the screen fills it.
    var isFullScreen = false

    /// A video in a host page; the plan's document is not used.
    package init(_ video: VideoCreative, _ plan: StagePlan, _ options: PlayerOptions, in hostPage: HostPage) {
        self.plan = plan
        self.geometry = OMIDGeometry(viewport: plan.screen)
        self.player = Player(video, options)
        self.captionLanguage = options.captionLanguage
        self.hostPage = hostPage
        self.page = hostPage.target
    }

    /// The URL prefix under which the host page requests stored media files.
    package static func storeAddress(_ plan: StagePlan) -> String { plan.hostPageAddress + "media/" }

    package var creative: EngineTarget? {
        self.parts.all.last { part in
            switch part.role {
            case .endCard: true
            case .overlay: part.spot == self.player.spot
            case .interactive, .program: part.phase == .shown
            case .fallback: part.phase == .shown
            case .icon, .companion, .verification: false
            }
        }?.target
    }
    /// The part that covers the video, or else the video.
    package var clickable: (box: EngineCommand, inside: EngineTarget?) {
        let scale = AdJSON.double(self.shownGeometry.size.scale).text()
        let box = """
            (() => {
              const front = document.querySelector("#parts iframe[data-front]");
              const { x, y, width, height } = (front ?? document.getElementById("slot")).getBoundingClientRect();
              return [x, y, width, height, front ? width / front.offsetWidth : \(scale)];
            })()
            """
        return (.evaluate(EngineEvaluation(box), in: self.page), self.creative)
    }
    package var hasPendingTap: Bool { self.parts.all.contains { $0.policy.taps.isPending } }
    package var playback: StagePlayback? {
        StagePlayback(
            isPlaying: !self.lifecycle.isOver && (!self.player.isIdle || self.isLoadingCard),
            isMuted: self.player.isMuted,
            isPausedByUser: self.player.isPausedByUser,
            isFullScreen: self.fillsScreen
        )
    }

    // MARK: Commands of the ad

    mutating func reveal(at now: Duration) -> [StageOutput] {
        self.run("yabbiReveal()") + [.report(.revealed)] + self.updateGeometry(at: now) { $0.isHidden = false }
    }

    mutating func setGeometry(_ geometry: StageGeometry, at now: Duration) -> [StageOutput] {
        self.plan.geometry = geometry
        return [self.hostPage?.show(on: geometry.screen)].compactMap { $0 } + self.rearrange(at: now)
    }

    mutating func handleCommand(_ input: StageInput, at now: Duration) -> [StageOutput] {
        switch input {
        case .video(let command): self.handle(command, at: now)
        case .fetched(let number, let result): self.fetched(number, result, at: now)
        case .captions(let number, let result): self.captionsFetched(number, result)
        case .notice(let notice): self.handle(notice, at: now) + self.notifyInteractive(notice, at: now)
        // The player reports each press itself, so the scripted user's presses need no tracking.
        default: []
        }
    }

    mutating func close(at now: Duration) -> [StageOutput] {
        let lingers = self.farewell > .zero
        let last =
            self.finishMeasuring(at: now) + self.endInteractive(.stopped(self.stopCode(1)), at: now)
            + self.endProgram(at: now)
        return self.settleTaps() + self.endCaptions() + self.execute(self.player.unload(), at: now) + last
            + (lingers ? self.run("yabbiHide()") : [])
    }

    package var farewell: Duration {
        let hasScripts = self.omid != nil || self.simid?.isOver == false || self.vpaid?.isOver == false
        return hasScripts ? OMIDSession.farewell : .zero
    }

    /// Whether scripts of the ad may still send something.
    private func lingers(_ target: EngineTarget?) -> Bool {
        switch self.parts.number(of: target).flatMap({ self.parts[$0] })?.role {
        case .verification, .interactive, .program: true
        case .overlay: self.simid != nil
        case .icon, .endCard, .companion, .fallback, nil: false
        }
    }

    mutating func handleLate(_ event: EngineEvent, at now: Duration) -> [StageOutput]? {
        switch event.kind {
        case .requestHeld(let request) where request.kind != .document && self.lingers(request.target):
            return self.applyRules(to: request, at: now)
        case .network where self.lingers(event.target): return self.policy.handle(event, fallback: nil, at: now)
        case .message(let message) where event.target == self.page && message.channel == .host:
            guard let json = message.json(), json["k"] == "frame" else { return nil }
            return self.handleInteractive(json, at: now)
        default: return nil
        }
    }

    private mutating func handle(_ command: VideoCommand, at now: Duration) -> [StageOutput] {
        switch command {
        case .play: return self.execute(self.player.play(at: now), at: now)
        case .pause: return self.execute(self.player.pause(at: now), at: now)
        case .next(let spot):
            let outputs =
                self.closeParts() + self.finishMeasuring(at: now)
                + self.endInteractive(.stopped(self.stopCode(3)), at: now)
                + self.endProgram(at: now)
            let steps = self.player.switchSpot(to: spot)
            return outputs + self.startMeasuring(at: now) + self.startInteractive(at: now)
                + self.startCaptions() + self.execute(steps, at: now)
        case .showEndCard:
            let card = self.player.current.endCard
            let outputs =
                self.closeParts() + self.endInteractive(.stopped(self.stopCode(3)), at: now) + self.endProgram(at: now)
                + self.endCaptions() + self.execute(self.player.unload(), at: now)
            guard let card, let part = self.player.current.parts[card] else { return outputs }
            return outputs + self.openPart(part, card, as: .endCard, at: now)
        case .part(let id, visible: true): return self.openPart(id, at: now)
        case .part(let id, visible: false):
            return self.parts.number(of: id, in: self.player.spot).map { self.closePart($0) } ?? []
        }
    }

    /// Executes the player's steps.
    mutating func execute(_ steps: [Player.Step], at now: Duration) -> [StageOutput] {
        steps.flatMap { step -> [StageOutput] in
            switch step {
            case .report(let event): return self.report(event, at: now)
            case .ready: return self.isReadyHeld() ? [] : [.report(.ready)]
            case .page(let call): return self.run(call.script)
            case .fetch(let download): return [.fetch(download)]
            case .drop(let number): return [.drop(number)]
            case .openOverlay where self.vpaid != nil: return self.openProgram(at: now)
            case .openOverlay(let part): return self.openPart(part, nil, as: .overlay, at: now)
            case .showOverlay: return self.showOverlay()
            case .program(let isPlaying): return self.setProgram(isPlaying: isPlaying, at: now)
            case .setAlarm(let alarm, let delay): return [.setAlarm(.player(alarm), after: delay)]
            case .tell(let message): return [.observe(.console(message))]
            }
        }
    }

    private mutating func fetched(
        _ number: Int,
        _ result: Result<FetchedMedia, MediaError>,
        at now: Duration
    ) -> [StageOutput] {
        self.execute(self.player.fetched(number, result), at: now)
    }

    // MARK: Replies and alarms

    mutating func hostPageIsReady(at now: Duration) -> [StageOutput] {
        guard self.lifecycle.phase == .preparing else { return [] }
        self.lifecycle.phase = .ready
        let start = self.arrange() + [.finishPresenting] + self.lifecycle.monitor.watch(self.page)
        // What a video that does not fill the screen is from its start, for `[PLAYERSTATE]`.
        let size = self.fillsScreen ? [] : [StageOutput.report(.video(.enlarged(false), spot: 0))]
        return start + size + self.startInteractive(at: now) + self.execute(self.player.start(), at: now)
            + self.startMeasuring(at: now) + self.startCaptions()
    }

    mutating func handle(
        _ reply: Result<EngineReply, EngineError>,
        to query: StageQuery,
        at now: Duration
    ) -> [StageOutput] {
        switch query {
        case .partGesture(let number, let attempt): return self.decide(attempt, in: number, at: now)
        case .partPicture(let number):
            let width = (try? reply.get())?.value.number ?? 0
            return width > 0
                ? self.partIsComplete(number, at: now) : self.partFailed(number, self.missingPicture(number), at: now)
        default: return []
        }
    }

    var timeoutReason: String { "the host page did not load within \(Self.loadLimit)" }

    mutating func handle(_ alarm: StageAlarm, at now: Duration) -> [StageOutput] {
        switch alarm {
        case .player(.part(let number)): self.partIsLate(number, at: now)
        case .player(.partOver(let number)): self.closePart(number)
        case .geometry: self.omid?.geometryIsDue(at: now) ?? []
        case .interactive(let alarm): self.interactiveAlarm(alarm, at: now)
        case .program(let wait): self.programAlarm(wait, at: now)
        case .player(let alarm): self.execute(self.player.handle(alarm, at: now), at: now)
        case .byteLimit: self.parts.all.flatMap { self.endPart($0.number, "it loaded too much", at: now) }
        case .partTap(let number, let press): self.decideTap(press, in: number)
        case .loadTimeout, .monitor, .settleTimeout, .expandedPage, .tap, .blankCheck, .finalBlankCheck: []
        }
    }

    // MARK: Failures

    mutating func endUnhealthy(_ target: EngineTarget, _ problem: String, at now: Duration) -> [StageOutput] {
        // If the host page does not answer, a part keeps it busy; all parts are ended.
        if target == self.page, !self.parts.all.isEmpty {
            let text = "it kept the host page from answering"
            let ends = self.parts.all.flatMap { self.endPart($0.number, text, at: now) }
            return ends + self.lifecycle.monitor.watchAgain(target)
        }
        return [RendererMonitor.end(target)] + self.targetLost(target, problem, at: now)
    }

    mutating func targetLost(_ target: EngineTarget?, _ reason: String, at now: Duration) -> [StageOutput] {
        guard target == self.page else {
            guard let number = self.parts.number(of: target), target == self.parts[number]?.target else {
                return [RendererMonitor.frameEnded(reason)]
            }
            return self.partFailed(number, "it \(reason)", at: now)
        }
        return self.crash("the host page \(reason)")
    }

    /// The close button is gone with the page.
    mutating func finishCrash(_ report: StageOutput) -> [StageOutput] { [report, .report(.gone)] }

    /// Ends the part that floods, or all parts if the part is unknown.
    mutating func endFlood(_ text: String, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        let numbers = self.parts.number(of: target).map { [$0] } ?? self.parts.all.map(\.number)
        return [.report(.blocked(BlockedAttempt(.other, text)))]
            + numbers.flatMap { self.endPart($0, "it floods the browser", at: now) }
    }

    // MARK: Events

    mutating func remove(_ target: EngineTarget) {
        self.omid?.remove(target)
        self.parts.detach(target)
    }

    mutating func handleOther(_ event: EngineEvent, at now: Duration) -> [StageOutput] {
        switch event.kind {
        // Stored media files have a byte limit of their own.
        case .network(.received) where event.target == self.page && self.player.isStored: return []
        case .network(let network):
            return (self.policy.handle(event, fallback: nil, at: now) ?? [])
                + self.handleFailure(network, in: event.target, at: now)
        default: return event.target == self.page ? [] : self.handlePart(event, at: now)
        }
    }

    mutating func handle(_ message: EngineMessage, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        if message.channel == .omid { return self.handleMeasuring(message, in: target, at: now) }
        if message.channel == .vpaid { return self.handleProgram(message, in: target, at: now) }
        guard let json = message.json() else { return [] }
        guard target == self.page else { return self.handlePart(message.channel, json, in: target, at: now) }
        guard message.channel == .host else { return [] }
        if let message = PlayerMessage(json) {
            switch message.event {
            case .waiting:
                return (self.omid?.send(OMIDEvent("bufferStart"), at: now) ?? [])
                    + self.notifyInteractive(media: "stalled", at: now)
            case .stalled(let time):
                let finish = self.omid?.send(OMIDEvent("bufferFinish"), at: now) ?? []
                return finish + [.observe(.mediaStall(time, at: message.position))]
            default: break
            }
            let outputs = self.execute(self.player.handle(message, at: now), at: now)
            return outputs + self.notifyInteractive(of: message, at: now)
        }
        switch json["k"]?.string {
        case "close": return self.settleTaps() + [.report(.closeRequested(by: .user))]
        case "skip": return self.settleTaps() + [.report(.skipRequested)]
        case "click" where self.isFallbackShown:
            // Next to the image, which covers most of the ad.
            return self.closeFallback(at: now)
        case "click": return [.report(.click(nil, byUser: true, at: VideoMachine.place(json, target: "the video")))]
        case "pause": return [self.pressed(json, "pause")] + self.execute(self.player.togglePause(at: now), at: now)
        case "sound": return [self.pressed(json, "sound")] + self.execute(self.player.toggleSound(), at: now)
        case "captions": return [self.pressed(json, "captions")] + self.toggleCaptions()
        case "full":
            return [self.pressed(json, "full screen")] + self.setFullScreen(!self.isFullScreen, at: now)
        case "frame": return self.handleInteractive(json, at: now)
        case "measured":
            var geometry = self.geometry
            return geometry.update(json) ? self.updateGeometry(at: now) { $0 = geometry } : []
        case "visible":
            guard self.lifecycle.phase == .revealed, let ratio = json["ratio"]?.number else { return [] }
            self.lastRatio = min(max(ratio, 0), 1)
            return self.reportVisible()
        default: return []
        }
    }

    /// Reports a press on a button of the player.
    private func pressed(_ message: AdJSON, _ button: String) -> StageOutput {
        let place = VideoMachine.place(message, target: "button#\(message["k"]?.string ?? "")")
        return .report(.tap(.creative("the player's \(button) button"), at: place))
    }

    /// The position of a press, in the ad's points.
    private static func place(_ message: AdJSON, target: String) -> TapPoint? {
        guard let x = message["x"]?.number, let y = message["y"]?.number else { return nil }
        return TapPoint(x: x, y: y, target: target)
    }

    // MARK: Requests

    mutating func decide(_ request: EngineRequest, at now: Duration) -> [StageOutput] {
        if let served = self.hostPage?.serve(request) { return [served] }
        if self.hostPage?.isWholePage(request) == true { return [.send(request.failing(.aborted))] }
        if request.kind == .document, let outputs = self.decideDocument(request, at: now) { return outputs }
        if request.target == self.page { return self.decideMedia(request, at: now) }
        return self.applyRules(to: request, at: now)
    }

    /// Answers a request of the host page, which may request only media files.
    private mutating func decideMedia(_ request: EngineRequest, at now: Duration) -> [StageOutput] {
        guard let download = self.player.download, request.kind == .media else {
            return [.send(request.failing(.blocked))]
        }
        guard request.url == "\(VideoMachine.storeAddress(self.plan))\(download.number)" else {
            // If the engine fetches media files, each redirect is held and decided on.
            return self.player.isStored ? [.send(request.response(404))] : self.applyRules(to: request, at: now)
        }
        let range = MediaRange(request.header("range"), of: self.player.size, limit: self.plan.answerByteLimit)
        return [.answer(request, range, of: download)]
    }

    /// Handles a failed request for a media file that the engine fetches, or for a part's page.
    private mutating func handleFailure(
        _ event: NetworkEvent,
        in target: EngineTarget?,
        at now: Duration
    ) -> [StageOutput] {
        let (load, kind, status): (String, EngineRequest.Kind, Int?)
        var failure = StageRequest.Failure.cancelled
        switch event {
        case .responded(let id, let response, let type, _) where response.status >= 400:
            (load, kind, status) = (id, type, response.status)
        case .failed(let id, let reason, let type): (load, kind, status, failure) = (id, type, nil, reason)
        default: return []
        }
        if target == self.page, kind == .media, let download = self.player.download {
            let address = Redaction.address(download.file.url.text.excerpt(500))
            if let status {
                self.player.add(MediaFetch.error(status: status, address))
            } else if failure != .cancelled {
                // The page cancels the request when the player unloads a file.
                let reason = failure.reason(for: address)
                self.player.add(MediaError(code: 401, message: "\(address) could not be fetched: \(reason)"))
            }
            return []
        }
        guard let part = self.parts.all.first(where: { $0.load == load }) else { return [] }
        return self.partFailed(part.number, status.map { "status \($0)" } ?? "it could not be loaded", at: now)
    }
}
