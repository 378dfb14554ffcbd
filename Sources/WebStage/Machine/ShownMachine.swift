import AdCore

/// The skeleton of the machines: which method handles which input, and what all of them do alike.
protocol ShownMachine: StageMachine {
    /// What can't be shown, where it can't, as in "the creative".
    static var subject: String { get }
    /// VAST's code of that (VAST 4.3, "VAST Error Codes"); nil for what is no video.
    static var failureCode: Int? { get }

    var life: ShownLife { get set }
    /// Our page around it; nil where it is a page itself.
    var hostPage: HostPage? { get set }

    // MARK: Commands of the ad

    mutating func reveal(at now: Duration) -> [StageOutput]
    mutating func show(_ control: StageControl, visible: Bool) -> [StageOutput]
    mutating func setRoom(_ room: StageRoom) -> [StageOutput]
    /// The remaining commands, which only some kinds know.
    mutating func handleCommand(_ input: StageInput, at now: Duration) -> [StageOutput]
    /// A user has pressed a control, and its page did not report that in time.
    mutating func pressed(_ control: StageControl) -> [StageOutput]
    mutating func leaving(at now: Duration) -> [StageOutput]
    mutating func close(at now: Duration) -> [StageOutput]
    /// Reports the presses that have no outcome yet.
    mutating func settleTaps() -> [StageOutput]

    // MARK: Replies and alarms

    mutating func hostPageIsReady(at now: Duration) -> [StageOutput]
    mutating func handle(_ reply: Result<EngineReply, EngineFault>, to query: StageQuery, at now: Duration)
        -> [StageOutput]
    mutating func handle(_ alarm: StageAlarm, at now: Duration) -> [StageOutput]
    /// It was not ready in time.
    var lateness: String { get }

    // MARK: Targets

    mutating func attach(_ new: AttachedTarget, in parent: EngineTarget?) -> [StageOutput]
    mutating func remove(_ target: EngineTarget)
    /// A target does not answer, or takes too much memory.
    mutating func endIll(_ target: EngineTarget, _ illness: String, at now: Duration) -> [StageOutput]
    /// The process of a target has ended.
    mutating func processEnded(_ target: EngineTarget?, at now: Duration) -> [StageOutput]
    /// A process is gone, or is ended by us; why, as in "crashed".
    mutating func lose(_ target: EngineTarget?, _ reason: String, at now: Duration) -> [StageOutput]
    mutating func handle(_ flood: EngineFlood, in target: EngineTarget?, at now: Duration) -> [StageOutput]

    // MARK: What happens in it

    mutating func judge(_ request: EngineRequest, at now: Duration) -> [StageOutput]
    mutating func handle(_ message: EngineMessage, in target: EngineTarget?, at now: Duration) -> [StageOutput]
    /// Every event that is not handled by one of the above.
    mutating func handleOther(_ event: EngineEvent, at now: Duration) -> [StageOutput]
}

/// How far something shown is, and whether it lives.
struct ShownLife: Hashable, Sendable {
    /// preparing → ready → revealed → over; a failure leaves preparing for over.
    enum Phase: Hashable, Sendable {
        case preparing, ready, revealed, over
    }

    var phase = Phase.preparing
    var hasCrashed = false
    var monitor = RendererMonitor()
}

extension ShownMachine {
    /// How long a page may take until there is something to see.
    static var loadLimit: Duration { .seconds(10) }
    static var failureCode: Int? { nil }

    package mutating func start() -> [StageOutput] {
        (self.hostPage?.open(on: self.plan.screen) ?? []) + [.setAlarm(.patience, after: Self.loadLimit)]
    }

    package mutating func handle(_ input: StageInput, at now: Duration) -> [StageOutput] {
        guard self.life.phase != .over else { return Self.refuse(input) }
        switch input {
        case .event(let event): return self.handle(event, at: now)
        case .reply(let query, let reply): return self.route(reply, to: query, at: now)
        case .alarm(.patience): return self.life.phase == .preparing ? self.fail(self.lateness) : []
        case .alarm(.monitor(let target)): return self.life.monitor.query(target)
        case .alarm(let alarm): return self.handle(alarm, at: now)
        case .reveal:
            guard self.life.phase == .ready else { return [] }
            self.life.phase = .revealed
            return self.reveal(at: now)
        case .control(let control, let visible): return self.show(control, visible: visible)
        case .size(let room): return self.setRoom(room)
        case .pressed(let control): return self.pressed(control)
        case .leaving: return self.leaving(at: now)
        case .close:
            self.life.phase = .over
            return self.close(at: now)
        case .reach, .tap, .volume, .video, .fetched, .post: return self.handleCommand(input, at: now)
        }
    }

    private mutating func route(
        _ reply: Result<EngineReply, EngineFault>,
        to query: StageQuery,
        at now: Duration
    ) -> [StageOutput] {
        switch self.hostPage?.handle(reply, to: query) {
        case .next(let outputs): return outputs
        case .ready: return self.hostPageIsReady(at: now)
        case .failed(let reason): return self.fail(reason)
        case nil: break
        }
        guard case .monitor(let target) = query else { return self.handle(reply, to: query, at: now) }
        switch self.life.monitor.handle(reply, of: target) {
        case .well(let outputs): return outputs
        case .ill(let illness): return self.endIll(target, illness, at: now)
        }
    }

    private mutating func handle(_ event: EngineEvent, at now: Duration) -> [StageOutput] {
        switch event.kind {
        case .requestHeld(let request): return self.judge(request, at: now)
        case .attached(let new): return self.attach(new, in: event.target)
        case .detached(let target):
            self.remove(target)
            self.life.monitor.forget(target)
            return [.send(.forget(target))]
        case .message(let message): return self.handle(message, in: event.target, at: now)
        case .flooded(let flood): return self.handle(flood, in: event.target, at: now)
        case .crashed: return self.processEnded(event.target, at: now)
        // Its window was closed, by its own button.
        case .closed where event.target == self.page:
            return self.life.phase == .preparing ? self.fail("its window was closed") : [.report(.gone)]
        case .committed(let document)
        where self.hostPage?.isReplaced(by: document, in: event.target) == true:
            return self.loseHostPage("our own page was led elsewhere")
        default: return self.handleOther(event, at: now)
        }
    }

    /// It can't be shown.
    mutating func fail(_ reason: String) -> [StageOutput] {
        guard self.life.phase == .preparing else { return [] }
        self.life.phase = .over
        return [.fail(StageError("\(Self.subject) could not be shown: \(reason)", vastCode: Self.failureCode))]
    }

    /// Our own page is gone, and its close button with it.
    mutating func loseHostPage(_ reason: String) -> [StageOutput] {
        self.life.phase == .preparing
            ? self.fail(reason) : [.report(.blocked(BlockedAttempt(.other, reason))), .report(.gone)]
    }

    mutating func processEnded(_ target: EngineTarget?, at now: Duration) -> [StageOutput] {
        self.life.monitor.hasEnded(target) ? [] : self.lose(target, "crashed", at: now)
    }

    mutating func show(_ control: StageControl, visible: Bool) -> [StageOutput] {
        [self.hostPage?.run("yabbiControl(\"\(control.rawValue)\", \(visible))")].compactMap { $0 }
    }

    mutating func leaving(at now: Duration) -> [StageOutput] { self.settleTaps() + [.left] }

    mutating func close(at now: Duration) -> [StageOutput] { self.settleTaps() }

    mutating func pressed(_ control: StageControl) -> [StageOutput] { self.settleTaps() + Self.takePress(control) }

    /// What follows from a user's press on a control that the page did not report in time.
    ///
    /// Whether an ad can be closed must not depend on a browser that the ad keeps busy.
    static func takePress(_ control: StageControl) -> [StageOutput] {
        let text = "the page did not react to a press on \(control.rawValue) in time; the stage took the press instead"
        let press: StageEvent = control == .close ? .closeRequested(by: .user) : .skipRequested
        return [.report(.blocked(BlockedAttempt(.other, text))), .report(press)]
    }

    /// When all is over, no request is sent any more, and no media file is kept.
    private static func refuse(_ input: StageInput) -> [StageOutput] {
        switch input {
        case .fetched(let number, .success): return [.drop(number)]
        case .event(let event):
            guard case .requestHeld(let request) = event.kind else { return [] }
            return [.send(request.failing(.aborted))]
        default: return []
        }
    }
}
