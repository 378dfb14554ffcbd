import AdCore
import AdRuntime
import SystemSupport

/// What a user has to do with a stage: a press here, a swipe there.
protocol StageHands: AnyObject, Sendable {
    /// Clicks the creative.
    func click()
    /// Wants to leave: by our button, or because what surrounds the ad has scrolled on.
    func leave()
    /// Skips the video.
    func skip()
    /// Does something with a video; false where there is none.
    func act(onVideo act: Script.Action) -> Bool
    /// Pauses a video, or lets it go on; false where there is none.
    func toggleVideo() -> Bool
    /// Switches the sound off, or on again.
    func toggleSound()
    /// Turns the screen.
    func turn()
    /// Scrolls so many points of the ad out of sight.
    func scroll(by points: Double)
    /// Prints a line.
    func say(_ text: String)
    /// Whether a video plays, which a user without further steps watches to its end.
    var isPlaying: Bool { get }
    /// How long a user looks, in real time, before leaving.
    var patience: Duration { get }
}

/// A user of a stage: follows a script and then closes the ad as soon as it can be closed, or does what keys say.
final class ScriptedUser: Sendable {
    /// How far the user is with closing the ad: it is tried once.
    private enum Leaving {
        case no, intended, asked
    }

    private struct State {
        var isClosable: Bool
        var stepsLeft: Int
        /// Whether a person at the terminal decides when to leave.
        var isWatched = false
        var leaving = Leaving.no
        var isOver = false
        var alarms: [AlarmID] = []
    }

    private let script: Script
    private let clock: any AdClock
    private let signals: HostSignalSource
    private let sequencer: VirtualTimeSequencer?
    private let state: Locked<State>
    private let hands: Locked<Hands>

    private struct Hands: Sendable {
        weak var hands: (any StageHands)?
    }

    /// A user who does nothing yet.
    ///
    /// - Parameters:
    ///   - script: What is done, and when.
    ///   - closeControl: What has no button of ours scrolls away when the user goes on.
    ///   - clock: Whose time the script has.
    ///   - signals: Where the surroundings of the ad are changed.
    ///   - sequencer: Where the user waits for their turn to leave; nil where time passes by itself.
    init(
        _ script: Script,
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
        self.hands = Locked(Hands())
    }

    /// Takes the stage in hand; it is not kept alive by that.
    func take(_ hands: any StageHands) { self.hands.withLock { $0.hands = hands } }

    private var stage: (any StageHands)? { self.hands.withLock(\.hands) }

    /// What surrounds the ad from the start does so before anything of it can be seen.
    func surround() {
        for step in self.script.splitAtReveal.first { self.act(step.act) }
    }

    /// The ad is on screen.
    func begin(watchedBy watcher: (any AdWatcher)?) {
        let isWatched = watcher?.begin { [weak self] in self?.press($0) } ?? false
        // A script leaves by itself also where a person watches.
        self.state.withLock { $0.isWatched = isWatched && self.script.steps.isEmpty }
        let start = self.clock.now
        for step in self.script.splitAtReveal.later { self.schedule(at: start + step.at) { $0.step(step.act) } }
        self.leaveIfDone()
    }

    /// Our close button is there, or not.
    func setClosable(_ isClosable: Bool) {
        self.state.withLock { $0.isClosable = isClosable }
        self.leaveIfDone()
    }

    /// The ad is off the screen.
    func end() {
        let alarms = self.state.withLock { state in
            state.isOver = true
            return state.alarms
        }
        for alarm in alarms { self.clock.cancel(alarm) }
    }

    /// The keys of a person at the terminal: the space bar pauses a video, and covers other creatives.
    private func press(_ hand: AdWatcherInput) {
        switch hand {
        case .act(let act): self.act(act)
        case .toggle:
            if self.stage?.toggleVideo() == true { return }
            self.act(self.signals.isCovered ? .uncover : .cover)
        case .toggleSound: self.stage?.toggleSound()
        }
    }

    /// Whether the ad is off the screen.
    var isGone: Bool { self.state.withLock(\.isOver) }

    private func step(_ step: Script.Action) {
        self.act(step)
        self.state.withLock { $0.stepsLeft -= 1 }
        self.leaveIfDone()
    }

    private func act(_ act: Script.Action) {
        guard let stage else { return }
        switch act {
        case .click: stage.click()
        case .close, .back:
            self.state.withLock { if $0.isClosable { $0.leaving = .asked } }
            stage.leave()
        case .skip: stage.skip()
        case .mute, .unmute, .pause, .resume:
            if !stage.act(onVideo: act) { stage.say("\(act.name): this ad has no video") }
        case .cover: self.signals.post(.covered(true))
        case .uncover: self.signals.post(.covered(false))
        case .background: self.signals.post(.background(true))
        case .foreground: self.signals.post(.background(false))
        case .rotate: stage.turn()
        case .scroll(let points): stage.scroll(by: points)
        }
    }

    /// The scripted user has no further steps, and closes the ad as soon as it can be closed.
    ///
    /// What the last step led to comes before the close in every run.
    func leaveIfDone() {
        let isDone = self.state.withLock { state in
            let isIdle = state.stepsLeft == 0 && !state.isWatched && !state.isOver
            guard state.isClosable, isIdle, state.leaving == .no else { return false }
            state.leaving = .intended
            return true
        }
        guard isDone else { return }
        guard let sequencer else {
            return self.schedule(at: self.clock.now + (self.stage?.patience ?? .zero)) { $0.leave() }
        }
        self.clock.work { [weak self] in
            await sequencer.leave()
            self?.leave()
        }
    }

    /// Leaves, unless the ad was closed already; without further steps a video is watched to its end.
    private func leave() {
        let isWatching = self.stage?.isPlaying ?? false
        let leaves = self.state.withLock { state in
            guard !state.isOver, state.leaving == .intended else { return false }
            if isWatching { state.leaving = .no }
            return !isWatching
        }
        if leaves { self.act(.close) }
    }

    private func schedule(at moment: Moment, _ act: @escaping @Sendable (ScriptedUser) -> Void) {
        let alarm = self.clock.schedule(at: moment) { [weak self] in
            if let self { act(self) }
        }
        self.state.withLock { $0.alarms.append(alarm) }
    }
}
