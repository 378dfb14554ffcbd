package import AdCore
package import AdRuntime
package import PlayConsole
package import PlayText

/// Presents ads as text on a terminal, with a scripted or interactive user.
///
/// Ads are completely visible from the reveal on. No script of a creative runs.
package final class TerminalPresenter: Presenter {
    let console: any Console
    let clock: any AdClock
    let signals: HostSignalSource
    let script: UserScript
    let isSilent: Bool
    /// The status line and keys; nil if there are none.
    let watcher: (any AdWatcher)?
    /// The order of closes in virtual time; nil in real time.
    let sequencer: VirtualTimeSequencer?
    /// Fetches media files.
    let probe: MediaProbe
    /// The base URL for relative links in the creative.
    let base: HTTPURL?
    /// Called for each message of a page.
    let onPageMessage: @Sendable (AdID, PageMessage) -> Void
    private let container: ContainerSize

    package init(
        _ console: any Console,
        clock: any AdClock,
        signals: HostSignalSource,
        script: UserScript,
        container: ContainerSize,
        sequencer: VirtualTimeSequencer? = nil,
        probe: MediaProbe,
        base: HTTPURL? = nil,
        isSilent: Bool,
        watcher: (any AdWatcher)? = nil,
        onPageMessage: @escaping @Sendable (AdID, PageMessage) -> Void = { _, _ in }
    ) {
        self.console = console
        self.clock = clock
        self.signals = signals
        self.script = script
        self.container = container
        self.sequencer = sequencer
        self.probe = probe
        self.base = base
        self.isSilent = isSilent
        self.watcher = watcher
        self.onPageMessage = onPageMessage
    }

    package func container(for kind: ShowRules.Kind) async -> AdContainer { self.container.container(for: kind) }

    package func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        var html: String?
        if case .page(let page) = creative { html = try await TerminalPage.html(of: page, by: self.probe.transport) }
        let stage = TerminalStage(self, creative, options, pageHTML: html, report)
        stage.prepare()
        return stage
    }
}
