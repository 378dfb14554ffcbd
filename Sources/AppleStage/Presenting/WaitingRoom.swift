#if canImport(UIKit) && canImport(WebKit)
    import UIKit
    import WebKit

    /// The view in which ads load until they are shown: behind all others of a window, because WebKit takes a page in no
    /// window as hidden, and slows it down.
    @MainActor
    final class WaitingRoom: UIView {
        /// The view in a window, which is made if there is none; nil without a window.
        static func view(in window: UIWindow?) -> UIView? {
            guard let window else { return nil }
            for case let room as WaitingRoom in window.subviews { return room }
            let room = WaitingRoom(frame: window.bounds)
            room.isUserInteractionEnabled = false
            room.accessibilityElementsHidden = true
            window.insertSubview(room, at: 0)
            return room
        }
    }
#endif
