#if canImport(UIKit) && canImport(WebKit)
    import AdCore
    import UIKit
    import WebKit

    /// Where an ad's view is put when it is revealed.
    @MainActor
    protocol AdFrame: AnyObject, Sendable {
        /// Whether the host page of the ad draws the controls itself.
        var hasOwnControls: Bool { get }
        /// Called when the user presses one of this frame's controls.
        var onPress: ((StageControl) -> Void)? { get set }
        /// Called when the size of the screen has changed.
        var onResize: ((Size) -> Void)? { get set }
        /// Called when the app has removed the ad itself.
        var onRemoval: (() -> Void)? { get set }

        /// Calls `onResize` if the screen has changed, and `onRemoval` if the ad was removed, for a frame that is not
        /// told.
        func checkScreen()
        /// Puts the ad on the screen; returns when it is there.
        func show() async
        func set(_ control: StageControl, visible: Bool)
        func setCountdown(_ seconds: Int?)
        /// What the app's views hide of the ad; nil if that is unknown.
        var hiddenParts: [AdObstruction]? { get }
        func remove()
    }

    /// A banner in a view of the app; its page draws the small close button, which moves with the banner.
    @MainActor
    final class ContainerFrame: AdFrame {
        private weak var container: UIView?
        private let content: UIView
        var onPress: ((StageControl) -> Void)?
        var onResize: ((Size) -> Void)?
        var onRemoval: (() -> Void)?

        private var lastScreen: Size?
        private var isShown = false

        init(_ content: UIView, in container: UIView) {
            self.content = content
            self.container = container
        }

        func checkScreen() {
            // A container may leave its window for a while, as in a list; without one the banner can't come back.
            guard !self.isShown || self.content.superview != nil else {
                self.isShown = false
                return self.onRemoval?() ?? ()
            }
            guard let size = self.content.window?.bounds.size else { return }
            let screen = Size(width: size.width, height: size.height)
            defer { self.lastScreen = screen }
            if let lastScreen, lastScreen != screen { self.onResize?(screen) }
        }

        var hasOwnControls: Bool { false }

        func show() async {
            guard let container else { return self.onRemoval?() ?? () }
            self.content.frame = container.bounds
            self.content.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            container.addSubview(self.content)
            self.isShown = true
        }

        func set(_ control: StageControl, visible: Bool) {}
        func setCountdown(_ seconds: Int?) {}

        func remove() {
            self.isShown = false
            self.content.removeFromSuperview()
        }

        var hiddenParts: [AdObstruction]? {
            let size = Size(width: self.content.bounds.size.width, height: self.content.bounds.size.height)
            let nothing = HiddenParts.Box(left: 0, top: 0, right: 0, bottom: 0)
            var visible = HiddenParts.Box(left: 0, top: 0, right: size.width, bottom: size.height)
            if self.content.window == nil { visible = nothing }
            var ancestor = self.content.superview
            while let view = ancestor {
                if view.isHidden || view.alpha == 0 { visible = nothing }
                if view.clipsToBounds || view is UIWindow {
                    let box = view.convert(view.bounds, to: self.content)
                    let (corner, size) = (box.origin, box.size)
                    visible = visible.cut(
                        by: HiddenParts.Box(
                            left: corner.x,
                            top: corner.y,
                            right: corner.x + size.width,
                            bottom: corner.y + size.height
                        )
                    )
                }
                ancestor = view.superview
            }
            return HiddenParts.obstructions(of: size, visible: visible)
        }
    }

    /// A full-screen ad, or a provider's page, over a view controller of the app.
    @MainActor
    final class FullScreenFrame: AdFrame {
        private weak var presenting: UIViewController?
        private let controller: AdViewController
        private var isRemoved = false
        var onRemoval: (() -> Void)?

        init(_ content: UIView, over presenting: UIViewController, _ texts: ControlTexts, isPage: Bool) {
            self.presenting = presenting
            let controls = ControlsView(texts, isPage: isPage)
            self.controller = AdViewController(content, controls, isPage: isPage)
            self.controller.onDismiss = { [weak self] in
                guard let self, !self.isRemoved else { return }
                self.isRemoved = true
                self.onRemoval?()
            }
        }

        var hasOwnControls: Bool { true }

        var onPress: ((StageControl) -> Void)? {
            get { self.controller.controls.onPress }
            set { self.controller.controls.onPress = newValue }
        }

        var onResize: ((Size) -> Void)? {
            get { self.controller.onResize }
            set { self.controller.onResize = newValue }
        }

        func show() async {
            guard var top = self.presenting, top.view.window != nil, !self.isRemoved else {
                return self.onRemoval?() ?? ()
            }
            // A controller that has presented another one presents nothing more.
            while let next = top.presentedViewController, !next.isBeingDismissed { top = next }
            let isAnimated = !UIAccessibility.isReduceMotionEnabled
            await withCheckedContinuation { done in
                top.present(self.controller, animated: isAnimated) { done.resume() }
            }
            UIAccessibility.post(notification: .screenChanged, argument: self.controller.view)
        }

        func checkScreen() {}
        func set(_ control: StageControl, visible: Bool) { self.controller.controls.set(control, visible: visible) }
        func setCountdown(_ seconds: Int?) { self.controller.controls.setCountdown(seconds) }

        /// Nothing of the app is over a presented controller, as far as it is known here.
        var hiddenParts: [AdObstruction]? { nil }

        func remove() {
            guard !self.isRemoved else { return }
            self.isRemoved = true
            // The ad's own `dismiss` would only remove what is over it, as Safari.
            self.controller.presentingViewController?.dismiss(animated: !UIAccessibility.isReduceMotionEnabled)
        }
    }
#endif
