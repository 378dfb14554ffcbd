package import AdCore
import ChromiumStage
import WebKitStage
package import WebStage

/// The engine of a browser.
package enum BrowserEngineKind: String, CaseIterable, Hashable, Sendable {
    case chromium
    case webKit = "webkit"
}

/// Why a browser can't be used.
package struct BrowserFailure: Error, Hashable, Sendable {
    /// The problem and its fix.
    package let message: String

    package init(message: String) { self.message = message }
}

/// How a browser is started.
package struct BrowserOptions: Hashable, Sendable {
    package let engine: BrowserEngineKind
    package var hasWindows = false
    /// The number of screen pixels per point, from 1 to 4.
    package var scale = 1.0
    package var isSandboxed = true
    /// The playback rate of videos.
    package var speed = 1.0
    /// The time zone of creatives, if the engine can't simulate one for each page; nil for that of this computer.
    package var timeZone: String?

    package init(_ engine: BrowserEngineKind = .chromium) { self.engine = engine }

    /// A browser for several presenters; it is not started yet.
    ///
    /// - Parameters:
    ///   - screen: The size of the screen, in points.
    ///   - limit: The number of creatives that are shown at once; others wait.
    ///   - renewsPages: Whether a page shows several creatives one after the other.
    ///   - transport: Sends the requests of creatives, if the engine has no network of its own.
    /// - Returns: The browser.
    /// - Throws: `BrowserFailure` if none is installed.
    package func shared(
        screen: Size,
        limit: Int,
        renewsPages: Bool = false,
        transport: any Transport
    ) throws(BrowserFailure) -> any SharedBrowser {
        do {
            switch self.engine {
            case .chromium:
                return try SharedChromium(self.chromium, screen: screen, limit: limit, renewsPages: renewsPages)
            case .webKit:
                return try SharedWebKit(
                    self.webKit,
                    screen: screen,
                    limit: limit,
                    renewsPages: renewsPages,
                    transport: transport
                )
            }
        } catch {
            throw BrowserFailure(message: "\(error)")
        }
    }

    /// A presenter with a browser of its own.
    ///
    /// - Parameters:
    ///   - settings: What is the same for all creatives.
    ///   - transport: Sends the requests of creatives, if the engine has no network of its own.
    ///   - notify: Called for each request of a creative, with the ad's identifier, on any thread.
    /// - Returns: The presenter.
    /// - Throws: `BrowserFailure` if no browser is installed.
    package func presenter(
        _ settings: StageSettings,
        transport: any Transport,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) throws(BrowserFailure) -> any BrowserPresenter {
        do {
            switch self.engine {
            case .chromium: return try ChromiumPresenter(self.chromium, settings, notify: notify)
            case .webKit: return try WebKitPresenter(self.webKit, settings, transport: transport, notify: notify)
            }
        } catch {
            throw BrowserFailure(message: "\(error)")
        }
    }

    private var chromium: ChromiumOptions {
        var options = ChromiumOptions()
        options.hasWindows = self.hasWindows
        options.scale = self.scale
        options.isSandboxed = self.isSandboxed
        options.speed = self.speed
        return options
    }

    private var webKit: WebKitOptions {
        var options = WebKitOptions()
        options.hasWindows = self.hasWindows
        options.isSandboxed = self.isSandboxed
        options.scale = Int(self.scale.rounded())
        options.timeZone = self.timeZone
        options.speed = self.speed
        return options
    }
}
