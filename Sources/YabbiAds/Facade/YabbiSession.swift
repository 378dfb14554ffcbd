public import AdCore
import AdProviders
public import AdRuntime
import SystemLock

/// What the facade needs besides the publisher's id.
public struct YabbiConfiguration: Sendable {
    /// The whole address of the load call.
    public var endpoint: HTTPURL
    /// The app's technical name.
    public var bundle: String
    /// The app's name.
    public var appName: String
    /// Network, clock, ledger, and what the host brings.
    public var services: AdServices
    /// Where every event goes while `enableDebug` is on.
    public var log: (@Sendable (String) -> Void)?

    /// A configuration.
    public init(
        endpoint: HTTPURL,
        bundle: String,
        appName: String,
        services: AdServices,
        log: (@Sendable (String) -> Void)? = nil
    ) {
        self.endpoint = endpoint
        self.bundle = bundle
        self.appName = appName
        self.services = services
        self.log = log
    }
}

/// What the host has said once and for all, read from wherever a request is made.
final class FacadeRules: Sendable {
    private let state = Locked((hasConsent: true, hasCloseButton: true))

    /// Whether the user agrees to be recognised.
    var hasConsent: Bool {
        get { self.state.withLock { $0.hasConsent } }
        set { self.state.withLock { $0.hasConsent = newValue } }
    }

    /// Whether banners have a close button.
    var hasCloseButton: Bool {
        get { self.state.withLock { $0.hasCloseButton } }
        set { self.state.withLock { $0.hasCloseButton = newValue } }
    }
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

/// What `initialize` makes: a loader, and the placements that were used.
@MainActor
final class YabbiSession {
    private let loader: AdLoader<YabbiPlacement>
    private let delegates: YabbiDelegates
    private let watch: SignalWatch
    private let log: (@Sendable (String) -> Void)?
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
        let provider = RuledProvider(inner: YabbiProvider(endpoint: configuration.endpoint, app: app), rules: rules)
        self.loader = AdLoader(provider, services: configuration.services)
        self.delegates = delegates
        self.watch = SignalWatch(configuration.services.signals)
        self.log = configuration.log
        self.watch.onChange { [weak self, clock = configuration.services.clock] in
            clock.workOnMain { self?.lookAround() }
        }
    }

    private func lookAround() {
        for slot in self.placements.values { slot.lookAround() }
    }

    func slot(_ type: YabbiAdType, _ name: String) -> AdSlot? { self.placements[PlacementKey(type, name)]?.machine }

    func placement(_ type: YabbiAdType, _ name: String) -> PlacementSlot {
        let key = PlacementKey(type, name)
        if let known = self.placements[key] { return known }
        let slot = PlacementSlot(key, self.loader, self.delegates, self.watch, self.log)
        slot.apply(self.settings)
        self.placements[key] = slot
        return slot
    }

    func apply(_ settings: BannerSettings) {
        self.settings = settings
        for slot in self.placements.values { slot.apply(settings) }
    }

    func destroy(_ matches: (PlacementKey) -> Bool) {
        for (key, slot) in self.placements where matches(key) {
            self.placements[key] = nil
            slot.put(.destroy)
        }
    }
}

/// YABBI's provider under the host's rules: neither identifier nor place of a user who does not agree is sent, and a
/// banner has no close button where the host wants none.
struct RuledProvider: AdProvider {
    let inner: YabbiProvider
    let rules: FacadeRules
    var name: ProviderName { self.inner.name }

    func request(for placement: YabbiPlacement, in context: AdContext) throws(AdError) -> HTTPRequest {
        var context = context
        if !self.rules.hasConsent {
            context.ifa = nil
            context.location = nil
        }
        return try self.inner.request(for: placement, in: context)
    }

    func offers(
        from response: HTTPResponse,
        for placement: YabbiPlacement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        let batch = try self.inner.offers(from: response, for: placement, in: context)
        guard placement.format == .banner, !self.rules.hasCloseButton else { return batch }
        return OfferBatch(offers: batch.offers.map { $0.closedByHost }, issues: batch.issues, freshFor: batch.freshFor)
    }
}

extension Offer {
    fileprivate var closedByHost: Offer {
        var terms = self.terms
        terms.closeControl = .host
        return Offer(
            provider: self.provider,
            creative: self.creative,
            terms: terms,
            size: self.size,
            beacons: self.beacons,
            issues: self.issues
        )
    }
}
