#if canImport(SwiftUI) && canImport(UIKit)
    public import SwiftUI
    import UIKit

    /// A card among the app's own content, for SwiftUI.
    ///
    /// It is an `AdCardUIView`, so that a card looks and counts the same in both: SwiftUI does not say which part of a view
    /// is on screen. Keep the `CardPresenter` in the app's model and not in `@State`, because a list forgets the state of
    /// rows that are far away, and an ad is shown once.
    public struct AdCardView: UIViewRepresentable {
        private let presenter: CardPresenter
        private let style: AdCardStyle

        /// Creates a view for the card of a presenter; a row of a feed has the style `row`.
        public init(_ presenter: CardPresenter, style: AdCardStyle = .card) {
            self.presenter = presenter
            self.style = style
        }

        /// Creates the view that draws the card.
        public func makeUIView(context: Context) -> AdCardUIView { AdCardUIView(self.presenter, style: self.style) }

        /// Gives the view another presenter, if there is one, and the direction of SwiftUI's environment.
        public func updateUIView(_ view: AdCardUIView, context: Context) {
            view.presenter = self.presenter
            view.setDirection(context.environment.layoutDirection.attribute)
        }

        /// The proposed width, and the height that the card needs in it.
        public func sizeThatFits(_ proposal: ProposedViewSize, uiView: AdCardUIView, context: Context) -> CGSize? {
            guard let width = proposal.width, width.isFinite, width > 0 else { return nil }
            return CGSize(width: Double(width), height: uiView.height(width: Double(width)))
        }

        /// Lets go of the presenter; its ad stays.
        public static func dismantleUIView(_ view: AdCardUIView, coordinator: Void) { view.presenter = nil }
    }

    extension LayoutDirection {
        /// The same for UIKit, which does not take it from SwiftUI's environment.
        var attribute: UISemanticContentAttribute {
            switch self {
            case .leftToRight: .forceLeftToRight
            case .rightToLeft: .forceRightToLeft
            @unknown default: .unspecified
            }
        }
    }
#endif
