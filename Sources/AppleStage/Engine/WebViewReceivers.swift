#if canImport(UIKit) && canImport(WebKit)
    import UIKit
    import WebKit
    import WebStage

    /// Receives the messages of injected scripts; WebKit retains it, and it does not retain the shell.
    @MainActor
    final class MessageReceiver: NSObject, WKScriptMessageHandler, WKScriptMessageHandlerWithReply {
        weak var shell: WebViewShell?

        func userContentController(
            _ userContentController: WKUserContentController,
            didReceive message: WKScriptMessage
        ) {
            guard let shell, let report = self.report(message) else { return }
            shell.handle(report, from: message.frameInfo)
        }

        func userContentController(
            _ userContentController: WKUserContentController,
            didReceive message: WKScriptMessage,
            replyHandler: @escaping @MainActor @Sendable (Any?, String?) -> Void
        ) {
            guard let shell, let report = self.report(message) else { return replyHandler(nil, "closed") }
            shell.handle(waiting: report, from: message.frameInfo, reply: replyHandler)
        }

        private func report(_ message: WKScriptMessage) -> ScriptReport? {
            guard let body = message.body as? [String: String] else { return nil }
            return ScriptReport(
                body,
                isHost: message.world == WebViewShell.world,
                isMainFrame: message.frameInfo.isMainFrame
            )
        }
    }

    /// Receives the requests of the stage's scheme.
    @MainActor
    final class SchemeReceiver: NSObject, WKURLSchemeHandler {
        weak var shell: WebViewShell?

        func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask) {
            guard let shell, let url = urlSchemeTask.request.url?.absoluteString else {
                return urlSchemeTask.didFailWithError(URLError(.cancelled))
            }
            let number = shell.number()
            shell.schemeTasks[number] = urlSchemeTask
            let headers = (urlSchemeTask.request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
            let request = SchemeRequest(
                number: number,
                url: url,
                method: urlSchemeTask.request.httpMethod ?? "GET",
                headers: headers.map { EngineHeader($0.key, $0.value) }
            )
            shell.follow(shell.translator.start(request))
        }

        func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask) {
            guard let shell, let number = shell.schemeTasks.first(where: { $0.value === urlSchemeTask })?.key else {
                return
            }
            shell.schemeTasks[number] = nil
            shell.translator.stop(number)
        }
    }
#endif
