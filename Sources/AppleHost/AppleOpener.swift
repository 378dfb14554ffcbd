#if canImport(UIKit)
    public import AdCore
    import Foundation
    public import UIKit
    import YabbiFoundation

    /// Opens the links of ads: in the system's browser, or in Safari inside the app, which has a close button.
    ///
    /// Safari is shown over the ad, which stays in its window. As long as it is open, the ad is covered.
    public struct AppleOpener: URLOpener {
        private let signals: AppleSignals?
        private let presenter: @MainActor @Sendable () -> UIViewController?

        /// Creates an opener.
        ///
        /// - Parameters:
        ///   - signals: Are told that Safari covers the ads, and when it no longer does.
        ///   - presenter: The view controller that presents Safari; without a closure the topmost one of the scene in
        ///     front.
        public init(
            signals: AppleSignals? = nil,
            presenter: (@MainActor @Sendable () -> UIViewController?)? = nil
        ) {
            self.signals = signals
            self.presenter = presenter ?? { UIApplication.shared.topmostViewController }
        }

        /// Opens a link; false if no app is installed for it, or if there is nothing that could present Safari.
        public func open(_ link: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool {
            guard let url = URL(link) else { return false }
            switch mode {
            case .systemBrowser: return await self.openOutside(url)
            // Safari inside the app ends an app that gives it another scheme than HTTP's.
            case .inApp: return link.isWeb ? await self.openInside(url) : false
            }
        }

        @MainActor private func openOutside(_ url: URL) async -> Bool { await UIApplication.shared.open(url) }

        @MainActor private func openInside(_ url: URL) async -> Bool {
            #if canImport(UIKit) && canImport(SafariServices)
                guard let presenter = self.presenter() else { return false }
                SafariPage.show(url, over: presenter, signals: self.signals)
                return true
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
