import AdCore
import SystemSupport
import YabbiTesting

/// A place on which one stage stands after the other, and for a moment beside it: each is a recording one of its own.
final class Screen: Presenter {
    private let stages = Locked<[RecordingPresenter]>([])

    /// How many creatives were given to it.
    var presented: Int { self.stages.withLock { $0.count } }

    /// What its stages were told.
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
