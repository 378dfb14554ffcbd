#if canImport(UIKit)
    import AdCore
    import UIKit

    /// The parts of a card, arranged by its `CardLayout`.
    @MainActor final class CardDrawing: UIView {
        private let style: AdCardStyle
        private let onPress: (CardMachine.Target, TapPoint?) -> Void
        private var content: CardContent?
        private var hasCloseButton = false
        private var failedImage: HTTPURL?
        private var width = 0.0
        private var layout: CardLayout?
        private var direction = UISemanticContentAttribute.unspecified

        /// Image and texts, beside or above each other.
        private let stack = UIStackView()
        /// The texts: one element for VoiceOver.
        private let texts = UIStackView()
        private let imageView = UIImageView(image: nil)
        private var imageConstraints: [NSLayoutConstraint] = []
        private var edges: [NSLayoutConstraint] = []
        private let button = UIButton(configuration: .filled(), primaryAction: nil)
        private let closeButton = UIButton.closingAd()

        init(_ style: AdCardStyle, onPress: @escaping (CardMachine.Target, TapPoint?) -> Void) {
            self.style = style
            self.onPress = onPress
            super.init(frame: .zero)
            self.setUp()
        }

        /// A card is drawn from code only.
        required init?(coder: NSCoder) { nil }

        private func setUp() {
            self.layer.cornerRadius = CGFloat(CardLayout.cornerRadius)
            self.layer.borderWidth = 1
            self.clipsToBounds = true
            self.imageView.clipsToBounds = true
            self.imageView.contentMode = .scaleAspectFill
            self.imageView.layer.cornerRadius = 8
            self.imageView.isAccessibilityElement = false
            self.texts.axis = .vertical
            self.texts.isAccessibilityElement = true
            self.stack.translatesAutoresizingMaskIntoConstraints = false
            self.addSubview(self.stack)
            self.edges = [
                self.stack.leadingAnchor.constraint(equalTo: self.leadingAnchor),
                self.stack.topAnchor.constraint(equalTo: self.topAnchor),
                self.trailingAnchor.constraint(equalTo: self.stack.trailingAnchor),
                self.bottomAnchor.constraint(equalTo: self.stack.bottomAnchor),
            ]
            NSLayoutConstraint.activate(self.edges)
            self.setUpButtons()
            let press = UITapGestureRecognizer(target: self, action: #selector(self.pressed))
            // The buttons handle their own presses.
            press.cancelsTouchesInView = false
            press.delegate = self
            self.addGestureRecognizer(press)
            self.updateColors()
        }

        private func setUpButtons() {
            let target = CGFloat(CardLayout.smallestTarget)
            self.button.addAction(
                UIAction { [weak self] _ in self?.onPress(.button, nil) },
                for: .primaryActionTriggered
            )
            self.button.heightAnchor.constraint(greaterThanOrEqualToConstant: target).isActive = true
            self.button.accessibilityTraits = .link
            self.closeButton.addAction(
                UIAction { [weak self] _ in self?.onPress(.closeButton, nil) },
                for: .primaryActionTriggered
            )
            self.addSubview(self.closeButton)
            NSLayoutConstraint.activate([
                self.closeButton.topAnchor.constraint(equalTo: self.topAnchor),
                self.closeButton.trailingAnchor.constraint(equalTo: self.trailingAnchor),
            ])
        }

        // MARK: What is drawn

        /// Draws a card, or nothing.
        func draw(_ content: CardContent?, closeButton: Bool) {
            guard content != self.content || closeButton != self.hasCloseButton else { return }
            if content?.image != self.content?.image { self.imageView.image = nil }
            self.content = content
            self.hasCloseButton = closeButton
            self.rebuild()
        }

        /// Arranges the parts for a width.
        func setWidth(_ width: Double) {
            guard width > 0, width.isFinite, width != self.width else { return }
            self.width = width
            if self.wantedLayout != self.layout { self.rebuild() }
        }

        /// Draws the card again when the text size or the colors change.
        override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
            super.traitCollectionDidChange(previousTraitCollection)
            self.updateColors()
            if self.wantedLayout != self.layout { self.rebuild() }
        }

        func setDirection(_ direction: UISemanticContentAttribute) {
            guard direction != self.direction else { return }
            self.direction = direction
            self.rebuild()
        }

        /// The image that the drawing has room for; nil until it has a width.
        var imageURL: HTTPURL? { self.layout?.image == nil || self.width == 0 ? nil : self.content?.image }

        /// The size of the image's place, in pixels of the screen.
        var imagePixels: Size {
            let scale = max(1, Double(self.traitCollection.displayScale))
            switch self.layout?.image {
            case .above(let height): return Size(width: self.width * scale, height: height * scale)
            case .beside(let side): return Size(width: side * scale, height: side * scale)
            case nil: return Size(width: 0, height: 0)
            }
        }

        /// Shows an image; without one its place is given to the texts.
        func setImage(_ image: UIImage?, of url: HTTPURL) {
            guard self.content?.image == url else { return }
            self.imageView.image = image
            guard image == nil else { return }
            self.failedImage = url
            self.rebuild()
        }

        private var wantedLayout: CardLayout {
            let image = self.content?.image
            return CardLayout(
                self.style,
                width: self.width,
                usesLargeText: self.traitCollection.preferredContentSizeCategory.isAccessibilityCategory,
                hasImage: image != nil && image != self.failedImage
            )
        }

        // MARK: Building

        private func rebuild() {
            let layout = self.wantedLayout
            self.layout = layout
            for view in self.stack.arrangedSubviews + self.texts.arrangedSubviews { view.removeFromSuperview() }
            self.closeButton.isHidden = !self.hasCloseButton
            for edge in self.edges { edge.constant = CGFloat(layout.padding) }
            // Nothing is under the close button.
            if self.hasCloseButton { self.edges[1].constant = CGFloat(CardLayout.smallestTarget) }
            self.accessibilityElements = []
            guard let content else { return }
            self.buildTexts(content, layout)
            let column = UIStackView(arrangedSubviews: [self.texts])
            column.axis = .vertical
            column.spacing = CGFloat(layout.spacing * 2)
            column.alignment = layout.buttonFillsWidth ? .fill : .leading
            self.button.configuration?.title = content.button
            self.button.accessibilityLabel = content.spokenButton
            if content.button != nil { column.addArrangedSubview(self.button) }
            // Also a column that is aligned at its start gives the texts its whole width.
            self.texts.widthAnchor.constraint(equalTo: column.widthAnchor, multiplier: 1).isActive = true
            self.placeImage(layout)
            self.stack.addArrangedSubview(column)
            for view in [self, self.stack, self.texts, column, self.button] {
                view.semanticContentAttribute = self.direction
            }
            self.updateColors()
            self.accessibilityElements =
                [self.texts] + (content.button == nil ? [] : [self.button])
                + (self.hasCloseButton ? [self.closeButton] : [])
        }

        private func buildTexts(_ content: CardContent, _ layout: CardLayout) {
            self.texts.spacing = CGFloat(layout.spacing)
            let disclosure = UIStackView(arrangedSubviews: content.disclosure.map { self.label($0, layout) })
            disclosure.axis = layout.disclosureIsOneLine ? .horizontal : .vertical
            disclosure.spacing = 12
            disclosure.semanticContentAttribute = self.direction
            self.texts.addArrangedSubview(disclosure)
            for line in content.texts { self.texts.addArrangedSubview(self.label(line, layout)) }
            self.texts.accessibilityLabel = content.spokenText
        }

        private func label(_ line: CardContent.Line, _ layout: CardLayout) -> UILabel {
            let label = UILabel()
            label.text = line.text
            label.font = .preferredFont(forTextStyle: line.role.textStyle)
            label.adjustsFontForContentSizeCategory = true
            label.numberOfLines = layout.lineLimit(line.role)
            label.textColor = .card { $0.color(line.role) }
            label.textAlignment = line.direction.alignment
            // The label of the disclosure is never cut off for a long advertiser.
            if line.role == .label { label.setContentCompressionResistancePriority(.required, for: .horizontal) }
            return label
        }

        private func placeImage(_ layout: CardLayout) {
            NSLayoutConstraint.deactivate(self.imageConstraints)
            self.imageConstraints = []
            self.stack.axis = .vertical
            self.stack.alignment = .fill
            self.stack.spacing = CGFloat(layout.padding)
            switch layout.image {
            case .above(let height):
                self.imageConstraints = [self.imageView.heightAnchor.constraint(equalToConstant: CGFloat(height))]
            case .beside(let side):
                self.stack.axis = .horizontal
                self.stack.alignment = .top
                self.imageConstraints = [self.imageView.widthAnchor, self.imageView.heightAnchor].map {
                    $0.constraint(equalToConstant: CGFloat(side))
                }
            case nil: return
            }
            self.stack.addArrangedSubview(self.imageView)
            NSLayoutConstraint.activate(self.imageConstraints)
        }

        private func updateColors() {
            self.backgroundColor = .card(\.background)
            self.imageView.backgroundColor = .card(\.border)
            self.button.configuration?.baseBackgroundColor = .card(\.button)
            self.button.configuration?.baseForegroundColor = .card(\.buttonText)
            // A layer does not follow light and dark mode itself.
            self.layer.borderColor = UIColor.card(\.border).resolvedColor(with: self.traitCollection).cgColor
        }

        // MARK: Presses

        @objc private func pressed(_ recognizer: UITapGestureRecognizer) {
            let place = recognizer.location(in: self)
            self.onPress(.other, TapPoint(x: Double(place.x), y: Double(place.y)))
        }
    }

    extension CardDrawing: UIGestureRecognizerDelegate {
        func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
            guard let view = touch.view else { return true }
            return !view.isDescendant(of: self.button) && !view.isDescendant(of: self.closeButton)
        }
    }
#endif
