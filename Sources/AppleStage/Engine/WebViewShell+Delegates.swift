#if canImport(UIKit) && canImport(WebKit)
    import UIKit
    import WebKit
    import WebStage

    // What WKWebView asks and reports. Nothing is answered in the page's favour without the stage.

    extension WebViewShell: WKNavigationDelegate {
        func webView(
            _ webView: WKWebView,
            decidePolicyFor navigationAction: WKNavigationAction,
            decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
        ) {
            guard let url = navigationAction.request.url?.absoluteString else { return decisionHandler(.cancel) }
            let target: NavigationFacts.Target =
                switch navigationAction.targetFrame {
                case nil: .window
                case let frame? where frame.isMainFrame: .main
                case let frame?: .frame(url: frame.request.url?.absoluteString ?? "")
                }
            let number = self.number()
            self.decisions[number] = decisionHandler
            self.follow(
                self.translator.decide(
                    NavigationFacts(
                        number: number,
                        url: url,
                        method: navigationAction.request.httpMethod ?? "GET",
                        target: target,
                        isFromMain: navigationAction.sourceFrame.isMainFrame,
                        isDownload: navigationAction.shouldPerformDownload
                    )
                )
            )
        }

        func webView(
            _ webView: WKWebView,
            decidePolicyFor navigationResponse: WKNavigationResponse,
            decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
        ) {
            let url = navigationResponse.response.url?.absoluteString ?? ""
            guard navigationResponse.canShowMIMEType else {
                decisionHandler(.cancel)
                self.report?(EngineEvent(.downloadRequested(url: url), in: nil))
                return
            }
            decisionHandler(.allow)
            guard navigationResponse.isForMainFrame,
                let status = (navigationResponse.response as? HTTPURLResponse)?.statusCode,
                let event = self.translator.respond(status: status, to: url)
            else { return }
            self.report?(event)
        }

        func webView(
            _ webView: WKWebView,
            didFailProvisionalNavigation navigation: WKNavigation!,
            withError error: any Error
        ) {
            self.finishLoading(.failed((error as NSError).localizedDescription))
        }

        func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { self.follow(self.translator.end()) }
    }

    extension WebViewShell: WKUIDelegate {
        func webView(
            _ webView: WKWebView,
            createWebViewWith configuration: WKWebViewConfiguration,
            for navigationAction: WKNavigationAction,
            windowFeatures: WKWindowFeatures
        ) -> WKWebView? {
            let url = navigationAction.request.url?.absoluteString ?? ""
            let kind = EngineEvent.Kind.windowRequested(url: StageScheme.stageURL(url), frame: nil, gesture: nil)
            self.report?(EngineEvent(kind, in: nil))
            return nil
        }

        func webView(
            _ webView: WKWebView,
            runJavaScriptAlertPanelWithMessage message: String,
            initiatedByFrame frame: WKFrameInfo,
            completionHandler: @escaping @MainActor @Sendable () -> Void
        ) {
            completionHandler()
            self.reportDialog("alert", message)
        }

        func webView(
            _ webView: WKWebView,
            runJavaScriptConfirmPanelWithMessage message: String,
            initiatedByFrame frame: WKFrameInfo,
            completionHandler: @escaping @MainActor @Sendable (Bool) -> Void
        ) {
            completionHandler(false)
            self.reportDialog("confirm", message)
        }

        func webView(
            _ webView: WKWebView,
            runJavaScriptTextInputPanelWithPrompt prompt: String,
            defaultText: String?,
            initiatedByFrame frame: WKFrameInfo,
            completionHandler: @escaping @MainActor @Sendable (String?) -> Void
        ) {
            completionHandler(nil)
            self.reportDialog("prompt", prompt)
        }

        func webView(
            _ webView: WKWebView,
            requestMediaCapturePermissionFor origin: WKSecurityOrigin,
            initiatedByFrame frame: WKFrameInfo,
            type: WKMediaCaptureType,
            decisionHandler: @escaping @MainActor @Sendable (WKPermissionDecision) -> Void
        ) {
            decisionHandler(.deny)
        }

        private func reportDialog(_ kind: String, _ text: String) {
            self.report?(EngineEvent(.dialogOpened(kind: kind, text: text), in: self.translator.target))
        }
    }
#endif
