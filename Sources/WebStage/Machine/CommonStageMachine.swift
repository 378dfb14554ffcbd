import AdCore

/// The common part of the stage's machines: dispatches inputs to methods, and has the default implementations.
protocol CommonStageMachine: StageMachine {
    /// The subject of error messages, as in "the creative".
    static var subject: String { get }
    /// The source of a flood in reports.
    static var floodSource: String { get }
    /// The VAST error code if it can't be shown (VAST 4.3 §2.3.6.3); nil for other creatives than videos.
    static var failureCode: Int? { get }

    var lifecycle: StageLifecycle { get set }
    /// The host page around the creative; nil for a provider's page.
    var hostPage: HostPage? { get set }
    /// The rules for what happens in it.
    var policy: PagePolicy { get set }

    /// Runs a script of the host.
    func run(_ script: String) -> [StageOutput]

    // MARK: Commands of the ad

    mutating func reveal(at now: Duration) -> [StageOutput]
    mutating func show(_ control: StageControl, visible: Bool) -> [StageOutput]
    mutating func setGeometry(_ geometry: StageGeometry, at now: Duration) -> [StageOutput]
    /// Handles the commands that only some kinds support.
    mutating func handleCommand(_ input: StageInput, at now: Duration) -> [StageOutput]
    /// Handles a press on a control that the page did not report in time.
    mutating func pressed(_ control: StageControl) -> [StageOutput]
    mutating func prepareToClose(at now: Duration) -> [StageOutput]
    mutating func close(at now: Duration) -> [StageOutput]
    /// Reports the taps that have no outcome yet.
    mutating func settleTaps() -> [StageOutput]

    // MARK: Replies and alarms

    mutating func hostPageIsReady(at now: Duration) -> [StageOutput]
    mutating func handle(_ reply: Result<EngineReply, EngineError>, to query: StageQuery, at now: Duration)
        -> [StageOutput]
    mutating func handle(_ alarm: StageAlarm, at now: Duration) -> [StageOutput]
    /// The failure reason if the creative is not ready in time.
    var timeoutReason: String { get }

    // MARK: Targets

    mutating func attach(_ new: AttachedTarget, in parent: EngineTarget?) -> [StageOutput]
    mutating func remove(_ target: EngineTarget)
    /// Ends a target that does not answer or uses too much memory.
    mutating func endUnhealthy(_ target: EngineTarget, _ problem: String, at now: Duration) -> [StageOutput]
    /// Handles the end of a target's process.
    mutating func processEnded(_ target: EngineTarget?, at now: Duration) -> [StageOutput]
    /// Handles the loss of a target; the reason, as in "crashed".
    mutating func targetLost(_ target: EngineTarget?, _ reason: String, at now: Duration) -> [StageOutput]
    /// What follows a crash, with its report.
    mutating func finishCrash(_ report: StageOutput) -> [StageOutput]
    /// Handles an event after the end: scripts that measure or interact may send their last requests; nil for others.
    mutating func handleLate(_ event: EngineEvent, at now: Duration) -> [StageOutput]?
    /// Whether a target is a frame that can be ended alone.
    func isNestedFrame(_ target: EngineTarget) -> Bool
    /// Ends what floods for longer than a burst and is not a nested frame, and reports it.
    mutating func endFlood(_ text: String, in target: EngineTarget?, at now: Duration) -> [StageOutput]

    // MARK: What happens in it

    mutating func decide(_ request: EngineRequest, at now: Duration) -> [StageOutput]
    mutating func handle(_ message: EngineMessage, in target: EngineTarget?, at now: Duration) -> [StageOutput]
    /// Handles all other events.
    mutating func handleOther(_ event: EngineEvent, at now: Duration) -> [StageOutput]
}

/// The phase of a creative on a stage, and the health of its processes.
struct StageLifecycle: Hashable, Sendable {
    /// preparing → ready → revealed → over → ended; a failure to load leads to over.
    ///
    /// In over, scripts that measure may still send their last requests; in ended all fail.
    enum Phase: Hashable, Sendable {
        case preparing, ready, revealed, over, ended
    }

    var phase = Phase.preparing
    var isOver: Bool { self.phase == .over || self.phase == .ended }
    var hasCrashed = false
    var monitor = RendererMonitor()
}

extension CommonStageMachine {
    /// How long a creative may take to become ready.
    static var loadLimit: Duration { .seconds(10) }
    static var failureCode: Int? { nil }
    static var floodSource: String { Self.subject }

    var failures: CreativeFailures { self.policy.failures }
    package var isIntact: Bool { !self.lifecycle.hasCrashed && self.lifecycle.monitor.hasEndedNone }
    package var measuredFrames: [MeasuredFrame] { [] }
    package var lastChange: Duration? { self.policy.lastChange }
    package var motions: [String: FrameMotion] { self.policy.motions }
    package var images: LoadedImages { self.policy.images }

    func run(_ script: String) -> [StageOutput] { [self.hostPage?.run(script)].compactMap { $0 } }
    func isNestedFrame(_ target: EngineTarget) -> Bool { false }
    mutating func handleLate(_ event: EngineEvent, at now: Duration) -> [StageOutput]? { nil }
    mutating func settleTaps() -> [StageOutput] { self.policy.taps.settle() }

    package mutating func start() -> [StageOutput] {
        // A page that was opened ahead of time has just been checked.
        let isOpen = self.hostPage?.isOpen == true
        let opening = isOpen ? self.hostPageIsReady(at: .zero) : self.hostPage?.open(on: self.plan.screen) ?? []
        return opening + [.setAlarm(.loadTimeout, after: Self.loadLimit)]
    }

    package mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput] {
        guard !self.lifecycle.isOver else { return self.refuse(input, at: now) }
        switch input {
        case .event(let event): return self.handle(event, at: now)
        case .reply(let query, let reply): return self.route(reply, to: query, at: now)
        case .alarm(.loadTimeout): return self.lifecycle.phase == .preparing ? self.fail(self.timeoutReason) : []
        case .alarm(.monitor(let target)): return self.lifecycle.monitor.query(target)
        case .alarm(let alarm): return self.handle(alarm, at: now)
        case .reveal:
            guard self.lifecycle.phase == .ready else { return [] }
            self.lifecycle.phase = .revealed
            return self.reveal(at: now)
        case .control(let control, let visible): return self.show(control, visible: visible)
        case .size(let geometry): return self.setGeometry(geometry, at: now)
        case .pressed(let control): return self.pressed(control)
        case .prepareToClose: return self.prepareToClose(at: now)
        case .close:
            self.lifecycle.phase = .over
            return self.close(at: now) + self.policy.unfinishedRequests(at: now)
        case .end: return self.end(at: now)
        case .willTap, .tap, .video, .fetched, .captions, .post, .notice: return self.handleCommand(input, at: now)
        }
    }

    private mutating func route(
        _ reply: Result<EngineReply, EngineError>,
        to query: StageQuery,
        at now: Duration
    ) -> [StageOutput] {
        if let progress = self.hostPage?.handle(reply, to: query) { return self.handle(progress, at: now) }
        guard case .monitor(let target) = query else { return self.handle(reply, to: query, at: now) }
        switch self.lifecycle.monitor.handle(reply, of: target) {
        case .healthy(let outputs): return outputs
        case .unhealthy(let problem): return self.endUnhealthy(target, problem, at: now)
        }
    }

    private mutating func handle(_ progress: HostPage.Progress, at now: Duration) -> [StageOutput] {
        switch progress {
        case .next(let outputs): outputs
        case .ready: self.hostPageIsReady(at: now)
        case .failed(let reason): self.fail(reason)
        }
    }

    private mutating func handle(_ event: EngineEvent, at now: Duration) -> [StageOutput] {
        switch event.kind {
        case .requestHeld(let request): return self.decide(request, at: now)
        case .attached(let new): return self.attach(new, in: event.target)
        case .detached(let target):
            self.remove(target)
            self.lifecycle.monitor.forget(target)
            return [.send(.forget(target))]
        case .message(let message): return self.handle(message, in: event.target, at: now)
        case .flooded(let flood): return self.handle(flood, in: event.target, at: now)
        case .crashed: return self.processEnded(event.target, at: now)
        // The user closed the browser window.
        case .closed where event.target == self.page:
            return self.lifecycle.phase == .preparing ? self.fail("the window was closed") : [.report(.gone)]
        case .committed(let document)
        where self.hostPage?.isReplaced(by: document, in: event.target) == true:
            return self.hostPageLost("the host page navigated away")
        case .committed(let document):
            if let progress = self.hostPage?.handle(document, in: event.target) {
                return self.handle(progress, at: now)
            }
            return self.handleOther(event, at: now)
        default: return self.handleOther(event, at: now)
        }
    }

    /// Fails the presentation, if it is not ready yet.
    mutating func fail(_ reason: String) -> [StageOutput] {
        guard self.lifecycle.phase == .preparing else { return [] }
        self.lifecycle.phase = .over
        return [.fail(StageError("\(Self.subject) could not be shown: \(reason)", vastCode: Self.failureCode))]
    }

    /// Reports a crash, once; a creative that is not ready yet fails.
    mutating func crash(_ reason: String, cause: StageEvent.CrashCause = .crash) -> [StageOutput] {
        guard !self.lifecycle.hasCrashed else { return [] }
        if self.lifecycle.phase == .preparing { return self.fail(reason) }
        self.lifecycle.hasCrashed = true
        return self.finishCrash(.report(.crashed(reason, cause: cause)))
    }

    /// Reports a flood; a persistent one ends the nested frame that causes it, or more.
    private mutating func handle(_ flood: EngineFlood, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        guard !self.lifecycle.hasCrashed else { return [] }
        let text = flood.text(Self.floodSource)
        let report = StageOutput.report(.blocked(BlockedAttempt(.other, text)))
        guard flood.isPersistent else { return [report] }
        if let target, self.isNestedFrame(target) { return [report, RendererMonitor.end(target)] }
        return self.endFlood(text, in: target, at: now)
    }

    /// Proceeds with, answers or refuses a request by `RequestRules`.
    mutating func applyRules(to request: EngineRequest, at now: Duration) -> [StageOutput] {
        if let files = self.plan.files, StageDomain.creative.contains(request.url) {
            return self.policy.serve(request, from: files)
        }
        guard !self.plan.withholdsTracking || !TrackingRequests.contains(request) else {
            let url = Redaction.address(request.url.excerpt(2_000))
            return [.send(request.failing(.blocked)), .observe(.withheld(url: url))]
        }
        return self.policy.applyRules(to: request, allowed: self.plan.allowed, at: now)
    }

    /// Handles the loss of the host page with its close button: the ad is gone.
    mutating func hostPageLost(_ reason: String) -> [StageOutput] {
        self.lifecycle.phase == .preparing
            ? self.fail(reason) : [.report(.blocked(BlockedAttempt(.other, reason))), .report(.gone)]
    }

    mutating func processEnded(_ target: EngineTarget?, at now: Duration) -> [StageOutput] {
        self.lifecycle.monitor.hasEnded(target) ? [] : self.targetLost(target, "crashed", at: now)
    }

    mutating func show(_ control: StageControl, visible: Bool) -> [StageOutput] {
        [self.hostPage?.run("yabbiControl(\"\(control.rawValue)\", \(visible))")].compactMap { $0 }
    }

    mutating func prepareToClose(at now: Duration) -> [StageOutput] { self.settleTaps() + [.readyToClose] }

    mutating func close(at now: Duration) -> [StageOutput] { self.settleTaps() }

    mutating func pressed(_ control: StageControl) -> [StageOutput] {
        self.settleTaps() + Self.reportMissedPress(control)
    }

    /// Reports a press on a control that the page did not report in time.
    ///
    /// Closing an ad must not depend on a page that the ad can keep busy.
    static func reportMissedPress(_ control: StageControl) -> [StageOutput] {
        let text = "the page did not report a press on \(control.rawValue) in time; the stage handled the press instead"
        let press: StageEvent = control == .close ? .closeRequested(by: .user) : .skipRequested
        return [.report(.blocked(BlockedAttempt(.other, text))), .report(press)]
    }

    /// Records the last requests of scripts that measure, and those of an ad that has failed; later ones fail.
    ///
    /// A WebSocket that a script opens between this and the removal of its page is neither held nor recorded: engines
    /// can't hold its handshake.
    private mutating func end(at now: Duration) -> [StageOutput] {
        self.lifecycle.phase = .ended
        return self.policy.unfinishedRequests(at: now)
    }

    /// After the close requests fail, except for those of scripts that send what they have measured; fetched media files
    /// are dropped.
    private mutating func refuse(_ input: StageInput, at now: Duration) -> [StageOutput] {
        switch input {
        case .fetched(let number, .success): return [.drop(number)]
        case .end: return self.end(at: now)
        case .event(let event):
            if self.lifecycle.phase == .over, let outputs = self.handleLate(event, at: now) { return outputs }
            guard case .requestHeld(let request) = event.kind else { return [] }
            return [.send(request.failing(.aborted))]
        default: return []
        }
    }
}
