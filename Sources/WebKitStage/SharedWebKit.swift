package import AdCore
import EngineSupport
package import WebStage

/// A WebKit that several presenters use, all with its screen and pixel ratio.
package final class SharedWebKit: SharedBrowser {
    /// The path of the helper.
    let path: String
    let engine: SharedEngine<WebKitEngine>

    /// Creates an engine; it is not started yet.
    ///
    /// - Parameters:
    ///   - options: How the engine is started and used.
    ///   - screen: The size of the screen, in points.
    ///   - limit: The number of creatives that are shown at once; others wait.
    ///   - renewsPages: Whether a page shows several creatives one after the other.
    ///   - transport: Sends the requests of creatives.
    /// - Throws: `WebKitError` if the helper is not built; its description has the way to build it.
    package init(
        _ options: WebKitOptions,
        screen: Size,
        limit: Int,
        renewsPages: Bool = false,
        transport: any Transport
    ) throws(WebKitError) {
        let files = try HelperFiles.find(named: options.path ?? ProcessEnvironment.variables["YABBI_WEBKIT"])
        self.path = files.program
        self.engine = SharedEngine(screen: screen, limit: limit, renewsPages: renewsPages) { () throws(WebKitError) in
            try WebKitEngine(files, options, screen: screen, transport: transport)
        }
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
