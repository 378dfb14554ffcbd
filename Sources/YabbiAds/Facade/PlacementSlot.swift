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
    private let watch: SignalWatch
    private let log: (@Sendable (String) -> Void)?
    private(set) var ads: [AdSlot.Number: Ad] = [:]
    /// Where the ads are shown that were to be shown.
    private var presenters: [AdSlot.Number: any Presenter] = [:]
    private var alarm: AlarmID?
    /// The size of the future shows, where the host knows it.
    private var size: Size?

    init(
        _ key: PlacementKey,
        _ loader: AdLoader<YabbiPlacement>,
        _ delegates: YabbiDelegates,
        _ watch: SignalWatch,
        _ log: (@Sendable (String) -> Void)?
    ) {
        self.key = key
        self.loader = loader
        self.delegates = delegates
        self.watch = watch
        self.log = log
        self.machine = AdSlot(key.type == .banner ? .banner : .fullScreen)
        self.lookAround()
    }

    private var clock: any AdClock { self.loader.services.clock }

    func apply(_ settings: BannerSettings) {
        if self.key.type == .banner { self.put(.refreshEvery(settings.refreshInterval)) }
    }

    /// Loads an ad for a show of this size, where it is known; a load that is refused changes nothing.
    func load(for size: Size?) {
        if self.machine.canLoad { self.size = size }
        self.put(.load)
    }

    func show(on presenter: any Presenter) { self.put(.show, on: presenter) }

    /// Takes notice of whether ads can be seen at all.
    func lookAround() { self.put(.inFront(self.watch.isInFront)) }

    /// Tells the machine and does what it says; the presenter is where the host wants to have an ad shown.
    func put(_ input: AdSlot.Input, on presenter: (any Presenter)? = nil) {
        for action in self.machine.handle(input, at: self.clock.now) { self.carryOut(action, on: presenter) }
    }

    private func carryOut(_ action: AdSlot.Action, on presenter: (any Presenter)?) {
        switch action {
        case .startLoad(let number): self.startLoad(number)
        case .show(let number): self.startShow(number, on: presenter)
        case .replace(let old, with: let number): self.startShow(number, on: self.presenters[old])
        case .destroy(let number): self.forget(number)?.destroy()
        case .tell(let callback): self.delegates.tell(self.key.type, self.key.name, callback)
        case .setRefresh(let moment):
            self.cancelAlarm()
            self.alarm = self.clock.schedule(at: moment) { [weak self, clock = self.clock] in
                clock.workOnMain { self?.refreshDue() }
            }
        case .cancelRefresh: self.cancelAlarm()
        }
    }

    private func refreshDue() {
        // A signal may still be on its way here.
        self.lookAround()
        self.put(.refreshDue)
    }

    private func cancelAlarm() {
        if let alarm { self.clock.cancel(alarm) }
        self.alarm = nil
    }

    private var placement: YabbiPlacement {
        switch self.key.type {
        case .banner: .banner(unit: self.key.name, size: self.size)
        case .interstitial: .interstitial(unit: self.key.name, size: self.size)
        case .rewarded: .rewarded(unit: self.key.name, size: self.size)
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

    private func startShow(_ number: AdSlot.Number, on presenter: (any Presenter)?) {
        guard let ad = self.ads[number], let presenter else {
            preconditionFailure("A slot shows an ad that it loaded, on a presenter that it was given.")
        }
        self.presenters[number] = presenter
        Task { [weak self] in
            do throws(AdError) {
                try await ad.show(on: presenter)
            } catch {
                // An ad that was over by then emits nothing any more; what the slot knows already it takes for late.
                self?.end(number, .showFailed(number, error))
            }
        }
    }

    private func hear(_ event: AdEvent, of number: AdSlot.Number) {
        if Yabbi.isDebugging { self.log?("\(self.key.name): \(event.name)") }
        switch event {
        case .loaded: self.put(.loaded(number))
        case .loadFailed(let error): self.end(number, .loadFailed(number, error))
        case .shown: self.put(.shown(number))
        case .showFailed(let error): self.end(number, .showFailed(number, error))
        case .view: self.put(.viewed(number))
        case .rewarded: self.delegates.tellReward(self.key.name)
        case .closed: self.end(number, .closed(number))
        case .expired: self.end(number, .expired(number))
        case .loadStarted, .click, .linkOpened, .tap, .blocked, .diagnostic, .closeAvailable, .quartile, .skipAvailable,
            .skipped, .issue,
            .beaconRecorded, .beaconDelivered, .beaconUnconfirmed, .beaconDead:
            break
        }
    }

    private func end(_ number: AdSlot.Number, _ input: AdSlot.Input) {
        self.forget(number)
        self.put(input)
    }

    @discardableResult
    private func forget(_ number: AdSlot.Number) -> Ad? {
        self.presenters[number] = nil
        return self.ads.removeValue(forKey: number)
    }
}

extension AdClock {
    /// Does something on the main actor, as a piece of work in hand until it is done.
    func workOnMain(_ body: @escaping @MainActor @Sendable () -> Void) {
        self.workBegan()
        Task { @MainActor in
            body()
            self.workEnded()
        }
    }
}
