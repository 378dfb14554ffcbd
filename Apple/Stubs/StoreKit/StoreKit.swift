import Foundation

#if canImport(UIKit)
    import UIKit

    /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller
    @_inheritsConvenienceInitializers @MainActor open class SKStoreProductViewController: UIViewController {
        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller
        public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?)

        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller
        public required init?(coder: NSCoder)

        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller/delegate
        weak open var delegate: (any SKStoreProductViewControllerDelegate)?

        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller/loadproduct(withparameters:completionblock:)
        open func loadProduct(withParameters parameters: [String: Any]) async throws -> Bool

        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller/loadproduct(withparameters:impression:completionblock:)
        @available(iOS 16.0, macCatalyst 16.0, *) @available(tvOS, unavailable)
        open func loadProduct(
            withParameters parameters: [String: Any],
            impression: SKAdImpression
        ) async throws -> Bool
    }

    /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontrollerdelegate
    @MainActor @objc public protocol SKStoreProductViewControllerDelegate: NSObjectProtocol {
        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontrollerdelegate/productviewcontrollerdidfinish(_:)
        @objc optional func productViewControllerDidFinish(_ viewController: SKStoreProductViewController)
    }

    /// https://developer.apple.com/documentation/storekit/skstoreproductparameteritunesitemidentifier
    public let SKStoreProductParameterITunesItemIdentifier: String

    /// https://developer.apple.com/documentation/storekit/skstoreproductparameteraffiliatetoken
    public let SKStoreProductParameterAffiliateToken: String

    /// https://developer.apple.com/documentation/storekit/skstoreproductparametercampaigntoken
    public let SKStoreProductParameterCampaignToken: String

    /// https://developer.apple.com/documentation/storekit/skstoreproductparameterprovidertoken
    public let SKStoreProductParameterProviderToken: String

    /// https://developer.apple.com/documentation/storekit/skstoreproductparametercustomproductpageidentifier
    public let SKStoreProductParameterCustomProductPageIdentifier: String
#endif
