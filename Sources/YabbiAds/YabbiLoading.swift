public import AdCore
public import AdProviders
public import AdRuntime
public import CurlTransport

extension AdServices {
    /// Everything an app needs: libcurl for the network, real time, and a ledger in memory.
    ///
    /// - Parameters:
    ///   - ledger: Keeps beacons. The default loses what is undelivered when the process ends.
    ///   - opener: Opens links. The default opens none, which `linkOpened` says.
    ///   - signals: Says whether ads can be seen. The default: always.
    ///   - context: What is known of the device.
    ///   - observer: Sees everything.
    /// - Returns: Services for as many loaders as the app has.
    /// - Throws: `CurlTransport.SetupError` where the network can't be had at all.
    public static func standard(
        ledger: any BeaconLedger = MemoryLedger(),
        opener: any URLOpener = NoOpener(),
        signals: any HostSignals = HostBoard(),
        context: ContextSource = ContextSource(),
        observer: (any AdObserver)? = nil
    ) throws(CurlTransport.SetupError) -> AdServices {
        AdServices(
            transport: try CurlTransport(),
            ledger: ledger,
            opener: opener,
            signals: signals,
            context: context,
            observer: observer
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
    public static func yabbi(_ endpoint: HTTPURL, app: YabbiApp, services: AdServices) -> AdLoader {
        AdLoader(YabbiProvider(endpoint: endpoint, app: app), services: services)
    }
}
