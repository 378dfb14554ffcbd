#if canImport(SafariServices) && canImport(UIKit)
    public import AdCore
    import SafariServices
    public import UIKit

    /// Opens links of ads: in a sheet with Safari over the app, or in the system's browser.
    ///
    /// The ad decides which: a card of AttentionMarket opens its link inside the app, an ad of YABBI in the browser. The
    /// sheet covers the ad; `onCover` says so, for the app's `HostSignalSource`.
    @MainActor public final class InAppSafari: URLOpener {
        private let controller: @MainActor () -> UIViewController?
        private let onCover: @MainActor (Bool) -> Void
        /// The last sheet, until the user closes it; if the app closes it, nothing says so.
        private var sheet: SafariSheet?

        /// Creates an opener that presents its sheets over a controller, which is asked for each time.
        public init(
            over controller: @escaping @MainActor () -> UIViewController?,
            onCover: @escaping @MainActor (Bool) -> Void = { _ in }
        ) {
            self.controller = controller
            self.onCover = onCover
        }

        /// Opens a link; returns false if the device or the app can't.
        public func open(_ url: ClickThroughURL, _ mode: LinkOpenMode) async -> Bool {
            guard let address = URL(string: url.text) else { return false }
            let isFree = self.sheet?.isOpen != true
            let presenter = isFree ? self.controller()?.topmost : nil
            switch LinkPlace(url, mode, hasPresenter: presenter != nil) {
            case .system: return await UIApplication.shared.open(address)
            case .sheet:
                guard let presenter else { return false }
                let sheet = SafariSheet(address) { [weak self] in
                    self?.sheet = nil
                    self?.onCover(false)
                }
                self.sheet = sheet
                self.onCover(true)
                presenter.present(sheet.safari, animated: true)
                return true
            case .nowhere: return false
            }
        }
    }

    /// A sheet with Safari, and what the user does to it.
    @MainActor
    private final class SafariSheet: NSObject, SFSafariViewControllerDelegate,
        UIAdaptivePresentationControllerDelegate
    {
        let safari: SFSafariViewController
        private let onClose: () -> Void

        init(_ address: URL, onClose: @escaping () -> Void) {
            self.safari = SFSafariViewController(url: address)
            self.onClose = onClose
            super.init()
            self.safari.modalPresentationStyle = .pageSheet
            self.safari.delegate = self
            self.safari.presentationController?.delegate = self
        }

        var isOpen: Bool { self.safari.presentingViewController != nil }

        /// The user pressed "Done".
        func safariViewControllerDidFinish(_ controller: SFSafariViewController) { self.onClose() }

        /// The user pulled the sheet down.
        func presentationControllerDidDismiss(_ presentationController: UIPresentationController) { self.onClose() }
    }

    extension UIViewController {
        /// The controller over all others that this one presents.
        var topmost: UIViewController {
            var top = self
            while let next = top.presentedViewController, !next.isBeingDismissed { top = next }
            return top
        }
    }
#endif
