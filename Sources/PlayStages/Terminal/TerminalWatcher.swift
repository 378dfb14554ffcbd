package import AdCore
package import AdRuntime
package import PlayConsole
import SystemSupport

/// The status line and keys of an ad, from its reveal to its close.
package protocol AdWatcher: Sendable {
    typealias InputHandler = @Sendable (AdWatcherInput) -> Void

    /// Starts to read keys. False without a terminal.
    func start(_ onInput: @escaping InputHandler) -> Bool
    func end()
}

/// The input of a key to a stage.
package enum AdWatcherInput: Equatable, Sendable {
    case action(UserScript.Action)
    /// Pauses or plays a video, covers or uncovers other ads.
    case toggle
    case toggleSound
}

/// The status line and keys of one ad on a terminal.
package final class TerminalWatcher: AdWatcher {
    private struct State {
        var interaction: (any Interaction)?
        var alarm: AlarmID?
        var shown: Moment = .origin
    }

    private let console: any Console
    private let clock: any AdClock
    private let ad: Ad
    private let signals: HostSignalSource
    private let style: Style
    /// Requested when the user quits the run.
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
        self.style = Style(isColored: console.isColored)
    }

    package func start(_ onInput: @escaping InputHandler) -> Bool {
        let interaction = self.console.startInteraction { [weak self] key in self?.handle(key, onInput) }
        guard let interaction else { return false }
        self.state.withLock { state in
            state.interaction = interaction
            state.shown = self.clock.now
        }
        self.tick()
        return true
    }

    /// Restores the terminal.
    package func end() {
        let alarm = self.state.withLock { state in
            state.interaction?.end()
            state.interaction = nil
            return state.alarm
        }
        if let alarm { self.clock.cancel(alarm) }
    }

    private func handle(_ key: Key, _ onInput: InputHandler) {
        switch key {
        case .click: onInput(.action(.click))
        case .close: onInput(.action(.close))
        case .skip: onInput(.action(.skip))
        case .mute: onInput(.toggleSound)
        case .pause: onInput(.toggle)
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
            guard state.interaction != nil else { return }
            state.alarm = self.clock.schedule(at: self.clock.now + .milliseconds(100)) { [weak self] in self?.tick() }
        }
    }

    private func draw() {
        guard let closeAvailability = self.ad.closeAvailability else { return }
        let progress = self.ad.progress
        let isCovered = self.signals.isCovered
        let now = self.clock.now
        self.state.withLock { state in
            // Drawn under the lock, so that no line is drawn after `end`.
            guard let interaction = state.interaction else { return }
            let line = StatusLine(
                shown: now - state.shown,
                closeAvailability: closeAvailability,
                isCovered: isCovered,
                video: progress
            )
            interaction.status(line.text(self.style, width: self.console.width))
        }
    }
}
