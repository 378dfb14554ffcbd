import AdCore

// The parts of a video: icons, companions, overlays. Each is in a sandboxed cross-site frame, with the same rules as a
// creative.

extension VideoMachine {
    /// Whether an end card or companion is about to be shown, which takes `PartFrame.loadLimit` at most.
    var isLoadingCard: Bool {
        self.parts.all.contains { [.endCard, .companion].contains($0.role) && $0.phase != .shown }
    }

    // MARK: Life of a part

    /// Opens a part of the current spot.
    mutating func openPart(_ id: VideoPartID, at now: Duration) -> [StageOutput] {
        guard let part = self.player.current.parts[id], self.parts.number(of: id, in: self.player.spot) == nil else {
            return []
        }
        switch id {
        case .icon: return self.openPart(part, id, as: .icon, at: now)
        case .companion: return self.openPart(part, id, as: .companion, at: now)
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
        guard let box = PartLayout(geometry: self.shownGeometry).box(part, as: role) else {
            self.parts[frame.number] = nil
            return self.report(frame, frame.errorCodes.noRoom, "it does not fit", at: now)
        }
        let address = AdJSON.string(frame.address).text()
        let title = AdJSON.string(frame.title.excerpt(200)).text()
        let name = "\"\(role.name)\""
        let isHeard = role == .interactive || (role == .overlay && self.simid != nil)
        return self.run("yabbiPart(\(frame.number), \(address), \(box.json.text()), \(title), \(name))")
            + (isHeard ? self.run("yabbiListen(\(frame.number))") : []) + [
                .setAlarm(.player(.part(frame.number)), after: PartFrame.loadLimit)
            ]
    }

    mutating func closePart(_ number: Int) -> [StageOutput] {
        guard self.parts[number] != nil else { return [] }
        let taps = self.updatePolicy(of: number) { $0.taps.settle() }
        self.parts[number] = nil
        return taps + self.run("yabbiPartGone(\(number))")
    }

    /// Closes what is shown of a spot; the frames of scripts stay for a moment, hidden.
    mutating func closeParts() -> [StageOutput] {
        let numbers = self.parts.all.filter { part in
            switch part.role {
            case .verification, .interactive, .program: false
            case .overlay: self.simid == nil
            case .icon, .endCard, .companion, .fallback: true
            }
        }.map(\.number)
        return numbers.flatMap { self.closePart($0) }
    }

    /// Lays out all parts again.
    func arrangeParts() -> [StageOutput] {
        let layout = PartLayout(geometry: self.shownGeometry)
        return self.parts.all.flatMap { frame -> [StageOutput] in
            if frame.role == .companion, frame.phase == .shown {
                // In full screen there is no room for it.
                guard layout.box(frame.part, as: .companion) != nil else {
                    return self.run("yabbiPartHide(\(frame.number))")
                }
                return self.run("yabbiPartShow(\(frame.number))") + self.boxCall(frame, layout)
            }
            return self.boxCall(frame, layout)
        }
    }

    private func boxCall(_ frame: PartFrame, _ layout: PartLayout) -> [StageOutput] {
        let own = frame.role == .interactive || frame.role == .overlay ? self.interactiveBox : nil
        return (own ?? layout.box(frame.part, as: frame.role)).map {
            self.run("yabbiPartBox(\(frame.number), \($0.json.text()))")
        } ?? []
    }

    /// Handles a part that is loaded completely.
    mutating func partIsComplete(_ number: Int, at now: Duration) -> [StageOutput] {
        guard let frame = self.parts[number], frame.phase == .loading || frame.phase == .checking else { return [] }
        self.parts[number]?.phase = .complete
        // An interactive creative is shown when it says that it is ready.
        if frame.role == .interactive || frame.role == .program { return [] }
        if frame.role == .overlay, self.simid != nil { return self.interactiveOverlayIsLoaded(at: now) }
        if frame.role == .fallback { return self.showFallback(number, at: now) }
        // An overlay is shown by `play`, like a video.
        return frame.id == nil ? self.execute(self.player.overlayIsComplete(at: now), at: now) : self.showPart(number)
    }

    mutating func showPart(_ number: Int) -> [StageOutput] {
        guard let frame = self.parts[number], frame.phase == .complete else { return [] }
        self.parts[number]?.phase = .shown
        return self.run("yabbiPartShow(\(number))")
            + (frame.id.map { [.report(.video(.partShown($0), spot: frame.spot))] } ?? [])
    }

    mutating func showOverlay() -> [StageOutput] {
        self.parts.number(as: .overlay, in: self.player.spot).map { self.showPart($0) } ?? []
    }

    /// Closes and reports a part that can't be shown, or has failed.
    mutating func partFailed(_ number: Int, _ reason: String, at now: Duration) -> [StageOutput] {
        guard let frame = self.parts[number] else { return [] }
        return self.closePart(number) + self.report(frame, frame.errorCodes.notLoaded, reason, at: now)
    }

    /// Ends the process of a part.
    mutating func endPart(_ number: Int, _ reason: String, at now: Duration) -> [StageOutput] {
        let end = self.parts[number]?.target.map { [RendererMonitor.end($0)] } ?? []
        return end + self.partFailed(number, reason, at: now)
    }

    private mutating func report(_ frame: PartFrame, _ code: Int, _ reason: String, at now: Duration) -> [StageOutput] {
        if frame.role == .interactive { return self.interactiveIsLost(reason, at: now) }
        if frame.role == .program { return self.programIsLost(reason, at: now) }
        if frame.role == .fallback {
            let text = "the fallback image of an icon can't be shown: \(reason)"
            return [.observe(.console(ConsoleMessage(.warning, text)))] + self.resumeAfterFallback(at: now)
        }
        guard let id = frame.id else {
            // 902: the interactive creative can't be displayed (VAST 4.3 §2.3.6.3).
            let code = self.simid == nil ? code : 902
            if self.simid != nil { _ = self.simid?.lost(reason) }
            return self.execute(self.player.overlayFailed(code, "the overlay can't be shown: \(reason)"), at: now)
        }
        if case .verification(let number) = id { return self.verificationEnded(frame, number, reason) }
        let text = "\(id) can't be shown: \(reason)"
        return [.report(.video(.partFailed(id, vastCode: code, text), spot: frame.spot))]
    }

    /// Handles the load timeout of a part: shows it as far as it is loaded.
    mutating func partIsLate(_ number: Int, at now: Duration) -> [StageOutput] {
        guard let frame = self.parts[number], frame.phase == .loading || frame.phase == .checking else { return [] }
        if frame.role == .interactive || frame.role == .program, frame.hasDocument {
            return self.partIsComplete(number, at: now)
        }
        guard frame.hasDocument, !frame.isPicture, frame.role != .verification else {
            return self.partFailed(number, "it did not load within \(PartFrame.loadLimit)", at: now)
        }
        return self.partIsComplete(number, at: now)
    }

    /// Handles that a part's document and its subresources are loaded.
    private mutating func partIsLoaded(_ number: Int, at now: Duration) -> [StageOutput] {
        guard let frame = self.parts[number], frame.phase == .loading, let target = frame.target,
            frame.role != .verification
        else { return [] }
        guard frame.isPicture else { return self.partIsComplete(number, at: now) }
        self.parts[number]?.phase = .checking
        let width = EngineEvaluation("document.images[0]?.naturalWidth ?? 0")
        return [.query(.evaluate(width, in: target), .partPicture(number))]
    }

    /// The message of an image that did not load, with the reason if known.
    func missingPicture(_ number: Int) -> String {
        guard case .image(let url)? = self.parts[number]?.part.content else { return "its image did not load" }
        let address = Redaction.address(url.text.excerpt(500))
        if case .refuse(let destination) = RequestRules.decision(url.text, allowed: self.plan.allowed) {
            return "its image \(address) was blocked: a request to \(destination)"
        }
        // Engines upgrade http images to https (W3C Mixed Content).
        let failed = self.failures.requests.first { $0.url == address || $0.url == "https" + address.dropFirst(4) }
        return "its image \(address) did not load" + (failed.map { ": \($0.reason)" } ?? "")
    }

    // MARK: Frames

    package var measuredFrames: [MeasuredFrame] {
        self.parts.all.compactMap { part in
            part.target.flatMap { target in part.frame.map { MeasuredFrame(target: target, id: $0) } }
        }
    }

    mutating func attach(_ new: AttachedTarget, in parent: EngineTarget?) -> [StageOutput] {
        switch new.kind {
        case .frame:
            guard self.parts.attach(new, in: parent, page: self.page) else {
                return self.parts.refusal(of: new.target)
            }
            let frame = self.parts.number(ofFrame: new.id).flatMap { self.parts[$0] }
            let measuring =
                frame.map { self.measuringSetup(of: $0, new.target) + self.programSetup(of: $0, new.target) } ?? []
            return new.start(
                TargetSetup.creative(new.target, hasDocument: new.hasDocument, isMeasured: self.plan.isMeasured)
                    + measuring
            )
                + self.lifecycle.monitor.watch(new.target)
        case .worker: return new.startAsWorker
        // Windows and service workers are not allowed.
        case .serviceWorker, .other: return new.refusal
        }
    }

    /// Decides on a request for the document of a part's frame; nil for nested frames.
    mutating func decideDocument(_ request: EngineRequest, at now: Duration) -> [StageOutput]? {
        if let frame = self.parts.claim(request, page: self.page) {
            // The frame of a script may have been attached before its document was requested.
            let measuring =
                frame.target.map { self.measuringSetup(of: frame, $0) + self.programSetup(of: frame, $0) } ?? []
            if let document = frame.document {
                return measuring + [.send(request.response(document: document, []))]
            }
            return self.applyRules(to: request, at: now)
        }
        guard let number = self.parts.number(ofFrame: request.frame) else { return nil }
        // A redirect of the first document belongs to the same load.
        if self.parts[number]?.load == request.load, self.parts[number]?.hasDocument == false {
            return self.applyRules(to: request, at: now)
        }
        let attempt = NavigationAttempt(trigger: .navigation, url: request.urlWithFragment)
        // The request fails first, because the frame does not answer while its request is held.
        return [.send(request.failing(.aborted))]
            + self.decide(attempt, in: number, self.parts[number]?.target, at: now)
    }

    /// Handles an event of a part's frame.
    mutating func handlePart(_ event: EngineEvent, at now: Duration) -> [StageOutput] {
        guard let number = self.parts.number(of: event.target), let frame = self.parts[number] else { return [] }
        let isWhole = event.target == frame.target
        switch event.kind {
        case .committed(let document) where isWhole:
            guard document.load == frame.load, document.frame == frame.frame else { return [] }
            if document.isErrorPage { return self.partFailed(number, "it could not be loaded", at: now) }
            self.parts[number]?.hasDocument = true
            return []
        case .loaded(_, let load) where isWhole: return load == frame.load ? self.partIsLoaded(number, at: now) : []
        default: return self.updatePolicy(of: number) { $0.handle(event, fallback: frame.target, at: now) ?? [] }
        }
    }

    /// Handles a message of the injected scripts in a part's frame.
    mutating func handlePart(
        _ channel: EngineChannel,
        _ message: AdJSON,
        in target: EngineTarget?,
        at now: Duration
    ) -> [StageOutput] {
        guard let number = self.parts.number(of: target), let frame = self.parts[number] else { return [] }
        let kind = message["k"]?.string
        switch channel {
        case .gesture where frame.role == .fallback:
            return kind == "gesture" && message["type"] == "click" ? self.closeFallback(at: now) : []
        case .gesture where frame.isPicture:
            // An image is one link, with the click-through URL of the ad.
            guard kind == "gesture", message["type"] == "click" else { return [] }
            let place = message["x"]?.number.flatMap { x in
                message["y"]?.number.map { TapPoint(x: x, y: $0, target: message["target"]?.string?.excerpt(80)) }
            }
            self.noteClick(on: frame, nil)
            return [self.clicked(frame, nil, at: place)]
        case .gesture:
            return self.updatePolicy(of: number) { $0.handle(gesture: message, in: target, at: now) }
        case .creative:
            guard let url = message["url"]?.string else { return [] }
            if kind == "download" { return PagePolicy.blockDownload(of: url) }
            if kind == "absent" { return PagePolicy.reportRemovedInterface(url) }
            guard kind == "open" else { return [] }
            return self.decide(NavigationAttempt(trigger: .window, url: url), in: number, target, at: now)
        case .calls: return self.updatePolicy(of: number) { $0.handle(call: message) }
        case .host, .mraid, .omid, .vpaid, .bridge: return []
        }
    }

    // MARK: Fallback images

    /// The app could not open a link: if it is that of the icon that was clicked, its fallback image is loaded (VAST 4.3
    /// §3.11.6).
    ///
    /// An app may take long to say so; the image belongs to the spot of the icon.
    mutating func linkIsNotOpened(_ link: ClickThroughURL, at now: Duration) -> [StageOutput] {
        guard let icon = self.clickedIcon, icon.link == link, icon.spot == self.player.spot,
            let image = self.player.current.parts[icon.id]?.clickFallback, self.player.load == .ready,
            self.parts.number(as: .fallback, in: icon.spot) == nil, !self.player.isOverlay
        else { return [] }
        self.clickedIcon = nil
        return self.openPart(VideoPart(.image(image), altText: "About this ad"), nil, as: .fallback, at: now)
    }

    /// Shows the loaded image, while the video waits for the user.
    private mutating func showFallback(_ number: Int, at now: Duration) -> [StageOutput] {
        self.execute(self.player.setPausedByCreative(true, at: now), at: now) + self.showPart(number)
    }

    /// Whether an image is over the video.
    var isFallbackShown: Bool {
        self.parts.number(as: .fallback, in: self.player.spot).flatMap { self.parts[$0] }?.phase == .shown
    }

    /// The user has pressed the image, or the video next to it.
    mutating func closeFallback(at now: Duration) -> [StageOutput] {
        guard let number = self.parts.number(as: .fallback, in: self.player.spot) else { return [] }
        return self.closePart(number) + self.resumeAfterFallback(at: now)
    }

    private mutating func resumeAfterFallback(at now: Duration) -> [StageOutput] {
        // What an interactive creative has paused stays so.
        guard self.interaction.pausedSince == nil else { return [] }
        return self.execute(self.player.setPausedByCreative(false, at: now), at: now)
    }

    // MARK: Clicks

    /// Remembers the icon that a user has clicked.
    private mutating func noteClick(on frame: PartFrame, _ link: ClickThroughURL?) {
        guard case .icon? = frame.id, let id = frame.id, frame.spot == self.player.spot else { return }
        let own = self.player.current.rules.parts.first { $0.id == id }?.clickThrough
        self.clickedIcon = (link ?? own).map { ClickedIcon(spot: frame.spot, id: id, link: $0) }
    }

    private func clicked(_ frame: PartFrame, _ link: ClickThroughURL?, at place: TapPoint?) -> StageOutput {
        guard let id = frame.id else { return .report(.click(link, byUser: true, at: place)) }
        return .report(.partClicked(id, link, byUser: true, spot: frame.spot))
    }

    mutating func decide(
        _ attempt: NavigationAttempt,
        in number: Int,
        _ target: EngineTarget?,
        at now: Duration
    ) -> [StageOutput] {
        let target = target ?? self.parts[number]?.target
        return self.updatePolicy(of: number) { $0.decide(attempt, in: target, at: now).outputs }
    }

    /// Decides the outcome of a press on a part.
    mutating func decideTap(_ press: Int, in number: Int) -> [StageOutput] {
        self.updatePolicy(of: number) { $0.taps.decide(press, creative: nil) }
    }

    /// Reports the taps that have no outcome yet: the ad is about to close.
    mutating func settleTaps() -> [StageOutput] {
        let numbers = self.parts.all.map(\.number)
        return numbers.flatMap { number in self.updatePolicy(of: number) { $0.taps.settle() } }
    }

    /// Decides on an attempt after the ping of its target.
    mutating func decide(_ attempt: NavigationAttempt, in number: Int, at now: Duration) -> [StageOutput] {
        self.updatePolicy(of: number) { $0.decide(attempt, at: now).outputs }
    }

    /// Updates a part's policy, and maps its clicks, alarms and queries to the part.
    mutating func updatePolicy(
        of number: Int,
        _ update: (inout PagePolicy) -> [StageOutput]
    ) -> [StageOutput] {
        guard var frame = self.parts[number] else { return [] }
        let outputs = update(&frame.policy)
        self.parts[number] = frame
        for case .report(.click(let link, byUser: true, _)) in outputs { self.noteClick(on: frame, link) }
        return outputs.map { output in
            switch output {
            case .report(.click(let link, byUser: true, let place)): self.clicked(frame, link, at: place)
            case .setAlarm(.tap(let press), let delay): .setAlarm(.partTap(frame.number, press), after: delay)
            case .query(let command, .gesture(let attempt), let limit):
                .query(command, .partGesture(frame.number, attempt), within: limit)
            default: output
            }
        }
    }
}
