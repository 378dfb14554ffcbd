import AdCore
import AdRuntime
import SystemSupport

/// A provider with a fake clock, transport, presenter, opener and observer.
final class ConformanceScene<Provider: AdProvider>: Sendable {
    let clock = ManualClock()
    let observer = RecordingObserver()
    let opener = RecordingOpener()
    let presenter = RecordingPresenter()
    let transport: ScriptedTransport
    let loader: AdLoader<Provider.Placement>
    private let placement: Provider.Placement

    init(
        _ provider: Provider,
        _ placement: Provider.Placement,
        _ outcome: @escaping @Sendable () -> ScriptedTransport.Outcome
    ) {
        self.placement = placement
        self.transport = ScriptedTransport(clock: self.clock) { request in
            // Only beacons have this header.
            request.headers["Idempotency-Key"] == nil ? outcome() : .status(200)
        }
        let random = Locked(SplitMix(seed: 1))
        self.loader = AdLoader(
            provider,
            services: AdServices(
                transport: self.transport,
                opener: self.opener,
                clock: self.clock,
                observer: self.observer,
                random: { random.withLock { $0.next() } }
            )
        )
    }

    /// The events of an ad so far.
    func events(of ad: Ad) -> [AdEvent] { self.observer.records.filter { $0.ad == ad.id }.map(\.event) }

    /// The keys of the beacons that were sent.
    var keys: [String] { self.transport.requests.compactMap { $0.headers["Idempotency-Key"] } }

    /// An ad that is not loaded yet.
    func ad() -> Ad { self.loader.ad(for: self.placement) }

    /// Loads an ad; returns the error if that fails.
    func load(_ ad: Ad) async -> AdError? {
        do throws(AdError) {
            try await ad.load()
            return nil
        } catch {
            return error
        }
    }

    /// Loads an ad while time advances, for a silent server; returns the error if that fails.
    func loadWhileTimePasses(_ ad: Ad) async -> AdError? {
        let outcome = OneShot<AdError?>()
        Task { outcome.set(await self.load(ad)) }
        // From its first event on the load counts as work, which the clock waits for.
        while self.events(of: ad).isEmpty { await Task.yield() }
        await self.clock.advance(by: .seconds(200))
        ad.destroy()
        return await outcome.value
    }

    /// Shows an ad and starts its video; returns the error if that fails.
    func show(_ ad: Ad) async -> AdError? {
        do throws(AdError) {
            try await ad.show(on: self.presenter)
        } catch {
            return error
        }
        if case .video = ad.offer?.creative { self.presenter.report(.video(.started(duration: .seconds(15)))) }
        await self.clock.settle()
        return nil
    }
}
