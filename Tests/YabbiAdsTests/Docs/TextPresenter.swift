import AdCore
import YabbiAds

/// Shows ads as lines of text.
actor TextPresenter: Presenter {
    private let show: @Sendable (String) -> Void
    /// What is shown now: the host tells it of the user's hands.
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
        case .video, .page: throw StageError("this presenter shows text; show films and pages on another")
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
    /// Nil once it is closed: whoever keeps it keeps the ad.
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
        self.show("gone (\(reason.rawValue))")
        self.report = nil
    }

    /// The user has tapped the line.
    func tapped() { self.report?(.click(nil, byUser: true)) }

    /// The user has pressed our close button.
    func pressedClose() { self.report?(.closeRequested(by: .user)) }

    /// The line was scrolled: so much of it can be seen.
    func scrolled(visible ratio: Double) { self.report?(.visible(ratio: ratio)) }
}
