import UIKit
import WebKit

/// What a stage over a web view uses: none of it may be an error against the stubs.
@MainActor final class SampleStage: NSObject {
    private let web: WKWebView
    private let close = UIButton(type: .system)
    private var lastTap: Date?
    private var messages: [String] = []
    private var hasEnded = false

    override init() {
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        configuration.allowsInlineMediaPlayback = true
        configuration.mediaTypesRequiringUserActionForPlayback = []
        let content = configuration.userContentController
        let script = WKUserScript(source: "", injectionTime: .atDocumentStart, forMainFrameOnly: false, in: .page)
        content.addUserScript(script)
        self.web = WKWebView(frame: CGRect(x: 0, y: 0, width: 320, height: 50), configuration: configuration)
        super.init()
        content.add(self, contentWorld: .world(name: "stage"), name: "stage")
        content.addScriptMessageHandler(self, contentWorld: .defaultClient, name: "question")
        self.web.navigationDelegate = self
        self.web.uiDelegate = self
        self.web.scrollView.contentInsetAdjustmentBehavior = .never
        self.web.transform = CGAffineTransform(scaleX: 0.5, y: 0.5)
        self.web.loadHTMLString("<p>", baseURL: nil)
        if #available(iOS 16.4, *) { self.web.isInspectable = true }
        let recognizer = UITapGestureRecognizer(target: self, action: #selector(self.tapped))
        recognizer.cancelsTouchesInView = false
        recognizer.delegate = self
        self.web.addGestureRecognizer(recognizer)
        self.close.addAction(UIAction { [weak self] _ in self?.end() }, for: .primaryActionTriggered)
        self.close.accessibilityLabel = "Close"
        self.close.titleLabel?.font = .preferredFont(forTextStyle: .headline)
    }

    @objc private func tapped(_ recognizer: UITapGestureRecognizer) {
        guard recognizer.state == .ended, recognizer.location(in: self.web).y >= 0 else { return }
        self.lastTap = Date()
    }

    private func end() {
        self.hasEnded = true
        self.web.removeFromSuperview()
        self.web.configuration.userContentController.removeAllScriptMessageHandlers()
    }

    func picture() async throws -> Data? {
        try await self.web.takeSnapshot(configuration: nil).jpegData(compressionQuality: 0.8)
    }

    func block(_ rules: String) async throws {
        let store: WKContentRuleListStore = .default()
        guard let list = try await store.compileContentRuleList(forIdentifier: "ads", encodedContentRuleList: rules)
        else { return }
        self.web.configuration.userContentController.add(list)
    }

    func count() async throws -> Int {
        let answer = try await self.web.callAsyncJavaScript("return n", arguments: ["n": 1], contentWorld: .page)
        return (answer as? NSNumber)?.intValue ?? 0
    }

    func visible(in window: UIWindow) -> Double {
        let frame = self.web.convert(self.web.bounds, to: window).intersection(window.bounds)
        guard !frame.isNull, !frame.isEmpty else { return 0 }
        return frame.width * frame.height / (self.web.bounds.width * self.web.bounds.height)
    }
}

extension SampleStage: UIGestureRecognizerDelegate {
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { true }
}

extension SampleStage: WKScriptMessageHandler, WKScriptMessageHandlerWithReply {
    func userContentController(_ content: WKUserContentController, didReceive message: WKScriptMessage) {
        guard message.frameInfo.isMainFrame, let text = message.body as? String else { return }
        self.messages.append(text)
    }

    func userContentController(
        _ content: WKUserContentController,
        didReceive message: WKScriptMessage,
        replyHandler: @escaping @MainActor @Sendable (Any?, String?) -> Void
    ) {
        Task { replyHandler(self.messages.count, nil) }
    }
}

extension SampleStage: WKNavigationDelegate, WKUIDelegate {
    func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        switch navigationAction.navigationType {
        case .linkActivated: decisionHandler(.cancel)
        default: decisionHandler(navigationAction.request.url?.scheme == "about" ? .allow : .cancel)
        }
    }

    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) { self.web.isHidden = false }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { self.end() }

    func webView(
        _ webView: WKWebView,
        createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView? { nil }
}
