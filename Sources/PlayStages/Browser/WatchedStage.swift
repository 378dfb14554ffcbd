import AdCore
import AdRuntime
import PlayConsole
import SystemSupport
import WebStage

/// A creative in a browser, with a scripted or interactive user.
final class WatchedStage: Stage, UserInput {
    private let stage: BrowserStage
    private let user: ScriptedUser
    private let services: ShowServices
    /// Whether the host app closes the ad, so the stage has no close button.
    private let isClosedByHost: Bool
    private let report: @Sendable (StageEvent) -> Void
    /// The last input, with its start.
    ///
    /// Inputs are performed one after the other.
    private let lastInput = Locked<(task: Task<Void, Never>, start: ContinuousClock.Instant)?>(nil)
    /// How long, from the start of the previous input, a press on the close button waits for it: a creative that hangs
    /// in a click handler never finishes it.
    private static let inputLimit = Duration.seconds(1)
    /// The recorder of its pictures, if a report is requested.
    private let pictures: PictureRecorder?
    private let isOver = Locked(false)
    /// The factor of the clock.
    ///
    /// Inputs take real time.
    private let speed: Double
    /// The screenshot, taken before the ad closes.
    private let picture: PictureFile?
    /// Follows the stage while it is open, with the ad.
    private let observer: (observer: any StageObserver, ad: AdID)?
    /// Set when it is closed.
    private let closed: OneShot<Void>

    init(
        _ stage: BrowserStage,
        _ user: ScriptedUser,
        _ services: ShowServices,
        isClosedByHost: Bool,
        report: @escaping @Sendable (StageEvent) -> Void,
        pictures: PictureRecorder?,
        speed: Double,
        picture: PictureFile?,
        observer: (observer: any StageObserver, ad: AdID)? = nil,
        closed: OneShot<Void>
    ) {
        self.closed = closed
        self.observer = observer
        self.stage = stage
        self.user = user
        self.services = services
        self.isClosedByHost = isClosedByHost
        self.report = report
        self.pictures = pictures
        self.speed = speed
        self.picture = picture
        user.attach(self)
        stage.onBlankCheckFinished { [weak user] in user?.closeIfDone() }
    }

    func reveal() async {
        self.user.applyFirstSteps()
        await self.lastInput.withLock { $0 }?.task.value
        await self.stage.reveal()
        if let pictures, pictures.wantsFirst {
            // Before the first input of the user.
            let first = pictures.startFirst()
            self.perform { _, _ in
                await first.value
                return nil
            }
        }
        self.user.start(watchedBy: self.services.watcher)
    }

    func setControl(_ control: StageControl, visible: Bool) async {
        await self.stage.setControl(control, visible: visible)
        if control == .close { self.user.setClosable(visible) }
    }

    func control(_ command: VideoCommand) async { await self.stage.control(command) }

    func post(_ message: String) async { await self.stage.post(message) }

    func notify(_ notice: StageNotice) async { await self.stage.notify(notice) }

    func close(_ reason: CloseReason) async {
        self.user.end()
        self.isOver.withLock { $0 = true }
        // A video is paused while its last picture is taken.
        if self.stage.playback != nil { await self.stage.control(.pause) }
        await self.pictures?.finish()
        await self.stage.reportUse()
        await self.picture?.capture(self.stage)
        if let observer { await observer.observer.closing(self.stage, of: observer.ad) }
        await self.stage.close(reason)
        self.services.watcher?.end()
        self.closed.set(())
    }

    // MARK: UserInput

    func click() {
        self.perform { stage, _ in
            guard let place = await stage.clickPosition() else { return "click: no creative to click" }
            // The result of the click is awaited before the next step.
            return await stage.failure { () async throws(EngineError) in try await stage.click(place) }
        }
    }

    func close() {
        guard self.isClosedByHost else { return self.press(.close) }
        // After the steps before it.
        self.perform { stage, show in
            await stage.prepareToClose()
            show.report(.gone)
            return nil
        }
    }

    func skip() { self.press(.skip) }

    private func press(_ control: StageControl) {
        self.perform(isUrgent: control == .close) { stage, _ in
            await stage.press(control) ? nil : "\(control.rawValue): button not available yet"
        }
    }

    func controlVideo(_ action: UserScript.Action) -> Bool {
        guard self.stage.playback != nil else { return false }
        self.perform { stage, _ in
            guard let now = stage.playback else { return nil }
            let (button, isDone): (PlayerButton, Bool)
            switch action {
            case .captions: (button, isDone) = (.captions, false)
            case .fullScreen: (button, isDone) = (.fullScreen, now.isFullScreen)
            case .exitFullScreen: (button, isDone) = (.fullScreen, !now.isFullScreen)
            case .mute: (button, isDone) = (.sound, now.isMuted)
            case .unmute: (button, isDone) = (.sound, !now.isMuted)
            case .pause: (button, isDone) = (.pause, now.isPausedByUser)
            default: (button, isDone) = (.pause, !now.isPausedByUser)
            }
            return isDone ? "\(action.name): already in this state" : await stage.press(button, for: action.name)
        }
        return true
    }

    func toggleVideo() -> Bool {
        guard self.stage.playback != nil else { return false }
        self.perform { stage, _ in await stage.press(.pause, for: "pause") }
        return true
    }

    func toggleSound() {
        guard self.stage.playback != nil else { return }
        self.perform { stage, _ in await stage.press(.sound, for: "mute") }
    }

    func rotate() {
        self.perform { stage, _ in
            stage.rotate()
            return nil
        }
    }

    func scroll(by points: Double) {
        self.perform { stage, _ in
            do throws(EngineError) {
                try await stage.scroll(by: points)
                return nil
            } catch {
                return "scroll: \(error)"
            }
        }
    }

    func print(_ text: String) { self.services.print(text) }

    /// Without a video, true until it is known whether the creative has visible content.
    var isPlaying: Bool { self.stage.playback?.isPlaying ?? self.stage.isCheckingBlank }

    var closeDelay: Duration { .milliseconds(300) * self.speed }

    /// Performs an input after the previous one, and prints an error message that the body returns.
    ///
    /// An urgent input waits only for a limited time.
    private func perform(
        isUrgent: Bool = false,
        _ body: @escaping @Sendable (BrowserStage, WatchedStage) async -> String?
    ) {
        self.lastInput.withLock { last in
            let before = last
            let task = self.services.clock.work { [self] in
                if let before {
                    if isUrgent {
                        await before.task.finished(by: before.start + WatchedStage.inputLimit)
                    } else {
                        await before.task.value
                    }
                }
                let failure = await body(self.stage, self)
                // Inputs fail when the ad is closed meanwhile; that is not an error.
                if let failure, !self.isOver.withLock({ $0 }) { self.print(failure) }
            }
            last = (task, .now)
        }
    }
}

extension Task<Void, Never> {
    /// Waits until it is finished, or until the deadline.
    ///
    /// The task is not cancelled.
    fileprivate func finished(by deadline: ContinuousClock.Instant) async {
        let isOver = OneShot<Void>()
        Task<Void, Never> {
            await self.value
            isOver.set(())
        }
        await isOver.value(within: deadline - .now, otherwise: ())
    }
}

extension BrowserStage {
    /// Presses a button of the player.
    ///
    /// Returns an error message on failure.
    fileprivate func press(_ button: PlayerButton, for name: String) async -> String? {
        guard let place = await self.position(of: button) else { return "\(name): button not available yet" }
        return await self.failure { () async throws(EngineError) in try await self.press(place) }
    }

    /// Sends an input.
    ///
    /// Returns an error message on failure.
    fileprivate func failure(of input: () async throws(EngineError) -> Void) async -> String? {
        do throws(EngineError) {
            try await input()
            return nil
        } catch {
            return "the input failed: \(error)"
        }
    }
}
