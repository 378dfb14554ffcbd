public import AdCore
public import AdProviders
public import AdRuntime
import SystemSupport

/// The client of CeedAds: initialize it once, then request a card at each message of a chat.
///
/// ```swift
/// CeedAds.initialize(appId: "…", services: services)
/// if let ad = try await CeedAds.requestAd(conversationId: "c1", messageId: "m7", contextText: text) {
///     try await ad.show(on: presenter)
/// }
/// ```
public enum CeedAds {
    private static let loader = Locked<AdLoader<CeedAdsPlacement>?>(nil)

    /// Initializes the client; a second call replaces the first.
    public static func initialize(
        appId: String,
        apiBaseUrl: HTTPURL = CeedAdsProvider.standardBase,
        allowedSchemes: Set<String> = [],
        guarantee: DeliveryGuarantee = .atMostOnce,
        services: AdServices
    ) {
        let provider = CeedAdsProvider(
            app: CeedAdsApp(appID: appId),
            base: apiBaseUrl,
            allowedSchemes: allowedSchemes,
            guarantee: guarantee
        )
        let loader = AdLoader(provider, services: services)
        self.loader.withLock { $0 = loader }
    }

    /// Initializes the client with services of its own; with a folder its beacons survive the process.
    public static func initialize(
        appId: String,
        apiBaseUrl: HTTPURL = CeedAdsProvider.standardBase,
        opener: any URLOpener,
        beaconFolder: BeaconFolder? = nil
    ) throws(AdSetupError) {
        let services = try AdServices.standard(opener: opener, beaconFolder: beaconFolder)
        self.initialize(appId: appId, apiBaseUrl: apiBaseUrl, services: services)
    }

    /// Requests a card for a message; nil if there is none.
    ///
    /// A conversation that had a card within the last minute gets the error `coolingDown` without a request. The ad records
    /// its impression and click itself, once each.
    public static func requestAd(
        conversationId: String,
        messageId: String,
        contextText: String,
        language: String? = nil,
        userId: String? = nil
    ) async throws(AdError) -> Ad? {
        guard let loader = self.loader.withLock({ $0 }) else {
            throw AdError(.notInitialized, "CeedAds is not initialized; call CeedAds.initialize when the app starts")
        }
        return try await loader.loadIfAny(
            CeedAdsPlacement(
                conversationID: conversationId,
                messageID: messageId,
                contextText: contextText,
                language: language,
                userID: userId
            )
        )
    }

    /// Forgets everything, for tests.
    static func reset() { self.loader.withLock { $0 = nil } }
}
