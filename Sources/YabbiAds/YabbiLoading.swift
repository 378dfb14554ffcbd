public import AdCore
public import AdProviders
public import AdRuntime
public import AdTrace
import CurlTransport
import SQLiteLedger

extension AdServices {
    /// Everything an app needs: libcurl for the network, real time, and beacons that survive the process.
    ///
    /// Give the folder in which the app keeps what must not get lost; several processes may share it. What the last
    /// process has left there goes out at once. A folder that can't be used costs no ad: the beacons are then kept in
    /// memory, and an issue of the ad says why.
    ///
    /// ```swift
    /// let services = try AdServices.standard(beaconFolder: supportFolder + "/ads")
    /// ```
    ///
    /// - Parameters:
    ///   - beaconFolder: Where beacons are kept. Without one they are kept in memory: what is undelivered when the process
    ///     ends is lost, and a view among it is never billed.
    ///   - beaconLimits: How much is kept there.
    ///   - credentials: The secrets that beacons need, by their names.
    ///   - opener: Opens links. The default opens none, which `linkOpened` says.
    ///   - signals: Says whether ads can be seen. The default: always.
    ///   - context: What is known of the device.
    ///   - loadTimeout: How long a load may take, all its requests and the pauses between them included. AttentionMarket's
    ///     requests wait ten seconds each: with the default one that is not answered in time is the only one.
    ///   - presentTimeout: How long a stage may take until it shows a creative.
    ///   - observer: Sees everything.
    ///   - trace: Writes down what happens, to be run again by `yabbi-play replay`.
    /// - Returns: Services for as many loaders as the app has.
    /// - Throws: `AdSetupError` where the network can't be had at all.
    public static func standard(
        beaconFolder: String? = nil,
        beaconLimits: LedgerLimits = LedgerLimits(),
        credentials: Credentials = Credentials(),
        opener: any URLOpener = NoOpener(),
        signals: any HostSignals = HostSignalSource(),
        context: ContextSource = ContextSource(),
        loadTimeout: Duration = .seconds(10),
        presentTimeout: Duration = .seconds(10),
        observer: (any AdObserver)? = nil,
        trace: TraceRecorder? = nil
    ) throws(AdSetupError) -> AdServices {
        AdServices(
            transport: try CurlTransport(),
            ledger: beaconFolder.map { SQLiteLedger(folder: $0, limits: beaconLimits) } ?? MemoryLedger(),
            credentials: credentials,
            opener: opener,
            signals: signals,
            context: context,
            loadTimeout: loadTimeout,
            presentTimeout: presentTimeout,
            observer: observer,
            trace: trace
        )
    }
}

extension AdLoader where Placement == YabbiPlacement {
    /// A loader for YABBI's placements.
    ///
    /// ```swift
    /// let ads = AdLoader.yabbi(endpoint, app: app, services: try .standard())
    /// let ad = try await ads.load(.banner(unit: "2c5e7a9e"))
    /// try await ad.show(on: presenter)
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The whole address of the load call.
    ///   - app: The app that asks.
    ///   - services: What all loaders of the app share.
    ///   - guarantee: What becomes of a beacon of which nobody knows whether it arrived.
    /// - Returns: A loader.
    public static func yabbi(
        _ endpoint: HTTPURL,
        app: YabbiApp,
        services: AdServices,
        guarantee: DeliveryGuarantee = .atMostOnce
    ) -> AdLoader {
        AdLoader(YabbiProvider(endpoint: endpoint, app: app, guarantee: guarantee), services: services)
    }
}
