import AdCore

/// Connects an ad to the session that pushed it: sends the page's messages and the ad's end to the session.
struct PageBridge: Sendable {
    /// Reports an event of the page to the session.
    let report: @Sendable (PageEvent) -> Void

    init(_ report: @escaping @Sendable (PageEvent) -> Void) { self.report = report }

    /// Wraps a presenter so that messages go to the session, and only the session reports the page as ready.
    func wrap(_ presenter: any Presenter) -> any Presenter { BridgedPresenter(inner: presenter, bridge: self) }

    private struct BridgedPresenter: Presenter {
        let inner: any Presenter
        let bridge: PageBridge

        func container(for kind: ShowRules.Kind) async -> AdContainer { await self.inner.container(for: kind) }

        func present(
            _ creative: Creative,
            _ options: StageOptions,
            report: @escaping @Sendable (StageEvent) -> Void
        ) async throws(StageError) -> any Stage {
            // Captures the closure only: the stage keeps it, and may be the presenter itself.
            try await self.inner.present(creative, options) { [reportToSession = self.bridge.report] event in
                switch event {
                case .ready: break
                case .message(let text): reportToSession(.message(text))
                case .revealed, .visible, .click, .tap, .blocked, .diagnostic, .closeRequested, .skipRequested, .video,
                    .partClicked, .crashed, .gone:
                    report(event)
                }
            }
        }
    }
}
