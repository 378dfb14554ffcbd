package import AdCore
import SystemSupport
package import WebStage

/// An engine in a process that several presenters use, all with its screen and pixel ratio.
package final class SharedEngine<Engine: ProcessEngine>: SharedBrowser {
    package let host: EngineHost<Engine>
    /// Whether its pages have no network.
    private let isOffline: Bool
    private let refusal: Locked<String?>

    /// Creates an engine; `start` is called when a creative needs it and it does not run.
    ///
    /// - Parameters:
    ///   - screen: The size of the screen, in points.
    ///   - limit: The number of creatives that are shown at once; others wait.
    ///   - renewsPages: Whether a page shows several creatives one after the other.
    ///   - isOffline: Whether its pages have no network.
    ///   - start: Starts the engine.
    package init<Failure: Error & CustomStringConvertible>(
        screen: Size,
        limit: Int = EnginePresenter<Engine>.limit,
        renewsPages: Bool = false,
        isOffline: Bool = false,
        start: @escaping @Sendable () throws(Failure) -> Engine
    ) {
        let refusal = Locked<String?>(nil)
        self.isOffline = isOffline
        self.refusal = refusal
        self.host = EngineHost(screen: screen, limit: limit, renewsPages: renewsPages) { () throws(StageError) in
            do throws(Failure) {
                let engine = try start()
                refusal.withLock { $0 = nil }
                return engine
            } catch {
                refusal.withLock { $0 = error.description }
                throw StageError(error.description)
            }
        }
    }

    package var startFailure: String? { self.refusal.withLock { $0 } ?? self.host.startFailure?.message }

    package var processGroup: Int32? { self.host.engine?.connection.process.id }

    /// What was sent to the running engine so far, and received; nothing if none runs.
    package var traffic: EngineTraffic { self.host.engine?.connection.pipe.traffic ?? EngineTraffic() }

    package func presenter(
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) -> any BrowserPresenter {
        SharedEnginePresenter(settings, in: self, ownsEngine: false, notify: notify)
    }

    /// A presenter that ends the engine when it is closed.
    package func owner(
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) -> SharedEnginePresenter<Engine> {
        SharedEnginePresenter(settings, in: self, ownsEngine: true, notify: notify)
    }

    package func warmUp() throws(StageError) { try self.host.warmUp() }

    package func close() async { await self.host.close() }

    /// The settings of a presenter, with those of the engine.
    fileprivate func adapted(_ settings: StageSettings) -> StageSettings {
        var settings = settings
        if self.isOffline { settings.isOffline = true }
        return settings
    }
}

/// Shows creatives in an engine that other presenters may use too.
package final class SharedEnginePresenter<Engine: ProcessEngine>: BrowserPresenter {
    package let engine: SharedEngine<Engine>
    /// Whether it ends the engine when it is closed.
    private let ownsEngine: Bool
    private let presenter: EnginePresenter<Engine>

    fileprivate init(
        _ settings: StageSettings,
        in engine: SharedEngine<Engine>,
        ownsEngine: Bool,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) {
        self.engine = engine
        self.ownsEngine = ownsEngine
        self.presenter = EnginePresenter(engine.adapted(settings), in: engine.host, notify: notify)
    }

    package var processGroup: Int32? { self.engine.processGroup }

    package func browserVersion() async -> String? { await self.engine.host.engine?.version() }

    package func close() async { if self.ownsEngine { await self.engine.close() } }

    /// Waits until no creative is shown any more, unless other presenters may show some.
    package func whenIdle() async { if self.ownsEngine { await self.engine.host.whenIdle() } }

    package func container(for kind: ShowRules.Kind) async -> AdContainer { await self.presenter.container(for: kind) }

    package func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        try await self.presenter.present(creative, options, report: report)
    }

    package func stage(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> BrowserStage {
        try await self.presenter.stage(creative, options, report: report)
    }
}
