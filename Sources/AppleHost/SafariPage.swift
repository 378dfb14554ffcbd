#if canImport(UIKit) && canImport(SafariServices)
    import AdCore
    import Foundation
    import SafariServices
    import UIKit

    /// A page in Safari inside the app, from its presentation to its close button.
    @MainActor final class SafariPage: NSObject, SFSafariViewControllerDelegate {
        /// The open pages: Safari holds its delegate weakly.
        private static var open: [SafariPage] = []

        private let signals: AppleSignals?

        private init(_ signals: AppleSignals?) { self.signals = signals }

        static func show(_ url: URL, over presenter: UIViewController, signals: AppleSignals?) {
            let page = SafariPage(signals)
            let safari = SFSafariViewController(url: url)
            safari.delegate = page
            // `.fullScreen` would take the ad out of its window, and the ad would end.
            safari.modalPresentationStyle = .overFullScreen
            self.open.append(page)
            signals?.post(.covered(true))
            presenter.present(safari, animated: true)
        }

        func safariViewControllerDidFinish(_ controller: SFSafariViewController) {
            SafariPage.open.removeAll { $0 === self }
            guard !SafariPage.open.contains(where: { $0.signals === self.signals }) else { return }
            self.signals?.post(.covered(false))
        }
    }
#endif
