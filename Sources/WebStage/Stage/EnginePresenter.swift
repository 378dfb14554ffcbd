package import AdCore
import SystemSupport

/// Shows creatives in an engine, each in a page of its own.
///
/// The engine starts with the first creative and serves all that follow. At most four creatives are shown at once;
/// others wait. An engine that has ended is replaced, once for each creative that needs it. The engine ends with
/// `close`, or with the last reference to the presenter.
package final class EnginePresenter<Engine: BrowserEngine>: Presenter {
    private struct State {
        var engine: Engine?
        /// All started engines that are not gone yet.
        var engines: [Engine] = []
        var isClosed = false
    }

    /// The maximum number of concurrent creatives.
    package static var limit: Int { 4 }

    private let settings: StageSettings
    private let notify: @Sendable (StageNotification, AdID) -> Void
    private let start: @Sendable () throws(StageError) -> Engine
    private let permits = AsyncSemaphore(EnginePresenter.limit)
    private let state = Locked(State())
    private let pool: PagePool<Engine>

    /// Creates a presenter; `start` is called when a creative needs an engine and none runs.
    package init(
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in },
        start: @escaping @Sendable () throws(StageError) -> Engine
    ) {
        self.settings = settings
        self.notify = notify
        self.start = start
        self.pool = PagePool(settings.screen)
    }

    deinit { self.state.withLock(\.engine)?.close() }

    /// The running engine; nil if none runs.
    package var engine: Engine? { self.state.withLock(\.engine) }

    /// Ends the engine; returns when it is gone.
    package func close() async {
        let engines = self.state.withLock { state in
            state.isClosed = true
            state.engine = nil
            return state.engines
        }
        self.pool.removeSpare()
        for engine in engines { engine.close() }
        // Engines that have crashed or are closing already are awaited as well.
        for engine in engines { await engine.untilGone() }
    }

    /// Waits until no creative is shown any more.
    package func whenIdle() async {
        var all: [AsyncSemaphore.Permit] = []
        for _ in 0..<EnginePresenter.limit {
            if let permit = await self.permits.acquire() { all.append(permit) }
        }
        for permit in all { permit.release() }
    }

    package func container(for kind: ShowRules.Kind) async -> AdContainer { self.settings.container(for: kind) }

    package func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        try await self.stage(creative, options, report: report)
    }

    /// Loads a creative in a page of its own, hidden; waits if four creatives are shown already.
    ///
    /// A video's stage is returned when its host page is loaded, and reports `ready` when its media file is.
    package func stage(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> BrowserStage {
        do throws(StageFailure) {
            return try await self.load(creative, options, report)
        } catch {
            // The engine has ended, perhaps because of another creative: try once more with a new one.
            guard case .gone = error, !Task.isCancelled else { throw error.error(Engine.explanation) }
        }
        do throws(StageFailure) {
            return try await self.load(creative, options, report)
        } catch {
            throw error.error(Engine.explanation)
        }
    }

    private func load(
        _ creative: Creative,
        _ options: StageOptions,
        _ report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageFailure) -> BrowserStage {
        // One permit for each try: a stage that fails has released its own.
        guard let permit = await self.permits.acquire() else {
            throw .creative(StageError("the presentation was cancelled while it waited for other creatives"))
        }
        let engine = try self.runningEngine()
        let place = try await self.page(for: self.settings.hostPageKind(for: creative, options), in: engine)
        let stage = BrowserStage(
            self.settings.machine(for: creative, options, in: place),
            in: place.page,
            permit: permit,
            fetcher: self.settings.fetcher(),
            store: self.settings.store(),
            notify: { [notify] in notify($0, options.ad) },
            report: report
        )
        self.notify(.started, options.ad)
        try await stage.prepare()
        self.pool.prepare(in: engine)
        return stage
    }

    private func page(
        for kind: HostPageKind?,
        in engine: Engine
    ) async throws(StageFailure) -> PooledPage<Engine.Page> {
        do throws(EngineError) {
            return try await self.pool.page(for: kind, in: engine)
        } catch .gone {
            throw .gone(lastError: engine.lastError)
        } catch .late {
            // An engine that makes no page in time is unusable.
            engine.close()
            throw .gone(lastError: engine.lastError)
        } catch {
            throw .creative(StageError("the creative could not be shown: \(error)"))
        }
    }

    /// The running engine, or a new one.
    private func runningEngine() throws(StageFailure) -> Engine {
        let result: Result<Engine, StageError> = self.state.withLock { state in
            guard !state.isClosed else { return .failure(StageError("the presenter was closed")) }
            if let engine = state.engine, !engine.hasEnded { return .success(engine) }
            do throws(StageError) {
                let engine = try self.start()
                state.engine = engine
                state.engines = state.engines.filter { !$0.isGone } + [engine]
                return .success(engine)
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let engine): return engine
        case .failure(let error): throw .creative(error)
        }
    }
}
