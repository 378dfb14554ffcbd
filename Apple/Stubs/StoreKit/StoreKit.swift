import Foundation

#if canImport(UIKit)
    import UIKit

    /// https://developer.apple.com/documentation/storekit/skoverlay
    @available(tvOS, unavailable)
    @MainActor open class SKOverlay: NSObject {
        /// https://developer.apple.com/documentation/storekit/skoverlay/init(configuration:)
        public init(configuration: SKOverlay.Configuration)

        /// https://developer.apple.com/documentation/storekit/skoverlay/delegate
        weak open var delegate: (any SKOverlayDelegate)?

        /// https://developer.apple.com/documentation/storekit/skoverlay/present(in:)
        open func present(in scene: UIWindowScene)

        /// https://developer.apple.com/documentation/storekit/skoverlay/dismiss(in:)
        open class func dismiss(in scene: UIWindowScene)

        /// https://developer.apple.com/documentation/storekit/skoverlay/configuration-swift.class
        @available(tvOS, unavailable)
        @MainActor open class Configuration: NSObject {}

        /// https://developer.apple.com/documentation/storekit/skoverlay/appconfiguration
        @available(tvOS, unavailable)
        @MainActor open class AppConfiguration: SKOverlay.Configuration {
            /// https://developer.apple.com/documentation/storekit/skoverlay/appconfiguration/init(appidentifier:position:)
            public init(appIdentifier: String, position: SKOverlay.Position)
        }

        /// https://developer.apple.com/documentation/storekit/skoverlay/position
        @objc public enum Position: Int, Sendable {
            /// https://developer.apple.com/documentation/storekit/skoverlay/position/bottom
            case bottom

            /// https://developer.apple.com/documentation/storekit/skoverlay/position/bottomraised
            case bottomRaised
        }
    }

    /// https://developer.apple.com/documentation/storekit/skoverlaydelegate
    @available(tvOS, unavailable)
    @MainActor @objc public protocol SKOverlayDelegate: NSObjectProtocol {
        /// https://developer.apple.com/documentation/storekit/skoverlaydelegate/storeoverlaydidfailtoload(_:error:)
        @objc optional func storeOverlayDidFailToLoad(_ overlay: SKOverlay, error: any Error)
    }

    /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller
    @_inheritsConvenienceInitializers @MainActor open class SKStoreProductViewController: UIViewController {
        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller
        public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?)

        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller
        public required init?(coder: NSCoder)

        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller/delegate
        weak open var delegate: (any SKStoreProductViewControllerDelegate)?

        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontroller/loadproduct(withparameters:completionblock:)
        open func loadProduct(
            withParameters parameters: [String: Any],
            completionBlock block: ((Bool, (any Error)?) -> Void)? = nil
        )
    }

    /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontrollerdelegate
    @MainActor @objc public protocol SKStoreProductViewControllerDelegate: NSObjectProtocol {
        /// https://developer.apple.com/documentation/storekit/skstoreproductviewcontrollerdelegate/productviewcontrollerdidfinish(_:)
        @objc optional func productViewControllerDidFinish(_ viewController: SKStoreProductViewController)
    }

    /// https://developer.apple.com/documentation/storekit/skstoreproductparameteritunesitemidentifier
    public let SKStoreProductParameterITunesItemIdentifier: String
#endif
