#if canImport(UIKit) && canImport(WebKit)
    import AdCore
    import UIKit
    import WebKit

    /// Shows one ad over the whole screen, with the host's controls above it.
    @MainActor
    final class AdViewController: UIViewController {
        private let content: UIView
        private let background: UIColor
        let controls: ControlsView
        /// Called with the size of the screen when it has changed, as by a rotation.
        var onResize: ((Size) -> Void)?
        /// Called when the app has dismissed the ad itself.
        var onDismiss: (() -> Void)?
        private var lastSize: Size?

        /// Creates a controller; the app shows through what a page leaves transparent, as around a popup.
        init(_ content: UIView, _ controls: ControlsView, isPage: Bool) {
            self.content = content
            self.controls = controls
            self.background = isPage ? .clear : .black
            super.init(nibName: nil, bundle: nil)
            self.modalPresentationStyle = isPage ? .overFullScreen : .fullScreen
            if isPage { self.modalTransitionStyle = .crossDissolve }
            // A swipe must not close an ad that can't be closed yet.
            self.isModalInPresentation = true
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) { nil }

        override var prefersStatusBarHidden: Bool { true }
        override var prefersHomeIndicatorAutoHidden: Bool { true }

        override func viewDidLoad() {
            super.viewDidLoad()
            self.view.backgroundColor = self.background
            self.view.accessibilityViewIsModal = true
            for each in [self.content, self.controls] {
                each.translatesAutoresizingMaskIntoConstraints = false
                self.view.addSubview(each)
                NSLayoutConstraint.activate([
                    each.leadingAnchor.constraint(equalTo: self.view.leadingAnchor),
                    each.trailingAnchor.constraint(equalTo: self.view.trailingAnchor),
                    each.topAnchor.constraint(equalTo: self.view.topAnchor),
                    each.bottomAnchor.constraint(equalTo: self.view.bottomAnchor),
                ])
            }
        }

        override func viewDidLayoutSubviews() {
            super.viewDidLayoutSubviews()
            let size = Size(width: self.view.bounds.size.width, height: self.view.bounds.size.height)
            guard size != self.lastSize, size.width > 0, size.height > 0 else { return }
            let isFirst = self.lastSize == nil
            self.lastSize = size
            if !isFirst { self.onResize?(size) }
        }

        override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            if self.presentingViewController == nil { self.onDismiss?() }
        }

        /// VoiceOver's gesture for "back" presses the close button.
        override func accessibilityPerformEscape() -> Bool {
            guard self.controls.isShown(.close) else { return false }
            self.controls.onPress?(.close)
            return true
        }
    }
#endif
