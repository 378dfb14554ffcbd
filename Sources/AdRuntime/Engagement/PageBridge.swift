import AdCore

/// What ties an ad to the session that pushed it: its page speaks with the session, and the session hears how it ends.
struct PageBridge: Sendable {
    /// Hears of the page.
    let hear: @Sendable (PageEvent) -> Void

    init(_ hear: @escaping @Sendable (PageEvent) -> Void) { self.hear = hear }

    /// A presenter whose page speaks with the session: only the session says when it can be seen.
    func through(_ presenter: any Presenter) -> any Presenter { Bridged(inner: presenter, bridge: self) }

    private struct Bridged: Presenter {
        let inner: any Presenter
        let bridge: PageBridge

        func container(for kind: ShowRules.Kind) async -> AdContainer { await self.inner.container(for: kind) }

        func present(
            _ creative: Creative,
            _ options: StageOptions,
            report: @escaping @Sendable (StageEvent) -> Void
        ) async throws(StageError) -> any Stage {
            // The stage keeps this, and must not keep its own presenter with it, which may be the same object.
            try await self.inner.present(creative, options) { [hear = self.bridge.hear] event in
                switch event {
                case .ready: break
                case .message(let text): hear(.message(text))
                case .revealed, .visible, .click, .tap, .blocked, .diagnostic, .closeRequested, .skipRequested, .video,
                    .partClicked, .crashed, .gone:
                    report(event)
                }
            }
        }
    }
}
