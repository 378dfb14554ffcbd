import Foundation

/// https://developer.apple.com/documentation/storekit/skadnetwork
open class SKAdNetwork: NSObject {
    /// https://developer.apple.com/documentation/storekit/skadnetwork/startimpression(_:completionhandler:)
    @available(macOS, unavailable) @available(tvOS, unavailable)
    open class func startImpression(_ impression: SKAdImpression) async throws

    /// https://developer.apple.com/documentation/storekit/skadnetwork/endimpression(_:completionhandler:)
    @available(macOS, unavailable) @available(tvOS, unavailable)
    open class func endImpression(_ impression: SKAdImpression) async throws
}

/// https://developer.apple.com/documentation/storekit/skadimpression
@available(macOS, unavailable) @available(tvOS, unavailable)
open class SKAdImpression: NSObject {
    /// https://developer.apple.com/documentation/storekit/skadimpression
    public override init()

    /// https://developer.apple.com/documentation/storekit/skadimpression/sourceappstoreitemidentifier
    open var sourceAppStoreItemIdentifier: NSNumber { get set }

    /// https://developer.apple.com/documentation/storekit/skadimpression/advertisedappstoreitemidentifier
    open var advertisedAppStoreItemIdentifier: NSNumber { get set }

    /// https://developer.apple.com/documentation/storekit/skadimpression/adnetworkidentifier
    open var adNetworkIdentifier: String { get set }

    /// https://developer.apple.com/documentation/storekit/skadimpression/adcampaignidentifier
    open var adCampaignIdentifier: NSNumber { get set }

    /// https://developer.apple.com/documentation/storekit/skadimpression/sourceidentifier
    @available(iOS 16.1, macCatalyst 16.1, *)
    open var sourceIdentifier: NSNumber { get set }

    /// https://developer.apple.com/documentation/storekit/skadimpression/adimpressionidentifier
    open var adImpressionIdentifier: String { get set }

    /// https://developer.apple.com/documentation/storekit/skadimpression/timestamp
    open var timestamp: NSNumber { get set }

    /// https://developer.apple.com/documentation/storekit/skadimpression/signature
    open var signature: String { get set }

    /// https://developer.apple.com/documentation/storekit/skadimpression/version
    open var version: String { get set }
}
