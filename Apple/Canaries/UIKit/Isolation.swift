import UIKit

// Views belong to the main actor.

private func hide(_ view: UIView) {
    view.isHidden = true  // error: property 'isHidden' can not be mutated from a nonisolated context
}

@MainActor private func removeLater(_ view: UIView) {
    Task.detached {
        view.removeFromSuperview()  // error: 'removeFromSuperview()' cannot be called from outside of the actor
    }
}
