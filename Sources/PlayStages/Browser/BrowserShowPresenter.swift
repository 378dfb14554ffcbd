package import AdCore
package import AdRuntime
package import ChromiumStage
package import PlayConsole
package import PlayReport
import SystemSupport

/// A stage in a browser, and a scripted user before it.
package final class BrowserShowPresenter: Presenter {
    private let browser: ChromiumPresenter
    private let console: any Console
    private let clock: any AdClock
    private let signals: HostSignalSource
    private let script: Script
    private let isSilent: Bool
    private let speed: Double
    private let container: ContainerSize
    private let watcher: (any AdWatcher)?
    /// The picture that is wanted of it.
    private let picture: PictureFile?
    /// Where pictures and what could be seen go, where a report is wanted.
    private let book: ReportRecorder?
    /// Called with the messages of pages.
    private let onPageMessage: @Sendable (AdID, PageMessage) -> Void

    package init(
        _ browser: ChromiumPresenter,
        _ console: any Console,
        clock: any AdClock,
        signals: HostSignalSource,
        script: Script,
        isSilent: Bool,
        speed: Double,
        container: ContainerSize,
        watcher: (any AdWatcher)?,
        picture: PictureFile?,
        book: ReportRecorder?,
        onPageMessage: @escaping @Sendable (AdID, PageMessage) -> Void
    ) {
        self.browser = browser
        self.console = console
        self.clock = clock
        self.signals = signals
        self.script = script
        self.isSilent = isSilent
        self.speed = speed
        self.container = container
        self.watcher = watcher
        self.picture = picture
        self.book = book
        self.onPageMessage = onPageMessage
    }

    package func container(for kind: ShowRules.Kind) async -> AdContainer { self.container.container(for: kind) }

    package func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        let ear = PageMessageTap { [onPageMessage] in onPageMessage(options.ad, $0) }
        let user = ScriptedUser(
            self.script,
            closeControl: options.closeControl,
            clock: self.clock,
            signals: self.signals
        )
        let pictures = self.book.map { PictureRecorder(creative, of: options.ad, in: $0, clock: self.clock) }
        let stage = try await self.browser.stage(creative, options) { [book, clock] event in
            switch event {
            case .visible(let ratio): book?.recordVisibility(ratio, of: options.ad, at: clock.now)
            // Before the ad handles it, so that lines are printed in the order of the messages.
            case .message(let text): ear.message(text)
            default: break
            }
            // After the user has left, events of the video do not count.
            if case .video(let event, _) = event {
                if user.isGone { return }
                pictures?.handle(event)
            }
            report(event)
            // A user without further steps leaves at the end of a video.
            if event.mayBeRest { user.leaveIfDone() }
        }
        if case .page = creative { ear.read(await stage.source() ?? "") }
        pictures?.open(before: stage)
        return WatchedStage(
            stage,
            user,
            clock: self.clock,
            isHosts: options.closeControl == .host,
            watcher: self.watcher,
            report: report,
            say: { [console, isSilent] in if !isSilent { console.out("            " + $0) } },
            pictures: pictures,
            speed: self.speed,
            picture: self.picture
        )
    }
}

/// A creative in a browser, with a scripted user or a person at the terminal.
private final class WatchedStage: Stage, StageHands {
    private let stage: BrowserStage
    private let user: ScriptedUser
    private let clock: any AdClock
    /// Whether the host takes it away: our stage has no button then.
    private let isHosts: Bool
    private let watcher: (any AdWatcher)?
    private let report: @Sendable (StageEvent) -> Void
    private let utter: @Sendable (String) -> Void
    /// The movement that was begun last, and when: each begins when the one before has come to its end.
    private let movements = Locked<(task: Task<Void, Never>, start: ContinuousClock.Instant)?>(nil)
    /// A press on the close button waits no longer for the movement before it than this since that began: a creative that
    /// hangs in a click answers nothing.
    private static let longest = Duration.seconds(1)
    /// The recorder of its pictures, where a report is asked for.
    private let pictures: PictureRecorder?
    private let isOver = Locked(false)
    /// How many times as fast as real time the clock goes: a hand does not.
    private let speed: Double
    /// The picture that is taken before it goes.
    private let picture: PictureFile?

    init(
        _ stage: BrowserStage,
        _ user: ScriptedUser,
        clock: any AdClock,
        isHosts: Bool,
        watcher: (any AdWatcher)?,
        report: @escaping @Sendable (StageEvent) -> Void,
        say: @escaping @Sendable (String) -> Void,
        pictures: PictureRecorder?,
        speed: Double,
        picture: PictureFile?
    ) {
        self.stage = stage
        self.user = user
        self.clock = clock
        self.isHosts = isHosts
        self.watcher = watcher
        self.report = report
        self.utter = say
        self.pictures = pictures
        self.speed = speed
        self.picture = picture
        user.take(self)
        stage.whenSettled { [weak user] in user?.leaveIfDone() }
    }

    func reveal() async {
        self.user.surround()
        await self.movements.withLock { $0 }?.task.value
        await self.stage.reveal()
        if let pictures, pictures.wantsFirst {
            // Before the user does anything.
            self.move { _, _ in
                await pictures.keep("On screen")
                return nil
            }
        }
        self.user.begin(watchedBy: self.watcher)
    }

    func setControl(_ control: StageControl, visible: Bool) async {
        await self.stage.setControl(control, visible: visible)
        if control == .close { self.user.setClosable(visible) }
    }

    func control(_ command: VideoCommand) async { await self.stage.control(command) }

    func post(_ message: String) async { await self.stage.post(message) }

    func close(_ reason: CloseReason) async {
        self.user.end()
        self.isOver.withLock { $0 = true }
        // While its picture is made nothing plays on.
        if self.stage.playback != nil { await self.stage.control(.pause) }
        await self.pictures?.finish()
        await self.picture?.capture(self.stage)
        await self.stage.close(reason)
        self.watcher?.end()
    }

    // MARK: Hands

    func click() {
        self.move { stage, _ in
            guard let place = await stage.placeToClick() else { return "click: there is no creative to click" }
            // The result of a click comes before the next step.
            return await stage.pressing { () async throws(EngineFault) in try await stage.click(place) }
        }
    }

    func leave() {
        guard self.isHosts else { return self.press(.close) }
        // Steps are finished in their order.
        self.move { stage, show in
            await stage.leaving()
            show.report(.gone)
            return nil
        }
    }

    func skip() { self.press(.skip) }

    private func press(_ control: StageControl) {
        self.move(isUrgent: control == .close) { stage, _ in
            await stage.press(control) ? nil : "\(control.rawValue): button not available yet"
        }
    }

    func act(onVideo act: Script.Action) -> Bool {
        guard self.stage.playback != nil else { return false }
        self.move { stage, _ in
            guard let now = stage.playback else { return nil }
            let (button, isSo): (PlayerButton, Bool)
            switch act {
            case .mute: (button, isSo) = (.sound, now.isMuted)
            case .unmute: (button, isSo) = (.sound, !now.isMuted)
            case .pause: (button, isSo) = (.pause, now.isPausedByUser)
            default: (button, isSo) = (.pause, !now.isPausedByUser)
            }
            return isSo ? "\(act.name): it is so already" : await stage.pressing(button, for: act.name)
        }
        return true
    }

    func toggleVideo() -> Bool {
        guard self.stage.playback != nil else { return false }
        self.move { stage, _ in await stage.pressing(.pause, for: "pause") }
        return true
    }

    func toggleSound() {
        guard self.stage.playback != nil else { return }
        self.move { stage, _ in await stage.pressing(.sound, for: "mute") }
    }

    func turn() {
        self.move { stage, _ in
            stage.turn()
            return nil
        }
    }

    func scroll(by points: Double) {
        self.move { stage, _ in
            do throws(EngineFault) {
                try await stage.scroll(by: points)
                return nil
            } catch {
                return "scroll: \(error)"
            }
        }
    }

    func say(_ text: String) { self.utter(text) }

    /// A user without a script looks until there is something to see, or until it is clear that there is nothing.
    var isPlaying: Bool { self.stage.playback?.isPlaying ?? self.stage.isLooking }

    /// What is there is looked at for a moment.
    var patience: Duration { .milliseconds(300) * self.speed }

    /// One movement, which takes time; failures are printed.
    ///
    /// An urgent one does not wait for what hangs before it.
    private func move(
        isUrgent: Bool = false,
        _ body: @escaping @Sendable (BrowserStage, WatchedStage) async -> String?
    ) {
        self.movements.withLock { last in
            let before = last
            let task = self.clock.work { [self] in
                if let before {
                    if isUrgent {
                        await before.task.finished(by: before.start + WatchedStage.longest)
                    } else {
                        await before.task.value
                    }
                }
                let trouble = await body(self.stage, self)
                // What did not arrive because the ad is over is no trouble of anybody's.
                if let trouble, !self.isOver.withLock({ $0 }) { self.utter(trouble) }
            }
            last = (task, .now)
        }
    }
}

extension Task<Void, Never> {
    /// Returns when it is finished, and no later than at `deadline`; it goes on by itself.
    fileprivate func finished(by deadline: ContinuousClock.Instant) async {
        let isOver = OneShot<Void>()
        Task<Void, Never> {
            await self.value
            isOver.resolve(())
        }
        Task<Void, Never> {
            try? await Task<Never, Never>.sleep(until: deadline, clock: .continuous)
            isOver.resolve(())
        }
        await isOver.value
    }
}

extension BrowserStage {
    /// Presses a button of the player, and says what went wrong.
    fileprivate func pressing(_ button: PlayerButton, for name: String) async -> String? {
        guard let place = await self.place(of: button) else { return "\(name): button not available yet" }
        return await self.pressing(place)
    }

    /// Presses, and says what went wrong.
    fileprivate func pressing(_ place: ScreenPlace) async -> String? {
        await self.pressing { () async throws(EngineFault) in try await self.press(place) }
    }

    /// Says what went wrong with a press.
    fileprivate func pressing(_ press: () async throws(EngineFault) -> Void) async -> String? {
        do throws(EngineFault) {
            try await press()
            return nil
        } catch {
            return "the press did not arrive: \(error)"
        }
    }
}

extension StageEvent {
    /// Whether a video may have come to rest with it.
    fileprivate var mayBeRest: Bool {
        guard case .video(let event, _) = self else { return false }
        switch event {
        case .started, .paused, .completed, .failed, .partShown, .partFailed: return true
        default: return false
        }
    }
}
