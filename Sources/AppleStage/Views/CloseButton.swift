#if canImport(UIKit)
    import UIKit

    extension UIButton {
        /// The button that closes an ad, large enough for a finger.
        ///
        /// The system draws it, and names it for VoiceOver in the user's language.
        static func closingAd() -> UIButton {
            #if os(tvOS)
                let button = UIButton(type: .system)
                button.setImage(UIImage(systemName: "xmark"), for: .normal)
                button.accessibilityLabel = "Close"
            #else
                let button = UIButton(type: .close)
            #endif
            let side = CGFloat(CardLayout.smallestTarget)
            button.translatesAutoresizingMaskIntoConstraints = false
            NSLayoutConstraint.activate([
                button.widthAnchor.constraint(greaterThanOrEqualToConstant: side),
                button.heightAnchor.constraint(greaterThanOrEqualToConstant: side),
            ])
            return button
        }
    }
#endif
