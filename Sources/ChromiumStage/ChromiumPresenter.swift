public import AdCore
import SystemSupport
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
public final class ChromiumPresenter: Presenter {
    private struct State {
        var browser: Browser?
        /// All started browsers whose processes have not ended yet.
        var browsers: [Browser] = []
        var isClosed = false
    }

    private let binary: ChromiumBinary
    private let options: ChromiumOptions
    private let room: Size?
    private let screen: Size
    private let allowed: Set<String>
    private let transport: (any Transport)?
    private let note: @Sendable (StageNotification, AdID) -> Void
    private let permits = AsyncSemaphore(ChromiumPresenter.limit)
    /// The maximum number of concurrent creatives.
    private static let limit = 4
    private let state = Locked(State())
    private let pool: PagePool

    /// Creates a presenter; it starts no browser yet.
    ///
    /// - Parameters:
    ///   - options: How the browser is started and used.
    ///   - screen: The size of the screen, in points.
    ///   - room: The size available to the ad; nil for the whole screen, or for the screen's width if it is a banner.
    ///   - allowedHosts: Servers on this computer and network that creatives may request, as in
    ///     `http://127.0.0.1:8080`; all others there are blocked.
    ///   - transport: Sends requests to allowed hosts, and fetches videos; without one the browser fetches videos
    ///     itself during playback. It must respect `AdHTTPRequest.reach`.
    ///   - note: Called for each request of a creative, with the ad's identifier, on any thread.
    /// - Throws: `ChromiumError` if no browser is found; its description says how to install one.
    public init(
        _ options: ChromiumOptions = ChromiumOptions(),
        screen: Size = Size(width: 390, height: 844),
        room: Size? = nil,
        allowedHosts: [HTTPURL] = [],
        transport: (any Transport)? = nil,
        note: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in }
    ) throws(ChromiumError) {
        let processEnvironment = Browser.environment()
        if options.hasWindows { try LaunchPlan.requireDesktop(processEnvironment) }
        self.binary = try ChromiumBinary.find(
            named: options.path ?? processEnvironment["CHROME"],
            withWindows: options.hasWindows
        )
        self.options = options
        self.screen =
            room.map {
                Size(width: max($0.width, screen.width), height: max($0.height, screen.height))
            } ?? screen
        self.room = room
        self.pool = PagePool(self.screen, hasWindows: options.hasWindows)
        self.allowed = Set(allowedHosts.map(\.origin))
        self.transport = transport
        self.note = note
    }

    deinit { self.state.withLock(\.browser)?.close() }

    /// The path of the browser.
    public var browserPath: String { self.binary.path }

    /// The browser's process group; nil if no browser runs.
    package var processGroup: Int32? { self.state.withLock(\.browser)?.process.id }

    /// The browser's name and version, as in `Chrome 140.0.7339.80`; nil if no browser runs.
    package func browserVersion() async -> String? {
        guard let browser = self.state.withLock(\.browser) else { return nil }
        let answer = try? await browser.call(DevToolsCommand("Browser.getVersion"))
        return answer?["product"]?.string.map { $0.replacing("Headless", with: "").replacing("/", with: " ") }
    }

    /// The folder that contains the profiles of running browsers.
    package static var profileParent: String { Browser.profileParent(Browser.environment()) }

    /// The profiles of killed browsers, which the next start removes.
    package static func leftovers() -> [String] { ProfileFolder.leftovers(in: self.profileParent) }

    /// Ends the browser; returns when its processes and profile are gone.
    public func close() async {
        let browsers = self.state.withLock { state in
            state.isClosed = true
            state.browser = nil
            return state.browsers
        }
        self.pool.removeSpare()
        for browser in browsers { browser.close() }
        // Browsers that have crashed or are closing already are awaited as well.
        for browser in browsers { await browser.untilGone() }
    }

    /// Waits until no creative is shown any more.
    package func whenIdle() async {
        var all: [AsyncSemaphore.Permit] = []
        for _ in 0..<ChromiumPresenter.limit {
            if let permit = await self.permits.acquire() { all.append(permit) }
        }
        for permit in all { permit.release() }
    }

    /// The size available to an ad: `room`, or the screen; a banner may choose its height.
    public func container(for kind: ShowRules.Kind) async -> AdContainer {
        switch (kind, self.room) {
        case (_, let room?): AdContainer(width: room.width, height: room.height, screen: self.screen)
        case (.banner, nil): AdContainer(width: self.screen.width, screen: self.screen)
        case (_, nil): .fullScreen(self.screen)
        }
    }

    /// Loads a creative in a page of its own, hidden; waits if four creatives are shown already.
    ///
    /// A video's stage is returned when its host page is loaded, and reports `ready` when its media file is.
    public func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        try await self.stage(creative, options, report: report)
    }

    /// The same as `present`, with the concrete type that the scripted user and tests need.
    package func stage(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> BrowserStage {
        do throws(StageFailure) {
            return try await self.stage(for: creative, options, report)
        } catch {
            // The browser has crashed, perhaps because of another creative: try once more with a new browser.
            guard case .gone = error, !Task.isCancelled else { throw error.asStageError }
        }
        do throws(StageFailure) {
            return try await self.stage(for: creative, options, report)
        } catch {
            throw error.asStageError
        }
    }

    private func stage(
        for creative: Creative,
        _ options: StageOptions,
        _ report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageFailure) -> BrowserStage {
        // One permit for each try: a stage that fails has released its own.
        guard let permit = await self.permits.acquire() else {
            throw .creative(StageError("the presentation was cancelled while it waited for other creatives"))
        }
        let browser = try self.runningBrowser()
        let kind = self.hostPageKind(for: creative, options)
        let place: PooledPage
        do throws(EngineError) {
            place = try await self.pool.page(for: kind, in: browser)
        } catch .gone {
            throw .gone(lastError: browser.lastError)
        } catch .late {
            // A browser that creates no page in time is unusable.
            browser.close()
            throw .gone(lastError: browser.lastError)
        } catch {
            throw .creative(StageError("the creative could not be shown: \(error)"))
        }
        let isClosed = self.options.network == .closed
        let stage = BrowserStage(
            self.machine(for: creative, options, place),
            in: place.page,
            permit: permit,
            fetcher: self.transport.map { AllowedHostFetcher($0) },
            store: self.transport.map { MediaStore($0, allowed: self.allowed, isClosed: isClosed) },
            note: { [note] in note($0, options.ad) },
            report: report
        )
        self.note(.started, options.ad)
        try await stage.prepare()
        self.pool.prepare(in: browser)
        return stage
    }

    /// The kind of host page for a creative; nil for a provider's page.
    private func hostPageKind(for creative: Creative, _ options: StageOptions) -> HostPageKind? {
        switch creative {
        case .html, .card: .creative(self.layout(options))
        case .video: .video(isStored: self.transport != nil)
        case .page: nil
        }
    }

    private func layout(_ options: StageOptions) -> StagePlan.Layout {
        options.kind == .banner || options.kind == .card ? .inline : .full
    }

    /// The machine for a creative.
    private func machine(
        for creative: Creative,
        _ options: StageOptions,
        _ place: PooledPage
    ) -> any StageMachine {
        func plan(_ document: String) -> StagePlan {
            StagePlan(
                name: place.name,
                layout: self.layout(options),
                room: StageRoom(screen: self.screen, size: options.size),
                document: document,
                allowed: self.allowed,
                expansionPolicy: self.options.expansionPolicy
            )
        }
        func playerOptions(_ plan: StagePlan) -> PlayerOptions {
            var player = PlayerOptions()
            if case .rewarded = options.kind { player.isSkippable = false }
            player.rate = min(max(0.1, self.options.speed), PlayerOptions.maxRate)
            if self.transport != nil { player.storeAddress = VideoMachine.storeAddress(plan) }
            return player
        }
        func show(_ document: String) -> CreativeMachine {
            CreativeMachine(plan(document), in: place.hostPage(.creative(self.layout(options))))
        }
        switch creative {
        case .html(let html): return show(html.document)
        case .card(let card): return show(card.document)
        case .page(let page): return PageMachine(page, plan(""), page: place.page.session, mainFrame: place.page.frame)
        case .video(let video):
            let plan = plan("")
            let hostPage = place.hostPage(.video(isStored: self.transport != nil))
            return VideoMachine(video, plan, playerOptions(plan), in: hostPage)
        }
    }

    /// The running browser, or a new one.
    private func runningBrowser() throws(StageFailure) -> Browser {
        let result: Result<Browser, StageFailure> = self.state.withLock { state in
            guard !state.isClosed else { return .failure(.creative(StageError("the presenter was closed"))) }
            if let browser = state.browser, !browser.hasEnded { return .success(browser) }
            do throws(ChromiumError) {
                let browser = try Browser(self.binary, self.options, screen: self.screen)
                state.browser = browser
                state.browsers = state.browsers.filter { !$0.isGone } + [browser]
                return .success(browser)
            } catch {
                return .failure(.creative(StageError(error.description)))
            }
        }
        return try result.get()
    }
}

extension StageFailure {
    var asStageError: StageError {
        switch self {
        case .creative(let error): return error
        case .gone(let lastError) where lastError?.contains("Missing X server") == true:
            return StageError(
                "the browser could not open a window: the X server that DISPLAY names can't be reached or denies access; "
                    + "run this in a desktop session, under xvfb-run, or without a window"
            )
        case .gone(let lastError):
            let detail = lastError.map { "; its last error: \($0.excerpt(300))" } ?? ""
            return StageError("the browser ended while the creative was loading\(detail)")
        }
    }
}
