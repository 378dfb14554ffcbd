import AdCore
import AdRuntime
import SystemLock

/// A stage of text: it says what is on screen, and its user is a script, or a person at the terminal.
///
/// Everything is visible as soon as it is revealed, and nothing of the creative runs, so nothing it tries can happen.
final class TerminalPresenter: Presenter {
    let console: any Console
    let clock: any AdClock
    let board: HostBoard
    let script: Script
    let isSilent: Bool
    /// Who watches; nil where nobody is to.
    let spectator: Spectator?
    /// Where the creative came from, for the links in it that do not say the whole way.
    let base: HTTPURL?
    private let room: Size?
    private let screen = Size(width: 390, height: 844)

    init(
        _ console: any Console,
        clock: any AdClock,
        board: HostBoard,
        script: Script,
        room: Size?,
        base: HTTPURL? = nil,
        isSilent: Bool,
        spectator: Spectator? = nil
    ) {
        self.console = console
        self.clock = clock
        self.board = board
        self.script = script
        self.room = room
        self.base = base
        self.isSilent = isSilent
        self.spectator = spectator
    }

    func container(for kind: ShowTerms.Kind) async -> AdContainer {
        let screen = self.room.map { room in
            Size(width: max(room.width, self.screen.width), height: max(room.height, self.screen.height))
        }
        switch (kind, self.room) {
        case (_, let room?): return AdContainer(width: room.width, height: room.height, screen: screen ?? room)
        case (.banner, nil): return AdContainer(width: self.screen.width, screen: self.screen)
        case (_, nil): return .fullScreen(self.screen)
        }
    }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        report(.ready)
        return TerminalStage(self, creative, options, report)
    }
}

/// One creative as a box of text.
final class TerminalStage: Stage {
    private struct State {
        var isClosable = false
        var stepsLeft: Int
        /// Whether somebody at the terminal leaves when they like.
        var isWatched = false
        var isOver = false
        var alarms: [AlarmID] = []
        var isTurned = false
    }

    private let presenter: TerminalPresenter
    private let reading: CreativeReading
    private let options: StageOptions
    private let report: @Sendable (StageEvent) -> Void
    private let state: Locked<State>

    init(
        _ presenter: TerminalPresenter,
        _ creative: Creative,
        _ options: StageOptions,
        _ report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.presenter = presenter
        self.reading = CreativeReading(creative, base: presenter.base)
        self.options = options
        self.report = report
        self.state = Locked(State(stepsLeft: presenter.script.steps.count))
    }

    func reveal() async {
        self.draw()
        self.report(.revealed)
        self.report(.visible(ratio: 1))
        let isWatched = self.presenter.spectator?.begin { [weak self] in self?.act($0) } ?? false
        // A script leaves by itself also where somebody looks on.
        self.state.withLock { $0.isWatched = isWatched && $0.stepsLeft == 0 }
        let clock = self.presenter.clock
        let start = clock.now
        let alarms = self.presenter.script.steps.map { step in
            clock.schedule(at: start + step.at) { [weak self] in self?.step(step.act) }
        }
        self.state.withLock { $0.alarms = alarms }
        self.closeIfDone()
    }

    func setControl(_ control: StageControl, visible: Bool) async {
        guard control == .close else { return }
        self.state.withLock { $0.isClosable = visible }
        self.closeIfDone()
    }

    func control(_ command: VideoCommand) async {}

    func close(_ reason: CloseReason) async {
        let alarms = self.state.withLock { state in
            state.isOver = true
            return state.alarms
        }
        for alarm in alarms { self.presenter.clock.cancel(alarm) }
        self.presenter.spectator?.end()
    }

    private func step(_ step: Script.Act) {
        self.act(step)
        self.state.withLock { $0.stepsLeft -= 1 }
        self.closeIfDone()
    }

    private func act(_ act: Script.Act) {
        switch act {
        case .click: self.report(.click(self.reading.firstLink, byUser: true))
        case .close, .back: self.report(.closeRequested(by: .user))
        case .skip: self.report(.skipRequested)
        case .mute: self.report(.video(.muted(true)))
        case .unmute: self.report(.video(.muted(false)))
        case .pause: self.report(.video(.paused))
        case .resume: self.report(.video(.resumed))
        case .cover: self.presenter.board.post(.covered(true))
        case .uncover: self.presenter.board.post(.covered(false))
        case .background: self.presenter.board.post(.background(true))
        case .foreground: self.presenter.board.post(.background(false))
        case .rotate: self.turn()
        case .scroll(let points):
            let height = max(1, self.options.size.rendered.height)
            self.report(.visible(ratio: max(0, 1 - points / height)))
        }
    }

    /// The scripted user has nothing more to do and leaves as soon as there is a way out.
    private func closeIfDone() {
        let isDone = self.state.withLock { state in
            state.isClosable && state.stepsLeft == 0 && !state.isOver && !state.isWatched
        }
        if isDone { self.report(.closeRequested(by: .user)) }
    }

    private func turn() {
        let isTurned = self.state.withLock { state in
            state.isTurned.toggle()
            return state.isTurned
        }
        self.say("the screen is turned to \(isTurned ? "landscape" : "portrait")")
    }

    private func draw() {
        guard !self.presenter.isSilent else { return }
        var lines: [String] = []
        if let title = self.reading.title { lines.append(Style.printable(title, upTo: 120)) }
        lines.append("HTML, \(self.reading.bytes) bytes, \(self.options.kind.name)")
        lines.append("asked for \(self.options.size.requested), drawn at \(self.options.size.rendered)")
        if let link = self.reading.firstLink {
            lines.append("→ " + Style.printable(Redaction.address(link.text), upTo: 120))
        }
        for line in Style.box(lines, width: self.presenter.console.width) { self.presenter.console.out(line) }
    }

    private func say(_ text: String) {
        if !self.presenter.isSilent { self.presenter.console.out("            " + text) }
    }
}
