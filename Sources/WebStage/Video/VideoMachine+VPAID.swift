import AdCore

// A program that plays the ad itself, in a frame with an origin of its own (VPAID 2.0).

extension VideoMachine {
    /// Prepares the current spot's program; its frame is opened by the player.
    mutating func startProgram(_ interactive: InteractiveCreative, at now: Duration) -> [StageOutput] {
        self.vpaid = VPAIDSession(
            size: self.shownGeometry.size.rendered,
            parameters: interactive.parameters,
            duration: self.player.current.rules.duration,
            rate: self.player.options.rate
        )
        let actions = self.vpaid?.start() ?? []
        return [.report(.video(.interactiveLoading, spot: self.player.spot))] + self.execute(actions, at: now)
    }

    /// Opens the program's frame.
    mutating func openProgram(at now: Duration) -> [StageOutput] {
        let html = HTMLCreative(markup: "", document: VPAIDDocument.text)
        return self.openPart(VideoPart(.html(html)), nil, as: .program, at: now)
    }

    private var programFrame: Int? { self.parts.number(as: .program, in: self.player.spot) }

    /// The commands for the program's frame before its script.
    func programSetup(of frame: PartFrame, _ target: EngineTarget) -> [StageOutput] {
        guard frame.role == .program, frame.spot == self.player.spot, let interactive = self.player.current.interactive
        else { return [] }
        let config: AdJSON = ["url": .string(interactive.url.text)]
        let script = Scripts.vpaid.replacing("PAGE", with: AdJSON.string(VPAIDDocument.page).text())
            .replacing("CONFIG", with: config.text())
        return [
            .send(.addChannel(.vpaid, in: target)), .send(.addScript(EngineScript(script, isHost: false), in: target)),
        ]
    }

    /// Plays or pauses the program.
    mutating func setProgram(isPlaying: Bool, at now: Duration) -> [StageOutput] {
        let show = isPlaying ? self.showProgram() : []
        let actions = (isPlaying ? self.vpaid?.play() : self.vpaid?.pause()) ?? []
        return show + self.execute(actions, at: now)
    }

    private mutating func showProgram() -> [StageOutput] {
        guard let number = self.programFrame, self.parts[number]?.phase != .shown else { return [] }
        self.parts[number]?.phase = .complete
        return self.showPart(number)
    }

    /// Handles a message of the program's frame.
    mutating func handleProgram(_ message: EngineMessage, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        guard let number = self.programFrame, let frame = self.parts[number], frame.target == target, target != nil,
            let json = message.json(), let said = VPAIDMessage(json)
        else { return [] }
        let actions = self.vpaid?.handle(said) ?? []
        return self.execute(actions, at: now)
    }

    /// The program's frame failed; it is closed already.
    mutating func programIsLost(_ reason: String, at now: Duration) -> [StageOutput] {
        let actions = self.vpaid?.lost(reason) ?? []
        return self.execute(actions, at: now)
    }

    /// Stops the program; its frame stays for as long as its last requests may take.
    mutating func endProgram(skipped: Bool = false, at now: Duration) -> [StageOutput] {
        let actions = self.vpaid?.stop(skipped: skipped) ?? []
        let frames = self.parts.all.filter { $0.role == .program }.map(\.number)
        return self.execute(actions, at: now)
            + frames.flatMap {
                self.run("yabbiPartHide(\($0))") + [.setAlarm(.player(.partOver($0)), after: OMIDSession.farewell)]
            }
    }

    mutating func programAlarm(_ wait: ProgramWait, at now: Duration) -> [StageOutput] {
        let actions: [VPAIDSession.Action]
        switch wait {
        case .step(self.player.spot, let step): actions = self.vpaid?.handle(.step(step)) ?? []
        case .end(self.player.spot): actions = self.vpaid?.handle(.end) ?? []
        case .stop(self.player.spot): actions = self.vpaid?.handle(.stop) ?? []
        case .tick(self.player.spot): actions = self.vpaid?.handle(.tick) ?? []
        case .step, .end, .stop, .tick: actions = []
        }
        return self.execute(actions, at: now)
    }

    mutating func execute(_ actions: [VPAIDSession.Action], at now: Duration) -> [StageOutput] {
        actions.flatMap { self.execute($0, at: now) }
    }

    private mutating func execute(_ action: VPAIDSession.Action, at now: Duration) -> [StageOutput] {
        switch action {
        case .call(let method, let values):
            guard let number = self.programFrame, let frame = self.parts[number], let target = frame.target else {
                return []
            }
            let call: AdJSON = ["method": .string(method), "values": .array(values)]
            // The user activation lets the program play with sound.
            let plays = method == "startAd" || method == "resumeAd"
            let script = EngineEvaluation("__yabbi_vpaid_call(\(call.text()))", isUserGesture: plays, isSilent: true)
            return [.send(.evaluate(script, in: target))]
        case .observe(let message): return [.observe(.bridge(message))]
        case .ready: return self.execute(self.player.overlayIsComplete(at: now), at: now)
        case .report(let event):
            self.player.follow(event)
            let report = StageOutput.report(.video(event, spot: self.player.spot))
            if case .started = event { return [report] + self.loadScripts(at: now) }
            return [report]
        case .end(let event): return self.execute(self.player.stop(event), at: now) + self.endProgram(at: now)
        case .skip:
            // Without a skip offset the button is the program's own.
            let hasButton = self.player.options.isSkippable && self.player.current.rules.skipOffset != nil
            return [.report(hasButton ? .skipRequested : .video(.skipped, spot: self.player.spot))]
        case .click(let url): return self.openForProgram(url ?? self.player.current.rules.clickThrough?.text, at: now)
        case .blocked(let text): return [.report(.blocked(BlockedAttempt(.other, text)))]
        case .setAlarm(let wait, let delay):
            let spot = self.player.spot
            let alarm: ProgramWait =
                switch wait {
                case .step(let step): .step(spot, step)
                case .end: .end(spot)
                case .stop: .stop(spot)
                case .tick: .tick(spot)
                }
            return [.setAlarm(.program(alarm), after: delay)]
        }
    }

    private mutating func openForProgram(_ url: String?, at now: Duration) -> [StageOutput] {
        guard let url, let number = self.programFrame, let frame = self.parts[number] else { return [] }
        return self.decide(NavigationAttempt(trigger: .window, url: url), in: number, frame.target, at: now)
    }
}

/// The alarms about a program, each with its spot.
package enum ProgramWait: Hashable, Sendable {
    case step(Int, Int)
    case end(Int), stop(Int), tick(Int)
}
