#if canImport(UIKit)
    import AdCore
    public import UIKit

    /// A card among the app's own content, drawn with UIKit.
    ///
    /// Give it the `CardPresenter` on which the card's ad is shown, and place it like any view: it is as high as its texts
    /// need, and has no height without a card. Texts follow Dynamic Type, light and dark mode and their own writing
    /// direction; VoiceOver reads the disclosure first. A card fades in within 0.3 s, or appears at once with Reduce Motion.
    ///
    /// A press of the button is a click of the ad, whose `URLOpener` opens the link. What is visible is measured, so a card
    /// that is scrolled away or clipped is no impression.
    public final class AdCardUIView: UIView {
        /// The presenter of the card; another one replaces the card that is drawn.
        public var presenter: CardPresenter? {
            didSet { if self.presenter !== oldValue { self.changePresenter(from: oldValue) } }
        }

        /// Called when the card needs another height, for a view around it that has a height itself.
        var onHeightChange: (() -> Void)?

        private let style: AdCardStyle
        private let outline = UIStackView()
        private lazy var drawing = CardDrawing(self.style) { [weak self] target, place in
            self?.handle(.pressed(target, at: place))
        }
        private lazy var watch = VisibilityWatch(self) { [weak self] in self?.handle(.measured($0)) }
        private var number: CardPresenter.ViewNumber?
        private var image: (url: HTTPURL, pixels: Size, task: Task<Void, Never>)?
        private var isFading = false

        /// Creates a view for the card of a presenter.
        public init(_ presenter: CardPresenter? = nil, style: AdCardStyle = .card) {
            self.style = style
            super.init(frame: .zero)
            self.setUp()
            // Observers of properties are not called in an initializer.
            self.presenter = presenter
            self.changePresenter(from: nil)
        }

        /// Creates a view of the style `card` from a storyboard.
        public required init?(coder: NSCoder) {
            self.style = .card
            super.init(coder: coder)
            self.setUp()
        }

        private func setUp() {
            self.outline.axis = .vertical
            self.outline.translatesAutoresizingMaskIntoConstraints = false
            self.addSubview(self.outline)
            // A stack has no height when all that it arranges is hidden.
            self.outline.addArrangedSubview(self.drawing)
            self.drawing.isHidden = true
            NSLayoutConstraint.activate([
                self.outline.leadingAnchor.constraint(equalTo: self.leadingAnchor),
                self.outline.trailingAnchor.constraint(equalTo: self.trailingAnchor),
                self.outline.topAnchor.constraint(equalTo: self.topAnchor),
                self.outline.bottomAnchor.constraint(equalTo: self.bottomAnchor),
            ])
        }

        // MARK: The presenter

        private func changePresenter(from old: CardPresenter?) {
            if let old, let number { old.detach(number) }
            self.number = nil
            self.isFading = false
            self.cancelImage()
            self.number = self.presenter?.attach { [weak self] in
                Task { @MainActor [weak self] in self?.update() }
            }
            self.update()
        }

        private func handle(_ input: CardMachine.Input) {
            guard let presenter, let number else { return }
            presenter.handle(input, from: number)
        }

        /// Draws what the presenter shows now; calls that come late draw the same again.
        private func update() {
            let display = self.presenter?.display
            let wasHidden = self.drawing.isHidden
            self.drawing.isHidden = display?.card == nil
            self.drawing.accessibilityElementsHidden = display?.isRevealed != true
            self.drawing.draw(display?.card.map(CardContent.init), closeButton: display?.hasCloseButton == true)
            self.loadImage()
            self.fade(display)
            // Also a screen that was open before the card came must give it room.
            if wasHidden != self.drawing.isHidden { self.changeHeight() }
        }

        // MARK: Appearing

        private func fade(_ display: CardPresenter.Display?) {
            guard !self.isFading else { return }
            let isRevealed = display?.isRevealed == true
            guard isRevealed, display?.hasFaded == false else {
                self.drawing.alpha = isRevealed ? 1 : 0
                return
            }
            self.drawing.alpha = 0
            guard self.window != nil else { return }
            let duration = CardMachine.fade(reducesMotion: UIAccessibility.isReduceMotionEnabled)
            guard duration > .zero, UIView.areAnimationsEnabled else { return self.finishFade() }
            self.isFading = true
            let number = self.number
            UIView.animate(withDuration: duration.timeInterval) {
                self.drawing.alpha = 1
            } completion: { [weak self] _ in
                // The view may show another card by now.
                if let self, self.number == number { self.finishFade() }
            }
        }

        private func finishFade() {
            self.isFading = false
            self.drawing.alpha = 1
            // Without a window the fade was not seen; it starts again when the view returns.
            if self.window != nil { self.handle(.fadeEnded) }
        }

        // MARK: The image

        private func loadImage() {
            let url = self.drawing.imageURL
            guard let url else { return self.cancelImage() }
            let pixels = self.drawing.imagePixels
            if let image, image.url == url, !CardImageRule.isTooSmall(image.pixels, for: pixels) { return }
            guard self.window != nil else { return }
            self.cancelImage()
            let task = Task { [weak self] in
                guard let outcome = await CardImageLoader.load(url, filling: pixels) else { return }
                switch outcome {
                case .image(let image): self?.drawing.setImage(image, of: url)
                case .failed(let request):
                    self?.drawing.setImage(nil, of: url)
                    self?.handle(.imageFailed(request))
                    self?.changeHeight()
                }
            }
            self.image = (url, pixels, task)
        }

        private func cancelImage() {
            self.image?.task.cancel()
            self.image = nil
        }

        // MARK: UIView

        /// Starts and ends the measuring of what is visible.
        public override func didMoveToWindow() {
            super.didMoveToWindow()
            self.watch.setRunning(self.window != nil)
            self.update()
        }

        /// Lays out the card for its width, and tells its presenter the room that it has.
        public override func layoutSubviews() {
            self.drawing.setWidth(Double(self.bounds.size.width))
            super.layoutSubviews()
            self.loadImage()
            guard let window, self.bounds.size.width > 0 else { return }
            let screen = Size(width: Double(window.bounds.size.width), height: Double(window.bounds.size.height))
            self.presenter?.setContainer(AdContainer(width: Double(self.bounds.size.width), screen: screen))
        }

        /// Asks for another height when the text size changes.
        public override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
            super.traitCollectionDidChange(previousTraitCollection)
            self.changeHeight()
        }

        /// Asks what is around the view to measure it again.
        private func changeHeight() {
            self.invalidateIntrinsicContentSize()
            self.onHeightChange?()
        }

        /// The height that the card needs in a width.
        func height(width: Double) -> Double {
            self.drawing.setWidth(width)
            guard !self.drawing.isHidden else { return 0 }
            let size = self.systemLayoutSizeFitting(
                CGSize(width: width, height: 0),
                withHorizontalFittingPriority: .required,
                verticalFittingPriority: .fittingSizeLevel
            )
            return Double(size.height)
        }

        /// Sets the direction of an app that has another one than the system.
        func setDirection(_ attribute: UISemanticContentAttribute) {
            self.semanticContentAttribute = attribute
            self.drawing.setDirection(attribute)
        }
    }

    extension Duration {
        /// The duration in seconds.
        var timeInterval: Double {
            Double(self.components.seconds) + Double(self.components.attoseconds) / 1e18
        }
    }
#endif
