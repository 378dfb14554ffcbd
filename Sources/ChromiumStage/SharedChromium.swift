package import AdCore
import EngineSupport
import SystemSupport
package import WebStage

/// A Chromium that several presenters use, all with its screen and pixel ratio.
package final class SharedChromium: SharedBrowser {
    let options: ChromiumOptions
    private let binary: ChromiumBinary
    let host: EngineHost<Browser>
    private let refusal: Locked<String?>

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
        let processEnvironment = Browser.environment()
        if options.hasWindows { try LaunchPlan.requireDesktop(processEnvironment) }
        let binary = try ChromiumBinary.find(
            named: options.path ?? processEnvironment["CHROME"],
            withWindows: options.hasWindows
        )
        let refusal = Locked<String?>(nil)
        self.options = options
        self.binary = binary
        self.refusal = refusal
        self.host = EngineHost(screen: screen, limit: limit, renewsPages: renewsPages) { () throws(StageError) in
            do throws(ChromiumError) {
                let browser = try Browser(binary, options, screen: screen)
                refusal.withLock { $0 = nil }
                return browser
            } catch {
                refusal.withLock { $0 = error.description }
                throw StageError(error.description)
            }
        }
    }

    /// The path of the browser.
    var path: String { self.binary.path }

    /// Why the browser did not start the last time; nil if it did, or was not needed.
    package var startFailure: String? { self.refusal.withLock { $0 } ?? self.host.startFailure?.message }

    /// The browser's process group; nil if no browser runs.
    package var processGroup: Int32? { self.host.engine?.process.id }

    /// A presenter in this browser.
    package func presenter(
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) -> any BrowserPresenter {
        ChromiumPresenter(in: self, settings, notify: notify)
    }

    /// Starts the browser, so that the first creative is shown sooner.
    package func warmUp() throws(StageError) { try self.host.warmUp() }

    /// The browser's name and version, as in `Chrome 140.0.7339.80`; nil if no browser runs.
    package func version() async -> String? {
        guard let browser = self.host.engine else { return nil }
        let reply = try? await browser.call(DevToolsCommand("Browser.getVersion"))
        return reply?["product"]?.string.map { $0.replacing("Headless", with: "").replacing("/", with: " ") }
    }

    /// Ends the browser; returns when its processes and profile are gone.
    package func close() async { await self.host.close() }
}
