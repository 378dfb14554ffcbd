#if canImport(UIKit) && canImport(WebKit)
    import AdCore
    import UIKit
    import WebKit

    /// The host's controls over a full-screen ad: the close button or its countdown, and the skip button.
    ///
    /// They are views of UIKit above the web view: the creative can neither reach nor cover them, and they work while
    /// its page hangs. Leading and trailing edges follow the language's direction, sizes the user's text size.
    @MainActor
    final class ControlsView: UIView {
        var onPress: ((StageControl) -> Void)?
        private let texts: ControlTexts
        private let countdown = UILabel()
        private var buttons: [StageControl: UIButton] = [:]
        /// The smallest side of something that is pressed (Human Interface Guidelines, "Buttons").
        private static let side: CGFloat = 44
        private static let margin: CGFloat = 8

        /// Creates the controls; over a page the close button is where reading begins, because providers' pages have
        /// one of their own where it ends.
        init(_ texts: ControlTexts, isPage: Bool) {
            self.texts = texts
            super.init(frame: .zero)
            self.addCountdown()
            self.addButton(.close, title: nil, image: UIImage(systemName: "xmark"), label: texts.close)
            self.addButton(.skip, title: texts.skip, image: nil, label: texts.skipHint)
            self.arrange(closesAtStart: isPage)
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) { nil }

        private func addButton(_ control: StageControl, title: String?, image: UIImage?, label: String) {
            // Its font follows the user's text size.
            var look = UIButton.Configuration.filled()
            look.title = title
            look.image = image
            look.baseForegroundColor = .white
            look.baseBackgroundColor = UIColor.black.withAlphaComponent(0.72)
            let action = UIAction { [weak self] _ in self?.onPress?(control) }
            let button = UIButton(configuration: look, primaryAction: action)
            button.accessibilityLabel = label
            button.accessibilityIdentifier = "yabbi.\(control.rawValue)"
            button.isHidden = true
            button.translatesAutoresizingMaskIntoConstraints = false
            self.addSubview(button)
            self.buttons[control] = button
        }

        private func addCountdown() {
            self.countdown.font = .preferredFont(forTextStyle: .headline)
            self.countdown.adjustsFontForContentSizeCategory = true
            self.countdown.textColor = .white
            self.countdown.backgroundColor = UIColor.black.withAlphaComponent(0.72)
            self.countdown.accessibilityTraits = .updatesFrequently
            self.countdown.isHidden = true
            self.countdown.translatesAutoresizingMaskIntoConstraints = false
            self.addSubview(self.countdown)
        }

        private func arrange(closesAtStart: Bool) {
            guard let close = self.buttons[.close], let skip = self.buttons[.skip] else { return }
            let (area, margin) = (self.safeAreaLayoutGuide, ControlsView.margin)
            NSLayoutConstraint.activate([
                close.topAnchor.constraint(equalTo: area.topAnchor, constant: margin),
                closesAtStart
                    ? close.leadingAnchor.constraint(equalTo: area.leadingAnchor, constant: margin)
                    : close.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -margin),
                skip.bottomAnchor.constraint(equalTo: area.bottomAnchor, constant: -margin),
                skip.trailingAnchor.constraint(equalTo: area.trailingAnchor, constant: -margin),
                self.countdown.centerYAnchor.constraint(equalTo: close.centerYAnchor),
                closesAtStart
                    ? self.countdown.leadingAnchor.constraint(equalTo: close.leadingAnchor)
                    : self.countdown.trailingAnchor.constraint(equalTo: close.trailingAnchor),
            ])
            NSLayoutConstraint.activate(
                [close, skip].flatMap {
                    [
                        $0.widthAnchor.constraint(greaterThanOrEqualToConstant: ControlsView.side),
                        $0.heightAnchor.constraint(greaterThanOrEqualToConstant: ControlsView.side),
                    ]
                }
            )
        }

        /// Only the controls take touches; all others are the ad's.
        override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
            self.buttons.values.contains { button in
                !button.isHidden && button.point(inside: self.convert(point, to: button), with: event)
            }
        }

        /// Whether a control can be pressed.
        func isShown(_ control: StageControl) -> Bool { self.buttons[control]?.isHidden == false }

        /// Shows or hides a control, and tells VoiceOver.
        func set(_ control: StageControl, visible: Bool) {
            guard let button = self.buttons[control], button.isHidden == visible else { return }
            button.isHidden = !visible
            if control == .close, visible { self.setCountdown(nil) }
            UIAccessibility.post(notification: .layoutChanged, argument: visible ? button : nil)
        }

        /// Shows the remaining seconds; nil for none.
        func setCountdown(_ seconds: Int?) {
            let seconds = self.isShown(.close) ? nil : seconds
            self.countdown.isHidden = seconds == nil
            guard let seconds else { return }
            self.countdown.text = " \(seconds) "
            self.countdown.accessibilityLabel = self.texts.countdown(seconds)
        }
    }
#endif
