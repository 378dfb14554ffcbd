package import AdCore
import EngineSupport
package import WebStage

/// A Chromium that several presenters use, all with its screen and pixel ratio.
package final class SharedChromium: SharedBrowser {
    /// The path of the browser.
    let path: String
    let engine: SharedEngine<Browser>

    /// Creates a browser; it is not started yet.
    ///
    /// - Parameters:
    ///   - options: How the browser is started and used.
    ///   - screen: The size of the screen, in points.
    ///   - limit: The number of creatives that are shown at once; others wait.
    ///   - renewsPages: Whether a page shows several creatives one after the other.
    /// - Throws: `ChromiumError` if no browser is found; its description has the way to install one.
    package init(
        _ options: ChromiumOptions,
        screen: Size,
        limit: Int,
        renewsPages: Bool = false
    ) throws(ChromiumError) {
        let processEnvironment = ProcessEnvironment.variables
        if options.hasWindows { try LaunchPlan.requireDesktop(processEnvironment) }
        let binary = try ChromiumBinary.find(
            named: options.path ?? processEnvironment["CHROME"],
            withWindows: options.hasWindows
        )
        self.path = binary.path
        self.engine = SharedEngine(
            screen: screen,
            limit: limit,
            renewsPages: renewsPages,
            isOffline: options.network == .closed
        ) { () throws(ChromiumError) in try Browser(binary, options, screen: screen) }
    }

    package var startFailure: String? { self.engine.startFailure }
    package var processGroup: Int32? { self.engine.processGroup }

    package func presenter(
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) -> any BrowserPresenter {
        self.engine.presenter(settings, notify: notify)
    }

    package func warmUp() throws(StageError) { try self.engine.warmUp() }
    package func close() async { await self.engine.close() }
}
