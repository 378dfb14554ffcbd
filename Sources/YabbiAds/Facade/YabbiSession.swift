public import AdCore
import AdProviders
public import AdRuntime
import SystemSupport

/// What `Yabbi.initialize` needs besides the publisher's id.
public struct YabbiConfiguration: Sendable {
    /// The URL of the load call.
    public var endpoint: HTTPURL
    /// The app's bundle identifier.
    public var bundle: String
    /// The app's name.
    public var appName: String
    /// The network, clock, ledger and host services.
    public var services: AdServices
    /// Receives every event while `enableDebug` is on.
    public var log: (@Sendable (String) -> Void)?
    /// What rewarded videos earn where the ad response does not say it, and the URL that verifies it; its user is the
    /// `userId` of `setCustomParams`.
    public var reward: AdReward?

    /// A configuration.
    public init(
        endpoint: HTTPURL,
        bundle: String,
        appName: String,
        services: AdServices,
        reward: AdReward? = nil,
        log: (@Sendable (String) -> Void)? = nil
    ) {
        self.endpoint = endpoint
        self.bundle = bundle
        self.appName = appName
        self.services = services
        self.reward = reward
        self.log = log
    }
}

/// Settings of the host that apply to all placements, readable from any thread.
final class FacadeRules: Sendable {
    private struct State {
        var hasConsent = true
        var hasCloseButton = true
        var hiddenBanners: Set<String> = []
        var params: [String: String] = [:]
    }

    private let state = Locked(State())

    /// Whether the user consents to be identified; true by default.
    var hasConsent: Bool {
        get { self.state.withLock { $0.hasConsent } }
        set { self.state.withLock { $0.hasConsent = newValue } }
    }

    /// Whether banners have a close button.
    var hasCloseButton: Bool {
        get { self.state.withLock { $0.hasCloseButton } }
        set { self.state.withLock { $0.hasCloseButton = newValue } }
    }

    /// The banner placements that are not visible.
    ///
    /// This is a property of the host's screen: it can be set before there is a session, and outlives the placement's ads.
    var hiddenBanners: Set<String> {
        get { self.state.withLock { $0.hiddenBanners } }
        set { self.state.withLock { $0.hiddenBanners = newValue } }
    }

    /// The parameters of `setCustomParams`.
    var params: [String: String] {
        get { self.state.withLock { $0.params } }
        set { self.state.withLock { $0.params = newValue } }
    }

    /// Who earns a reward, and what the app wants to be told when it is verified; nobody without consent.
    var rewardUser: RewardUser {
        self.state.withLock { state in
            guard state.hasConsent else { return RewardUser() }
            return RewardUser(id: state.params["userId"], customData: state.params["customData"])
        }
    }

    /// Restores the defaults.
    func reset() { self.state.withLock { $0 = State() } }
}

/// A placement by type and name.
struct PlacementKey: Hashable {
    let type: YabbiAdType
    let name: String

    init(_ type: YabbiAdType, _ name: String) {
        self.type = type
        self.name = name
    }
}

/// The state after `initialize`: a loader, and the placements that were used.
@MainActor
final class YabbiSession {
    private let app: YabbiApp
    private let endpoint: HTTPURL
    private let loader: AdLoader<YabbiPlacement>
    private let delegates: YabbiDelegates
    private let rules: FacadeRules
    private let log: (@Sendable (String) -> Void)?
    private let reward: AdReward?
    private var placements: [PlacementKey: PlacementSlot] = [:]
    private var settings = BannerSettings()

    init(
        publisherID: String,
        _ configuration: YabbiConfiguration,
        _ delegates: YabbiDelegates,
        _ rules: FacadeRules
    ) throws(AdError) {
        guard !publisherID.trimmed.isEmpty else {
            throw AdError(.invalidRequest, "the publisher's id is empty; take it from YABBI's web interface")
        }
        let app = YabbiApp(publisherID: publisherID, bundle: configuration.bundle, name: configuration.appName)
        self.app = app
        self.endpoint = configuration.endpoint
        let provider = RuledProvider(inner: YabbiProvider(endpoint: configuration.endpoint, app: app), rules: rules)
        self.loader = AdLoader(provider, services: configuration.services)
        configuration.services.context.limitTracking(!rules.hasConsent)
        self.delegates = delegates
        self.rules = rules
        self.log = configuration.log
        self.reward = configuration.reward
    }

    /// The error of a second `initialize`; nil if its arguments are those of the first.
    func difference(to publisherID: String, _ configuration: YabbiConfiguration) -> AdError? {
        let app = YabbiApp(publisherID: publisherID, bundle: configuration.bundle, name: configuration.appName)
        let values = [
            ("publisher", self.app.publisherID, app.publisherID), ("bundle", self.app.bundle, app.bundle),
            ("app name", self.app.name, app.name), ("endpoint", self.endpoint.text, configuration.endpoint.text),
        ]
        let others = values.filter { $0.1 != $0.2 }.map(\.0)
        guard !others.isEmpty else { return nil }
        let text = "Yabbi is initialized with another \(others.joined(separator: " and ")), which stays in use"
        return AdError(.alreadyInitialized, "\(text); call initialize once, when the app starts")
    }

    func slot(_ type: YabbiAdType, _ name: String) -> SlotMachine? {
        self.placements[PlacementKey(type, name)]?.machine
    }

    func placement(_ type: YabbiAdType, _ name: String) -> PlacementSlot {
        let key = PlacementKey(type, name)
        if let known = self.placements[key] { return known }
        let slot = PlacementSlot(key, self.loader, self.delegates, self.rules, self.reward, self.log)
        slot.apply(self.settings)
        if type == .banner, self.rules.hiddenBanners.contains(name) { slot.setVisible(false) }
        self.placements[key] = slot
        return slot
    }

    func apply(_ settings: BannerSettings) {
        self.settings = settings
        for slot in self.placements.values { slot.apply(settings) }
    }

    /// Applies the user's consent; without it, what was loaded with it and is not on screen is dropped.
    func applyConsent() {
        self.loader.services.context.limitTracking(!self.rules.hasConsent)
        self.updateRewardUser()
    }

    /// Tells the ads of rewarded placements who earns the reward; what is set when it is earned counts.
    func updateRewardUser() { for slot in self.placements.values { slot.updateRewardUser() } }

    func setBannerVisible(_ isVisible: Bool, _ name: String) {
        self.placements[PlacementKey(.banner, name)]?.setVisible(isVisible)
    }

    func destroy(_ matches: (PlacementKey) -> Bool) {
        let destroyed = self.placements.filter { matches($0.key) }
        // All are removed before any callback: a host that loads again in a callback gets a new placement.
        for key in destroyed.keys { self.placements[key] = nil }
        for slot in destroyed.values { slot.destroy() }
    }
}

/// YABBI's provider with the host's settings applied: banners have no close button if the host turned it off.
struct RuledProvider: AdProvider {
    let inner: YabbiProvider
    let rules: FacadeRules
    var name: ProviderName { self.inner.name }

    func placementName(of placement: YabbiPlacement) -> String? { self.inner.placementName(of: placement) }

    func request(for placement: YabbiPlacement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        try self.inner.request(for: placement, in: context)
    }

    func offers(
        from response: AdHTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        let batch = try self.inner.offers(from: response, for: placement, in: context)
        guard placement.format == .banner, !self.rules.hasCloseButton else { return batch }
        return OfferBatch(batch.proposals.map { $0.closedByHost }, issues: batch.issues)
    }
}

extension Proposal {
    fileprivate var closedByHost: Proposal {
        guard case .offer(var offer) = self else { return self }
        offer.rules.closeControl = .host
        return .offer(offer)
    }
}
