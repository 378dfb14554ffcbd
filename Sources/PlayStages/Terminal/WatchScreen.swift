package import AdCore
package import AdProviders
package import AdRuntime
package import PlayConsole
import SystemSupport

/// The status line of a watched session, and the keys for the session and its newest ad.
package final class WatchScreen: Sendable {
    private struct State {
        var interaction: (any Interaction)?
        var alarm: AlarmID?
        var line: WatchLine
        /// The ads on screen, the newest last.
        var ads: [(number: Int, onInput: AdWatcher.InputHandler)] = []
        var lastNumber = 0
    }

    private let console: any Console
    private let clock: any AdClock
    private let signals: HostSignalSource
    private let style: Style
    private let state: Locked<State>

    package init(_ console: any Console, clock: any AdClock, signals: HostSignalSource) {
        self.console = console
        self.clock = clock
        self.signals = signals
        self.style = Style(isColored: console.isColored)
        self.state = Locked(State(line: WatchLine(at: clock.now)))
    }

    /// Starts to read keys, if there is a terminal.
    ///
    /// - Parameters:
    ///   - onAction: Called for keys that control the session.
    ///   - onQuit: Called for the quit key.
    package func start(
        onAction: @escaping @Sendable (SessionAction) -> Void = { _ in },
        _ onQuit: @escaping @Sendable () -> Void
    ) {
        let interaction = self.console.startInteraction { [weak self] key in
            if let action = SessionAction(key) { onAction(action) }
            self?.handle(key, onQuit)
        }
        guard let interaction else { return }
        self.state.withLock { $0.interaction = interaction }
        self.tick()
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

    package func handle(_ event: SocketEvent) { self.state.withLock { $0.line.handle(event) } }

    package func handle(_ event: SmarticoEvent) {
        let now = self.clock.now
        self.state.withLock { $0.line.handle(event, at: now) }
    }

    /// Creates the watcher of one ad.
    package func watcher() -> any AdWatcher {
        let number = self.state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return Watcher(screen: self, number: number)
    }

    private struct Watcher: AdWatcher {
        let screen: WatchScreen
        let number: Int

        func start(_ onInput: @escaping InputHandler) -> Bool {
            self.screen.state.withLock { state in
                state.line.adShown()
                state.ads.append((self.number, onInput))
                return state.interaction != nil
            }
        }

        func end() {
            self.screen.state.withLock { state in
                guard let index = state.ads.firstIndex(where: { $0.number == self.number }) else { return }
                state.ads.remove(at: index)
                state.line.adClosed()
            }
        }
    }

    private func handle(_ key: Key, _ onQuit: () -> Void) {
        let onInput = self.state.withLock { $0.ads.last?.onInput }
        switch key {
        case .click: onInput?(.action(.click))
        case .close: onInput?(.action(.close))
        case .pause: onInput?(.toggle)
        case .quit: onQuit()
        case .skip, .mute, .suspend, .logInOrOut, .widget, .language, .push: break
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
        let now = self.clock.now
        let isCovered = self.signals.isCovered
        self.state.withLock { state in
            // Drawn under the lock, so that no line is drawn after `end`.
            let width = self.console.width
            state.interaction?.status(state.line.text(at: now, isCovered: isCovered, width: width, self.style))
        }
    }
}
