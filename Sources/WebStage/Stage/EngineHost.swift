package import AdCore
import SystemSupport

/// A running engine with its pages, which one presenter or several use.
///
/// The engine starts with the first creative and serves all that follow. A few creatives are shown at once; others
/// wait. An engine that has ended is replaced, once for each creative that needs it. The engine ends with `close`, or
/// with the last reference to the host.
package final class EngineHost<Engine: BrowserEngine>: Sendable {
    private struct State {
        var engine: Engine?
        /// All started engines that are not gone yet.
        var engines: [Engine] = []
        var isClosed = false
        /// The last engine that has made a page.
        var proven: ObjectIdentifier?
        /// Why the last engine ended without one; nil if it has made one.
        var failure: StageError?
    }

    /// The maximum number of concurrent creatives.
    let limit: Int
    /// Whether a page shows several creatives one after the other.
    let renewsPages: Bool
    private let start: @Sendable () throws(StageError) -> Engine
    private let permits: AsyncSemaphore
    private let state = Locked(State())
    private let pool: PagePool<Engine>

    /// Creates a host; `start` is called when a creative needs an engine and none runs.
    ///
    /// With `renewsPages`, a page shows several creatives one after the other.
    package init(
        screen: Size,
        limit: Int,
        renewsPages: Bool = false,
        start: @escaping @Sendable () throws(StageError) -> Engine
    ) {
        self.limit = limit
        self.renewsPages = renewsPages
        self.start = start
        self.permits = AsyncSemaphore(limit)
        self.pool = PagePool(screen, renewsPages: renewsPages)
    }

    deinit { self.state.withLock(\.engine)?.close() }

    /// The running engine; nil if none runs.
    package var engine: Engine? { self.state.withLock(\.engine) }

    /// Starts the engine and makes a page in advance, so that the first creative is shown sooner.
    package func warmUp() throws(StageError) {
        do throws(StageFailure) {
            self.pool.prepare(in: try self.runningEngine())
        } catch {
            throw error.error(Engine.explanation)
        }
    }

    /// Why the last engine ended before it made a page; nil if it made one, or none was needed.
    package var startFailure: StageError? { self.state.withLock(\.failure) }

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
        for _ in 0..<self.limit {
            if let permit = await self.permits.acquire() { all.append(permit) }
        }
        for permit in all { permit.release() }
    }

    /// A permit to show one creative; nil if the task was cancelled.
    func acquire() async -> AsyncSemaphore.Permit? { await self.permits.acquire() }

    func page(
        for kind: HostPageKind?,
        in engine: Engine
    ) async throws(StageFailure) -> PooledPage<Engine.Page> {
        do throws(EngineError) {
            let page = try await self.pool.page(for: kind, in: engine)
            self.state.withLock { ($0.proven, $0.failure) = (ObjectIdentifier(engine), nil) }
            return page
        } catch .gone {
            throw self.gone(engine)
        } catch .late {
            // An engine that makes no page in time is unusable.
            engine.close()
            throw self.gone(engine)
        } catch {
            throw .creative(StageError("the creative could not be shown: \(error)"))
        }
    }

    private func gone(_ engine: Engine) -> StageFailure {
        let failure = StageFailure.gone(lastError: engine.lastError)
        self.state.withLock { state in
            guard state.proven != ObjectIdentifier(engine) else { return }
            state.failure = failure.error(Engine.explanation)
        }
        return failure
    }

    /// Takes back the page of a creative that has ended; an intact one may show another creative.
    func takeBack(_ place: PooledPage<Engine.Page>, _ kind: HostPageKind?, isIntact: Bool, in engine: Engine) async {
        await self.pool.takeBack(place, kind, isIntact: isIntact, in: engine)
    }

    /// Makes a page in advance.
    func prepare(in engine: Engine) { self.pool.prepare(in: engine) }

    /// The running engine, or a new one.
    func runningEngine() throws(StageFailure) -> Engine {
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
