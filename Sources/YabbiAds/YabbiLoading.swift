public import AdCore
public import AdProviders
public import AdRuntime

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
    ///   - endpoint: The URL of the load call.
    ///   - app: The app that requests ads.
    ///   - services: The services that all loaders of the app share.
    ///   - guarantee: What happens to a beacon that may have been delivered.
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
