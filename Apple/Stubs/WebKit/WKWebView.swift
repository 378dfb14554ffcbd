@_exported import UIKit

/// https://developer.apple.com/documentation/webkit/wkwebview
@_inheritsConvenienceInitializers @MainActor open class WKWebView: UIView {
    /// https://developer.apple.com/documentation/webkit/wkwebview
    public override convenience init(frame: CGRect)

    /// https://developer.apple.com/documentation/webkit/wkwebview/init(frame:configuration:)
    public init(frame: CGRect, configuration: WKWebViewConfiguration)

    /// https://developer.apple.com/documentation/webkit/wkwebview/init(coder:)
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/webkit/wkwebview/configuration
    open var configuration: WKWebViewConfiguration { get }

    /// https://developer.apple.com/documentation/webkit/wkwebview/navigationdelegate
    weak open var navigationDelegate: (any WKNavigationDelegate)?

    /// https://developer.apple.com/documentation/webkit/wkwebview/uidelegate
    weak open var uiDelegate: (any WKUIDelegate)?

    /// https://developer.apple.com/documentation/webkit/wkwebview/scrollview
    open var scrollView: UIScrollView { get }

    /// https://developer.apple.com/documentation/webkit/wkwebview/title
    open var title: String? { get }

    /// https://developer.apple.com/documentation/webkit/wkwebview/url
    open var url: URL? { get }

    /// https://developer.apple.com/documentation/webkit/wkwebview/isloading
    open var isLoading: Bool { get }

    /// https://developer.apple.com/documentation/webkit/wkwebview/customuseragent
    open var customUserAgent: String? { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebview/allowslinkpreview
    open var allowsLinkPreview: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebview/allowsbackforwardnavigationgestures
    open var allowsBackForwardNavigationGestures: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebview/isinspectable
    @available(iOS 16.4, macOS 13.3, *) open var isInspectable: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebview/undersidepagebackgroundcolor
    open var underPageBackgroundColor: UIColor! { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebview/load(_:)
    @discardableResult open func load(_ request: URLRequest) -> WKNavigation?

    /// https://developer.apple.com/documentation/webkit/wkwebview/loadhtmlstring(_:baseurl:)
    @discardableResult open func loadHTMLString(_ string: String, baseURL: URL?) -> WKNavigation?

    /// https://developer.apple.com/documentation/webkit/wkwebview/loadfileurl(_:allowingreadaccessto:)
    @discardableResult open func loadFileURL(_ URL: URL, allowingReadAccessTo readAccessURL: URL) -> WKNavigation?

    /// https://developer.apple.com/documentation/webkit/wkwebview/stoploading()
    open func stopLoading()

    /// https://developer.apple.com/documentation/webkit/wkwebview/evaluatejavascript(_:completionhandler:)
    open func evaluateJavaScript(
        _ javaScriptString: String,
        completionHandler: (@MainActor @Sendable (Any?, (any Error)?) -> Void)? = nil
    )

    /// https://developer.apple.com/documentation/webkit/wkwebview/evaluatejavascript(_:completionhandler:)
    open func evaluateJavaScript(_ javaScriptString: String) async throws -> Any

    /// https://developer.apple.com/documentation/webkit/wkwebview/evaluatejavascript(_:in:in:completionhandler:)
    @preconcurrency public func evaluateJavaScript(
        _ javaScript: String,
        in frame: WKFrameInfo? = nil,
        in contentWorld: WKContentWorld,
        completionHandler: (@MainActor @Sendable (Result<Any, any Error>) -> Void)? = nil
    )

    /// https://developer.apple.com/documentation/webkit/wkwebview/evaluatejavascript(_:in:contentworld:)
    @preconcurrency public func evaluateJavaScript(
        _ javaScript: String,
        in frame: WKFrameInfo? = nil,
        contentWorld: WKContentWorld
    ) async throws -> Any?

    /// https://developer.apple.com/documentation/webkit/wkwebview/callasyncjavascript(_:arguments:in:in:completionhandler:)
    @preconcurrency public func callAsyncJavaScript(
        _ functionBody: String,
        arguments: [String: Any] = [:],
        in frame: WKFrameInfo? = nil,
        in contentWorld: WKContentWorld,
        completionHandler: (@MainActor @Sendable (Result<Any, any Error>) -> Void)? = nil
    )

    /// https://developer.apple.com/documentation/webkit/wkwebview/callasyncjavascript(_:arguments:in:contentworld:)
    @preconcurrency public func callAsyncJavaScript(
        _ functionBody: String,
        arguments: [String: Any] = [:],
        in frame: WKFrameInfo? = nil,
        contentWorld: WKContentWorld
    ) async throws -> Any?

    /// https://developer.apple.com/documentation/webkit/wkwebview/takesnapshot(with:completionhandler:)
    open func takeSnapshot(
        with snapshotConfiguration: WKSnapshotConfiguration?,
        completionHandler: @escaping @MainActor @Sendable (UIImage?, (any Error)?) -> Void
    )

    /// https://developer.apple.com/documentation/webkit/wkwebview/takesnapshot(with:completionhandler:)
    open func takeSnapshot(configuration snapshotConfiguration: WKSnapshotConfiguration?) async throws -> UIImage

    /// https://developer.apple.com/documentation/webkit/wkwebview/pauseallmediaplayback(completionhandler:)
    open func pauseAllMediaPlayback(completionHandler: (@MainActor @Sendable () -> Void)? = nil)

    /// https://developer.apple.com/documentation/webkit/wkwebview/setallmediaplaybacksuspended(_:completionhandler:)
    open func setAllMediaPlaybackSuspended(
        _ suspended: Bool,
        completionHandler: (@MainActor @Sendable () -> Void)? = nil
    )

    /// https://developer.apple.com/documentation/webkit/wkwebview/closeallmediapresentations(completionhandler:)
    open func closeAllMediaPresentations(completionHandler: (@MainActor @Sendable () -> Void)? = nil)
}

/// https://developer.apple.com/documentation/webkit/wksnapshotconfiguration
@MainActor open class WKSnapshotConfiguration: NSObject {
    /// https://developer.apple.com/documentation/webkit/wksnapshotconfiguration
    public override init()

    /// https://developer.apple.com/documentation/webkit/wksnapshotconfiguration/rect
    open var rect: CGRect { get set }

    /// https://developer.apple.com/documentation/webkit/wksnapshotconfiguration/snapshotwidth
    open var snapshotWidth: NSNumber? { get set }

    /// https://developer.apple.com/documentation/webkit/wksnapshotconfiguration/afterscreenupdates
    open var afterScreenUpdates: Bool { get set }
}

/// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration
@MainActor open class WKWebViewConfiguration: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration
    public override init()

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/usercontentcontroller
    open var userContentController: WKUserContentController { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/preferences
    open var preferences: WKPreferences { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/processpool
    open var processPool: WKProcessPool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/websitedatastore
    open var websiteDataStore: WKWebsiteDataStore { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/defaultwebpagepreferences
    open var defaultWebpagePreferences: WKWebpagePreferences! { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/allowsinlinemediaplayback
    open var allowsInlineMediaPlayback: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/allowsairplayformediaplayback
    open var allowsAirPlayForMediaPlayback: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/allowspictureinpicturemediaplayback
    open var allowsPictureInPictureMediaPlayback: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/mediatypesrequiringuseractionforplayback
    open var mediaTypesRequiringUserActionForPlayback: WKAudiovisualMediaTypes { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/suppressesincrementalrendering
    open var suppressesIncrementalRendering: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/limitsnavigationstoappbounddomains
    open var limitsNavigationsToAppBoundDomains: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/applicationnameforuseragent
    open var applicationNameForUserAgent: String? { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration/seturlschemehandler(_:forurlscheme:)
    open func setURLSchemeHandler(_ urlSchemeHandler: (any WKURLSchemeHandler)?, forURLScheme urlScheme: String)
}

/// https://developer.apple.com/documentation/webkit/wkaudiovisualmediatypes
public struct WKAudiovisualMediaTypes: OptionSet, Sendable {
    /// https://developer.apple.com/documentation/swift/optionset/init(rawvalue:)
    public init(rawValue: UInt)

    /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
    public let rawValue: UInt

    /// https://developer.apple.com/documentation/webkit/wkaudiovisualmediatypes/audio
    public static var audio: WKAudiovisualMediaTypes { get }

    /// https://developer.apple.com/documentation/webkit/wkaudiovisualmediatypes/video
    public static var video: WKAudiovisualMediaTypes { get }

    /// https://developer.apple.com/documentation/webkit/wkaudiovisualmediatypes/all
    public static var all: WKAudiovisualMediaTypes { get }
}

/// https://developer.apple.com/documentation/webkit/wkpreferences
@MainActor open class WKPreferences: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkpreferences
    public override init()

    /// https://developer.apple.com/documentation/webkit/wkpreferences/javascriptcanopenwindowsautomatically
    open var javaScriptCanOpenWindowsAutomatically: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkpreferences/iselementfullscreenenabled
    @available(iOS 15.4, macOS 12.3, *) open var isElementFullscreenEnabled: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkpreferences/isfraudulentwebsitewarningenabled
    open var isFraudulentWebsiteWarningEnabled: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkpreferences/istextinteractionenabled
    open var isTextInteractionEnabled: Bool { get set }
}

/// https://developer.apple.com/documentation/webkit/wkwebpagepreferences
@MainActor open class WKWebpagePreferences: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkwebpagepreferences
    public override init()

    /// https://developer.apple.com/documentation/webkit/wkwebpagepreferences/allowscontentjavascript
    open var allowsContentJavaScript: Bool { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebpagepreferences/preferredcontentmode
    open var preferredContentMode: WKWebpagePreferences.ContentMode { get set }

    /// https://developer.apple.com/documentation/webkit/wkwebpagepreferences/contentmode
    @objc public enum ContentMode: Int, Sendable {
        /// https://developer.apple.com/documentation/webkit/wkwebpagepreferences/contentmode/recommended
        case recommended

        /// https://developer.apple.com/documentation/webkit/wkwebpagepreferences/contentmode/mobile
        case mobile

        /// https://developer.apple.com/documentation/webkit/wkwebpagepreferences/contentmode/desktop
        case desktop
    }
}

/// https://developer.apple.com/documentation/webkit/wkprocesspool
@MainActor open class WKProcessPool: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkprocesspool
    public override init()
}

/// https://developer.apple.com/documentation/webkit/wkwebsitedatastore
@MainActor open class WKWebsiteDataStore: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkwebsitedatastore/default()
    open class func `default`() -> WKWebsiteDataStore

    /// https://developer.apple.com/documentation/webkit/wkwebsitedatastore/nonpersistent()
    open class func nonPersistent() -> WKWebsiteDataStore

    /// https://developer.apple.com/documentation/webkit/wkwebsitedatastore/ispersistent
    open var isPersistent: Bool { get }
}

/// https://developer.apple.com/documentation/webkit/wkurlschemehandler
@MainActor @objc public protocol WKURLSchemeHandler: NSObjectProtocol {
    /// https://developer.apple.com/documentation/webkit/wkurlschemehandler/webview(_:start:)
    func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask)

    /// https://developer.apple.com/documentation/webkit/wkurlschemehandler/webview(_:stop:)
    func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask)
}

/// https://developer.apple.com/documentation/webkit/wkurlschemetask
@MainActor @objc public protocol WKURLSchemeTask: NSObjectProtocol {
    /// https://developer.apple.com/documentation/webkit/wkurlschemetask/request
    var request: URLRequest { get }

    /// https://developer.apple.com/documentation/webkit/wkurlschemetask
    func didReceive(_ response: URLResponse)

    /// https://developer.apple.com/documentation/webkit/wkurlschemetask
    @objc(didReceiveData:) func didReceive(_ data: Data)

    /// https://developer.apple.com/documentation/webkit/wkurlschemetask/didfinish()
    func didFinish()

    /// https://developer.apple.com/documentation/webkit/wkurlschemetask/didfailwitherror(_:)
    func didFailWithError(_ error: any Error)
}
