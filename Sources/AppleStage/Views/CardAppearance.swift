#if canImport(UIKit)
    import UIKit

    extension CardContent.Line.Role {
        /// The style of Dynamic Type.
        var textStyle: UIFont.TextStyle {
            switch self {
            case .label, .advertiser: .caption1
            case .teaser, .body: .subheadline
            case .headline: .headline
            case .promoCode: .footnote
            }
        }
    }

    extension TextDirection {
        /// How a label aligns the text.
        var alignment: NSTextAlignment {
            switch self {
            case .leftToRight: .left
            case .rightToLeft: .right
            case .natural: .natural
            }
        }
    }

    extension UIColor {
        /// A color of cards, which follows light and dark mode.
        static func card(_ color: @escaping @Sendable (CardPalette) -> CardPalette.Color) -> UIColor {
            UIColor { traits in
                let color = color(traits.userInterfaceStyle == .dark ? .dark : .light)
                return UIColor(
                    red: CGFloat(color.red) / 255,
                    green: CGFloat(color.green) / 255,
                    blue: CGFloat(color.blue) / 255,
                    alpha: 1
                )
            }
        }
    }
#endif
