import AdCore
import SystemSupport
import YabbiTesting

/// Presents each creative on a recording stage of its own; two may be on screen at a time.
final class MultiStagePresenter: Presenter {
    private let stages = Locked<[RecordingPresenter]>([])

    /// How many creatives were presented.
    var presentCount: Int { self.stages.withLock { $0.count } }

    /// The calls to all stages.
    var calls: [RecordingPresenter.Call] { self.stages.withLock { $0 }.flatMap(\.calls) }

    func container(for kind: ShowRules.Kind) async -> AdContainer { .fullScreen(Size(width: 390, height: 844)) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        let stage = RecordingPresenter()
        self.stages.withLock { $0.append(stage) }
        return try await stage.present(creative, options, report: report)
    }
}
