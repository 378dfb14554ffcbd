#if canImport(SwiftUI) && canImport(UIKit)
    public import SwiftUI

    /// Cards side by side, for SwiftUI: an `AdCarouselUIView`.
    public struct AdCarouselView: UIViewRepresentable {
        private let presenters: [CardPresenter]

        /// Creates a carousel of the cards of these presenters, which the app keeps in its model.
        public init(_ presenters: [CardPresenter]) { self.presenters = presenters }

        /// Creates the view.
        public func makeUIView(context: Context) -> AdCarouselUIView { AdCarouselUIView(self.presenters) }

        /// Gives the view other presenters, if there are any, and the direction of SwiftUI's environment.
        public func updateUIView(_ view: AdCarouselUIView, context: Context) {
            view.presenters = self.presenters
            view.setDirection(context.environment.layoutDirection.attribute)
        }

        /// The proposed width, and the height that the highest card needs in it.
        public func sizeThatFits(_ proposal: ProposedViewSize, uiView: AdCarouselUIView, context: Context) -> CGSize? {
            guard let width = proposal.width, width.isFinite, width > 0 else { return nil }
            return CGSize(width: Double(width), height: uiView.height(width: Double(width)))
        }

        /// Lets go of the presenters; their ads stay.
        public static func dismantleUIView(_ view: AdCarouselUIView, coordinator: Void) { view.presenters = [] }
    }
#endif
