public import AdCore
public import AdMarkup
public import AdTrace
import SystemSupport

/// The services that all loaders of an app share: the network, the clock, the ledger, and what the host provides.
///
/// ```swift
/// let services = AdServices(transport: try CurlTransport(), opener: opener)
/// let loader = AdLoader(provider, services: services)
/// ```
public struct AdServices: Sendable {
    /// The transport for requests and beacons.
    public let transport: any Transport
    /// The clock of all ads and beacons.
    public let clock: any AdClock
    /// The dispatcher that records and delivers beacons.
    public let beacons: BeaconDispatcher
    /// The secrets of beacon requests, by name.
    public let credentials: Credentials
    /// The opener of click-through URLs.
    public let opener: any URLOpener
    /// The host's signals: covered, background, network.
    public let signals: any HostSignals
    /// The source of the device and user data of requests.
    public let context: ContextSource
    /// The video formats that can be played, and the preferences among them.
    public let video: VideoPolicy
    /// The limits of VAST wrapper chains.
    public let wrappers: VASTChainLimits
    /// The observer of every event of every ad.
    public let observer: (any AdObserver)?
    /// The recorder of inputs and actions for a replay; nil for none.
    public let trace: TraceRecorder?
    /// Returns 64 random bits, for ids and jitter.
    public let random: @Sendable () -> UInt64

    /// Counts views for the frequency caps; nil without caps.
    let views: ViewCounter?
    /// The issues of the last load: those of the next one are mostly the same, and their ads then share one list.
    private let lastSetupIssues = Locked<[AdIssue]>([])
    /// Whether the host reports its signals.
    private let hasSignals: Bool
    var timing: AdTiming { self.boxedTiming.value }
    let boxedTiming: Boxed<AdTiming>
    let stage = PresentedAds()

    /// Creates the services of an app.
    ///
    /// - Parameters:
    ///   - transport: The transport for requests and beacons.
    ///   - opener: Opens click-through URLs. A click is billed, so it must lead somewhere.
    ///   - ledger: Where beacons are recorded. The default loses undelivered beacons when the process ends.
    ///   - credentials: The secrets of beacon requests, by name.
    ///   - signals: The host's signals. Without them an ad counts as seen whenever it is on screen, also in the
    ///     background and behind another screen, and an issue of each load says so.
    ///   - context: The device and user data of requests. A load without a User-Agent has an issue.
    ///   - caps: How often ads may be viewed. Views are counted across restarts if the ledger is a `SQLiteLedger`.
    ///   - clock: The clock of all ads and beacons.
    ///   - video: The video formats that can be played, and the preferences among them.
    ///   - wrappers: The limits of VAST wrapper chains.
    ///   - loadTimeout: How long a load may take.
    ///   - presentTimeout: How long a stage may take to present a creative.
    ///   - observer: Observes every event of every ad.
    ///   - trace: Records inputs and actions for `yabbi-play replay`.
    ///   - random: Returns 64 random bits.
    public init(
        transport: any Transport,
        opener: any URLOpener,
        ledger: any BeaconLedger = MemoryLedger(),
        credentials: Credentials = Credentials(),
        signals: (any HostSignals)? = nil,
        context: ContextSource = ContextSource(),
        caps: [FrequencyCap] = [],
        clock: any AdClock = SystemClock(),
        video: VideoPolicy = VideoPolicy(),
        wrappers: VASTChainLimits = .standard,
        loadTimeout: Duration = .seconds(10),
        presentTimeout: Duration = .seconds(10),
        observer: (any AdObserver)? = nil,
        trace: TraceRecorder? = nil,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
        (self.transport, self.credentials, self.clock) = (transport, credentials, clock)
        (self.opener, self.context, self.trace) = (opener, context, trace)
        (self.signals, self.hasSignals) = (signals ?? HostSignalSource(), signals != nil)
        self.views = ViewCounter(caps, ledger: ledger, clock: clock, random: random)
        (self.video, self.wrappers) = (video, wrappers)
        self.observer = trace.map { TracingObserver($0, next: observer) } ?? observer
        self.random = random
        for secret in credentials.all { trace?.hide(secret) }
        self.boxedTiming = Boxed(AdServices.timing(loading: loadTimeout, presenting: presentTimeout))
        self.beacons = BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: clock,
            credentials: credentials,
            random: random,
            observer: self.observer,
            withheldIdentifiers: context.withheldIdentifiers
        )
        self.beacons.observe(self.signals)
        // Delivers what an earlier process left in the ledger. The consent decides what it may contain.
        self.deliver()
    }

    /// Delivers what is in the ledger, as soon as the consent is known that decides what it may contain.
    private func deliver() {
        guard let consent = self.context.consent, consent.current == nil else { return self.beacons.deliver() }
        let (beacons, clock) = (self.beacons, self.clock)
        let deadline = clock.now + min(max(.zero, self.context.timeout), Self.maximumTimeout)
        clock.work {
            await consent.refresh(by: clock, until: deadline)
            beacons.deliver()
        }
    }

    /// The error of a load or a show that a frequency cap does not allow; nil if it is allowed.
    func refusal(of ad: CappedAd) -> AdError? { self.views?.reached(by: ad)?.error() }

    /// What is missing in the setup of an app that a load depends on, and what of the consent can't be read.
    func setupIssues(_ context: AdContext) -> [AdIssue] {
        var issues: [AdIssue] = []
        if context.userAgent?.isEmpty ?? true {
            let text = "requests and beacons have no User-Agent, and many servers do not count such impressions"
            issues.append(AdIssue("setup.userAgent", at: .whole, "\(text); give that of the web view to the context"))
        }
        if !self.hasSignals {
            let text = "the host reports no signals, so views in the background or behind another screen are counted"
            issues.append(AdIssue("setup.signals", at: .whole, "\(text); give signals to the services, and post them"))
        }
        issues += context.consent.issues + ConsentSignals(context.consent).issues
        return self.lastSetupIssues.withLock { last in
            if last != issues { last = issues }
            return last
        }
    }

    private static func timing(loading: Duration, presenting: Duration) -> AdTiming {
        var timing = AdTiming()
        timing.loading = min(max(.zero, loading), self.maximumTimeout)
        timing.presenting = min(max(.zero, presenting), self.maximumTimeout)
        return timing
    }

    /// The upper bound of every timeout.
    static let maximumTimeout = Duration.seconds(24 * 60 * 60)
}

/// An opener that opens nothing and reports so, for tests and for ads without links.
public struct NoOpener: URLOpener {
    /// Creates an opener.
    public init() {}

    /// Returns false.
    public func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool { false }
}
