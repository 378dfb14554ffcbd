import AdCore
import AdProviders
import AdRuntime
import SystemSupport

/// The slot of one placement, whose inputs and callbacks are handled on the main actor.
@MainActor
final class PlacementSlot {
    private let shell: SlotShell
    /// The size of the next shows, if the host knows it.
    private let size: Locked<Size?>
    private let key: PlacementKey
    private let rules: FacadeRules

    init(
        _ key: PlacementKey,
        _ loader: AdLoader<YabbiPlacement>,
        _ delegates: YabbiDelegates,
        _ rules: FacadeRules,
        _ reward: AdReward?,
        _ log: (@Sendable (String) -> Void)?
    ) {
        let size = Locked<Size?>(nil)
        self.key = key
        self.size = size
        self.rules = rules
        let clock = loader.services.clock
        let hasStarted = Locked(false)
        // Commands are called on the main actor, and everything else gets there by `hop`.
        let owner = SlotShell.Owner(
            hop: { body in clock.workOnMain(body) },
            event: { event in
                MainActor.assumeIsolated {
                    if Yabbi.isDebugging { log?("\(key.name): \(event.name)") }
                    switch event {
                    case .shown: hasStarted.withLock { $0 = false }
                    case .quartile(0, _) where key.type == .rewarded:
                        // Of a pod, only the start of the first video is that of the ad.
                        if hasStarted.withLock({ Self.isFirst(&$0) }) { delegates.callStart(key.name) }
                    case .rewarded(let reward): delegates.callReward(reward, key.name)
                    default: break
                    }
                }
            },
            call: { callback in MainActor.assumeIsolated { delegates.call(key.type, key.name, callback) } }
        )
        self.shell = SlotShell(key.type == .banner ? .banner : .fullScreen, loader, owner: owner) {
            loader.ad(for: key.placement(size.withLock { $0 }, reward))
        }
    }

    private nonisolated static func isFirst(_ hasHappened: inout Bool) -> Bool {
        defer { hasHappened = true }
        return !hasHappened
    }

    var machine: SlotMachine { self.shell.machine }

    /// The ads that are loading, loaded or on screen.
    var ads: [Ad] { self.shell.ads }

    func apply(_ settings: BannerSettings) {
        if self.key.type == .banner { self.shell.handle(.refreshEvery(settings.refreshInterval)) }
    }

    /// Loads an ad for a show of this size; a load that is refused changes nothing.
    func load(for size: Size?) {
        if self.machine.canLoad { self.size.withLock { $0 = size } }
        self.shell.handle(.load)
    }

    func show(on presenter: any Presenter) {
        self.updateRewardUser()
        self.shell.handle(.show, on: presenter)
    }

    /// Tells the ads who earns the reward.
    func updateRewardUser() {
        guard self.key.type == .rewarded else { return }
        let user = self.rules.rewardUser
        for ad in self.ads { ad.setRewardVerification(userID: user.id, customData: user.customData) }
    }

    /// Sets whether the placement's place is visible.
    func setVisible(_ isVisible: Bool) { self.shell.handle(.visible(ratio: isVisible ? 1 : 0)) }

    /// Ends the placement's ads.
    func destroy() { self.shell.handle(.close) }
}

extension PlacementKey {
    /// The placement of the provider, for a show of this size.
    fileprivate func placement(_ size: Size?, _ reward: AdReward?) -> YabbiPlacement {
        switch self.type {
        case .banner: .banner(unit: self.name, size: size)
        case .interstitial: .interstitial(unit: self.name, size: size)
        case .rewarded: .rewarded(unit: self.name, size: size, reward: reward)
        }
    }
}

extension AdClock {
    /// Runs a closure on the main actor, and counts it as work until it has run.
    fileprivate func workOnMain(_ body: @escaping @Sendable () -> Void) {
        self.workStarted()
        Task { @MainActor in
            body()
            self.workEnded()
        }
    }
}
