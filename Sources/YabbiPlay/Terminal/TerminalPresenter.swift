import AdCore
import AdRuntime

/// A stage of text: it says what is on screen, and its user is a script, or a person at the terminal.
///
/// Everything is visible as soon as it is revealed, and nothing of the creative runs, so nothing it tries can happen.
final class TerminalPresenter: Presenter {
    let console: any Console
    let clock: any AdClock
    let board: HostBoard
    let script: Script
    let isSilent: Bool
    /// Who watches; nil where nobody is to.
    let spectator: (any Onlooker)?
    /// Where a scripted user waits for their turn to leave; nil where time passes by itself.
    let turnstile: Turnstile?
    /// Asks for the files of videos.
    let probe: MediaProbe
    /// Where the creative came from, for the links in it that do not say the whole way.
    let base: HTTPURL?
    /// Hears what becomes of pages.
    let hear: @Sendable (AdID, PageNews) -> Void
    private let container: ContainerSize

    init(
        _ console: any Console,
        clock: any AdClock,
        board: HostBoard,
        script: Script,
        container: ContainerSize,
        turnstile: Turnstile? = nil,
        probe: MediaProbe,
        base: HTTPURL? = nil,
        isSilent: Bool,
        spectator: (any Onlooker)? = nil,
        hear: @escaping @Sendable (AdID, PageNews) -> Void = { _, _ in }
    ) {
        self.console = console
        self.clock = clock
        self.board = board
        self.script = script
        self.container = container
        self.turnstile = turnstile
        self.probe = probe
        self.base = base
        self.isSilent = isSilent
        self.spectator = spectator
        self.hear = hear
    }

    func container(for kind: ShowTerms.Kind) async -> AdContainer { self.container.container(for: kind) }

    func present(
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
