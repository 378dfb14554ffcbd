package import AdCore
import SystemSupport

/// Shows creatives in an engine, each in a page of its own.
package final class EnginePresenter<Engine: BrowserEngine>: Presenter {
    /// The maximum number of concurrent creatives of an engine.
    package static var limit: Int { 4 }

    private let settings: StageSettings
    private let notify: @Sendable (StageNotification, AdID) -> Void
    /// The engine; other presenters may use it too.
    package let host: EngineHost<Engine>

    /// Creates a presenter with an engine of its own; `start` is called when a creative needs it and it does not run.
    package convenience init(
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in },
        start: @escaping @Sendable () throws(StageError) -> Engine
    ) {
        let host = EngineHost(screen: settings.screen, limit: EnginePresenter.limit, start: start)
        self.init(settings, in: host, notify: notify)
    }

    /// Creates a presenter in an engine that is shared.
    package init(
        _ settings: StageSettings,
        in host: EngineHost<Engine>,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) {
        self.settings = settings
        self.host = host
        self.notify = notify
    }

    /// The running engine; nil if none runs.
    package var engine: Engine? { self.host.engine }

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
        guard let permit = await self.host.acquire() else {
            throw .creative(StageError("the presentation was cancelled while it waited for other creatives"))
        }
        let engine = try self.host.runningEngine()
        let kind = self.settings.hostPageKind(for: creative, options)
        let place = try await self.host.page(for: kind, in: engine)
        let stage = BrowserStage(
            self.settings.machine(for: creative, options, in: place),
            in: place.page,
            permit: permit,
            release: { [host] in await host.takeBack(place, kind, isIntact: $0, in: engine) },
            usesPageAgain: self.host.renewsPages,
            fetcher: self.settings.fetcher(),
            store: self.settings.store(),
            notify: { [notify] in notify($0, options.ad) },
            report: report
        )
        if let device = self.settings.device {
            place.page.send(.emulate(device, in: place.page.target))
            // A page that was made ahead of time is laid out as a phone's.
            if !device.isMobile { place.page.send(.setScreen(self.settings.screen, in: place.page.target)) }
        }
        if let network = self.settings.network { place.page.send(.throttle(network, in: place.page.target)) }
        self.notify(.started, options.ad)
        try await stage.prepare()
        // Not at once: the first creative of an engine is about to be drawn.
        place.page.schedule(after: .milliseconds(300)) { [host] in host.prepare(in: engine) }
        return stage
    }
}
