import AdCore

// What is shown with a film: icons, companions, overlays. Each stands in a sandboxed frame of another site, and what it
// does is judged as a creative's doing is.

extension VideoMachine {
    // MARK: From opening to closing

    /// A part of the current spot has its time.
    mutating func openPart(_ id: VideoPartID, at now: Duration) -> [StageOutput] {
        guard let part = self.player.current.parts[id], self.parts.number(of: id, in: self.player.spot) == nil else {
            return []
        }
        switch id {
        case .icon: return self.openPart(part, id, as: .icon, at: now)
        case .companion: return self.openPart(part, id, as: .beside, at: now)
        case .verification: return []
        }
    }

    mutating func openPart(
        _ part: VideoPart,
        _ id: VideoPartID?,
        as role: PartLayout.Role,
        at now: Duration
    ) -> [StageOutput] {
        let frame = self.parts.add(part, id, of: self.player.spot, as: role, name: self.plan.name)
        guard let box = PartLayout(room: self.plan.room).box(part, as: role) else {
            self.parts[frame.number] = nil
            return self.tell(frame, frame.codes.misfit, "there is no room for it", at: now)
        }
        let address = JSON.string(frame.address).text()
        let title = JSON.string(frame.title.excerpt(200)).text()
        let isFront = role == .overlay || role == .endCard
        return [
            self.wrapper.run("yabbiPart(\(frame.number), \(address), \(box.json.text()), \(title), \(isFront))"),
            .setAlarm(.player(.part(frame.number)), after: PartFrame.patience),
        ]
    }

    mutating func closePart(_ number: Int) -> [StageOutput] {
        guard self.parts[number] != nil else { return [] }
        let taps = self.watching(number) { $0.taps.settle() }
        self.parts[number] = nil
        return taps + [self.wrapper.run("yabbiPartGone(\(number))")]
    }

    mutating func closeParts() -> [StageOutput] {
        let numbers = self.parts.all.map(\.number)
        return numbers.flatMap { self.closePart($0) }
    }

    /// There is other room than before.
    func placeParts() -> [StageOutput] {
        let layout = PartLayout(room: self.plan.room)
        return self.parts.all.compactMap { frame in
            layout.box(frame.part, as: frame.role).map {
                self.wrapper.run("yabbiPartBox(\(frame.number), \($0.json.text()))")
            }
        }
    }

    /// All of a part is there.
    mutating func partIsThere(_ number: Int, at now: Duration) -> [StageOutput] {
        guard let frame = self.parts[number], frame.phase == .coming || frame.phase == .looking else { return [] }
        self.parts[number]?.phase = .there
        // An overlay is seen when it is told to play, as a film is.
        return frame.id == nil ? self.doing(self.player.overlayIsThere(at: now), at: now) : self.showPart(number)
    }

    private mutating func showPart(_ number: Int) -> [StageOutput] {
        guard let frame = self.parts[number], frame.phase == .there else { return [] }
        self.parts[number]?.phase = .shown
        let show = self.wrapper.run("yabbiPartShow(\(number))")
        return [show] + (frame.id.map { [.report(.video(.partShown($0), spot: frame.spot))] } ?? [])
    }

    mutating func showOverlay() -> [StageOutput] {
        self.parts.number(of: nil, in: self.player.spot).map { self.showPart($0) } ?? []
    }

    /// A part can't be shown, or not any longer.
    mutating func partFailed(_ number: Int, _ reason: String, at now: Duration) -> [StageOutput] {
        guard let frame = self.parts[number] else { return [] }
        return self.closePart(number) + self.tell(frame, frame.codes.missing, reason, at: now)
    }

    /// A part may not go on.
    mutating func endPart(_ number: Int, _ reason: String, at now: Duration) -> [StageOutput] {
        let end = self.parts[number]?.session.map { [Pulse.end($0)] } ?? []
        return end + self.partFailed(number, reason, at: now)
    }

    private mutating func tell(_ frame: PartFrame, _ code: Int, _ reason: String, at now: Duration) -> [StageOutput] {
        guard let id = frame.id else {
            return self.doing(self.player.overlayFailed(code, "the overlay can't be shown: \(reason)"), at: now)
        }
        let text = "\(id) can't be shown: \(reason)"
        return [.report(.video(.partFailed(id, vastCode: code, text), spot: frame.spot))]
    }

    /// A part has had its time: what is there of it is shown.
    mutating func partIsLate(_ number: Int, at now: Duration) -> [StageOutput] {
        guard let frame = self.parts[number], frame.phase == .coming || frame.phase == .looking else { return [] }
        guard frame.isDocumentThere, !frame.isPicture else {
            return self.partFailed(number, "it was not there within \(PartFrame.patience)", at: now)
        }
        return self.partIsThere(number, at: now)
    }

    /// The document of a part is there with all that it asked for.
    private mutating func partIsLoaded(_ number: Int, at now: Duration) -> [StageOutput] {
        guard let frame = self.parts[number], frame.phase == .coming, let session = frame.session else { return [] }
        guard frame.isPicture else { return self.partIsThere(number, at: now) }
        self.parts[number]?.phase = .looking
        let width: JSON = ["expression": "document.images[0]?.naturalWidth ?? 0", "returnByValue": true]
        return [.ask(DevToolsCommand("Runtime.evaluate", width, in: session), .partPicture(number))]
    }

    /// What is not there of a part that is a picture, and why, as far as that is known.
    func missingPicture(_ number: Int) -> String {
        guard case .image(let url)? = self.parts[number]?.part.content else { return "its picture is not there" }
        let address = Redaction.address(url.text.excerpt(500))
        if case .refuse(let reason) = RequestRules.verdict(url.text, neighbours: self.plan.neighbours) {
            return "its picture \(address) was refused: \(reason)"
        }
        // The browser asks for a picture of http by https.
        let failed = self.troubles.requests.first { $0.url == address || $0.url == "https" + address.dropFirst(4) }
        return "its picture \(address) is not there" + (failed.map { ": \($0.reason)" } ?? "")
    }

    // MARK: Frames

    mutating func attach(_ new: Attachment, in parent: DevToolsSession?) -> [StageOutput] {
        switch new.kind {
        case .frame:
            guard self.parts.attach(new, in: parent, page: self.page) else { return self.parts.refusal }
            return new.begin(SessionArming.frame(new.session, hasDocument: new.hasDocument))
                + self.pulse.watch(new.session)
        case .worker: return new.asWorker
        // No part may have anything else.
        case .serviceWorker, .other: return new.refusal
        }
    }

    /// A part's frame asks for a document; nil where it is one that stands inside of a part.
    mutating func judgeDocument(_ request: PausedRequest, at now: Duration) -> [StageOutput]? {
        if let frame = self.parts.claim(request, page: self.page) {
            if let document = frame.document { return [.say(request.document(document, []))] }
            return self.judged(request)
        }
        guard let number = self.parts.number(ofFrame: request.frame) else { return nil }
        // Where the first document leads by itself belongs to its loading.
        if self.parts[number]?.load == request.load, self.parts[number]?.isDocumentThere == false {
            return self.judged(request)
        }
        let attempt = Attempt(means: .navigation, url: request.landing)
        // While it is held, the frame answers nothing.
        return [.say(request.refusal("Aborted"))]
            + self.consider(attempt, in: number, self.parts[number]?.session, at: now)
    }

    /// Something happens in the frame of a part.
    mutating func hearPart(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        guard let number = self.parts.number(of: event.session), let frame = self.parts[number] else { return [] }
        let isWhole = event.session == frame.session
        switch event.method {
        case "Page.frameNavigated" where isWhole:
            let news = event.params["frame"]
            guard news?["loaderId"]?.string == frame.load, news?["id"]?.string == frame.frame else { return [] }
            if news?["unreachableUrl"]?.string != nil { return self.partFailed(number, "it could not be had", at: now) }
            self.parts[number]?.isDocumentThere = true
            return []
        case "Page.lifecycleEvent" where isWhole && event.params["name"] == "load":
            guard event.params["loaderId"]?.string == frame.load else { return [] }
            return self.partIsLoaded(number, at: now)
        default: break
        }
        if event.method == "Runtime.bindingCalled" { return self.listenPart(event, frame, at: now) }
        return self.watching(number) { $0.hear(event, else: frame.session, at: now) ?? [] }
    }

    /// What our scripts in the frame of a part say.
    private mutating func listenPart(_ event: DevToolsEvent, _ frame: PartFrame, at now: Duration) -> [StageOutput] {
        guard let payload = event.params["payload"]?.string, payload.utf8.count <= 65_536,
            let message = try? JSON(parsing: payload)
        else { return [] }
        let kind = message["k"]?.string
        switch event.params["name"]?.string {
        case "__yabbi_guard" where frame.isPicture:
            // A picture is one link, and where it leads is the ad's to know.
            guard kind == "gesture", message["type"] == "click" else { return [] }
            let place = message["x"]?.number.flatMap { x in
                message["y"]?.number.map { TapPlace(x: x, y: $0, target: message["target"]?.string?.excerpt(80)) }
            }
            return [self.clicked(frame, nil, at: place)]
        case "__yabbi_guard":
            return self.watching(frame.number) { $0.hear(guard: message, in: event.session, at: now) }
        case "__yabbi_page":
            guard let url = message["url"]?.string else { return [] }
            if kind == "download" { return SessionWatch.stopDownload(of: url) }
            if kind == "absent" { return SessionWatch.missing(url) }
            guard kind == "open" else { return [] }
            return self.consider(Attempt(means: .window, url: url), in: frame.number, event.session, at: now)
        default: return []
        }
    }

    // MARK: Clicks

    private func clicked(_ frame: PartFrame, _ link: LandingURL?, at place: TapPlace?) -> StageOutput {
        guard let id = frame.id else { return .report(.click(link, byUser: true, at: place)) }
        return .report(.partClicked(id, link, byUser: true, spot: frame.spot))
    }

    private mutating func consider(
        _ attempt: Attempt,
        in number: Int,
        _ session: DevToolsSession?,
        at now: Duration
    ) -> [StageOutput] {
        let session = session ?? self.parts[number]?.session
        return self.watching(number) { $0.consider(attempt, in: session, at: now).outputs }
    }

    /// The outcome of a press on a part is to be decided.
    mutating func decideTap(_ press: Int, in number: Int) -> [StageOutput] {
        self.watching(number) { $0.taps.wake(press, creative: nil) }
    }

    /// Reports the presses that have no outcome yet: the ad is about to close.
    mutating func settleTaps() -> [StageOutput] {
        let numbers = self.parts.all.map(\.number)
        return numbers.flatMap { number in self.watching(number) { $0.taps.settle() } }
    }

    /// Nothing more will be known of an attempt.
    mutating func decide(_ attempt: Attempt, in number: Int, at now: Duration) -> [StageOutput] {
        self.watching(number) { $0.decide(attempt, at: now).outputs }
    }

    /// What follows from what a part's watch hears, as a part's and not as a creative's.
    private mutating func watching(
        _ number: Int,
        _ hear: (inout SessionWatch) -> [StageOutput]
    ) -> [StageOutput] {
        guard var frame = self.parts[number] else { return [] }
        let outputs = hear(&frame.watch)
        self.parts[number] = frame
        return outputs.map { output in
            switch output {
            case .report(.click(let link, byUser: true, let place)): self.clicked(frame, link, at: place)
            case .setAlarm(.tap(let press), let delay): .setAlarm(.partTap(frame.number, press), after: delay)
            case .ask(let command, .gesture(let attempt), let patience):
                .ask(command, .partGesture(frame.number, attempt), within: patience)
            default: output
            }
        }
    }
}
