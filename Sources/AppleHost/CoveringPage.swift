#if os(iOS)
    import AdCore
    import UIKit

    /// A page of the system over the app, from its presentation until it is gone.
    @MainActor enum CoveringPage {
        private static weak var last: UIViewController?

        /// Shows a page in a sheet; false if one is open already, as after two quick presses.
        static func show(_ page: UIViewController, over presenter: UIViewController, signals: AppleSignals?) -> Bool {
            guard self.last?.presentingViewController == nil else { return false }
            self.last = page
            page.modalPresentationStyle = .pageSheet
            signals?.post(.covered(true))
            presenter.present(page, animated: true)
            Task {
                // The user closes it by its button or by a swipe, or the app removes it: not all of that is told.
                repeat { try? await Task.sleep(for: .milliseconds(200)) } while page.presentingViewController != nil
                signals?.post(.covered(false))
            }
            return true
        }
    }
#endif
