#if canImport(UIKit)
    import UIKit

    /// Measures which share of a view is on screen, several times in a second, as long as the view is in a window.
    ///
    /// A view is told nothing when an app scrolls it, or a view above it.
    @MainActor final class VisibilityWatch: NSObject {
        private weak var view: UIView?
        private let onShare: (Double) -> Void
        private var link: CADisplayLink?

        init(_ view: UIView, onShare: @escaping (Double) -> Void) {
            self.view = view
            self.onShare = onShare
            super.init()
        }

        /// Starts or ends the measuring; at the end nothing is visible.
        func setRunning(_ isRunning: Bool) {
            guard isRunning != (self.link != nil) else { return }
            guard isRunning else {
                self.link?.invalidate()
                self.link = nil
                self.onShare(0)
                return
            }
            let link = CADisplayLink(target: self, selector: #selector(self.measure))
            // Shares are compared with limits that hold for a second; more often costs power only.
            link.preferredFrameRateRange = CAFrameRateRange(minimum: 8, maximum: 15, preferred: 10)
            link.add(to: .main, forMode: .common)
            self.link = link
            self.measure()
        }

        @objc private func measure() {
            guard let view else {
                // The link keeps this object alive, and nothing else does any more.
                self.link?.invalidate()
                self.link = nil
                return
            }
            self.onShare(VisibilityWatch.share(of: view))
        }

        private static func share(of view: UIView) -> Double {
            guard let window = view.window, !window.isHidden else { return 0 }
            var clips = [self.box(window.bounds)]
            var current: UIView? = view
            while let ancestor = current, ancestor !== window {
                guard !ancestor.isHidden, Double(ancestor.alpha) >= 0.01 else { return 0 }
                if ancestor !== view, ancestor.clipsToBounds {
                    clips.append(self.box(ancestor.convert(ancestor.bounds, to: window)))
                }
                current = ancestor.superview
            }
            return VisibleShare.of(self.box(view.convert(view.bounds, to: window)), clippedBy: clips)
        }

        private static func box(_ frame: CGRect) -> ViewBox {
            ViewBox(
                x: Double(frame.origin.x),
                y: Double(frame.origin.y),
                width: Double(frame.size.width),
                height: Double(frame.size.height)
            )
        }
    }
#endif
