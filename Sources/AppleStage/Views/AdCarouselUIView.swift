#if canImport(UIKit)
    import AdCore
    public import UIKit

    /// Cards side by side, of which one fills the view, with dots below.
    ///
    /// Each card has a `CardPresenter` and an ad of its own. What is visible of each is measured, so the edge of a neighbor
    /// counts as little as it shows. It is as high as its highest card, keeps its page in a rotation, and begins on the
    /// right where reading does.
    public final class AdCarouselUIView: UIView {
        /// The presenters of the cards, in their order.
        public var presenters: [CardPresenter] {
            didSet { if !self.presenters.elementsEqual(oldValue, by: { $0 === $1 }) { self.rebuild() } }
        }

        private let scroll = UIScrollView()
        private let cards = UIStackView()
        private let dots = UIPageControl()
        /// The scroll view above the dots.
        private let column = UIStackView()
        private var carousel = CardCarousel(count: 0)
        private var laidOut: CarouselScroll?

        /// Creates a carousel.
        public init(_ presenters: [CardPresenter] = []) {
            self.presenters = presenters
            super.init(frame: .zero)
            self.setUp()
        }

        /// Creates a carousel without cards from a storyboard.
        public required init?(coder: NSCoder) {
            self.presenters = []
            super.init(coder: coder)
            self.setUp()
        }

        private func setUp() {
            #if !os(tvOS)
                self.scroll.isPagingEnabled = true
            #endif
            self.scroll.showsHorizontalScrollIndicator = false
            self.scroll.delegate = self
            self.dots.hidesForSinglePage = true
            self.dots.currentPageIndicatorTintColor = .card(\.text)
            self.dots.pageIndicatorTintColor = .card(\.border)
            self.dots.addAction(UIAction { [weak self] _ in self?.turnPage() }, for: .valueChanged)
            self.cards.axis = .horizontal
            self.column.axis = .vertical
            self.column.addArrangedSubview(self.scroll)
            self.column.addArrangedSubview(self.dots)
            self.cards.translatesAutoresizingMaskIntoConstraints = false
            self.column.translatesAutoresizingMaskIntoConstraints = false
            self.scroll.addSubview(self.cards)
            self.addSubview(self.column)
            let content = self.scroll.contentLayoutGuide
            NSLayoutConstraint.activate([
                self.column.leadingAnchor.constraint(equalTo: self.leadingAnchor),
                self.column.trailingAnchor.constraint(equalTo: self.trailingAnchor),
                self.column.topAnchor.constraint(equalTo: self.topAnchor),
                self.column.bottomAnchor.constraint(equalTo: self.bottomAnchor),
                self.cards.leadingAnchor.constraint(equalTo: content.leadingAnchor),
                self.cards.trailingAnchor.constraint(equalTo: content.trailingAnchor),
                self.cards.topAnchor.constraint(equalTo: content.topAnchor),
                self.cards.bottomAnchor.constraint(equalTo: content.bottomAnchor),
                // It scrolls to the sides only.
                self.cards.heightAnchor.constraint(equalTo: self.scroll.frameLayoutGuide.heightAnchor, multiplier: 1),
            ])
            self.rebuild()
        }

        private func rebuild() {
            for case let card as AdCardUIView in self.cards.arrangedSubviews {
                card.presenter = nil
                card.removeFromSuperview()
            }
            for presenter in self.presenters {
                let card = AdCardUIView(presenter, style: .slide)
                card.setDirection(self.semanticContentAttribute)
                card.onHeightChange = { [weak self] in self?.invalidateIntrinsicContentSize() }
                self.cards.addArrangedSubview(card)
                let width = self.scroll.frameLayoutGuide.widthAnchor
                card.widthAnchor.constraint(equalTo: width, multiplier: 1).isActive = true
            }
            self.carousel = CardCarousel(count: self.presenters.count)
            self.dots.numberOfPages = self.presenters.count
            self.laidOut = nil
            self.setNeedsLayout()
        }

        // MARK: Pages

        /// Keeps the page when the size or the direction changes.
        public override func layoutSubviews() {
            super.layoutSubviews()
            // The scroll view has its width only now, and an offset needs the width of what it scrolls.
            self.column.layoutIfNeeded()
            self.scroll.layoutIfNeeded()
            let geometry = self.geometry
            guard geometry != self.laidOut, geometry.pageWidth > 0 else { return }
            self.laidOut = geometry
            self.show(page: self.carousel.page ?? 0, animated: false)
        }

        private var geometry: CarouselScroll {
            CarouselScroll(
                count: self.presenters.count,
                pageWidth: Double(self.scroll.bounds.size.width),
                isRightToLeft: self.effectiveUserInterfaceLayoutDirection == .rightToLeft
            )
        }

        /// Shows the page of the dot that the user chose.
        private func turnPage() {
            self.show(page: self.dots.currentPage, animated: !UIAccessibility.isReduceMotionEnabled)
        }

        private func show(page: Int, animated: Bool) {
            self.scroll.setContentOffset(CGPoint(x: self.geometry.offset(of: page), y: 0), animated: animated)
            self.dots.currentPage = page
        }

        /// The height that the highest card needs in a width, with the dots.
        func height(width: Double) -> Double {
            let views = self.cards.arrangedSubviews.compactMap { $0 as? AdCardUIView }
            let highest = views.map { $0.height(width: width) }.max() ?? 0
            guard highest > 0 else { return 0 }
            let dots = self.presenters.count > 1 ? Double(self.dots.intrinsicContentSize.height) : 0
            return highest + dots
        }

        /// Sets the direction of an app that has another one than the system.
        func setDirection(_ attribute: UISemanticContentAttribute) {
            guard attribute != self.semanticContentAttribute else { return }
            for view in [self, self.scroll, self.cards, self.dots] { view.semanticContentAttribute = attribute }
            for case let card as AdCardUIView in self.cards.arrangedSubviews { card.setDirection(attribute) }
            self.setNeedsLayout()
        }
    }

    extension AdCarouselUIView: UIScrollViewDelegate {
        /// Follows the user's finger; the cards measure themselves what is visible.
        public func scrollViewDidScroll(_ scrollView: UIScrollView) {
            // While the size changes the offset belongs to the old one.
            guard self.geometry == self.laidOut else { return }
            _ = self.carousel.scroll(to: self.geometry.position(offset: Double(scrollView.contentOffset.x)))
            if let page = self.carousel.page { self.dots.currentPage = page }
        }
    }
#endif
