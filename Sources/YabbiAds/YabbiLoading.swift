public import AdCore
public import AdProviders
public import AdRuntime

extension AdLoader where Placement == YabbiPlacement {
    /// A loader for YABBI's placements.
    ///
    /// ```swift
    /// let ads = AdLoader.yabbi(endpoint, app: app, services: try .standard(opener: opener))
    /// let ad = try await ads.load(.banner(unit: "2c5e7a9e"))
    /// try await ad.show(on: presenter)
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The URL of the load call.
    ///   - app: The app that requests ads.
    ///   - services: The services that all loaders of the app share.
    ///   - guarantee: What happens to a beacon that may have been delivered.
    ///   - viewPolicy: When an impression is recorded, as agreed with YABBI.
    /// - Returns: A loader.
    public static func yabbi(
        _ endpoint: HTTPURL,
        app: YabbiApp,
        services: AdServices,
        guarantee: DeliveryGuarantee = .atMostOnce,
        viewPolicy: ViewabilityPolicy = .anyPixel
    ) -> AdLoader {
        let provider = YabbiProvider(endpoint: endpoint, app: app, guarantee: guarantee, viewPolicy: viewPolicy)
        return AdLoader(provider, services: services)
    }

    /// A loader for bids of an OpenRTB 2.6 exchange or a Prebid Server.
    ///
    /// ```swift
    /// let exchange = AdLoader.openRTB(endpoint, app: app, services: services)
    /// let ad = try await exchange.load(.interstitial(unit: "pause"))
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The URL that bid requests are sent to, as in `https://prebid.example/openrtb2/auction`.
    ///   - app: The app that requests ads.
    ///   - services: The services that all loaders of the app share.
    ///   - additions: What the app adds to its requests.
    ///   - guarantee: What happens to a beacon that may have been delivered.
    ///   - viewPolicy: When an impression is recorded.
    /// - Returns: A loader.
    public static func openRTB(
        _ endpoint: HTTPURL,
        app: YabbiApp,
        services: AdServices,
        additions: RequestAdditions = RequestAdditions(),
        guarantee: DeliveryGuarantee = .atMostOnce,
        viewPolicy: ViewabilityPolicy = .anyPixel
    ) -> AdLoader {
        let provider = YabbiRTBProvider(
            endpoint: endpoint,
            app: app,
            guarantee: guarantee,
            viewPolicy: viewPolicy,
            additions: additions
        )
        return AdLoader(provider, services: services)
    }
}
