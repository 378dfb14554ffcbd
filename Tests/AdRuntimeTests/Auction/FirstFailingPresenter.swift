import AdCore
import SystemSupport
import YabbiTesting

/// A presenter whose first stage can't be created.
final class FirstFailingPresenter: Presenter {
    private let isFirst = Locked(true)
    private let base = RecordingPresenter()

    func container(for kind: ShowRules.Kind) async -> AdContainer { await self.base.container(for: kind) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        let fails = self.isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if fails { throw StageError("no stage, for the test") }
        return try await self.base.present(creative, options, report: report)
    }
}
