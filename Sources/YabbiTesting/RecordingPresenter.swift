public import AdCore
import SystemSupport

/// A presenter whose stages remember what they were told; the last one reports what the test says.
///
/// By default it is a well-behaved stage: ready at once, on screen and wholly visible when it is revealed.
public final class RecordingPresenter: Presenter {
    /// What the stage was told.
    public enum Call: Hashable, Sendable {
        /// To prepare a creative.
        case present(Creative)
        /// To bring it into sight.
        case reveal
        /// To show or hide a control.
        case control(StageControl, visible: Bool)
        /// To steer the video.
        case video(VideoCommand)
        /// To tell the page something.
        case post(String)
        /// To take it off the screen.
        case close(CloseReason)
    }

    /// How a stage behaves by itself.
    public enum Manner: Hashable, Sendable {
        /// Ready at once, revealed and visible as soon as it is told.
        case willing
        /// Reports nothing by itself: the test does.
        case silent
        /// Can't show anything.
        case failing(StageError)
    }

    private struct State {
        var calls: [Call] = []
        var options: StageOptions?
        var report: (@Sendable (StageEvent) -> Void)?
    }

    private let manner: Manner
    private let room: AdContainer
    private let state = Locked(State())

    /// A presenter that behaves like this and has this room.
    public init(
        _ manner: Manner = .willing,
        container: AdContainer = .fullScreen(Size(width: 390, height: 844))
    ) {
        self.manner = manner
        self.room = container
    }

    /// What the stage was told so far.
    public var calls: [Call] { self.state.withLock { $0.calls } }

    /// What the page was told so far.
    public var posts: [String] { self.calls.compactMap { if case .post(let message) = $0 { message } else { nil } } }

    /// How the creative was to be shown.
    public var options: StageOptions? { self.state.withLock { $0.options } }

    /// Lets the stage report something.
    public func report(_ event: StageEvent) { self.state.withLock { $0.report }?(event) }

    /// The room there is.
    public func container(for kind: ShowRules.Kind) async -> AdContainer { self.room }

    /// Remembers the creative.
    public func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        self.state.withLock { state in
            state.calls.append(.present(creative))
            state.options = options
            state.report = report
        }
        if case .failing(let error) = self.manner { throw error }
        if self.manner == .willing { report(.ready) }
        return RecordingStage(presenter: self, ad: options.ad, report: report)
    }

    fileprivate func note(_ call: Call) { self.state.withLock { $0.calls.append(call) } }

    fileprivate var isWilling: Bool { self.manner == .willing }

    /// A stage is closed; the one of another ad reports on.
    fileprivate func closed(_ ad: AdID) {
        self.state.withLock { state in if state.options?.ad == ad { state.report = nil } }
    }
}

private struct RecordingStage: Stage {
    let presenter: RecordingPresenter
    let ad: AdID
    let report: @Sendable (StageEvent) -> Void

    func reveal() async {
        self.presenter.note(.reveal)
        guard self.presenter.isWilling else { return }
        self.report(.revealed)
        self.report(.visible(ratio: 1))
    }

    func setControl(_ control: StageControl, visible: Bool) async {
        self.presenter.note(.control(control, visible: visible))
    }

    func control(_ command: VideoCommand) async { self.presenter.note(.video(command)) }

    func post(_ message: String) async { self.presenter.note(.post(message)) }

    func close(_ reason: CloseReason) async {
        self.presenter.note(.close(reason))
        self.presenter.closed(self.ad)
    }
}
