public import AdCore
import EngineSupport
public import WebStage

/// Shows creatives in Chromium, or a browser based on it.
///
/// The browser starts with the first creative and serves all that follow, each in a browser context of its own. At most
/// four creatives are shown at once; others wait. A crashed browser is restarted, once for each creative that needs it.
/// The browser ends with `close`, or with the last reference to the presenter.
///
/// ```swift
/// let presenter = try ChromiumPresenter()
/// try await ad.show(on: presenter)
/// await presenter.close()
/// ```
public final class ChromiumPresenter: BrowserPresenter {
    /// The path of the browser.
    public let browserPath: String
    private let presenter: SharedEnginePresenter<Browser>

    /// Creates a presenter; it starts no browser yet.
    ///
    /// - Parameters:
    ///   - options: How the browser is started and used.
    ///   - screen: The size of the screen, in points.
    ///   - container: The size available to the ad; nil for the whole screen, or for the screen's width if it is a
    ///     banner.
    ///   - allowedHosts: Servers on this computer and network that creatives may request, as in
    ///     `http://127.0.0.1:8080`; all others there are blocked.
    ///   - transport: Sends requests to allowed hosts, and fetches videos; without one the browser fetches videos
    ///     itself during playback. It must respect `AdHTTPRequest.reach`.
    ///   - notify: Called for each request of a creative, with the ad's identifier, on any thread.
    /// - Throws: `ChromiumError` if no browser is found; its description has the way to install one.
    public convenience init(
        _ options: ChromiumOptions = ChromiumOptions(),
        screen: Size = Size(width: 390, height: 844),
        container: Size? = nil,
        allowedHosts: [HTTPURL] = [],
        transport: (any Transport)? = nil,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in }
    ) throws(ChromiumError) {
        let settings = StageSettings(
            screen: screen,
            container: container,
            allowedHosts: allowedHosts,
            transport: transport
        )
        try self.init(options, settings, notify: notify)
    }

    /// Creates a presenter with settings of the stage, to which those of the options are added.
    package init(
        _ options: ChromiumOptions,
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) throws(ChromiumError) {
        var settings = settings
        settings.speed = options.speed
        settings.expansionPolicy = options.expansionPolicy
        settings.captionLanguage = options.captionLanguage ?? settings.captionLanguage
        let browser = try SharedChromium(options, screen: settings.screen, limit: EnginePresenter<Browser>.limit)
        self.browserPath = browser.path
        self.presenter = browser.engine.owner(settings, notify: notify)
    }

    /// The browser's process group; nil if no browser runs.
    package var processGroup: Int32? { self.presenter.processGroup }

    /// What was sent to the running browser so far, and received.
    package var traffic: EngineTraffic { self.presenter.engine.traffic }

    /// The browser's name and version, as in `Chrome 140.0.7339.80`; nil if no browser runs.
    package func browserVersion() async -> String? { await self.presenter.browserVersion() }

    /// The folder that contains the profiles of running browsers.
    package static var profileParent: String { ProfileFolder.parent(ProcessEnvironment.variables) }

    /// The profiles of killed browsers, which the next start removes.
    package static func leftovers() -> [String] { ProfileFolder.leftovers(in: self.profileParent) }

    /// Ends the browser; returns when its processes and profile are gone.
    public func close() async { await self.presenter.close() }

    /// Waits until no creative is shown any more.
    package func whenIdle() async { await self.presenter.whenIdle() }

    /// The size available to an ad: `container`, or the screen; a banner may choose its height.
    public func container(for kind: ShowRules.Kind) async -> AdContainer { await self.presenter.container(for: kind) }

    /// Loads a creative in a page of its own, hidden; waits if four creatives are shown already.
    ///
    /// A video's stage is returned when its host page is loaded, and reports `ready` when its media file is.
    public func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        try await self.presenter.present(creative, options, report: report)
    }

    /// The same as `present`, with the concrete type that the scripted user and tests need.
    package func stage(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> BrowserStage {
        try await self.presenter.stage(creative, options, report: report)
    }
}
