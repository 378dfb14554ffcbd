public import AdCore
import EngineSupport
public import WebStage

/// Shows creatives in WebKitGTK, the engine that is closest to that of phones from Apple.
///
/// A helper program shows the pages (`make webkit` builds it); it starts with the first creative and serves all that
/// follow, each with a process, cookies and storage of its own. At most four creatives are shown at once; others wait. A
/// helper that has ended is restarted, once for each creative that needs it. It ends with `close`, or with the last
/// reference to the presenter.
///
/// ```swift
/// let presenter = try WebKitPresenter(transport: CurlTransport())
/// try await ad.show(on: presenter)
/// await presenter.close()
/// ```
public final class WebKitPresenter: BrowserPresenter {
    /// The path of the helper.
    public let helperPath: String
    private let presenter: SharedEnginePresenter<WebKitEngine>

    /// Creates a presenter; it starts no helper yet.
    ///
    /// - Parameters:
    ///   - options: How the engine is started and used.
    ///   - screen: The size of the screen, in points.
    ///   - container: The size available to the ad; nil for the whole screen, or for the screen's width if it is a
    ///     banner.
    ///   - allowedHosts: Servers on this computer and network that creatives may request, as in
    ///     `http://127.0.0.1:8080`; all others there are blocked.
    ///   - transport: Sends all requests of creatives; the engine itself reaches no server. It must respect
    ///     `AdHTTPRequest.reach`.
    ///   - notify: Called for each request of a creative, with the ad's identifier, on any thread.
    /// - Throws: `WebKitError` if the helper is not built; its description has the way to build it.
    public convenience init(
        _ options: WebKitOptions = WebKitOptions(),
        screen: Size = Size(width: 390, height: 844),
        container: Size? = nil,
        allowedHosts: [HTTPURL] = [],
        transport: any Transport,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in }
    ) throws(WebKitError) {
        let settings = StageSettings(
            screen: screen,
            container: container,
            allowedHosts: allowedHosts,
            transport: transport
        )
        try self.init(options, settings, transport: transport, notify: notify)
    }

    /// Creates a presenter with settings of the stage, to which those of the options are added.
    package init(
        _ options: WebKitOptions,
        _ settings: StageSettings,
        transport: any Transport,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) throws(WebKitError) {
        var settings = settings
        settings.speed = options.speed
        settings.expansionPolicy = options.expansionPolicy
        settings.captionLanguage = options.captionLanguage ?? settings.captionLanguage
        let limit = EnginePresenter<WebKitEngine>.limit
        let engine = try SharedWebKit(options, screen: settings.screen, limit: limit, transport: transport)
        self.helperPath = engine.path
        self.presenter = engine.engine.owner(settings, notify: notify)
    }

    /// The engine's name and version, as in `WebKitGTK 2.50.6`; nil if none runs.
    package func browserVersion() async -> String? { await self.presenter.browserVersion() }

    /// The helper's process group; nil if none runs.
    package var processGroup: Int32? { self.presenter.processGroup }

    /// Ends the engine; returns when its processes and files are gone.
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
