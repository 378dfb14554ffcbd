/// https://developer.apple.com/documentation/webkit/wknavigation
@MainActor open class WKNavigation: NSObject {}

/// https://developer.apple.com/documentation/webkit/wkframeinfo
@MainActor open class WKFrameInfo: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkframeinfo/ismainframe
    open var isMainFrame: Bool { get }

    /// https://developer.apple.com/documentation/webkit/wkframeinfo/request
    open var request: URLRequest { get }

    /// https://developer.apple.com/documentation/webkit/wkframeinfo/securityorigin
    open var securityOrigin: WKSecurityOrigin { get }

    /// https://developer.apple.com/documentation/webkit/wkframeinfo/webview
    weak open var webView: WKWebView? { get }
}

/// https://developer.apple.com/documentation/webkit/wksecurityorigin
@MainActor open class WKSecurityOrigin: NSObject {
    /// https://developer.apple.com/documentation/webkit/wksecurityorigin/protocol
    open var `protocol`: String { get }

    /// https://developer.apple.com/documentation/webkit/wksecurityorigin/host
    open var host: String { get }

    /// https://developer.apple.com/documentation/webkit/wksecurityorigin/port
    open var port: Int { get }
}

/// https://developer.apple.com/documentation/webkit/wknavigationaction
@MainActor open class WKNavigationAction: NSObject {
    /// https://developer.apple.com/documentation/webkit/wknavigationaction/sourceframe
    open var sourceFrame: WKFrameInfo { get }

    /// https://developer.apple.com/documentation/webkit/wknavigationaction/targetframe
    open var targetFrame: WKFrameInfo? { get }

    /// https://developer.apple.com/documentation/webkit/wknavigationaction/navigationtype
    open var navigationType: WKNavigationType { get }

    /// https://developer.apple.com/documentation/webkit/wknavigationaction/request
    open var request: URLRequest { get }

    /// https://developer.apple.com/documentation/webkit/wknavigationaction/shouldperformdownload
    open var shouldPerformDownload: Bool { get }
}

/// https://developer.apple.com/documentation/webkit/wknavigationtype
@objc public enum WKNavigationType: Int, Sendable {
    /// https://developer.apple.com/documentation/webkit/wknavigationtype/linkactivated
    case linkActivated = 0

    /// https://developer.apple.com/documentation/webkit/wknavigationtype/formsubmitted
    case formSubmitted = 1

    /// https://developer.apple.com/documentation/webkit/wknavigationtype/backforward
    case backForward = 2

    /// https://developer.apple.com/documentation/webkit/wknavigationtype/reload
    case reload = 3

    /// https://developer.apple.com/documentation/webkit/wknavigationtype/formresubmitted
    case formResubmitted = 4

    /// https://developer.apple.com/documentation/webkit/wknavigationtype/other
    case other = -1
}

/// https://developer.apple.com/documentation/webkit/wknavigationresponse
@MainActor open class WKNavigationResponse: NSObject {
    /// https://developer.apple.com/documentation/webkit/wknavigationresponse/isformainframe
    open var isForMainFrame: Bool { get }

    /// https://developer.apple.com/documentation/webkit/wknavigationresponse/response
    open var response: URLResponse { get }

    /// https://developer.apple.com/documentation/webkit/wknavigationresponse/canshowmimetype
    open var canShowMIMEType: Bool { get }
}

/// https://developer.apple.com/documentation/webkit/wknavigationactionpolicy
@objc public enum WKNavigationActionPolicy: Int, Sendable {
    /// https://developer.apple.com/documentation/webkit/wknavigationactionpolicy/cancel
    case cancel

    /// https://developer.apple.com/documentation/webkit/wknavigationactionpolicy/allow
    case allow

    /// https://developer.apple.com/documentation/webkit/wknavigationactionpolicy/download
    case download
}

/// https://developer.apple.com/documentation/webkit/wknavigationresponsepolicy
@objc public enum WKNavigationResponsePolicy: Int, Sendable {
    /// https://developer.apple.com/documentation/webkit/wknavigationresponsepolicy/cancel
    case cancel

    /// https://developer.apple.com/documentation/webkit/wknavigationresponsepolicy/allow
    case allow

    /// https://developer.apple.com/documentation/webkit/wknavigationresponsepolicy/download
    case download
}

/// https://developer.apple.com/documentation/webkit/wknavigationdelegate
@MainActor @objc public protocol WKNavigationDelegate: NSObjectProtocol {
    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:decidepolicyfor:decisionhandler:)-2ni62
    @objc(webView:decidePolicyForNavigationAction:decisionHandler:)
    optional func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    )

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:decidepolicyfor:preferences:decisionhandler:)
    @objc(webView:decidePolicyForNavigationAction:preferences:decisionHandler:)
    optional func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationAction: WKNavigationAction,
        preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    )

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:decidepolicyfor:decisionhandler:)-19mn2
    @objc(webView:decidePolicyForNavigationResponse:decisionHandler:)
    optional func webView(
        _ webView: WKWebView,
        decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    )

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:didstartprovisionalnavigation:)
    @objc(webView:didStartProvisionalNavigation:)
    optional func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!)

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:didcommit:)
    @objc(webView:didCommitNavigation:)
    optional func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!)

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:didfinish:)
    @objc(webView:didFinishNavigation:)
    optional func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:didfail:witherror:)
    @objc(webView:didFailNavigation:withError:)
    optional func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error)

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:didfailprovisionalnavigation:witherror:)
    @objc(webView:didFailProvisionalNavigation:withError:)
    optional func webView(
        _ webView: WKWebView,
        didFailProvisionalNavigation navigation: WKNavigation!,
        withError error: any Error
    )

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webviewwebcontentprocessdidterminate(_:)
    @objc optional func webViewWebContentProcessDidTerminate(_ webView: WKWebView)

    /// https://developer.apple.com/documentation/webkit/wknavigationdelegate/webview(_:didreceive:completionhandler:)
    @objc(webView:didReceiveAuthenticationChallenge:completionHandler:)
    optional func webView(
        _ webView: WKWebView,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

/// https://developer.apple.com/documentation/webkit/wkwindowfeatures
@MainActor open class WKWindowFeatures: NSObject {}

/// https://developer.apple.com/documentation/webkit/wkuidelegate
@MainActor @objc public protocol WKUIDelegate: NSObjectProtocol {
    /// https://developer.apple.com/documentation/webkit/wkuidelegate/webview(_:createwebviewwith:for:windowfeatures:)
    @objc(webView:createWebViewWithConfiguration:forNavigationAction:windowFeatures:)
    optional func webView(
        _ webView: WKWebView,
        createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView?

    /// https://developer.apple.com/documentation/webkit/wkuidelegate/webviewdidclose(_:)
    @objc optional func webViewDidClose(_ webView: WKWebView)

    /// https://developer.apple.com/documentation/webkit/wkuidelegate/webview(_:runjavascriptalertpanelwithmessage:initiatedbyframe:completionhandler:)
    @objc(webView:runJavaScriptAlertPanelWithMessage:initiatedByFrame:completionHandler:)
    optional func webView(
        _ webView: WKWebView,
        runJavaScriptAlertPanelWithMessage message: String,
        initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping @MainActor @Sendable () -> Void
    )

    /// https://developer.apple.com/documentation/webkit/wkuidelegate/webview(_:runjavascriptconfirmpanelwithmessage:initiatedbyframe:completionhandler:)
    @objc(webView:runJavaScriptConfirmPanelWithMessage:initiatedByFrame:completionHandler:)
    optional func webView(
        _ webView: WKWebView,
        runJavaScriptConfirmPanelWithMessage message: String,
        initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping @MainActor @Sendable (Bool) -> Void
    )

    /// https://developer.apple.com/documentation/webkit/wkuidelegate/webview(_:runjavascripttextinputpanelwithprompt:defaulttext:initiatedbyframe:completionhandler:)
    @objc(webView:runJavaScriptTextInputPanelWithPrompt:defaultText:initiatedByFrame:completionHandler:)
    optional func webView(
        _ webView: WKWebView,
        runJavaScriptTextInputPanelWithPrompt prompt: String,
        defaultText: String?,
        initiatedByFrame frame: WKFrameInfo,
        completionHandler: @escaping @MainActor @Sendable (String?) -> Void
    )

    /// https://developer.apple.com/documentation/webkit/wkuidelegate/webview(_:requestmediacapturepermissionfor:initiatedbyframe:type:decisionhandler:)
    @objc(webView:requestMediaCapturePermissionForOrigin:initiatedByFrame:type:decisionHandler:)
    optional func webView(
        _ webView: WKWebView,
        requestMediaCapturePermissionFor origin: WKSecurityOrigin,
        initiatedByFrame frame: WKFrameInfo,
        type: WKMediaCaptureType,
        decisionHandler: @escaping @MainActor @Sendable (WKPermissionDecision) -> Void
    )
}

/// https://developer.apple.com/documentation/webkit/wkmediacapturetype
@objc public enum WKMediaCaptureType: Int, Sendable {
    /// https://developer.apple.com/documentation/webkit/wkmediacapturetype/camera
    case camera

    /// https://developer.apple.com/documentation/webkit/wkmediacapturetype/microphone
    case microphone

    /// https://developer.apple.com/documentation/webkit/wkmediacapturetype/cameraandmicrophone
    case cameraAndMicrophone
}

/// https://developer.apple.com/documentation/webkit/wkpermissiondecision
@objc public enum WKPermissionDecision: Int, Sendable {
    /// https://developer.apple.com/documentation/webkit/wkpermissiondecision/prompt
    case prompt

    /// https://developer.apple.com/documentation/webkit/wkpermissiondecision/grant
    case grant

    /// https://developer.apple.com/documentation/webkit/wkpermissiondecision/deny
    case deny
}
