public import AdCore
public import AdMarkup
public import AdTrace

/// The services that all loaders of an app share: the network, the clock, the ledger, and what the host provides.
///
/// ```swift
/// let services = AdServices(transport: try CurlTransport())
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

    let timing: AdTiming
    let stage = PresentedAds()

    /// Creates the services of an app.
    ///
    /// - Parameters:
    ///   - transport: The transport for requests and beacons.
    ///   - ledger: Where beacons are recorded. The default loses undelivered beacons when the process ends.
    ///   - credentials: The secrets of beacon requests, by name.
    ///   - opener: Opens click-through URLs. The default opens none and reports so in `linkOpened`.
    ///   - signals: The host's signals. By default nothing is covered and the app is in the foreground.
    ///   - context: The device and user data of requests.
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
        ledger: any BeaconLedger = MemoryLedger(),
        credentials: Credentials = Credentials(),
        opener: any URLOpener = NoOpener(),
        signals: any HostSignals = HostSignalSource(),
        context: ContextSource = ContextSource(),
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
        self.opener = opener
        self.signals = signals
        self.context = context
        self.video = video
        self.wrappers = wrappers
        self.trace = trace
        self.observer = trace.map { TracingObserver($0, next: observer) } ?? observer
        self.random = random
        for secret in credentials.all { trace?.hide(secret) }
        self.timing = AdServices.timing(loading: loadTimeout, presenting: presentTimeout)
        self.beacons = BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: clock,
            credentials: credentials,
            random: random,
            observer: self.observer
        )
        self.beacons.observe(signals)
        // Delivers what an earlier process left in the ledger.
        self.beacons.deliver()
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

/// An opener that opens nothing and reports so.
public struct NoOpener: URLOpener {
    /// Creates an opener.
    public init() {}

    /// Returns false.
    public func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool { false }
}
