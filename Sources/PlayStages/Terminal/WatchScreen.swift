import AdCore
import AdProviders
import AdRuntime
package import PlayConsole
import SystemSupport
package import YabbiAds

/// A person at the terminal while a session is watched: one line, and keys for the ad that came last.
package final class WatchScreen: Sendable {
    private struct State {
        var conversation: (any Conversation)?
        var alarm: AlarmID?
        var line: WatchLine
        /// Who takes the keys, the newest last.
        var seats: [(number: Int, hands: AdWatcher.Hands)] = []
        var last = 0
        var isOver = false
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
        self.style = Style(isColoured: console.isColoured)
        self.state = Locked(State(line: WatchLine(at: clock.now)))
    }

    /// Begins, where there is somebody at the terminal; `act` gets what keys ask of the session, and `quit` is called when
    /// they have had enough.
    package func start(act: @escaping @Sendable (SessionAction) -> Void = { _ in }, _ quit: @escaping @Sendable () -> Void)
    {
        let conversation = self.console.converse { [weak self] key in
            if let wish = SessionAction(key) { act(wish) }
            self?.press(key, quit)
        }
        guard let conversation else { return }
        self.state.withLock { $0.conversation = conversation }
        self.tick()
    }

    /// The terminal is as it was when this returns.
    package func end() {
        let alarm = self.state.withLock { state in
            state.isOver = true
            state.conversation?.end()
            state.conversation = nil
            return state.alarm
        }
        if let alarm { self.clock.cancel(alarm) }
    }

    package func handle(_ event: SocketEvent) { self.state.withLock { $0.line.handle(event) } }

    package func handle(_ news: SmarticoEvent) {
        let now = self.clock.now
        self.state.withLock { $0.line.handle(news, at: now) }
    }

    /// A watcher of one ad of the session.
    package func seat() -> any AdWatcher {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        return Seat(screen: self, number: number)
    }

    private struct Seat: AdWatcher {
        let screen: WatchScreen
        let number: Int

        func begin(_ hands: @escaping Hands) -> Bool {
            self.screen.state.withLock { state in
                state.line.appeared()
                state.seats.append((self.number, hands))
                return state.conversation != nil
            }
        }

        func end() {
            self.screen.state.withLock { state in
                guard let index = state.seats.firstIndex(where: { $0.number == self.number }) else { return }
                state.seats.remove(at: index)
                state.line.went()
            }
        }
    }

    private func press(_ key: Key, _ quit: () -> Void) {
        let hands = self.state.withLock { $0.seats.last?.hands }
        switch key {
        case .click: hands?(.act(.click))
        case .close: hands?(.act(.close))
        case .pause: hands?(.toggle)
        case .quit: quit()
        case .skip, .mute, .suspend, .logInOrOut, .widget, .language, .push: break
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
        let now = self.clock.now
        let isCovered = self.signals.isCovered
        self.state.withLock { state in
            // Drawn under the lock: a line must not come after the end.
            let width = self.console.width
            state.conversation?.status(state.line.text(at: now, isCovered: isCovered, width: width, self.style))
        }
    }
}
