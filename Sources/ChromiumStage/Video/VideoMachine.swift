import AdCore

/// Decides what happens to a video in the browser: our page plays it, and what is shown with it stands in frames of other
/// sites.
///
/// opening → standing → over; `fail` leaves opening for over. What is played is the `Player`'s.
struct VideoMachine: StageMachine {
    private enum Phase: Hashable, Sendable {
        case opening, standing, over
    }

    /// How long our page may take to be there.
    private static let patience = Duration.seconds(10)

    var plan: StagePlan
    var wrapper: WrapperPage
    var player: Player
    var parts = PartFrames()
    private var phase = Phase.opening
    private(set) var isRevealed = false
    private var hasCrashed = false
    /// What is heard of all that is loaded, but for the film where that is ours.
    private var watch = SessionWatch()
    var pulse = Pulse()
    /// The films that are being fetched, and since when.
    private var orders: [Int: (order: MediaOrder, start: Duration)] = [:]

    /// A video in a page of ours; the plan's document is not used.
    init(_ video: VideoCreative, _ plan: StagePlan, _ terms: PlayerTerms, in wrapper: WrapperPage) {
        self.plan = plan
        self.player = Player(video, terms)
        self.wrapper = wrapper
    }

    /// Where our page asks for films that are held, the number behind it.
    static func shelf(_ plan: StagePlan) -> String { plan.wrapperAddress + "media/" }

    var page: DevToolsSession { self.wrapper.session }
    var creative: DevToolsSession? { self.parts.all.last { $0.role == .endCard || $0.role == .overlay }?.session }
    /// What stands in the place of a film is clicked instead of it.
    var clickable: (box: DevToolsCommand, inside: DevToolsSession?) {
        let scale = JSON.double(self.plan.size.scale).text()
        let box = """
            (() => {
              const front = document.querySelector("#parts iframe[data-front]");
              const { x, y, width, height } = (front ?? document.getElementById("slot")).getBoundingClientRect();
              return [x, y, width, height, front ? width / front.offsetWidth : \(scale)];
            })()
            """
        return (self.evaluation(box, in: self.page), self.creative)
    }
    /// What failed so far.
    var troubles: CreativeTroubles { self.watch.troubles }
    var hasPendingTap: Bool { self.parts.all.contains { $0.watch.taps.isPending } }
    var playback: StagePlayback? {
        StagePlayback(
            isPlaying: self.phase != .over && !self.player.isIdle,
            isMuted: self.player.isMuted,
            isPausedByUser: self.player.isPausedByUser
        )
    }

    mutating func begin() -> [StageOutput] {
        self.wrapper.open(on: self.plan.screen) + [.setAlarm(.patience, after: VideoMachine.patience)]
    }

    mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput] {
        guard self.phase != .over else { return self.refuse(input) }
        switch input {
        case .event(let event): return self.hear(event, at: now)
        case .answer(let question, let answer): return self.take(answer, to: question, at: now)
        case .alarm(let alarm): return self.wake(alarm, at: now)
        case .reveal:
            guard self.phase == .standing, !self.isRevealed else { return [] }
            self.isRevealed = true
            return [self.wrapper.run("yabbiReveal()"), .report(.revealed)]
        case .size(let room):
            self.plan.room = room
            return [self.wrapper.show(on: room.screen), self.layout] + self.placeParts()
        case .control(let control, let visible):
            return [self.wrapper.run("yabbiControl(\"\(control.rawValue)\", \(visible))")]
        case .video(let command): return self.obey(command, at: now)
        case .fetched(let number, let result): return self.fetched(number, result, at: now)
        case .pressed(let control): return self.settleTaps() + self.pressed(control)
        case .leaving: return self.settleTaps() + [.left]
        // Our player reports a press by itself, and never hangs.
        case .volume, .post, .reach, .tap: return []
        case .close:
            self.phase = .over
            return self.settleTaps() + self.doing(self.player.leave(), at: now)
        }
    }

    // MARK: What the ad wants

    private mutating func obey(_ command: VideoCommand, at now: Duration) -> [StageOutput] {
        switch command {
        case .play: return self.doing(self.player.play(at: now), at: now)
        case .pause: return self.doing(self.player.pause(at: now), at: now)
        case .next(let spot):
            let outputs = self.closeParts()
            return outputs + self.doing(self.player.next(spot), at: now)
        case .showEndCard:
            let card = self.player.current.endCard
            let outputs = self.closeParts() + self.doing(self.player.leave(), at: now)
            guard let card, let part = self.player.current.parts[card] else { return outputs }
            return outputs + self.openPart(part, card, as: .endCard, at: now)
        case .part(let id, visible: true): return self.openPart(id, at: now)
        case .part(let id, visible: false):
            return self.parts.number(of: id, in: self.player.spot).map { self.closePart($0) } ?? []
        }
    }

    /// Carries out what the player wants.
    mutating func doing(_ steps: [Player.Step], at now: Duration) -> [StageOutput] {
        steps.flatMap { step -> [StageOutput] in
            switch step {
            case .report(let event): return [.report(.video(event, spot: self.player.spot))]
            case .ready: return [.report(.ready)]
            case .page(let call): return [self.wrapper.run(call.script)]
            case .fetch(let order):
                self.orders[order.number] = (order, now)
                return [.fetch(order)]
            case .drop(let number): return [.drop(number)]
            case .openOverlay(let part): return self.openPart(part, nil, as: .overlay, at: now)
            case .showOverlay: return self.showOverlay()
            case .setAlarm(let alarm, let delay): return [.setAlarm(.player(alarm), after: delay)]
            }
        }
    }

    private mutating func fetched(
        _ number: Int,
        _ result: Result<FetchedMedia, MediaFault>,
        at now: Duration
    ) -> [StageOutput] {
        let order = self.orders.removeValue(forKey: number)
        let note = order.map { StageOutput.note(.request(StageRequest($0.order, result, from: $0.start, to: now))) }
        return [note].compactMap { $0 } + self.doing(self.player.fetched(number, result), at: now)
    }

    var layout: StageOutput {
        let size = self.plan.size.rendered
        return self.wrapper.run("yabbiLayout(\(JSON.double(size.width).text()), \(JSON.double(size.height).text()))")
    }

    // MARK: Answers and alarms

    private mutating func take(
        _ answer: Result<JSON, DevToolsFault>,
        to question: StageQuestion,
        at now: Duration
    ) -> [StageOutput] {
        switch self.wrapper.take(answer, to: question) {
        case .doing(let outputs): return outputs
        case .ready:
            guard self.phase == .opening else { return [] }
            self.phase = .standing
            return [self.layout, .stand] + self.pulse.watch(self.page) + self.doing(self.player.begin(), at: now)
        case .failed(let reason): return self.fail(reason)
        case nil: break
        }
        switch (question, answer) {
        case (.pulse(let session), let answer):
            switch self.pulse.take(answer, of: session) {
            case .well(let outputs): return outputs
            case .ill(let illness):
                // Nothing of ours keeps our page busy: what is shown with the video does, and is ended.
                if session == self.page, !self.parts.all.isEmpty {
                    let words = "it keeps our page from answering"
                    let ends = self.parts.all.flatMap { self.endPart($0.number, words, at: now) }
                    return ends + self.pulse.watchAgain(session)
                }
                return [Pulse.end(session)] + self.lose(session, illness, at: now)
            }
        case (.partGesture(let number, let attempt), _): return self.decide(attempt, in: number, at: now)
        case (.partPicture(let number), let answer):
            let width = (try? answer.get())?["result"]?["value"]?.number ?? 0
            return width > 0
                ? self.partIsThere(number, at: now) : self.partFailed(number, self.missingPicture(number), at: now)
        default: return []
        }
    }

    private mutating func wake(_ alarm: StageAlarm, at now: Duration) -> [StageOutput] {
        switch alarm {
        case .patience:
            return self.phase == .opening ? self.fail("our page was not there within \(VideoMachine.patience)") : []
        case .pulse(let session): return self.pulse.wake(session)
        case .player(.part(let number)): return self.partIsLate(number, at: now)
        case .player(let alarm): return self.doing(self.player.wake(alarm, at: now), at: now)
        case .surfeit: return self.parts.all.flatMap { self.endPart($0.number, "too much was loaded", at: now) }
        case .partTap(let number, let press): return self.decideTap(press, in: number)
        case .settling, .second, .tap, .look, .lastLook: return []
        }
    }

    private mutating func fail(_ reason: String) -> [StageOutput] {
        guard self.phase == .opening else { return [] }
        self.phase = .over
        return [.fail(StageError("the video could not be shown: \(reason)", vastCode: 400))]
    }

    /// Our own page is gone, and its close button with it.
    private mutating func lose(_ reason: String) -> [StageOutput] {
        self.phase == .opening
            ? self.fail(reason) : [.report(.blocked(BlockedAttempt(.other, reason))), .report(.gone)]
    }

    /// One of the processes is gone, or is ended by us; why, as in "crashed".
    private mutating func lose(_ session: DevToolsSession?, _ reason: String, at now: Duration) -> [StageOutput] {
        guard session == self.page else {
            guard let number = self.parts.number(of: session), session == self.parts[number]?.session else {
                return [Pulse.lost(reason)]
            }
            return self.partFailed(number, "it \(reason)", at: now)
        }
        let words = "our page with the video \(reason)"
        guard self.phase != .opening else { return self.fail(words) }
        guard !self.hasCrashed else { return [] }
        self.hasCrashed = true
        // Our button is in the page that is gone.
        return [.report(.crashed(words)), .report(.gone)]
    }

    /// A session says more than is read: what lasts is ended, with the part of which it is, or with all where that is not
    /// known.
    private mutating func take(_ flood: SessionFlood, of session: DevToolsSession?, at now: Duration) -> [StageOutput] {
        let name = "what is shown with the video"
        let told: [StageOutput] = [.report(.blocked(BlockedAttempt(.other, flood.words(name))))]
        guard flood.lasts else { return told }
        let numbers = self.parts.number(of: session).map { [$0] } ?? self.parts.all.map(\.number)
        return told + numbers.flatMap { self.endPart($0, "it floods the browser", at: now) }
    }

    // MARK: Events

    private mutating func hear(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        switch event.method {
        case "Fetch.requestPaused": return PausedRequest(event).map { self.judge($0, at: now) } ?? []
        case "Target.attachedToTarget": return Attachment(event).map { self.attach($0, in: event.session) } ?? []
        case "Target.detachedFromTarget":
            guard let session = Attachment.detached(event) else { return [] }
            self.parts.detach(session)
            self.pulse.forget(session)
            return [.forget(session)]
        // A part is led out of its frame by the same press as a creative is.
        case "Page.frameNavigated" where self.wrapper.isReplaced(event):
            return self.lose("our own page was led elsewhere")
        case "Inspector.detached" where event.session == self.page:
            // Somebody has closed its window.
            return self.phase == .opening ? self.fail("its window was closed") : [.report(.gone)]
        case "Inspector.targetCrashed":
            return self.pulse.hasEnded(event.session) ? [] : self.lose(event.session, "crashed", at: now)
        case SessionFlood.method: return SessionFlood(event).map { self.take($0, of: event.session, at: now) } ?? []
        case "Runtime.bindingCalled" where event.session == self.page: return self.listen(event, at: now)
        case "Network.dataReceived" where event.session == self.page && self.player.isShelved:
            // A film that is held has a bound of its own.
            return []
        case let method where method.hasPrefix("Network."):
            return (self.watch.hear(event, else: nil, at: now) ?? []) + self.considerAnswer(event, at: now)
        default: return event.session == self.page ? [] : self.hearPart(event, at: now)
        }
    }

    /// What our own script says.
    private mutating func listen(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        guard event.params["name"] == "__yabbi", let payload = event.params["payload"]?.string,
            payload.utf8.count <= 65_536, let message = try? JSON(parsing: payload)
        else { return [] }
        if let news = PlayerNews(message) { return self.doing(self.player.hear(news, at: now), at: now) }
        switch message["k"]?.string {
        case "close": return self.settleTaps() + [.report(.closeRequested(by: .user))]
        case "skip": return self.settleTaps() + [.report(.skipRequested)]
        case "click": return [.report(.click(nil, byUser: true, at: VideoMachine.place(message, target: "the video")))]
        case "pause": return [self.pressed(message, "pause")] + self.doing(self.player.togglePause(at: now), at: now)
        case "sound": return [self.pressed(message, "sound")] + self.doing(self.player.toggleSound(), at: now)
        case "visible":
            guard self.isRevealed, let ratio = message["ratio"]?.number else { return [] }
            return [.report(.visible(ratio: min(max(ratio, 0), 1)))]
        default: return []
        }
    }

    /// The user pressed a button of our player.
    private func pressed(_ message: JSON, _ button: String) -> StageOutput {
        let place = VideoMachine.place(message, target: "button#\(button)")
        return .report(.tap(.creative("the player's \(button) button"), at: place))
    }

    /// Where our page saw a press, in the ad's points.
    private static func place(_ message: JSON, target: String) -> TapPlace? {
        guard let x = message["x"]?.number, let y = message["y"]?.number else { return nil }
        return TapPlace(x: x, y: y, target: target)
    }

    // MARK: Requests

    private mutating func judge(_ request: PausedRequest, at now: Duration) -> [StageOutput] {
        if let served = self.wrapper.serve(request) { return [served] }
        if self.wrapper.isAsked(by: request) { return [.say(request.refusal("Aborted"))] }
        if request.kind == "Document", let outputs = self.judgeDocument(request, at: now) { return outputs }
        if request.session == self.page { return self.judgeFilm(request) }
        return self.judged(request)
    }

    /// Our page asks for nothing but films.
    private mutating func judgeFilm(_ request: PausedRequest) -> [StageOutput] {
        guard let order = self.player.order, request.kind == "Media" else {
            return [.say(request.refusal("BlockedByClient"))]
        }
        guard request.url == "\(VideoMachine.shelf(self.plan))\(order.number)" else {
            // Where the browser fetches films by itself, it follows where they lead, and each step is judged.
            return self.player.isShelved ? [.say(request.answer(404, [], nil))] : self.judged(request)
        }
        return [.give(MediaPiece(request.header("range"), of: self.player.size), of: order, request)]
    }

    /// What any creative may ask for.
    mutating func judged(_ request: PausedRequest) -> [StageOutput] {
        self.watch.pass(request, neighbours: self.plan.neighbours)
    }

    /// What the network says of a film that the browser fetches by itself, and of a part's page.
    private mutating func considerAnswer(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        let status = event.params["response"]?["status"]?.number.flatMap(Int.init(exactly:)) ?? 0
        let isFailed = event.method == "Network.loadingFailed"
        guard status >= 400 || isFailed else { return [] }
        if event.session == self.page, event.params["type"] == "Media", let order = self.player.order {
            let address = Redaction.address(order.file.url.text.excerpt(500))
            let reason = event.params["errorText"]?.string ?? "it failed"
            // A film whose loading is given up by the player itself has not failed.
            guard status >= 400 || !reason.contains("ABORTED") else { return [] }
            let fault =
                status >= 400
                ? MediaFetch.fault(status: status, address)
                : MediaFault(code: 401, message: "\(address) could not be had: \(reason)")
            self.player.note(fault)
            return []
        }
        guard let load = event.params["requestId"]?.string, let part = self.parts.all.first(where: { $0.load == load })
        else { return [] }
        return self.partFailed(part.number, isFailed ? "it could not be had" : "the status is \(status)", at: now)
    }
}
