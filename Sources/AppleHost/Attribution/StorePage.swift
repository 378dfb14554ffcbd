#if os(iOS)
    import AdCore
    import Foundation
    import StoreKit
    import UIKit

    /// The App Store's page of an app, which StoreKit draws and attributes.
    @MainActor enum StorePage {
        private static let closer = StorePageCloser()

        /// Loads the page of a product; nil if the store refuses the signature, or can't be reached.
        static func load(_ product: StoreProduct) async -> UIViewController? {
            let page = SKStoreProductViewController()
            page.delegate = self.closer
            do {
                let isLoaded: Bool
                if let impression = product.impression.flatMap({ SKAdImpression($0) }) {
                    isLoaded = try await page.loadProduct(withParameters: product.parameters, impression: impression)
                } else {
                    isLoaded = try await page.loadProduct(withParameters: product.parameters)
                }
                return isLoaded ? page : nil
            } catch {
                return nil
            }
        }
    }

    /// Closes a page when the user presses its button; unlike Safari's it stays open otherwise.
    private final class StorePageCloser: NSObject, SKStoreProductViewControllerDelegate {
        func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
            viewController.presentingViewController?.dismiss(animated: true)
        }
    }

    extension StoreProduct {
        /// What StoreKit is given for a page.
        fileprivate var parameters: [String: Any] {
            var parameters: [String: Any] = [SKStoreProductParameterITunesItemIdentifier: NSNumber(value: self.app)]
            for (token, value) in self.tokens { parameters[token.parameter] = value }
            return parameters
        }
    }

    extension StoreProduct.Token {
        fileprivate var parameter: String {
            switch self {
            case .affiliate: SKStoreProductParameterAffiliateToken
            case .campaign: SKStoreProductParameterCampaignToken
            case .provider: SKStoreProductParameterProviderToken
            case .productPage: SKStoreProductParameterCustomProductPageIdentifier
            }
        }
    }
#endif
