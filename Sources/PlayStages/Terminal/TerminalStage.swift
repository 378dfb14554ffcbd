import AdCore
import AdRuntime
import PlayConsole
import PlayText
import SystemSupport

/// A stage that shows a creative as a box of text.
final class TerminalStage: Stage {
    private struct State {
        /// The visible share of the ad.
        var visible: Double = 1
        var isLandscape = false
    }

    private let presenter: TerminalPresenter
    private let creative: Creative
    private let reading: CreativeReading
    private let options: StageOptions
    private let report: @Sendable (StageEvent) -> Void
    private let video: TerminalVideo?
    private let page: TerminalPage?
    private let user: ScriptedUser
    private let state = Locked(State())

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
        let print: @Sendable (String) -> Void = {
            presenter.services.print($0)
        }
        if case .video(let video) = creative {
            let (clock, probe) = (presenter.services.clock, presenter.probe)
            self.video = TerminalVideo(video, clock: clock, probe: probe, print: print, report: report)
        } else {
            self.video = nil
        }
        if case .page(let page) = creative {
            let onMessage: @Sendable (PageMessage) -> Void = { presenter.services.onPageMessage(options.ad, $0) }
            self.page = TerminalPage(page, html: pageHTML ?? "", print: print, onMessage: onMessage, report: report)
        } else {
            self.page = nil
        }
        self.user = ScriptedUser(
            presenter.services.script,
            closeControl: options.closeControl,
            clock: presenter.services.clock,
            signals: presenter.services.signals,
            sequencer: presenter.sequencer
        )
        self.user.attach(self)
    }

    /// Reports that the creative is ready.
    ///
    /// A video is ready after its file was probed.
    func prepare() {
        if let video { return video.start { [weak self] in self?.user.closeIfDone() } }
        if let page { return page.start() }
        self.report(.ready)
    }

    func reveal() async {
        self.draw()
        self.report(.revealed)
        self.user.applyFirstSteps()
        self.report(.visible(ratio: self.state.withLock { $0.visible }))
        self.user.start(watchedBy: self.presenter.services.watcher)
    }

    func setControl(_ control: StageControl, visible: Bool) async {
        if control == .close { self.user.setClosable(visible) }
    }

    func post(_ message: String) async { self.page?.post(message) }

    func control(_ command: VideoCommand) async { self.video?.execute(command) }

    func close(_ reason: CloseReason) async {
        self.user.end()
        self.video?.end()
        self.page?.end()
        self.presenter.services.watcher?.end()
    }

    private func draw() {
        guard !self.presenter.services.isSilent else { return }
        if case .card(let card) = self.creative {
            let width = self.presenter.services.console.width
            for line in Style.box(CardText.lines(card, width: width), width: width) {
                self.presenter.services.console.out(line)
            }
            return
        }
        if let page {
            let width = self.presenter.services.console.width
            for line in Style.box(page.lines(width: width), width: width) { self.presenter.services.console.out(line) }
            return
        }
        var lines: [String] = []
        if let title = self.reading.title { lines.append(Style.printable(title, upTo: 120)) }
        let (summary, kind) = (self.reading.summary, self.options.kind.name)
        lines.append(summary.hasPrefix(kind) ? summary : "\(summary), \(kind)")
        lines.append("requested \(self.options.size.requested), drawn at \(self.options.size.rendered)")
        switch self.reading.press {
        case .opens(let link): lines.append("→ " + Style.printable(Redaction.address(link.text), upTo: 120))
        case .opensOfAd: break
        case .noLink(.creative(let what)):
            lines.append("a tap is handled by the creative: " + Style.printable(what, upTo: 120))
        case .noLink(.nothing(let reason)): lines.append("a tap opens nothing: " + Style.printable(reason, upTo: 400))
        }
        for line in Style.box(lines, width: self.presenter.services.console.width) {
            self.presenter.services.console.out(line)
        }
    }
}

extension TerminalStage: UserInput {
    /// Clicks the end card of a video if it is shown, and otherwise the ad.
    func click() {
        // A page reports its own clicks.
        if let page { return page.click() }
        guard let card = self.video?.shownEndCard else {
            switch self.reading.press {
            case .opens(let link): return self.report(.click(link, byUser: true))
            case .opensOfAd: return self.report(.click(nil, byUser: true))
            case .noLink(let tap): return self.report(.tap(tap))
            }
        }
        self.report(.partClicked(card.part, nil, byUser: true, spot: card.spot))
    }

    func close() { self.report(self.options.closeControl == .host ? .gone : .closeRequested(by: .user)) }

    func skip() { self.report(.skipRequested) }

    func controlVideo(_ action: UserScript.Action) -> Bool {
        guard action != .captions || self.video == nil else {
            self.print("captions: the terminal shows none; use --stage chromium")
            return true
        }
        return self.video?.perform(action) ?? false
    }

    func toggleVideo() -> Bool {
        self.video?.toggle()
        return self.video != nil
    }

    func toggleSound() { if let video { _ = video.perform(video.isMuted ? .unmute : .mute) } }

    func rotate() {
        let isLandscape = self.state.withLock { state in
            state.isLandscape.toggle()
            return state.isLandscape
        }
        self.print("rotated to \(isLandscape ? "landscape" : "portrait")")
    }

    func scroll(by points: Double) {
        let height = max(1, self.options.size.rendered.height)
        let visible = max(0, 1 - points / height)
        self.state.withLock { $0.visible = visible }
        self.report(.visible(ratio: visible))
    }

    func print(_ text: String) {
        self.presenter.services.print(text)
    }

    var isPlaying: Bool { self.video.map { !$0.isIdle } ?? false }

    /// With a video, a delay until the command to play, or to continue with the next spot.
    var closeDelay: Duration { self.video == nil ? .zero : .milliseconds(300) }
}
