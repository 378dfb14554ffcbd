import AdCore
import AdRuntime
import SystemLock

/// One creative as a box of text.
final class TerminalStage: Stage {
    /// How far the user is on the way out: nobody asks twice.
    private enum Leaving {
        case no, intended, asked
    }

    private struct State {
        var isClosable = false
        /// The share of the ad that is on screen.
        var visible: Double = 1
        var stepsLeft: Int
        /// Whether somebody at the terminal leaves when they like.
        var isWatched = false
        var leaving = Leaving.no
        var isOver = false
        var alarms: [AlarmID] = []
        var isTurned = false
    }

    private let presenter: TerminalPresenter
    private let creative: Creative
    private let reading: CreativeReading
    private let options: StageOptions
    private let report: @Sendable (StageEvent) -> Void
    /// The player, for a video.
    private let video: TerminalVideo?
    /// The page, for a page.
    private let page: TerminalPage?
    private let state: Locked<State>

    init(
        _ presenter: TerminalPresenter,
        _ creative: Creative,
        _ options: StageOptions,
        pageHTML: String? = nil,
        _ report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.presenter = presenter
        self.creative = creative
        self.reading = CreativeReading(creative, base: presenter.base)
        self.options = options
        self.report = report
        let say: @Sendable (String) -> Void = { if !presenter.isSilent { presenter.console.out("            " + $0) } }
        var video: TerminalVideo?
        var page: TerminalPage?
        switch creative {
        case .video(let creative):
            video = TerminalVideo(
                creative,
                clock: presenter.clock,
                probe: presenter.probe,
                say: say,
                report: report
            )
        case .page(let creative):
            let hear: @Sendable (PageNews) -> Void = { presenter.hear(options.ad, $0) }
            page = TerminalPage(creative, html: pageHTML ?? "", say: say, hear: hear, report: report)
        case .html, .card: break
        }
        self.video = video
        self.page = page
        // What has no button of ours scrolls away when the user goes on.
        let isClosable = options.closeControl == .host
        let steps = presenter.script.splitAtReveal.later.count
        self.state = Locked(State(isClosable: isClosable, stepsLeft: steps))
    }

    /// Says that it could be shown; a video is asked for first.
    func prepare() {
        if let video { return video.begin { [weak self] in self?.leaveIfDone() } }
        if let page { return page.begin() }
        self.report(.ready)
    }

    func reveal() async {
        self.draw()
        self.report(.revealed)
        // What surrounds the ad from the start does so before anything of it can be seen.
        let (first, later) = self.presenter.script.splitAtReveal
        for step in first { self.act(step.act) }
        self.report(.visible(ratio: self.state.withLock { $0.visible }))
        let isWatched = self.presenter.spectator?.begin { [weak self] in self?.press($0) } ?? false
        // A script leaves by itself also where somebody looks on.
        self.state.withLock { $0.isWatched = isWatched && self.presenter.script.steps.isEmpty }
        let start = self.presenter.clock.now
        for step in later { self.schedule(at: start + step.at) { $0.step(step.act) } }
        self.leaveIfDone()
    }

    func setControl(_ control: StageControl, visible: Bool) async {
        guard control == .close else { return }
        self.state.withLock { $0.isClosable = visible }
        self.leaveIfDone()
    }

    func post(_ message: String) async { self.page?.post(message) }

    func control(_ command: VideoCommand) async { self.video?.obey(command) }

    func close(_ reason: CloseReason) async {
        let alarms = self.state.withLock { state in
            state.isOver = true
            return state.alarms
        }
        for alarm in alarms { self.presenter.clock.cancel(alarm) }
        self.video?.end()
        self.page?.end()
        self.presenter.spectator?.end()
    }

    /// What somebody at the terminal does: the space bar stops a video, and covers what does not play.
    private func press(_ hand: OnlookerHand) {
        switch hand {
        case .act(let act): self.act(act)
        case .toggle:
            if let video { return video.toggle() }
            // What is covered is the app, with whatever else is on screen.
            self.act(self.presenter.board.isCovered ? .uncover : .cover)
        case .toggleSound: if let video { self.act(video.isMuted ? .unmute : .mute) }
        }
    }

    /// On a video's end card the click is on that, else on the ad itself.
    private func click() {
        // What was clicked in a page is the page's to say.
        if let page { return page.click() }
        guard let card = self.video?.shownEndCard else {
            return self.report(.click(self.reading.firstLink, byUser: true))
        }
        self.report(.partClicked(card.part, nil, byUser: true, spot: card.spot))
    }

    private func step(_ step: Script.Act) {
        self.act(step)
        self.state.withLock { $0.stepsLeft -= 1 }
        self.leaveIfDone()
    }

    private func act(_ act: Script.Act) {
        switch act {
        case .click: self.click()
        case .close, .back:
            self.state.withLock { if $0.isClosable { $0.leaving = .asked } }
            self.report(self.options.closeControl == .host ? .gone : .closeRequested(by: .user))
        case .skip: self.report(.skipRequested)
        case .mute, .unmute, .pause, .resume:
            if self.video?.act(act) != true { self.say("\(act.name): this ad has no video") }
        case .cover: self.presenter.board.post(.covered(true))
        case .uncover: self.presenter.board.post(.covered(false))
        case .background: self.presenter.board.post(.background(true))
        case .foreground: self.presenter.board.post(.background(false))
        case .rotate: self.turn()
        case .scroll(let points):
            let height = max(1, self.options.size.rendered.height)
            let visible = max(0, 1 - points / height)
            self.state.withLock { $0.visible = visible }
            self.report(.visible(ratio: visible))
        }
    }

    /// The scripted user has nothing more to do and leaves as soon as there is a way out.
    ///
    /// What the last step led to comes before the close in every run.
    private func leaveIfDone() {
        let isDone = self.state.withLock { state in
            let isIdle = state.stepsLeft == 0 && !state.isWatched && !state.isOver
            guard state.isClosable, isIdle, state.leaving == .no else { return false }
            state.leaving = .intended
            return true
        }
        guard isDone else { return }
        guard let turnstile = self.presenter.turnstile else {
            return self.schedule(at: self.presenter.clock.now + self.patience) { $0.leave() }
        }
        self.presenter.clock.work { [weak self] in
            await turnstile.leave()
            self?.leave()
        }
    }

    /// How long a scripted user looks at what does not play before leaving, in real time: a film is told to begin, or to
    /// follow another, a moment after it could.
    private var patience: Duration { self.video == nil ? .zero : .milliseconds(300) }

    /// Leaves, unless somebody else was first; a film is watched to its end by whoever has nothing else to do.
    private func leave() {
        let isWatching = self.video.map { !$0.isIdle } ?? false
        let leaves = self.state.withLock { state in
            guard !state.isOver, state.leaving == .intended else { return false }
            if isWatching { state.leaving = .no }
            return !isWatching
        }
        if leaves { self.act(.close) }
    }

    private func schedule(at moment: Moment, _ act: @escaping @Sendable (TerminalStage) -> Void) {
        let alarm = self.presenter.clock.schedule(at: moment) { [weak self] in
            if let self { act(self) }
        }
        self.state.withLock { $0.alarms.append(alarm) }
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
        if case .card(let card) = self.creative {
            let width = self.presenter.console.width
            for line in Style.box(CardText.lines(card, width: width), width: width) { self.presenter.console.out(line) }
            return
        }
        if let page {
            let width = self.presenter.console.width
            for line in Style.box(page.lines(width: width), width: width) { self.presenter.console.out(line) }
            return
        }
        var lines: [String] = []
        if let title = self.reading.title { lines.append(Style.printable(title, upTo: 120)) }
        lines.append("\(self.reading.summary), \(self.options.kind.name)")
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
