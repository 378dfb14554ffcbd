import AdCore
import AdProviders
import AdRuntime

/// The shell around one slot: carries out its actions, and hears what its ads do.
@MainActor
final class PlacementSlot {
    private(set) var machine: AdSlot
    private let key: PlacementKey
    private let loader: AdLoader<YabbiPlacement>
    private let delegates: YabbiDelegates
    private let log: (@Sendable (String) -> Void)?
    private var ads: [AdSlot.Number: Ad] = [:]
    private var presenter: (any Presenter)?
    private var alarm: AlarmID?

    init(
        _ key: PlacementKey,
        _ loader: AdLoader<YabbiPlacement>,
        _ delegates: YabbiDelegates,
        _ log: (@Sendable (String) -> Void)?
    ) {
        self.key = key
        self.loader = loader
        self.delegates = delegates
        self.log = log
        self.machine = AdSlot(key.type == .banner ? .banner : .fullScreen)
    }

    private var clock: any AdClock { self.loader.services.clock }

    func apply(_ settings: BannerSettings) {
        if self.key.type == .banner { self.put(.refreshEvery(settings.refreshInterval)) }
    }

    func show(on presenter: any Presenter) {
        self.presenter = presenter
        self.put(.show)
    }

    func put(_ input: AdSlot.Input) {
        for action in self.machine.handle(input, at: self.clock.now) { self.carryOut(action) }
    }

    private func carryOut(_ action: AdSlot.Action) {
        switch action {
        case .startLoad(let number): self.startLoad(number)
        case .show(let number): self.startShow(number)
        case .destroy(let number): self.ads.removeValue(forKey: number)?.destroy()
        case .tell(let callback): self.delegates.tell(self.key.type, self.key.name, callback)
        case .setRefresh(let moment):
            self.cancelAlarm()
            self.alarm = self.clock.schedule(at: moment) { [weak self] in
                self?.clock(fired: .refreshDue)
            }
        case .cancelRefresh: self.cancelAlarm()
        }
    }

    nonisolated private func clock(fired input: AdSlot.Input) {
        Task { @MainActor in self.put(input) }
    }

    private func cancelAlarm() {
        if let alarm { self.clock.cancel(alarm) }
        self.alarm = nil
    }

    private var placement: YabbiPlacement {
        switch self.key.type {
        case .banner: .banner(unit: self.key.name)
        case .interstitial: .interstitial(unit: self.key.name)
        case .rewarded: .rewarded(unit: self.key.name)
        }
    }

    private func startLoad(_ number: AdSlot.Number) {
        let ad = self.loader.ad(for: self.placement)
        self.ads[number] = ad
        let events = ad.events
        Task { [weak self] in
            for await event in events { self?.hear(event, of: number) }
        }
        // How it ends is heard as an event.
        Task { try? await ad.load() }
    }

    private func startShow(_ number: AdSlot.Number) {
        guard let ad = self.ads[number], let presenter = self.presenter else {
            preconditionFailure("A slot shows an ad that it loaded, on a presenter that it was given.")
        }
        Task { try? await ad.show(on: presenter) }
    }

    private func hear(_ event: AdEvent, of number: AdSlot.Number) {
        if Yabbi.isDebugging { self.log?("\(self.key.name): \(event.name)") }
        switch event {
        case .loaded: self.put(.loaded(number))
        case .loadFailed(let error): self.fail(number) { .loadFailed($0, error) }
        case .shown: self.put(.shown(number))
        case .showFailed(let error): self.fail(number) { .showFailed($0, error) }
        case .view: self.put(.viewed(number))
        case .rewarded: self.delegates.tellReward(self.key.name)
        case .closed:
            self.ads[number] = nil
            self.put(.closed(number))
        case .expired:
            self.ads[number] = nil
            self.put(.expired(number))
        case .loadStarted, .click, .linkOpened, .blocked, .closeAvailable, .skipAvailable, .skipped, .issue,
            .beaconRecorded, .beaconDelivered, .beaconUnconfirmed, .beaconDead:
            break
        }
    }

    private func fail(_ number: AdSlot.Number, _ input: (AdSlot.Number) -> AdSlot.Input) {
        self.ads[number] = nil
        self.put(input(number))
    }
}
