import UIKit
import WebKit

// The handler belongs to the main actor: without that this is another method, which WebKit does not call.
@MainActor private final class Delegate: NSObject, WKNavigationDelegate {
    func webView(  // error: nearly matches optional requirement 'webView(_:decidePolicyFor:decisionHandler:)'
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping (WKNavigationActionPolicy) -> Void
    ) {}
}
