import AdCore
import AdProviders
import AdRuntime

/// The shell of one slot: executes its actions, and passes the events of its ads to it.
@MainActor
final class PlacementSlot {
    private(set) var machine: AdSlot
    private let key: PlacementKey
    private let loader: AdLoader<YabbiPlacement>
    private let delegates: YabbiDelegates
    private let watch: SignalWatch
    private let log: (@Sendable (String) -> Void)?
    private(set) var ads: [AdSlot.Number: Ad] = [:]
    /// The presenters of ads that are shown or about to be.
    private var presenters: [AdSlot.Number: any Presenter] = [:]
    private var alarm: AlarmID?
    /// The size of the next shows, if it is known.
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
        self.updateForeground()
    }

    private var clock: any AdClock { self.loader.services.clock }

    func apply(_ settings: BannerSettings) {
        if self.key.type == .banner { self.handle(.refreshEvery(settings.refreshInterval)) }
    }

    /// Loads an ad for a show of this size; a load that is refused changes nothing.
    func load(for size: Size?) {
        if self.machine.canLoad { self.size = size }
        self.handle(.load)
    }

    func show(on presenter: any Presenter) { self.handle(.show, on: presenter) }

    /// Passes the current signals to the slot: whether the app is in the foreground and nothing covers it.
    func updateForeground() { self.handle(.inFront(self.watch.isInFront)) }

    /// Passes an input to the slot and executes its actions; `presenter` is where a show is to be.
    func handle(_ input: AdSlot.Input, on presenter: (any Presenter)? = nil) {
        for action in self.machine.handle(input, at: self.clock.now) { self.execute(action, on: presenter) }
    }

    private func execute(_ action: AdSlot.Action, on presenter: (any Presenter)?) {
        switch action {
        case .startLoad(let number): self.startLoad(number)
        case .show(let number): self.startShow(number, on: presenter)
        case .replace(let old, with: let number): self.startShow(number, on: self.presenters[old])
        case .destroy(let number): self.forget(number)?.destroy()
        case .call(let callback): self.delegates.call(self.key.type, self.key.name, callback)
        case .setRefresh(let moment):
            self.cancelAlarm()
            self.alarm = self.clock.schedule(at: moment) { [weak self, clock = self.clock] in
                clock.workOnMain { self?.refreshDue() }
            }
        case .cancelRefresh: self.cancelAlarm()
        }
    }

    private func refreshDue() {
        // The last signal may not have reached the main actor yet.
        self.updateForeground()
        self.handle(.refreshDue)
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
            for await event in events { self?.handle(event, of: number) }
        }
        // Its outcome arrives as an event.
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
                // An ad that was over before emits no event. The slot ignores an outcome that it has already.
                self?.end(number, .showFailed(number, error))
            }
        }
    }

    private func handle(_ event: AdEvent, of number: AdSlot.Number) {
        if Yabbi.isDebugging { self.log?("\(self.key.name): \(event.name)") }
        switch event {
        case .loaded: self.handle(.loaded(number))
        case .loadFailed(let error): self.end(number, .loadFailed(number, error))
        case .shown: self.handle(.shown(number))
        case .showFailed(let error): self.end(number, .showFailed(number, error))
        case .view: self.handle(.viewed(number))
        case .rewarded: self.delegates.callReward(self.key.name)
        case .closed: self.end(number, .closed(number))
        case .expired: self.end(number, .expired(number))
        case .loadStarted, .paid, .bid, .auctionEnded, .offerFailed, .click, .linkOpened, .tap, .blocked, .diagnostic,
            .closeAvailable, .quartile, .skipAvailable,
            .skipped, .issue,
            .beaconRecorded, .beaconDelivered, .beaconUnconfirmed, .beaconDead:
            break
        }
    }

    private func end(_ number: AdSlot.Number, _ input: AdSlot.Input) {
        self.forget(number)
        self.handle(input)
    }

    @discardableResult
    private func forget(_ number: AdSlot.Number) -> Ad? {
        self.presenters[number] = nil
        return self.ads.removeValue(forKey: number)
    }
}

extension AdClock {
    /// Runs a closure on the main actor, and counts it as work until it has run.
    func workOnMain(_ body: @escaping @MainActor @Sendable () -> Void) {
        self.workStarted()
        Task { @MainActor in
            body()
            self.workEnded()
        }
    }
}
