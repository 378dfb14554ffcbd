#if canImport(WebKit) && canImport(UIKit)
    import AdCore
    import UIKit
    import WebKit

    extension PageController: WKScriptMessageHandler {
        func userContentController(_ content: WKUserContentController, didReceive message: WKScriptMessage) {
            // `bridge.js` sends texts only; anything else comes from a page that calls the handler itself.
            guard let text = message.body as? String else { return }
            self.handle(.message(text, isMainFrame: message.frameInfo.isMainFrame))
        }
    }

    extension PageController: WKNavigationDelegate {
        func webView(
            _ webView: WKWebView,
            decidePolicyFor navigationAction: WKNavigationAction,
            decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
        ) {
            let url = navigationAction.request.url?.absoluteString ?? ""
            guard !navigationAction.shouldPerformDownload else {
                self.handle(.blocked(BlockedAttempt(.download, Redaction.address(url))))
                return decisionHandler(.cancel)
            }
            let target: PageViewMachine.Navigation.Target =
                switch navigationAction.targetFrame?.isMainFrame {
                case true?: .page
                case false?: .frame
                // The report of a window follows, in `createWebViewWith`.
                case nil: .window
                }
            guard target != .window else { return decisionHandler(.allow) }
            decisionHandler(self.allows(PageViewMachine.Navigation(url: url, target: target)) ? .allow : .cancel)
        }

        func webView(
            _ webView: WKWebView,
            decidePolicyFor navigationResponse: WKNavigationResponse,
            decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
        ) {
            let response = navigationResponse.response
            guard navigationResponse.canShowMIMEType else {
                let url = response.url?.absoluteString ?? ""
                self.handle(.blocked(BlockedAttempt(.download, Redaction.address(url))))
                return decisionHandler(.cancel)
            }
            if navigationResponse.isForMainFrame, let status = (response as? HTTPURLResponse)?.statusCode {
                self.handle(.responded(status: status))
            }
            decisionHandler(.allow)
        }

        func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) {
            self.handle(.committed(webView.url?.absoluteString ?? ""))
        }

        func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) { self.handle(.loaded) }

        func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
            self.handleFailure(error)
        }

        func webView(
            _ webView: WKWebView,
            didFailProvisionalNavigation navigation: WKNavigation!,
            withError error: any Error
        ) { self.handleFailure(error) }

        func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { self.handle(.processEnded) }

        private func handleFailure(_ error: any Error) {
            let error = error as NSError
            guard !PageViewMachine.isCancellation(domain: error.domain, code: error.code) else { return }
            self.handle(.failed(error.localizedDescription))
        }
    }

    extension PageController: WKUIDelegate {
        func webView(
            _ webView: WKWebView,
            createWebViewWith configuration: WKWebViewConfiguration,
            for navigationAction: WKNavigationAction,
            windowFeatures: WKWindowFeatures
        ) -> WKWebView? {
            let url = navigationAction.request.url?.absoluteString ?? ""
            _ = self.allows(PageViewMachine.Navigation(url: url, target: .window))
            return nil
        }

        func webView(
            _ webView: WKWebView,
            requestMediaCapturePermissionFor origin: WKSecurityOrigin,
            initiatedByFrame frame: WKFrameInfo,
            type: WKMediaCaptureType,
            decisionHandler: @escaping @MainActor @Sendable (WKPermissionDecision) -> Void
        ) {
            self.handle(.blocked(BlockedAttempt(.dialog, "a request for the camera or the microphone")))
            decisionHandler(.deny)
        }
    }
#endif
