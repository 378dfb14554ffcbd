import AdCore
package import AdRuntime
package import PlayConsole
import SystemSupport

/// A person at the terminal, from the reveal of an ad to its close.
package protocol AdWatcher: Sendable {
    /// What keys lead to.
    typealias Hands = @Sendable (AdWatcherInput) -> Void

    /// Starts to watch; false without a terminal.
    func begin(_ hands: @escaping Hands) -> Bool
    /// The ad is off the screen.
    func end()
}

/// What a key does to a stage.
package enum AdWatcherInput: Equatable, Sendable {
    case act(Script.Action)
    /// Stops what moves and lets it go on, whatever that means for the ad.
    case toggle
    case toggleSound
}

/// A person at the terminal, while an ad is on screen: sees a countdown, and presses keys.
package final class TerminalWatcher: AdWatcher {
    private struct State {
        var conversation: (any Conversation)?
        var alarm: AlarmID?
        var shown: Moment = .origin
    }

    private let console: any Console
    private let clock: any AdClock
    private let ad: Ad
    private let signals: HostSignalSource
    private let style: Style
    /// Set when the user leaves the run, and not only this ad.
    private let exit: ExitRequest
    private let state = Locked(State())

    package init(
        _ console: any Console,
        clock: any AdClock,
        ad: Ad,
        signals: HostSignalSource,
        exit: ExitRequest = ExitRequest()
    ) {
        self.console = console
        self.clock = clock
        self.ad = ad
        self.signals = signals
        self.exit = exit
        self.style = Style(isColoured: console.isColoured)
    }

    /// Starts to watch; false without a terminal.
    package func begin(_ hands: @escaping Hands) -> Bool {
        guard let conversation = self.console.converse({ [weak self] key in self?.press(key, hands) }) else {
            return false
        }
        self.state.withLock { state in
            state.conversation = conversation
            state.shown = self.clock.now
        }
        self.tick()
        return true
    }

    /// The ad is off the screen; when this returns the terminal is as it was before.
    package func end() {
        let alarm = self.state.withLock { state in
            state.conversation?.end()
            state.conversation = nil
            return state.alarm
        }
        if let alarm { self.clock.cancel(alarm) }
    }

    private func press(_ key: Key, _ hands: Hands) {
        switch key {
        case .click: hands(.act(.click))
        case .close: hands(.act(.close))
        case .skip: hands(.act(.skip))
        case .mute: hands(.toggleSound)
        case .pause: hands(.toggle)
        case .quit:
            self.exit.request()
            self.ad.close()
        case .suspend, .logInOrOut, .widget, .language, .push: break
        }
        self.draw()
    }

    private func tick() {
        self.draw()
        self.state.withLock { state in
            guard state.conversation != nil else { return }
            state.alarm = self.clock.schedule(at: self.clock.now + .milliseconds(100)) { [weak self] in self?.tick() }
        }
    }

    private func draw() {
        guard let closeAvailability = self.ad.closeAvailability else { return }
        let progress = self.ad.progress
        let isCovered = self.signals.isCovered
        let now = self.clock.now
        self.state.withLock { state in
            // Drawn under the lock: a line must not come after the end.
            guard let conversation = state.conversation else { return }
            let line = StatusLine(
                shown: now - state.shown,
                closeAvailability: closeAvailability,
                isCovered: isCovered,
                video: progress
            )
            conversation.status(line.text(self.style, width: self.console.width))
        }
    }
}
