#if canImport(UIKit)
    public import AdCore
    import Foundation
    public import UIKit
    import YabbiFoundation

    #if os(iOS)
        import SafariServices
    #endif

    /// Opens the links of ads: by the system, or over the app, in Safari or on the App Store's page.
    ///
    /// The ad decides which: a card of AttentionMarket opens its link over the app, an ad of YABBI in the browser. A link
    /// to the App Store is opened on its page over the app if its bid is signed for that (SKAdNetwork). As long as one
    /// of these is open, the ad is covered; it stays in its window.
    public struct AppleOpener: URLOpener {
        private let signals: AppleSignals?
        private let presenter: @MainActor @Sendable () -> UIViewController?

        /// Creates an opener.
        ///
        /// - Parameters:
        ///   - signals: Are told what covers the ads, and when it no longer does.
        ///   - presenter: The view controller that presents Safari and the App Store's page; without a closure the
        ///     topmost one of the scene in front.
        public init(
            signals: AppleSignals? = nil,
            presenter: (@MainActor @Sendable () -> UIViewController?)? = nil
        ) {
            self.signals = signals
            self.presenter = presenter ?? { UIApplication.shared.topmostViewController }
        }

        /// Opens a link; false if no app is installed for it, or if there is nothing that could present a page.
        public func open(_ link: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool {
            for place in LinkPlace.places(for: link, mode) where await self.open(link, in: place) { return true }
            return false
        }

        @MainActor private func open(_ link: ClickThroughURL, in place: LinkPlace) async -> Bool {
            switch place {
            case .store(let product): return await self.open(product)
            case .safari: return URL(link).map { self.openSafari($0) } ?? false
            case .system:
                guard let url = URL(link) else { return false }
                return await UIApplication.shared.open(url)
            }
        }

        #if os(iOS)
            @MainActor private func openSafari(_ url: URL) -> Bool { self.show(SFSafariViewController(url: url)) }

            @MainActor private func show(_ page: UIViewController) -> Bool {
                guard let presenter = self.presenter() else { return false }
                return CoveringPage.show(page, over: presenter, signals: self.signals)
            }
        #else
            @MainActor private func openSafari(_ url: URL) -> Bool { false }
        #endif
    }

    extension AppleOpener: StoreOpener {
        /// Shows the page when it is loaded; false if it can't be, or if there is nothing that could present it.
        @MainActor package func open(_ product: StoreProduct) async -> Bool {
            #if os(iOS)
                guard let page = await StorePage.load(product) else { return false }
                return self.show(page)
            #else
                return false
            #endif
        }
    }

    extension UIApplication {
        /// The view controller over all others of the scene in front.
        fileprivate var topmostViewController: UIViewController? {
            let scenes = self.connectedScenes.compactMap { $0 as? UIWindowScene }
            let front = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
            var top = front?.keyWindow?.rootViewController
            while let next = top?.presentedViewController, !next.isBeingDismissed { top = next }
            return top
        }
    }
#endif
