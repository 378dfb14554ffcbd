/// https://developer.apple.com/documentation/webkit/wkusercontentcontroller
@MainActor open class WKUserContentController: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller
    public override init()

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/userscripts
    open var userScripts: [WKUserScript] { get }

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/adduserscript(_:)
    open func addUserScript(_ userScript: WKUserScript)

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/removealluserscripts()
    open func removeAllUserScripts()

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/add(_:name:)
    open func add(_ scriptMessageHandler: any WKScriptMessageHandler, name: String)

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/add(_:contentworld:name:)
    open func add(_ scriptMessageHandler: any WKScriptMessageHandler, contentWorld world: WKContentWorld, name: String)

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/addscriptmessagehandler(_:contentworld:name:)
    open func addScriptMessageHandler(
        _ scriptMessageHandlerWithReply: any WKScriptMessageHandlerWithReply,
        contentWorld: WKContentWorld,
        name: String
    )

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/removescriptmessagehandler(forname:)
    open func removeScriptMessageHandler(forName name: String)

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/removescriptmessagehandler(forname:contentworld:)
    open func removeScriptMessageHandler(forName name: String, contentWorld: WKContentWorld)

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/removeallscriptmessagehandlers()
    open func removeAllScriptMessageHandlers()

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/add(_:)
    open func add(_ contentRuleList: WKContentRuleList)

    /// https://developer.apple.com/documentation/webkit/wkusercontentcontroller/removeallcontentrulelists()
    open func removeAllContentRuleLists()
}

/// https://developer.apple.com/documentation/webkit/wkuserscript
@MainActor open class WKUserScript: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkuserscript/init(source:injectiontime:formainframeonly:)
    public init(source: String, injectionTime: WKUserScriptInjectionTime, forMainFrameOnly: Bool)

    /// https://developer.apple.com/documentation/webkit/wkuserscript/init(source:injectiontime:formainframeonly:in:)
    public init(
        source: String,
        injectionTime: WKUserScriptInjectionTime,
        forMainFrameOnly: Bool,
        in contentWorld: WKContentWorld
    )
}

/// https://developer.apple.com/documentation/webkit/wkuserscriptinjectiontime
@objc public enum WKUserScriptInjectionTime: Int, Sendable {
    /// https://developer.apple.com/documentation/webkit/wkuserscriptinjectiontime/atdocumentstart
    case atDocumentStart

    /// https://developer.apple.com/documentation/webkit/wkuserscriptinjectiontime/atdocumentend
    case atDocumentEnd
}

/// https://developer.apple.com/documentation/webkit/wkcontentworld
@MainActor open class WKContentWorld: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkcontentworld/page
    open class var page: WKContentWorld { get }

    /// https://developer.apple.com/documentation/webkit/wkcontentworld/defaultclient
    open class var defaultClient: WKContentWorld { get }

    /// https://developer.apple.com/documentation/webkit/wkcontentworld/world(name:)
    open class func world(name: String) -> WKContentWorld

    /// https://developer.apple.com/documentation/webkit/wkcontentworld/name
    open var name: String? { get }
}

/// https://developer.apple.com/documentation/webkit/wkscriptmessage
@MainActor open class WKScriptMessage: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkscriptmessage/body
    open var body: Any { get }

    /// https://developer.apple.com/documentation/webkit/wkscriptmessage/name
    open var name: String { get }

    /// https://developer.apple.com/documentation/webkit/wkscriptmessage/webview
    weak open var webView: WKWebView? { get }

    /// https://developer.apple.com/documentation/webkit/wkscriptmessage/frameinfo
    open var frameInfo: WKFrameInfo { get }

    /// https://developer.apple.com/documentation/webkit/wkscriptmessage/world
    open var world: WKContentWorld { get }
}

/// https://developer.apple.com/documentation/webkit/wkscriptmessagehandler
@MainActor @objc public protocol WKScriptMessageHandler: NSObjectProtocol {
    /// https://developer.apple.com/documentation/webkit/wkscriptmessagehandler/usercontentcontroller(_:didreceive:)
    @objc(userContentController:didReceiveScriptMessage:)
    func userContentController(_ userContentController: WKUserContentController, didReceive message: WKScriptMessage)
}

/// https://developer.apple.com/documentation/webkit/wkscriptmessagehandlerwithreply
@MainActor @objc public protocol WKScriptMessageHandlerWithReply: NSObjectProtocol {
    /// https://developer.apple.com/documentation/webkit/wkscriptmessagehandlerwithreply/usercontentcontroller(_:didreceive:replyhandler:)
    @objc(userContentController:didReceiveScriptMessage:replyHandler:)
    func userContentController(
        _ userContentController: WKUserContentController,
        didReceive message: WKScriptMessage,
        replyHandler: @escaping @MainActor @Sendable (Any?, String?) -> Void
    )
}

/// https://developer.apple.com/documentation/webkit/wkcontentrulelist
@MainActor open class WKContentRuleList: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkcontentrulelist/identifier
    open var identifier: String! { get }
}

/// https://developer.apple.com/documentation/webkit/wkcontentruleliststore
@MainActor open class WKContentRuleListStore: NSObject {
    /// https://developer.apple.com/documentation/webkit/wkcontentruleliststore/default()
    open class func `default`() -> Self!

    /// https://developer.apple.com/documentation/webkit/wkcontentruleliststore/compilecontentrulelist(foridentifier:encodedcontentrulelist:completionhandler:)
    open func compileContentRuleList(
        forIdentifier identifier: String!,
        encodedContentRuleList: String!,
        completionHandler: ((WKContentRuleList?, (any Error)?) -> Void)!
    )

    /// https://developer.apple.com/documentation/webkit/wkcontentruleliststore/compilecontentrulelist(foridentifier:encodedcontentrulelist:completionhandler:)
    open func compileContentRuleList(
        forIdentifier identifier: String!,
        encodedContentRuleList: String!
    ) async throws -> WKContentRuleList?

    /// https://developer.apple.com/documentation/webkit/wkcontentruleliststore/lookupcontentrulelist(foridentifier:completionhandler:)
    open func contentRuleList(forIdentifier identifier: String!) async throws -> WKContentRuleList?
}
