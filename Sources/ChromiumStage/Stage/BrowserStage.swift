package import AdCore
import SystemLock

/// One creative in the browser: carries out what its machine decides.
///
/// What goes in is handled one at a time, in order, by whoever brings it; what comes out is done outside the lock.
package final class BrowserStage: Stage {
    private struct State {
        var machine: any StageMachine
        var inputs: [StageInput] = []
        var isAtWork = false
        /// Who waits for it to be ready or to fail; nil when that is over.
        var beginning: CheckedContinuation<StageFailure?, Never>?
        var isOver = false
        /// The browser went away.
        var isLost = false
        /// It was ready, or has failed: whoever waited has been told.
        var hasBegun = false
        var sessions: Set<DevToolsSession> = []
        /// Called when it is decided whether anything is visible.
        var onSettled: (@Sendable () -> Void)?
        var onEnd: Int?
        /// Whatever was open when the app wanted to take the ad away is decided.
        var hasLeft = false
        /// The controls that are shown.
        var controls: Set<StageControl> = []
        /// Whether the user's wish to end the ad, or to skip its video, was reported.
        var asked: Set<StageControl> = []

        /// Whether an awaited moment has come; when the ad is over, none comes any more.
        func has(_ moment: StageMoment) -> Bool {
            if self.isOver || self.isLost { return true }
            return switch moment {
            case .tapsSettled: !self.machine.hasPendingTap
            case .left: self.hasLeft
            case .collapsed: !self.machine.isLarge
            case .reported(let control): self.asked.contains(control)
            }
        }
    }

    let browser: Browser
    private let lane: Lane
    let context: String
    private let window: BrowserWindow?
    let page: DevToolsSession
    private let server: NeighbourServer?
    /// Holds the films of a video; nil where the browser fetches them.
    private let shelf: MediaShelf?
    private let report: @Sendable (StageEvent) -> Void
    private let note: @Sendable (StageNote) -> Void
    private let start = ContinuousClock.now
    private let state: Locked<State>
    private let waiters = StageWaiters()

    init(
        _ machine: any StageMachine,
        in context: String,
        of browser: Browser,
        window: BrowserWindow? = nil,
        lane: Lane,
        server: NeighbourServer?,
        shelf: MediaShelf? = nil,
        note: @escaping @Sendable (StageNote) -> Void,
        report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.browser = browser
        self.lane = lane
        self.context = context
        self.window = window
        self.page = machine.page
        self.server = server
        self.shelf = shelf
        self.note = note
        self.report = report
        self.state = Locked(State(machine: machine))
    }

    /// Gets the creative ready, out of sight; a video's stage stands before its film is there.
    func prepare() async throws(StageFailure) {
        let number = self.browser.whenEnded { [weak self] in self?.lost() }
        let givenUp = StageFailure.creative(StageError("the show was given up before the creative was ready"))
        let fault: StageFailure? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outputs = self.state.withLock { state -> Result<[StageOutput], StageFailure> in
                    state.onEnd = number
                    guard number != nil, !state.isLost else { return .failure(.gone(complaint: nil)) }
                    guard !Task.isCancelled else { return .failure(givenUp) }
                    state.beginning = continuation
                    // What the browser says meanwhile waits until all of the beginning was said.
                    state.isAtWork = true
                    return .success(state.machine.begin())
                }
                switch outputs {
                case .success(let outputs):
                    for output in outputs { self.carryOut(output) }
                    self.work()
                case .failure(.gone): continuation.resume(returning: .gone(complaint: self.browser.complaint))
                case .failure(let failure): continuation.resume(returning: failure)
                }
            }
        } onCancel: {
            self.begun(givenUp)
        }
        if let fault {
            // Whatever it still says is nobody's affair.
            self.put(.close)
            await self.end()
            throw fault
        }
    }

    package func reveal() async { self.put(.reveal) }

    package func setControl(_ control: StageControl, visible: Bool) async {
        self.state.withLock { state in
            if visible { state.controls.insert(control) } else { state.controls.remove(control) }
            state.asked.remove(control)
        }
        self.put(.control(control, visible: visible))
    }

    /// Whether a control is shown, by what the stage was told and not by what its page says.
    func isShown(_ control: StageControl) -> Bool { self.state.withLock { $0.controls.contains(control) } }

    /// Whether a user's press on a control was reported.
    func isAsked(for control: StageControl) -> Bool { self.state.withLock { $0.asked.contains(control) } }

    package func control(_ command: VideoCommand) async { self.put(.video(command)) }

    package func post(_ message: String) async { self.put(.post(message)) }

    package func close(_ reason: CloseReason) async {
        self.put(.close)
        await self.end()
    }

    /// The app is about to take the ad away, without our button: returns when what was open is decided.
    package func leaving() async {
        self.state.withLock { $0.hasLeft = false }
        self.put(.leaving)
        await self.wait(for: .left, within: .milliseconds(500))
    }

    /// Whether it is still to be decided if anything of the creative is visible.
    package var isLooking: Bool { self.state.withLock(\.machine.isLooking) }

    /// Calls this when that is decided.
    package func whenSettled(_ body: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.onSettled = body }
    }

    /// The size of the screen.
    package var screen: Size { self.plan.screen }

    /// Waits for a moment, no longer than `patience` and no longer than the ad is on screen.
    func wait(for moment: StageMoment, within patience: Duration? = nil) async {
        await withCheckedContinuation { continuation in
            let number = self.waiters.add(moment, continuation)
            if let patience { self.browser.after(patience) { [waiters] in waiters.end(number) } }
            // It may have come before anybody waited.
            self.wake()
        }
    }

    private func wake() { self.waiters.wake { moment in self.state.withLock { $0.has(moment) } } }

    /// The machine as it is now, for whoever asks it something.
    var machine: any StageMachine { self.state.withLock(\.machine) }

    var plan: StagePlan { self.machine.plan }

    /// What its video does; nil where it has none.
    package var playback: StagePlayback? { self.state.withLock(\.machine.playback) }

    /// How many bytes of films are held.
    var heldMedia: Int { self.shelf?.size ?? 0 }

    // MARK: Work

    func put(_ input: StageInput) {
        let mustWork = self.state.withLock { state in
            // The end does not wait behind what a creative had the browser say.
            if input.isUrgent { state.inputs.insert(input, at: 0) } else { state.inputs.append(input) }
            defer { state.isAtWork = true }
            return !state.isAtWork
        }
        if mustWork { self.work() }
    }

    private func work() {
        while true {
            let work = self.state.withLock { state -> (outputs: [StageOutput], screen: Size?)? in
                guard !state.inputs.isEmpty else {
                    state.isAtWork = false
                    return nil
                }
                let before = state.machine.plan.screen
                let outputs = state.machine.handle(state.inputs.removeFirst(), at: .now - self.start)
                let screen = state.machine.plan.screen
                return (outputs, screen == before ? nil : screen)
            }
            guard let (outputs, screen) = work else { return }
            if let window, let screen { self.browser.post(window.resizing(to: screen)) }
            for output in outputs { self.carryOut(output) }
            self.wake()
        }
    }

    private func carryOut(_ output: StageOutput) {
        switch output {
        case .say(let command): self.browser.post(command)
        case .ask(let command, let question, let patience):
            self.browser.call(command, within: patience) { [weak self] answer in
                // That the browser is gone is heard once, and not from each question.
                if case .failure(.gone) = answer { return }
                self?.put(.answer(question, answer))
            }
        case .listen(let session):
            self.state.withLock { _ = $0.sessions.insert(session) }
            self.browser.listen(to: session) { [weak self] in self?.put(.event($0)) }
        case .forget(let session):
            self.state.withLock { _ = $0.sessions.remove(session) }
            self.browser.listen(to: session, nil)
        case .serve(let request):
            guard let server else { return self.browser.post(request.refusal("Failed")) }
            server.serve(request) { [browser, report] command, attempt in
                if let attempt { report(.blocked(attempt)) }
                // What comes next waits until the browser has this.
                _ = try? await browser.call(command)
            }
        case .fetch(let order): self.shelf?.fetch(order) { [weak self] in self?.put(.fetched(order.number, $0)) }
        case .give(let piece, let order, let request):
            guard let bytes = self.shelf?.bytes(piece.bytes, of: order.number) else {
                return self.browser.post(request.answer(404, [], nil))
            }
            self.browser.post(request.answer(piece.status, piece.headers(type: order.file.type), bytes))
        case .drop(let number): self.shelf?.drop(number)
        case .stand: self.begun(nil)
        case .report(let event):
            switch event {
            case .closeRequested(by: .user): self.state.withLock { _ = $0.asked.insert(.close) }
            case .skipRequested: self.state.withLock { _ = $0.asked.insert(.skip) }
            default: break
            }
            self.report(event)
            if event == .ready { self.begun(nil) }
        case .settled: self.state.withLock(\.onSettled)?()
        case .left: self.state.withLock { $0.hasLeft = true }
        case .note(let note): self.note(note)
        case .setAlarm(let alarm, let delay): self.browser.after(delay) { [weak self] in self?.put(.alarm(alarm)) }
        case .fail(let error): self.begun(.creative(error))
        }
    }

    private func begun(_ error: StageFailure?) {
        let continuation = self.state.withLock { state in
            defer {
                state.hasBegun = state.hasBegun || state.beginning != nil
                state.beginning = nil
            }
            return state.beginning
        }
        continuation?.resume(returning: error)
    }

    /// The browser went away.
    private func lost() {
        let (continuation, isOver, hasBegun) = self.state.withLock { state in
            state.isLost = true
            defer { state.beginning = nil }
            return (state.beginning, state.isOver, state.hasBegun)
        }
        self.wake()
        if let continuation {
            continuation.resume(returning: .gone(complaint: self.browser.complaint))
        } else if !isOver, hasBegun {
            self.report(.gone)
        }
    }

    private func end() async {
        let (number, isFirst) = self.state.withLock { state in
            let isFirst = !state.isOver
            state.isOver = true
            return (state.onEnd, isFirst)
        }
        self.wake()
        guard isFirst else { return }
        self.shelf?.clear()
        self.server?.end()
        if let number { self.browser.forget(number) }
        await self.browser.dispose(of: self.context)
        // What has joined in until then is over as well, and nothing joins in after that.
        let sessions = self.state.withLock { state in
            defer { state.sessions = [] }
            return state.sessions
        }
        for session in sessions { self.browser.listen(to: session, nil) }
        self.lane.leave()
    }
}
