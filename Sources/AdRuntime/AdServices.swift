public import AdCore
public import AdMarkup
public import AdTrace

/// What all loaders of an app share: the network, the clock, the ledger, and what the host brings.
///
/// ```swift
/// let services = AdServices(transport: try CurlTransport())
/// let loader = AdLoader(provider, services: services)
/// ```
public struct AdServices: Sendable {
    /// Carries requests and beacons.
    public let transport: any Transport
    /// The time that ads live by.
    public let clock: any AdClock
    /// Delivers beacons.
    public let beacons: BeaconDispatcher
    /// The secrets that beacons need.
    public let credentials: Credentials
    /// Opens links.
    public let opener: any URLOpener
    /// Says whether ads can be seen.
    public let signals: any HostSignals
    /// What is known of the device.
    public let context: ContextSource
    /// Which videos can be played, and are wanted.
    public let video: VideoPolicy
    /// How far the wrappers of a video are followed.
    public let wrappers: VASTChainLimits
    /// Sees everything.
    public let observer: (any AdObserver)?
    /// Writes down what happens to ads and what they made of it; nil where nobody wants to run it again.
    public let trace: TraceRecorder?
    /// 64 random bits at a time, for ids and jitter.
    public let random: @Sendable () -> UInt64

    let timing: AdTiming
    let stage = PresentedAds()

    /// Brings services together.
    ///
    /// - Parameters:
    ///   - transport: Carries requests and beacons.
    ///   - ledger: Keeps beacons. The default forgets what is undelivered when the process ends.
    ///   - credentials: The secrets that beacons need, by their names.
    ///   - opener: Opens links. The default opens none, which `linkOpened` says.
    ///   - signals: Says whether ads can be seen. The default: always.
    ///   - context: What is known of the device.
    ///   - clock: The time that ads live by.
    ///   - video: Which videos can be played, and are wanted.
    ///   - wrappers: How far the wrappers of a video are followed.
    ///   - loadTimeout: How long a load may take.
    ///   - presentTimeout: How long a stage may take until it shows a creative.
    ///   - observer: Sees everything.
    ///   - trace: Writes down what happens to ads and what they made of it, to be run again by `yabbi-play replay`.
    ///   - random: 64 random bits at a time.
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
        self.transport = transport
        self.credentials = credentials
        self.clock = clock
        self.opener = opener
        self.signals = signals
        self.context = context
        self.video = video
        self.wrappers = wrappers
        self.trace = trace
        self.observer = trace.map { TracingObserver($0, next: observer) } ?? observer
        self.random = random
        for secret in credentials.all { trace?.hide(secret) }
        var timing = AdTiming()
        timing.loading = min(max(.zero, loadTimeout), AdServices.longestPatience)
        timing.presenting = min(max(.zero, presentTimeout), AdServices.longestPatience)
        self.timing = timing
        self.beacons = BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: clock,
            credentials: credentials,
            random: random,
            observer: self.observer
        )
        self.beacons.observe(signals)
        // What the last process left in the ledger goes out now.
        self.beacons.deliver()
    }

    /// The longest time that anything waits: beyond it there is no telling it from for ever.
    static let longestPatience = Duration.seconds(24 * 60 * 60)
}

/// An opener that opens nothing and says so.
public struct NoOpener: URLOpener {
    /// An opener.
    public init() {}

    /// Opens nothing.
    public func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool { false }
}
