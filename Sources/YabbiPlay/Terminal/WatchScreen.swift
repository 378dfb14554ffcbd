import AdCore
import AdRuntime
import SystemLock
import YabbiAds

/// A person at the terminal while a session is watched: one line, and keys for the ad that came last.
final class WatchScreen: Sendable {
    private struct State {
        var conversation: (any Conversation)?
        var alarm: AlarmID?
        var line: WatchLine
        /// Who takes the keys, the newest last.
        var seats: [(number: Int, hands: Onlooker.Hands)] = []
        var last = 0
        var isOver = false
    }

    private let console: any Console
    private let clock: any AdClock
    private let board: HostBoard
    private let style: Style
    private let state: Locked<State>

    init(_ console: any Console, clock: any AdClock, board: HostBoard) {
        self.console = console
        self.clock = clock
        self.board = board
        self.style = Style(isColoured: console.isColoured)
        self.state = Locked(State(line: WatchLine(at: clock.now)))
    }

    /// Begins, where there is somebody at the terminal; `act` gets what keys ask of the session, and `quit` is called when
    /// they have had enough.
    func begin(act: @escaping @Sendable (SessionAct) -> Void = { _ in }, _ quit: @escaping @Sendable () -> Void) {
        let conversation = self.console.converse { [weak self] key in
            if let wish = SessionAct(key) { act(wish) }
            self?.press(key, quit)
        }
        guard let conversation else { return }
        self.state.withLock { $0.conversation = conversation }
        self.tick()
    }

    /// The terminal is as it was when this returns.
    func end() {
        let alarm = self.state.withLock { state in
            state.isOver = true
            state.conversation?.end()
            state.conversation = nil
            return state.alarm
        }
        if let alarm { self.clock.cancel(alarm) }
    }

    func take(_ event: SocketEvent) { self.state.withLock { $0.line.take(event) } }

    func take(_ news: SmarticoNews) {
        let now = self.clock.now
        self.state.withLock { $0.line.take(news, at: now) }
    }

    /// A place for whoever looks at one ad of the session.
    func seat() -> any Onlooker {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        return Seat(screen: self, number: number)
    }

    private struct Seat: Onlooker {
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
        let isCovered = self.board.isCovered
        self.state.withLock { state in
            // Drawn under the lock: a line must not come after the end.
            let width = self.console.width
            state.conversation?.status(state.line.text(at: now, isCovered: isCovered, width: width, self.style))
        }
    }
}
