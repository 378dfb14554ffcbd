package import AdCore
import PlayText

/// Presents ads as text on a terminal, with a scripted or interactive user.
///
/// Ads are completely visible from the reveal on. No script of a creative runs.
package final class TerminalPresenter: Presenter {
    let services: ShowServices
    /// The order of closes in virtual time; nil in real time.
    let sequencer: VirtualTimeSequencer?
    /// Fetches media files.
    let probe: MediaProbe
    /// The base URL for relative links in the creative.
    let base: HTTPURL?

    package init(
        _ services: ShowServices,
        sequencer: VirtualTimeSequencer? = nil,
        probe: MediaProbe,
        base: HTTPURL? = nil
    ) {
        self.services = services
        self.sequencer = sequencer
        self.probe = probe
        self.base = base
    }

    package func container(for kind: ShowRules.Kind) async -> AdContainer {
        self.services.container.container(for: kind)
    }

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
