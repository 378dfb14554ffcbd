import AdCore

// Measuring a video: the scripts of verification vendors, each in a hidden frame of its own (VAST 4.3 §3.16).

extension VideoMachine {
    // MARK: A spot's scripts

    /// Starts to measure the current spot.
    ///
    /// Its vendors' scripts are loaded when the spot plays, so that they do not delay its start; they are sent then what
    /// they have missed.
    mutating func startMeasuring(at now: Duration) -> [StageOutput] {
        self.waitingScripts = []
        let verifications = self.player.current.verifications
        guard !verifications.isEmpty else { return [] }
        let subject = OMIDSubject(kind: self.player.isOverlay ? .overlay : .video, isMobile: self.plan.isMobile)
        let id = "\(self.plan.name)-\(self.player.spot + 1)"
        self.omid = OMIDSession(id, subject, verifications, self.geometry, at: now)
        let scripts = verifications.indices.flatMap { number -> [StageOutput] in
            guard number < OMIDSession.maxVendors else {
                let text = "the verification \(number + 1) is not run: an ad has \(OMIDSession.maxVendors) at most"
                return self.report(.notExecuted(.rejected, text), ofVerification: number)
            }
            return self.planScript(of: number, verifications[number])
        }
        return scripts
    }

    /// Loads the scripts that have waited for the start of the spot.
    mutating func loadScripts(at now: Duration) -> [StageOutput] {
        guard self.omid != nil else { return [] }
        let waiting = self.waitingScripts
        self.waitingScripts = []
        let html = VideoPart(.html(HTMLCreative(markup: "", document: OMIDInjection.document)))
        return self.run(Scripts.measure)
            + waiting.flatMap { self.openPart(html, .verification($0), as: .verification, at: now) }
    }

    private mutating func planScript(of number: Int, _ verification: VideoVerification) -> [StageOutput] {
        let name = VideoMachine.name(of: verification, number)
        guard !verification.scripts.isEmpty else {
            let text = "the verification of \(name) is not run: it has no <JavaScriptResource> for omid"
            return self.report(.notExecuted(.notSupported, text), ofVerification: number)
        }
        let refusals = verification.scripts.compactMap { script -> String? in
            if case .refuse(let place) = RequestRules.decision(script.text, allowed: self.plan.allowed) {
                place
            } else {
                nil
            }
        }
        if let destination = refusals.first, refusals.count == verification.scripts.count {
            let address = Redaction.address(verification.scripts[0].text.excerpt(500))
            let text = "the verification script of \(name) is not loaded: \(address) is on \(destination)"
            return self.report(.notExecuted(.rejected, text), ofVerification: number)
        }
        self.waitingScripts.append(number)
        return self.report(.loading, ofVerification: number)
    }

    static func name(of verification: VideoVerification, _ number: Int) -> String {
        verification.vendor?.excerpt(100) ?? "vendor \(number + 1)"
    }

    /// Reports what became of a script of the current spot.
    private func report(_ state: VerificationState, ofVerification number: Int) -> [StageOutput] {
        [.report(.video(.verification(number, state), spot: self.player.spot))]
    }

    /// Reports the end of a vendor's frame; one whose script was not run is `verificationNotExecuted`.
    func verificationEnded(_ frame: PartFrame, _ number: Int, _ reason: String) -> [StageOutput] {
        guard frame.spot == self.player.spot else { return [] }
        let verifications = self.player.current.verifications
        guard verifications.indices.contains(number) else { return [] }
        let name = VideoMachine.name(of: verifications[number], number)
        guard frame.phase != .shown else {
            let text = "the verification script of \(name) was ended: \(reason)"
            return [.report(.blocked(BlockedAttempt(.other, text)))]
        }
        let text = "the verification script of \(name) is not run: \(reason)"
        return self.report(.notExecuted(.notLoaded, text), ofVerification: number)
    }

    /// The commands for a vendor's frame before its script.
    func measuringSetup(of frame: PartFrame, _ target: EngineTarget) -> [StageOutput] {
        guard case .verification(let number)? = frame.id, frame.spot == self.player.spot else { return [] }
        let verifications = self.player.current.verifications
        guard verifications.indices.contains(number) else { return [] }
        let id = "\(self.plan.name)-\(frame.number)"
        return OMIDInjection.setup(target, id, verification: verifications[number])
    }

    /// Handles a message of a vendor's frame.
    mutating func handleMeasuring(_ message: EngineMessage, in target: EngineTarget?, at now: Duration) -> [StageOutput]
    {
        guard let target, case .page(let id)? = message.sender, let json = message.json(),
            let call = OMIDMessage(json), let number = self.parts.number(of: target), let frame = self.parts[number],
            case .verification(let verification)? = frame.id, frame.spot == self.player.spot
        else { return [] }
        if case .script(let isLoaded) = call.kind {
            guard frame.target == target, frame.phase == .loading else { return [] }
            guard isLoaded else { return self.partFailed(number, self.missingScript(verification), at: now) }
            self.parts[number]?.phase = .shown
            return self.report(.executed, ofVerification: verification)
        }
        let window = OMIDWindow(target: target, frame: id)
        return self.omid?.handle(call, from: window, verification: verification, at: now) ?? []
    }

    /// Why none of a vendor's scripts could be loaded, as far as it is known.
    private func missingScript(_ number: Int) -> String {
        let urls = self.player.current.verifications[number].scripts.map { Redaction.address($0.text.excerpt(500)) }
        let failed = urls.compactMap { url in
            self.failures.requests.first { $0.url == url || $0.url == "https" + url.dropFirst(4) }
        }
        return failed.isEmpty
            ? "\(urls.joined(separator: ", ")) could not be loaded"
            : failed.map { "\($0.url): \($0.reason)" }.joined(separator: "; ")
    }

    // MARK: Events

    /// Ends the measurement of the current spot; its frames stay for as long as their last requests may take.
    mutating func finishMeasuring(at now: Duration) -> [StageOutput] {
        let outputs = self.omid?.finish(at: now) ?? []
        self.omid = nil
        let numbers = self.parts.all.filter { $0.role == .verification }.map(\.number)
        return outputs + numbers.map { .setAlarm(.player(.partOver($0)), after: OMIDSession.farewell) }
    }

    /// Tells the scripts what the runtime has tracked, and what happens around the ad.
    mutating func handle(_ notice: StageNotice, at now: Duration) -> [StageOutput] {
        switch notice {
        case .host(.covered(let isCovered)): return self.updateGeometry(at: now) { $0.isCovered = isCovered }
        case .host(.background(let isThere)): return self.updateGeometry(at: now) { $0.isInBackground = isThere }
        case .host(.obstructed(let views)):
            return self.updateGeometry(at: now) { $0.setAppViews(views) } + self.reportVisible()
        case .linkNotOpened(let link): return self.linkIsNotOpened(link, at: now)
        case .host(.network), .location: return []
        case .host(.volume(let percent)): return self.setDeviceVolume(percent, at: now)
        case .tracked(let event):
            guard event.spot == self.player.spot, event.part == nil else { return [] }
            if event.event == .impression { return self.omid?.sendImpression(at: now) ?? [] }
            let events = self.events(for: event)
            return events.flatMap { self.omid?.send($0, at: now) ?? [] }
        }
    }

    mutating func updateGeometry(at now: Duration, _ change: (inout OMIDGeometry) -> Void) -> [StageOutput] {
        change(&self.geometry)
        let geometry = self.geometry
        return self.omid?.update(geometry, at: now) ?? []
    }

    /// The events of OMID for a tracking event of VAST (OMID API 1.3, "AdEventType").
    private func events(for event: TrackingEvent) -> [OMIDEvent] {
        switch event.event.rawValue {
        case "loaded": [self.loadedEvent]
        case "start":
            // A video that starts in full screen says so right after its start.
            [self.startEvent] + (self.fillsScreen ? [OMIDEvent.playerState("fullscreen")] : [])
        case "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume":
            [OMIDEvent(event.event.rawValue)]
        case "skip": [OMIDEvent("skipped")]
        case "mute", "unmute": [self.volumeEvent]
        case "fullscreen": [.playerState("fullscreen")]
        case "exitFullscreen": [.playerState("normal")]
        case "clickTracking": [.interaction("click")]
        case "acceptInvitation": [.interaction("invitationAccept")]
        case "error":
            [
                OMIDEvent(
                    "sessionError",
                    [
                        .init("errorType", "media"),
                        .init("message", .string("VAST error \(event.code.map(String.init) ?? "900")")),
                    ]
                )
            ]
        default: []
        }
    }

    private var loadedEvent: OMIDEvent {
        let skipAt = self.player.options.isSkippable ? self.player.current.rules.skipOffset : nil
        let offset = skipAt?.time(in: self.player.length).map { [AdJSON.Member("skipOffset", .double($0.inSeconds))] }
        let data: [AdJSON.Member] = [.init("skippable", .bool(skipAt != nil))] + (offset ?? [])
        let types = self.omid?.subject.types ?? []
        return OMIDEvent("loaded", data + [.init("autoPlay", true), .init("position", "standalone")] + types)
    }

    private var startEvent: OMIDEvent {
        let length = (self.player.length ?? self.player.current.rules.duration)?.inSeconds ?? 0
        return OMIDEvent("start", [.init("duration", .double(length))] + self.volumes(isMuted: self.player.isMuted))
    }

    var volumeEvent: OMIDEvent { OMIDEvent("volumeChange", self.volumes(isMuted: self.player.isMuted)) }

    private func volumes(isMuted: Bool) -> [AdJSON.Member] {
        let volume = isMuted ? 0.0 : self.player.volume
        return [
            .init("mediaPlayerVolume", .double(volume)), .init("videoPlayerVolume", .double(volume)),
            .init("deviceVolume", .double(min(max((self.deviceVolume ?? 100) / 100, 0), 1))),
        ]
    }

    /// Handles a new volume of the device.
    private mutating func setDeviceVolume(_ percent: Double, at now: Duration) -> [StageOutput] {
        self.deviceVolume = percent.isNaN ? nil : percent
        guard self.player.hasStarted else { return [] }
        let event = self.volumeEvent
        return self.omid?.send(event, at: now) ?? []
    }
}
