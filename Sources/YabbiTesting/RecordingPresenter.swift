public import AdCore
import SystemSupport

/// A presenter whose stages keep their calls; the test reports events of the last one.
///
/// By default a stage is ready at once, and revealed and fully visible when `reveal` is called.
public final class RecordingPresenter: Presenter {
    /// A call of the presenter or its stage.
    public enum Call: Hashable, Sendable {
        /// `present` with a creative.
        case present(Creative)
        /// `reveal`.
        case reveal
        /// `setControl`.
        case control(StageControl, visible: Bool)
        /// `control` with a command for the video.
        case video(VideoCommand)
        /// `post` with a message for the page.
        case post(String)
        /// `close`.
        case close(CloseReason)
    }

    /// What a stage reports by itself.
    public enum Behavior: Hashable, Sendable {
        /// Ready at once; revealed and visible on `reveal`.
        case automatic
        /// Nothing; the test reports every event.
        case manual
        /// Nothing; `present` throws this error.
        case failing(StageError)
    }

    private struct State {
        var calls: [Call] = []
        var notices: [StageNotice] = []
        var options: StageOptions?
        var report: (@Sendable (StageEvent) -> Void)?
    }

    private let behavior: Behavior
    private let adContainer: AdContainer
    private let state = Locked(State())

    /// Creates a presenter with its behavior and its container.
    public init(
        _ behavior: Behavior = .automatic,
        container: AdContainer = .fullScreen(Size(width: 390, height: 844))
    ) {
        self.behavior = behavior
        self.adContainer = container
    }

    /// All calls so far, in order.
    public var calls: [Call] { self.state.withLock { $0.calls } }

    /// All messages for the page so far, in order.
    public var posts: [String] { self.calls.compactMap { if case .post(let message) = $0 { message } else { nil } } }

    /// All notices so far, in order.
    package var notices: [StageNotice] { self.state.withLock { $0.notices } }

    /// The options of the last `present`.
    public var options: StageOptions? { self.state.withLock { $0.options } }

    /// Reports an event of the last stage.
    public func report(_ event: StageEvent) { self.state.withLock { $0.report }?(event) }

    /// Returns the container.
    public func container(for kind: ShowRules.Kind) async -> AdContainer { self.adContainer }

    /// Keeps the call and creates a stage.
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
        if case .failing(let error) = self.behavior { throw error }
        if self.behavior == .automatic { report(.ready) }
        return RecordingStage(presenter: self, ad: options.ad, report: report)
    }

    fileprivate func record(_ call: Call) { self.state.withLock { $0.calls.append(call) } }

    fileprivate func record(_ notice: StageNotice) { self.state.withLock { $0.notices.append(notice) } }

    fileprivate var isWilling: Bool { self.behavior == .automatic }

    /// Stops the reports of a closed stage, unless another ad's stage has replaced it.
    fileprivate func stopReporting(_ ad: AdID) {
        self.state.withLock { state in if state.options?.ad == ad { state.report = nil } }
    }
}

private struct RecordingStage: Stage {
    let presenter: RecordingPresenter
    let ad: AdID
    let report: @Sendable (StageEvent) -> Void

    func reveal() async {
        self.presenter.record(.reveal)
        guard self.presenter.isWilling else { return }
        self.report(.revealed)
        self.report(.visible(ratio: 1))
    }

    func setControl(_ control: StageControl, visible: Bool) async {
        self.presenter.record(.control(control, visible: visible))
    }

    func control(_ command: VideoCommand) async { self.presenter.record(.video(command)) }

    func post(_ message: String) async { self.presenter.record(.post(message)) }

    func notify(_ notice: StageNotice) async { self.presenter.record(notice) }

    func close(_ reason: CloseReason) async {
        self.presenter.record(.close(reason))
        self.presenter.stopReporting(self.ad)
    }
}
