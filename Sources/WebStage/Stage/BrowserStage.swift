package import AdCore
package import SystemSupport

/// The stage of one creative in an engine's page: the shell of a `StageMachine`.
///
/// Inputs are handled one at a time, in order, on the thread that posts them; outputs are executed outside the lock.
package final class BrowserStage: Stage {
    private struct State {
        var machine: any StageMachine
        var isOver = false
        /// The engine has ended.
        var isLost = false
        /// Called when the blank check is over.
        var onSettled: (@Sendable () -> Void)?
        var endHandler: Int?
        /// Whether nothing is pending since `prepareToClose` was called.
        var isReadyToClose = false
        /// The visible controls.
        var controls: Set<StageControl> = []
        /// The controls with a reported press.
        var requested: Set<StageControl> = []
        var activities = ActivityLimit()
        /// The pictures that are made; nil for none.
        var pictures: Pictures?

        /// Whether a condition is met, or the ad is over.
        func meets(_ condition: StageCondition) -> Bool {
            if self.isOver || self.isLost { return true }
            return switch condition {
            case .tapsSettled: !self.machine.hasPendingTap
            case .readyToClose: self.isReadyToClose
            case .collapsed: !self.machine.isLarge
            case .reported(let control): self.requested.contains(control)
            }
        }
    }

    /// The pictures of the stage, and their handler.
    struct Pictures: Sendable {
        var schedule: PictureSchedule
        let interval: @Sendable () -> Duration
        let handler: PictureHandler
    }

    /// An item in the mailbox.
    private enum Work: Sendable {
        case start
        case input(StageInput)
    }

    package let engine: any EnginePage
    package let page: EngineTarget
    private let permit: AsyncSemaphore.Permit
    /// Gives the page back, and says whether it is intact; nil if the page is removed.
    private let release: (@Sendable (_ isIntact: Bool) async -> Void)?
    /// Whether the next creative may need the page, so that a close waits until it is given back.
    private let usesPageAgain: Bool
    private let fetcher: AllowedHostFetcher?
    /// The media files of a video; nil if the engine fetches them.
    private let store: MediaStore?
    private let report: @Sendable (StageEvent) -> Void
    private let notify: @Sendable (StageNotification) -> Void
    private let startTime = ContinuousClock.now
    private let state: Locked<State>
    private let mailbox = SerialMailbox<Work>()
    private let pictureMailbox = SerialMailbox<PictureChange>()
    private let waiters = StageWaiters()
    /// Set when the creative is ready (nil), or has failed.
    private let preparation = OneShot<StageFailure?>()
    /// Set when the machine has handled the close, and what follows is sent.
    private let closed = OneShot<Void>()
    /// Set when the machine has handled the end: every request of the creative is recorded, and further ones fail.
    private let ended = OneShot<Void>()
    /// Set when the page is removed, or given back.
    private let removal = OneShot<Void>()

    package init(
        _ machine: any StageMachine,
        in engine: any EnginePage,
        permit: AsyncSemaphore.Permit,
        release: (@Sendable (_ isIntact: Bool) async -> Void)? = nil,
        usesPageAgain: Bool = false,
        fetcher: AllowedHostFetcher?,
        store: MediaStore? = nil,
        notify: @escaping @Sendable (StageNotification) -> Void,
        report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.engine = engine
        self.page = machine.page
        self.permit = permit
        self.release = release
        self.usesPageAgain = usesPageAgain
        self.fetcher = fetcher
        self.store = store
        self.notify = notify
        self.report = report
        self.state = Locked(State(machine: machine))
    }

    /// Loads the creative, hidden; for a video it returns before the media file is loaded.
    package func prepare() async throws(StageFailure) {
        let number = self.engine.addEndHandler { [weak self] in self?.engineEnded() }
        let cancelled = StageFailure.creative(
            StageError("the presentation was cancelled before the creative was ready")
        )
        self.state.withLock { $0.endHandler = number }
        if number == nil { self.preparation.set(.gone(lastError: self.engine.lastError)) }
        let failure = await withTaskCancellationHandler {
            // The first item in the mailbox, so that events wait until the page was set up.
            if !self.preparation.isSet { self.post(.start) }
            return await self.preparation.value
        } onCancel: {
            self.preparation.set(cancelled)
        }
        if let failure {
            self.post(.close)
            await self.closed.value
            await self.end()
            throw failure
        }
    }

    package func reveal() async { self.post(.reveal) }

    package func setControl(_ control: StageControl, visible: Bool) async {
        self.state.withLock { state in
            if visible { state.controls.insert(control) } else { state.controls.remove(control) }
            state.requested.remove(control)
        }
        self.post(.control(control, visible: visible))
    }

    /// Whether the ad has made a control visible.
    func isShown(_ control: StageControl) -> Bool { self.state.withLock { $0.controls.contains(control) } }

    /// Whether a press on a control was reported.
    func isRequested(_ control: StageControl) -> Bool { self.state.withLock { $0.requested.contains(control) } }

    package func control(_ command: VideoCommand) async { self.post(.video(command)) }

    package func post(_ message: String) async { self.post(.post(message)) }

    package func notify(_ notice: StageNotice) async { self.post(.notice(notice)) }

    package func close(_ reason: CloseReason) async {
        // Asked before the close is posted: another thread may handle it at once, and then nothing lingers any more.
        let farewell = self.machine.farewell
        self.post(.close)
        await self.closed.value
        await self.wait(for: farewell)
        await self.end()
    }

    /// Waits until the page of a closed ad is removed, or given back.
    package func untilRemoved() async { await self.removal.value }

    /// Prepares a close by the app: returns when all taps and the blank check are resolved.
    package func prepareToClose() async {
        self.state.withLock { $0.isReadyToClose = false }
        self.post(.prepareToClose)
        await self.wait(for: .readyToClose, within: .milliseconds(500))
    }

    /// The number of the user's presses that the creative has got; nil if they are not counted.
    package var gestures: Int? { self.state.withLock(\.machine.gestures) }

    /// Whether a press may still get its outcome soon.
    package var hasPendingTap: Bool { self.state.withLock(\.machine.hasPendingTap) }

    /// Whether a blank check is pending.
    package var isCheckingBlank: Bool { self.state.withLock(\.machine.isCheckingBlank) }

    /// Calls a closure when the blank check is over.
    package func onBlankCheckFinished(_ body: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.onSettled = body }
    }

    /// The size of the screen.
    package var screen: Size { self.plan.screen }

    /// The current state of the machine.
    var machine: any StageMachine { self.state.withLock(\.machine) }

    var plan: StagePlan { self.machine.plan }

    /// The playback state of a video; nil for other creatives.
    package var playback: StagePlayback? { self.state.withLock(\.machine.playback) }

    /// The number of stored bytes of media files.
    var storedBytes: Int { self.store?.size ?? 0 }

    /// Waits for a condition, until `limit` or the end of the ad.
    func wait(for condition: StageCondition, within limit: Duration? = nil) async {
        let isOver = self.waiters.add(condition)
        if let limit { self.engine.schedule(after: limit) { isOver.set(()) } }
        // The condition may be met already.
        self.resumeWaiters()
        await isOver.value
    }

    /// Waits, unless the engine ends before.
    private func wait(for time: Duration) async {
        guard time > .zero, !self.state.withLock(\.isLost) else { return }
        let isOver = OneShot<Void>()
        self.engine.schedule(after: time) { isOver.set(()) }
        let number = self.engine.addEndHandler { isOver.set(()) }
        if number == nil { isOver.set(()) }
        await isOver.value
        if let number { self.engine.removeEndHandler(number) }
    }

    private func resumeWaiters() { self.waiters.resume { condition in self.state.withLock { $0.meets(condition) } } }

    // MARK: Inputs and outputs

    func post(_ input: StageInput) { self.post(.input(input), isUrgent: input.isUrgent) }

    private func post(_ work: Work, isUrgent: Bool = false) {
        self.mailbox.post(work, isUrgent: isUrgent) { self.handle($0) }
    }

    /// Notifies observers of an activity, within its limit.
    func observe(_ activity: CreativeActivity) {
        for each in self.state.withLock({ $0.activities.admit(activity) }) {
            self.notify(.activity(StageActivity(each)))
        }
    }

    /// Handles an event of the engine; pictures are no input of the machine.
    private func handle(_ event: EngineEvent) {
        guard case .picture(let picture) = event.kind else { return self.post(.event(event)) }
        guard let interval = self.state.withLock({ $0.pictures?.interval })?() else { return }
        self.updatePictures { $0?.schedule.handle(picture, interval: interval) ?? [] }
    }

    /// Receives a JPEG (base64-encoded) on the engine's thread.
    package typealias PictureHandler = @Sendable (String) -> Void

    typealias PictureChange = @Sendable (inout Pictures?) -> [PictureSchedule.Output]

    /// Changes which pictures are made, and executes what follows, one change after the other.
    func updatePictures(_ change: @escaping PictureChange) {
        self.pictureMailbox.post(change) { self.execute($0) }
    }

    private func execute(_ change: PictureChange) {
        let (outputs, handler) = self.state.withLock { state in
            let outputs = change(&state.pictures)
            return (outputs, state.pictures?.handler)
        }
        for output in outputs {
            switch output {
            case .send(let command, .zero): self.engine.send(command)
            case .send(let command, let delay):
                self.engine.schedule(after: delay) { [engine] in engine.send(command) }
            case .show(let picture): handler?(picture.data)
            case .setAlarm(let number, let delay):
                self.engine.schedule(after: delay) { [weak self] in
                    self?.updatePictures { $0?.schedule.alarm(number) ?? [] }
                }
            }
        }
    }

    private func handle(_ work: Work) {
        if case .start = work { self.engine.setHandler { [weak self] in self?.handle($0) } }
        let (outputs, screen) = self.state.withLock { state -> ([StageOutput], Size?) in
            let before = state.machine.plan.screen
            let outputs =
                switch work {
                case .start: state.machine.start()
                case .input(let input): state.machine.handle(input, at: .now - self.startTime)
                }
            let screen = state.machine.plan.screen
            return (outputs, screen == before ? nil : screen)
        }
        if let screen { self.engine.resizeWindow(to: screen) }
        for output in outputs { self.execute(output) }
        switch work {
        case .input(.close): self.closed.set(())
        case .input(.end): self.ended.set(())
        default: break
        }
        self.resumeWaiters()
    }

    private func execute(_ output: StageOutput) {
        switch output {
        case .send(let command): self.engine.send(command)
        case .query(let command, let query, let limit):
            self.engine.query(command, within: limit) { [weak self] reply in
                // The end of the engine is handled once, by the end handler.
                if case .failure(.gone) = reply { return }
                self?.post(.reply(query, reply))
            }
        case .serve(let request):
            guard let fetcher else { return self.engine.send(request.failing(.other)) }
            fetcher.serve(request) { [engine, report] command, attempt in
                if let attempt { report(.blocked(attempt)) }
                // The next answer waits until the engine has received this one.
                _ = try? await engine.query(command)
            }
        case .fetch(let order): self.store?.fetch(order) { [weak self] in self?.post(.fetched(order.number, $0)) }
        case .fetchCaptions(let order):
            self.store?.fetchCaptions(order) { [weak self] in self?.post(.captions(order.number, $0)) }
        case .answer(let request, let piece, let order):
            guard let bytes = self.store?.bytes(piece.bytes, of: order.number) else {
                return self.engine.send(request.response(404))
            }
            self.engine.send(request.response(piece.status, piece.headers(type: order.file.type), bytes))
        case .drop(let number): self.store?.drop(number)
        case .finishPresenting: self.preparation.set(nil)
        case .report(let event):
            switch event {
            case .closeRequested(by: .user): self.state.withLock { _ = $0.requested.insert(.close) }
            case .skipRequested: self.state.withLock { _ = $0.requested.insert(.skip) }
            case .visible(let ratio): self.observe(.visible(ratio: ratio))
            default: break
            }
            self.report(event)
            if event == .ready { self.preparation.set(nil) }
        case .blankCheckFinished: self.state.withLock(\.onSettled)?()
        case .readyToClose: self.state.withLock { $0.isReadyToClose = true }
        case .notify(let notification): self.notify(notification)
        case .observe(let activity): self.observe(activity)
        case .setAlarm(let alarm, let delay):
            self.engine.schedule(after: delay) { [weak self] in self?.post(.alarm(alarm)) }
        case .fail(let error): self.preparation.set(.creative(error))
        }
    }

    /// Handles the end of the engine.
    private func engineEnded() {
        let isOver = self.state.withLock { state in
            state.isLost = true
            return state.isOver
        }
        self.resumeWaiters()
        let wasPreparing = self.preparation.set(.gone(lastError: self.engine.lastError))
        if !wasPreparing, !isOver { self.report(.gone) }
    }

    private func end() async {
        let (number, isFirst) = self.state.withLock { state in
            let isFirst = !state.isOver
            state.isOver = true
            return (state.endHandler, isFirst)
        }
        self.resumeWaiters()
        guard isFirst else { return }
        self.post(.end)
        await self.ended.value
        self.store?.clear()
        self.fetcher?.end()
        if let number { self.engine.removeEndHandler(number) }
        if self.usesPageAgain { return await self.giveBackPage() }
        // The next creative does not wait until the page is removed. The page keeps its permit until then, so that there
        // are never more pages than permits.
        Task { await self.giveBackPage() }
    }

    /// Gives the page back or removes it, and then the permit.
    private func giveBackPage() async {
        if let release {
            // A creative that was never ready may have left its page in any state.
            var isIntact = self.state.withLock { !$0.isLost && $0.machine.isIntact }
            if isIntact {
                let failure = self.preparation.isSet ? await self.preparation.value : .gone(lastError: nil)
                isIntact = failure == nil
            }
            await release(isIntact)
        } else {
            await self.engine.dispose()
        }
        self.removal.set(())
        self.permit.release()
    }
}
