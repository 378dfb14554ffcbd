package import AdCore
package import AdRuntime
package import PlayConsole
package import PlayReport

/// A stage of text: it says what is on screen, and its user is a script, or a person at the terminal.
///
/// Everything is visible as soon as it is revealed, and nothing of the creative runs, so nothing it tries can happen.
package final class TerminalPresenter: Presenter {
    let console: any Console
    let clock: any AdClock
    let signals: HostSignalSource
    let script: Script
    let isSilent: Bool
    /// The person who watches; nil for none.
    let watcher: (any AdWatcher)?
    /// Where a scripted user waits for their turn to leave; nil where time passes by itself.
    let sequencer: VirtualTimeSequencer?
    /// Asks for the files of videos.
    let probe: MediaProbe
    /// Where the creative came from, for the links in it that do not say the whole way.
    let base: HTTPURL?
    /// Called with the messages of pages.
    let onPageMessage: @Sendable (AdID, PageMessage) -> Void
    private let container: ContainerSize

    package init(
        _ console: any Console,
        clock: any AdClock,
        signals: HostSignalSource,
        script: Script,
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
