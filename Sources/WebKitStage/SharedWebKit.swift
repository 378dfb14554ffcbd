package import AdCore
import EngineSupport
import SystemSupport
package import WebStage

/// A WebKit that several presenters use, all with its screen and pixel ratio.
package final class SharedWebKit: SharedBrowser {
    let options: WebKitOptions
    let transport: any Transport
    private let files: HelperFiles
    let host: EngineHost<WebKitEngine>
    private let refusal: Locked<String?>

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
        let files = try HelperFiles.find(named: options.path ?? HelperLaunch.environment()["YABBI_WEBKIT"])
        let refusal = Locked<String?>(nil)
        self.options = options
        self.transport = transport
        self.files = files
        self.refusal = refusal
        self.host = EngineHost(screen: screen, limit: limit, renewsPages: renewsPages) { () throws(StageError) in
            do throws(WebKitError) {
                let engine = try WebKitEngine(files, options, screen: screen, transport: transport)
                refusal.withLock { $0 = nil }
                return engine
            } catch {
                refusal.withLock { $0 = error.description }
                throw StageError(error.description)
            }
        }
    }

    /// The path of the helper.
    var path: String { self.files.program }

    /// Why the engine did not start the last time; nil if it did, or was not needed.
    package var startFailure: String? { self.refusal.withLock { $0 } ?? self.host.startFailure?.message }

    /// The helper's process group; nil if none runs.
    package var processGroup: Int32? { self.host.engine?.process.id }

    /// A presenter in this browser.
    package func presenter(
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) -> any BrowserPresenter {
        WebKitPresenter(in: self, settings, notify: notify)
    }

    /// Starts the engine, so that the first creative is shown sooner.
    package func warmUp() throws(StageError) { try self.host.warmUp() }

    /// The engine's name and version, as in `WebKitGTK 2.50.6`; nil if none runs.
    package var version: String? { self.host.engine?.version.map { "WebKitGTK \($0)" } }

    /// Ends the engine; returns when its processes and files are gone.
    package func close() async { await self.host.close() }
}
