package import AdCore
import WebStage

/// A Chromium that several presenters use, all with its screen and pixel ratio.
package final class SharedChromium: Sendable {
    let options: ChromiumOptions
    private let binary: ChromiumBinary
    let host: EngineHost<Browser>

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
        self.options = options
        self.binary = binary
        self.host = EngineHost(screen: screen, limit: limit, renewsPages: renewsPages) { () throws(StageError) in
            do throws(ChromiumError) {
                return try Browser(binary, options, screen: screen)
            } catch {
                throw StageError(error.description)
            }
        }
    }

    /// The path of the browser.
    var path: String { self.binary.path }

    /// The browser's process group; nil if no browser runs.
    package var processGroup: Int32? { self.host.engine?.process.id }

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
