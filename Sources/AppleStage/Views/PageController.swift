#if canImport(WebKit) && canImport(UIKit)
    import AdCore
    import UIKit
    import WebKit

    /// A page of an engagement in a web view, as a child of a controller of the app: executes what its machine decides.
    @MainActor final class PageController: UIViewController {
        private let page: PageCreative
        private let report: @Sendable (StageEvent) -> Void
        private var machine = PageViewMachine()
        private let start = ContinuousClock.now
        private let web: WKWebView
        private let closeButton = UIButton.closingAd()
        private var loading: CheckedContinuation<Result<Void, StageError>, Never>?
        private var isEnding = false
        private lazy var watch = VisibilityWatch(self.view) { [weak self] in self?.handle(.measured($0)) }

        init(_ page: PageCreative, report: @escaping @Sendable (StageEvent) -> Void) {
            self.page = page
            self.report = report
            self.web = WKWebView(frame: .zero, configuration: PageController.configuration(page))
            super.init(nibName: nil, bundle: nil)
        }

        /// A page is created from code only.
        required init?(coder: NSCoder) { nil }

        private static func configuration(_ page: PageCreative) -> WKWebViewConfiguration {
            let configuration = WKWebViewConfiguration()
            configuration.allowsInlineMediaPlayback = true
            configuration.mediaTypesRequiringUserActionForPlayback = .audio
            configuration.preferences.javaScriptCanOpenWindowsAutomatically = false
            let source = PageBridge.script(for: page)
            let script = WKUserScript(
                source: source,
                injectionTime: .atDocumentStart,
                forMainFrameOnly: true,
                in: .page
            )
            configuration.userContentController.addUserScript(script)
            return configuration
        }

        // MARK: Life

        /// Adds the page over everything of a controller, out of sight.
        func add(to parent: UIViewController) {
            parent.addChild(self)
            self.view.translatesAutoresizingMaskIntoConstraints = false
            parent.view.addSubview(self.view)
            NSLayoutConstraint.activate([
                self.view.leadingAnchor.constraint(equalTo: parent.view.leadingAnchor),
                self.view.trailingAnchor.constraint(equalTo: parent.view.trailingAnchor),
                self.view.topAnchor.constraint(equalTo: parent.view.topAnchor),
                self.view.bottomAnchor.constraint(equalTo: parent.view.bottomAnchor),
            ])
            self.didMove(toParent: parent)
        }

        /// Loads the page, and returns when it is ready or can't be shown.
        func load() async -> Result<Void, StageError> {
            guard !self.isEnding, let url = URL(string: self.page.address.text) else {
                self.handle(.close)
                return .failure(StageError("the page's URL can't be loaded"))
            }
            return await withCheckedContinuation { continuation in
                self.loading = continuation
                // Before its first request, because the page decides by it whether it runs in an app.
                self.web.customUserAgent = self.page.userAgent
                self.web.load(URLRequest(url: url))
            }
        }

        private func finishLoading(_ result: Result<Void, StageError>) {
            self.loading?.resume(returning: result)
            self.loading = nil
        }

        private func end() {
            guard !self.isEnding else { return }
            self.isEnding = true
            self.watch.setRunning(false)
            self.finishLoading(.failure(StageError("the page was closed before it was loaded")))
            self.web.stopLoading()
            self.web.navigationDelegate = nil
            self.web.uiDelegate = nil
            // The handlers keep this controller alive.
            self.web.configuration.userContentController.removeAllScriptMessageHandlers()
            self.willMove(toParent: nil)
            self.view.removeFromSuperview()
            self.removeFromParent()
            UIAccessibility.post(notification: .screenChanged, argument: nil)
        }

        // MARK: The machine

        func handle(_ input: PageViewMachine.Input) { self.execute(self.machine.handle(input, at: self.now)) }

        /// Whether the web view may load a document.
        func allows(_ navigation: PageViewMachine.Navigation) -> Bool {
            let decision = self.machine.decide(navigation, at: self.now)
            self.execute(decision.actions)
            return decision.isAllowed
        }

        private var now: Duration { self.start.duration(to: .now) }

        private func execute(_ actions: [PageViewMachine.Action]) {
            for action in actions {
                switch action {
                case .report(let event):
                    self.report(event)
                    if event == .ready { self.finishLoading(.success(())) }
                case .post(let text): self.post(text)
                case .fadeIn: self.fadeIn()
                case .fail(let error): self.finishLoading(.failure(error))
                case .end: self.end()
                }
            }
        }

        /// Posts a message: the text is an argument of a call, so that it is never parsed as code.
        private func post(_ text: String) {
            self.web.callAsyncJavaScript(PageBridge.post, arguments: ["text": text], in: nil, in: .page)
        }

        private func fadeIn() {
            self.view.isUserInteractionEnabled = true
            self.view.accessibilityElementsHidden = false
            self.view.accessibilityViewIsModal = true
            self.watch.setRunning(true)
            let duration = CardMachine.fade(reducesMotion: UIAccessibility.isReduceMotionEnabled)
            UIView.animate(withDuration: duration.timeInterval) {
                self.view.alpha = 1
            } completion: { [weak self] _ in
                self?.handle(.fadeEnded)
                UIAccessibility.post(notification: .screenChanged, argument: self?.view)
            }
        }

        /// Shows or hides the close button, which is over the page and out of its reach.
        func setCloseButton(visible: Bool) { self.closeButton.isHidden = !visible }

        // MARK: UIViewController

        override func viewDidLoad() {
            super.viewDidLoad()
            // A view without opacity is loaded as one on screen is, which a hidden one is not.
            self.view.alpha = 0
            self.view.isUserInteractionEnabled = false
            self.view.accessibilityElementsHidden = true
            self.setUpWeb()
            self.setUpCloseButton()
        }

        private func setUpWeb() {
            self.web.isOpaque = false
            self.web.backgroundColor = .clear
            self.web.scrollView.backgroundColor = .clear
            self.web.allowsLinkPreview = false
            self.web.navigationDelegate = self
            self.web.uiDelegate = self
            let content = self.web.configuration.userContentController
            content.add(self, contentWorld: .page, name: PageBridge.channel)
            let press = UITapGestureRecognizer(target: self, action: #selector(self.pressed))
            press.cancelsTouchesInView = false
            press.delegate = self
            self.web.addGestureRecognizer(press)
            self.web.translatesAutoresizingMaskIntoConstraints = false
            self.view.addSubview(self.web)
            // The page itself leaves the safe areas free: it has `env(safe-area-inset-top)`.
            NSLayoutConstraint.activate([
                self.web.leadingAnchor.constraint(equalTo: self.view.leadingAnchor),
                self.web.trailingAnchor.constraint(equalTo: self.view.trailingAnchor),
                self.web.topAnchor.constraint(equalTo: self.view.topAnchor),
                self.web.bottomAnchor.constraint(equalTo: self.view.bottomAnchor),
            ])
        }

        private func setUpCloseButton() {
            self.closeButton.isHidden = true
            self.closeButton.addAction(
                UIAction { [weak self] _ in self?.handle(.closePressed) },
                for: .primaryActionTriggered
            )
            self.view.addSubview(self.closeButton)
            let safe = self.view.safeAreaLayoutGuide
            // Where reading begins, because providers' pages have a close button of their own where it ends.
            NSLayoutConstraint.activate([
                self.closeButton.leadingAnchor.constraint(equalTo: safe.leadingAnchor, constant: 8),
                self.closeButton.topAnchor.constraint(equalTo: safe.topAnchor, constant: 8),
            ])
        }

        /// The app took the page away.
        override func didMove(toParent parent: UIViewController?) {
            super.didMove(toParent: parent)
            if parent == nil, !self.isEnding { self.handle(.gone) }
        }

        /// VoiceOver's gesture for closing has the same effect as the close button, once there is one.
        override func accessibilityPerformEscape() -> Bool {
            guard !self.closeButton.isHidden else { return false }
            self.handle(.closePressed)
            return true
        }

        @objc private func pressed(_ recognizer: UITapGestureRecognizer) {
            let place = recognizer.location(in: self.web)
            self.handle(.touched(TapPoint(x: Double(place.x), y: Double(place.y))))
        }
    }

    extension PageController: UIGestureRecognizerDelegate {
        /// The page gets the press, too.
        func gestureRecognizer(
            _ gestureRecognizer: UIGestureRecognizer,
            shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
        ) -> Bool { true }
    }
#endif
