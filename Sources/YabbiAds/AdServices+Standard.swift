public import AdCore
public import AdRuntime
public import AdTrace
import SQLiteLedger

#if canImport(Darwin)
    import URLSessionTransport
#else
    import CurlTransport
#endif

extension AdServices {
    /// Everything an app needs: the system's network, real time, and beacons that survive the process.
    ///
    /// With a folder, beacons that the last process left there are delivered at once. Several processes may share
    /// it. If the folder can't be used, ads load all the same: beacons are kept in memory, and an issue of the ad
    /// says why.
    ///
    /// ```swift
    /// let services = try AdServices.standard(
    ///     opener: opener,
    ///     beaconFolder: BeaconFolder(supportFolder + "/ads"),
    ///     signals: signals,
    ///     context: ContextSource(known: AdContext(userAgent: userAgent))
    /// )
    /// ```
    ///
    /// The network is `URLSessionTransport` on Apple's systems, and `CurlTransport` on Linux. With another one, services
    /// are made by `AdServices(transport:opener:)`.
    ///
    /// - Parameters:
    ///   - opener: Opens the links of clicks. A click is billed, so it must lead somewhere.
    ///   - beaconFolder: Where beacons are kept. Without a folder they are kept in memory, and impressions that are
    ///     undelivered when the process ends are never billed.
    ///   - beaconLimits: How much the folder may hold.
    ///   - credentials: The secrets that beacons need, by their names.
    ///   - signals: Whether ads can be seen. Without them they always can, and an issue of each load says so.
    ///   - context: What is known of the device and the user. A load without a User-Agent has an issue.
    ///   - caps: How often ads may be viewed; with a folder, views are counted across restarts.
    ///   - loadTimeout: The limit for a load with all its requests and the pauses between them. A request to
    ///     AttentionMarket may take ten seconds: with the default there is no time for a second one.
    ///   - presentTimeout: The limit for a stage to show a creative.
    ///   - observer: Receives the events of all ads.
    ///   - trace: Records everything for `yabbi-play replay`.
    /// - Returns: Services for all loaders of the app.
    /// - Throws: `AdSetupError` if there is no network stack; on Apple's systems there always is one.
    public static func standard(
        opener: any URLOpener,
        beaconFolder: BeaconFolder? = nil,
        beaconLimits: LedgerLimits = LedgerLimits(),
        credentials: Credentials = Credentials(),
        signals: (any HostSignals)? = nil,
        context: ContextSource = ContextSource(),
        caps: [FrequencyCap] = [],
        loadTimeout: Duration = .seconds(10),
        presentTimeout: Duration = .seconds(10),
        observer: (any AdObserver)? = nil,
        trace: TraceRecorder? = nil
    ) throws(AdSetupError) -> AdServices {
        AdServices(
            transport: try self.defaultTransport(),
            opener: opener,
            ledger: beaconFolder.map { SQLiteLedger(folder: $0.path, limits: beaconLimits) } ?? MemoryLedger(),
            credentials: credentials,
            signals: signals,
            context: context,
            caps: caps,
            loadTimeout: loadTimeout,
            presentTimeout: presentTimeout,
            observer: observer,
            trace: trace
        )
    }

    private static func defaultTransport() throws(AdSetupError) -> any Transport {
        #if canImport(Darwin)
            URLSessionTransport()
        #else
            try CurlTransport()
        #endif
    }
}
