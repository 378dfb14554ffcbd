public import AdCore
import OpenRTB

/// What an app adds to its OpenRTB requests besides the placement, the device and the consent.
///
/// ```swift
/// var additions = RequestAdditions()
/// additions.storedImpressionID = "banner-top"
/// additions.blockedAdvertisers = ["rival.example"]
/// let exchange = AdLoader.openRTB(endpoint, app: app, services: services, additions: additions)
/// ```
public struct RequestAdditions: Hashable, Sendable {
    /// Whether requests are tests, which nobody pays for (`test`).
    public var isTest = false
    /// The currencies that are allowed for bids (`cur`); empty leaves the choice to the exchange.
    public var currencies: [AdCurrency] = []
    /// The domains of advertisers that are blocked (`badv`).
    public var blockedAdvertisers: [String] = []
    /// The IAB's categories of advertisers that are blocked, as in `IAB9-30` (`bcat`).
    public var blockedCategories: [String] = []
    /// The apps that must not be advertised, by their ids in the app store (`bapp`).
    public var blockedApps: [String] = []
    /// The app's version (`app.ver`).
    public var appVersion: String?
    /// The app's page in the app store (`app.storeurl`).
    public var storeURL: HTTPURL?
    /// The id of the stored request of a Prebid Server (`ext.prebid.storedrequest.id`).
    public var storedRequestID: String?
    /// The id of the stored impression of a Prebid Server (`imp.ext.prebid.storedrequest.id`).
    public var storedImpressionID: String?
    /// Further members of the request's `ext`.
    public var requestExtension: [AdJSON.Member] = []
    /// Further members of the impression's `ext`.
    public var impressionExtension: [AdJSON.Member] = []

    /// Creates additions that add nothing.
    public init() {}

    func add(to request: inout BidRequest) {
        request.isTest = self.isTest
        request.currencies = self.currencies
        request.blockedAdvertisers = self.blockedAdvertisers
        request.blockedCategories = self.blockedCategories.isEmpty ? nil : .init(self.blockedCategories)
        request.blockedApps = self.blockedApps
        request.app.version = self.appVersion
        request.app.storeURL = self.storeURL
        request.prebid = self.storedRequestID.map { PrebidRequest(storedRequestID: $0) }
        request.impression.prebid = self.storedImpressionID.map { PrebidImpression(storedRequestID: $0) }
        request.ext = self.requestExtension
        request.impression.ext = self.impressionExtension
    }
}
