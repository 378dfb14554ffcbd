import AdCore
import YabbiAds

/// Shows ads as lines of text.
actor TextPresenter: Presenter {
    private let show: @Sendable (String) -> Void
    /// The stage of the ad on screen; the app forwards the user's input to it.
    private(set) var stage: TextStage?

    init(show: @escaping @Sendable (String) -> Void) { self.show = show }

    func container(for kind: ShowRules.Kind) async -> AdContainer {
        AdContainer(width: 320, screen: Size(width: 320, height: 480))
    }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        let line: String
        switch creative {
        case .card(let card): line = "\(card.disclosure): \(card.headline)"
        case .html(let html): line = "HTML, \(html.document.utf8.count) bytes, \(options.size.rendered)"
        case .video, .page: throw StageError("this presenter shows text only; use another one for videos and pages")
        }
        let stage = TextStage(line, show: self.show, report: report)
        self.stage = stage
        report(.ready)
        return stage
    }
}

/// One ad as a line of text.
actor TextStage: Stage {
    private let line: String
    private let show: @Sendable (String) -> Void
    /// Nil after `close`, because the closure keeps the ad alive.
    private var report: (@Sendable (StageEvent) -> Void)?

    init(
        _ line: String,
        show: @escaping @Sendable (String) -> Void,
        report: @escaping @Sendable (StageEvent) -> Void
    ) {
        self.line = line
        self.show = show
        self.report = report
    }

    func reveal() async {
        self.show(self.line)
        self.report?(.revealed)
        self.report?(.visible(ratio: 1))
    }

    func setControl(_ control: StageControl, visible: Bool) async {
        if visible { self.show("[\(control.rawValue)]") }
    }

    func control(_ command: VideoCommand) async {}

    func close(_ reason: CloseReason) async {
        self.show("closed (\(reason.rawValue))")
        self.report = nil
    }

    /// The user tapped the line.
    func tapped() { self.report?(.click(nil, byUser: true)) }

    /// The user pressed the stage's close button.
    func pressedClose() { self.report?(.closeRequested(by: .user)) }

    /// The line was scrolled, and this share of it is visible.
    func scrolled(visible ratio: Double) { self.report?(.visible(ratio: ratio)) }
}
