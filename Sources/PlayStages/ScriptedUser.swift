import AdCore
import AdRuntime
import SystemSupport

/// The user's inputs to a stage.
protocol UserInput: AnyObject, Sendable {
    /// Clicks the creative.
    func click()
    /// Closes the ad by the close button or, if the host closes it, as the host.
    func close()
    /// Skips the video.
    func skip()
    /// Performs an action on a video. False if there is none.
    func controlVideo(_ action: UserScript.Action) -> Bool
    /// Pauses or plays a video. False if there is none.
    func toggleVideo() -> Bool
    /// Mutes or unmutes a video.
    func toggleSound()
    /// Rotates the screen.
    func rotate()
    /// Scrolls a number of points of the ad out of view.
    func scroll(by points: Double)
    /// Prints a line.
    func print(_ text: String)
    /// Whether a video plays, which a user without further steps watches to its end.
    var isPlaying: Bool { get }
    /// The delay before a user without further steps closes the ad.
    var closeDelay: Duration { get }
}

/// The user of a stage: performs a script and then closes the ad as soon as possible, or performs the actions of keys.
final class ScriptedUser: Sendable {
    /// The state of closing the ad, which is tried once.
    private enum Closing {
        case no, intended, requested
    }

    private struct State {
        var isClosable: Bool
        var stepsLeft: Int
        /// Whether a person at the terminal decides when to close the ad.
        var isWatched = false
        var closing = Closing.no
        var isOver = false
        var alarms: [AlarmID] = []
        /// The views of the app over the screen.
        var obstructions: [AdObstruction] = []
    }

    private let script: UserScript
    private let clock: any AdClock
    private let signals: HostSignalSource
    private let sequencer: VirtualTimeSequencer?
    private let state: Locked<State>
    private let input: Locked<WeakInput>

    private struct WeakInput: Sendable {
        weak var stage: (any UserInput)?
    }

    /// Creates a user without a stage.
    ///
    /// - Parameters:
    ///   - script: The actions, with their times.
    ///   - closeControl: Whether the ad has a close button, or the host closes it.
    ///   - clock: The clock of the script.
    ///   - signals: The host signals that the script changes.
    ///   - sequencer: The order of closes in virtual time. Nil in real time.
    init(
        _ script: UserScript,
        closeControl: ShowRules.CloseControl,
        clock: any AdClock,
        signals: HostSignalSource,
        sequencer: VirtualTimeSequencer? = nil
    ) {
        self.script = script
        self.clock = clock
        self.signals = signals
        self.sequencer = sequencer
        let steps = script.splitAtReveal.later.count
        self.state = Locked(State(isClosable: closeControl == .host, stepsLeft: steps))
        self.input = Locked(WeakInput())
    }

    /// Sets the stage, which is referenced weakly.
    func attach(_ stage: any UserInput) { self.input.withLock { $0.stage = stage } }

    private var stage: (any UserInput)? { self.input.withLock(\.stage) }

    /// Performs the steps that set the surroundings, before the reveal.
    func applyFirstSteps() {
        for step in self.script.splitAtReveal.first { self.perform(step.action) }
    }

    /// Starts the script, after the reveal.
    func start(watchedBy watcher: (any AdWatcher)?) {
        let isWatched = watcher?.start { [weak self] in self?.handle($0) } ?? false
        // A script closes the ad also if a person watches.
        self.state.withLock { $0.isWatched = isWatched && self.script.steps.isEmpty }
        let start = self.clock.now
        for step in self.script.splitAtReveal.later {
            self.schedule(at: start + step.at) { $0.performStep(step.action) }
        }
        self.closeIfDone()
    }

    /// Sets whether the close button is visible.
    func setClosable(_ isClosable: Bool) {
        self.state.withLock { $0.isClosable = isClosable }
        self.closeIfDone()
    }

    /// Cancels the script, when the ad is closed.
    func end() {
        let alarms = self.state.withLock { state in
            state.isOver = true
            return state.alarms
        }
        for alarm in alarms { self.clock.cancel(alarm) }
    }

    /// Handles a key.
    ///
    /// The space bar pauses a video, and covers other creatives.
    private func handle(_ input: AdWatcherInput) {
        switch input {
        case .action(let action): self.perform(action)
        case .toggle:
            if self.stage?.toggleVideo() == true { return }
            self.perform(self.signals.isCovered ? .uncover : .cover)
        case .toggleSound: self.stage?.toggleSound()
        }
    }

    /// Whether the ad is closed.
    var isOver: Bool { self.state.withLock(\.isOver) }

    private func performStep(_ action: UserScript.Action) {
        self.perform(action)
        self.state.withLock { $0.stepsLeft -= 1 }
        self.closeIfDone()
    }

    private func perform(_ action: UserScript.Action) {
        guard let stage else { return }
        switch action {
        case .click: stage.click()
        case .close, .back:
            self.state.withLock { if $0.isClosable { $0.closing = .requested } }
            stage.close()
        case .skip: stage.skip()
        case .mute, .unmute, .pause, .resume, .captions, .fullScreen, .exitFullScreen:
            if !stage.controlVideo(action) { stage.print("\(action.name): this ad has no video") }
        case .cover: self.signals.post(.covered(true))
        case .uncover:
            self.state.withLock { $0.obstructions = [] }
            self.signals.post(.covered(false))
            self.signals.post(.obstructed([]))
        case .background: self.signals.post(.background(true))
        case .foreground: self.signals.post(.background(false))
        case .rotate: stage.rotate()
        case .scroll(let points): stage.scroll(by: points)
        case .volume(let percent): self.signals.post(.volume(percent))
        case .obstruct(let view):
            let views = self.state.withLock { state in
                state.obstructions.append(view)
                return state.obstructions
            }
            self.signals.post(.obstructed(views))
        }
    }

    /// Closes the ad as soon as possible, if the script has no further steps.
    ///
    /// With a sequencer, the effects of the last step come before the close in every run.
    func closeIfDone() {
        let isDone = self.state.withLock { state in
            let isIdle = state.stepsLeft == 0 && !state.isWatched && !state.isOver
            guard state.isClosable, isIdle, state.closing == .no else { return false }
            state.closing = .intended
            return true
        }
        guard isDone else { return }
        guard let sequencer else {
            return self.schedule(at: self.clock.now + (self.stage?.closeDelay ?? .zero)) { $0.closeUnlessPlaying() }
        }
        self.clock.work { [weak self] in
            await sequencer.close()
            self?.closeUnlessPlaying()
        }
    }

    /// Closes the ad, unless it was closed already or a video plays, which is watched to its end.
    private func closeUnlessPlaying() {
        let isPlaying = self.stage?.isPlaying ?? false
        let closes = self.state.withLock { state in
            guard !state.isOver, state.closing == .intended else { return false }
            if isPlaying { state.closing = .no }
            return !isPlaying
        }
        if closes { self.perform(.close) }
    }

    private func schedule(at moment: Moment, _ action: @escaping @Sendable (ScriptedUser) -> Void) {
        let alarm = self.clock.schedule(at: moment) { [weak self] in
            if let self { action(self) }
        }
        self.state.withLock { $0.alarms.append(alarm) }
    }
}
