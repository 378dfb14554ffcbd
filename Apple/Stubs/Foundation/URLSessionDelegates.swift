/// https://developer.apple.com/documentation/foundation/urlsessiondelegate
@objc public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiondelegate/urlsession(_:didbecomeinvalidwitherror:)
    @objc optional func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
}

/// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate
@objc public protocol URLSessionTaskDelegate: URLSessionDelegate {
    /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:willperformhttpredirection:newrequest:completionhandler:)
    @objc optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:didreceive:completionhandler:)
    @objc optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:taskiswaitingforconnectivity:)
    @objc optional func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:didsendbodydata:totalbytessent:totalbytesexpectedtosend:)
    @objc optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:didfinishcollecting:)
    @objc optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    )

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate/urlsession(_:task:didcompletewitherror:)
    @objc optional func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    )
}

/// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate
@objc public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    /// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate/urlsession(_:datatask:didreceive:completionhandler:)
    @objc optional func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    )

    /// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate/urlsession(_:datatask:didreceive:)
    @objc optional func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

    /// https://developer.apple.com/documentation/foundation/urlsessiondatadelegate/urlsession(_:datatask:willcacheresponse:completionhandler:)
    @objc optional func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    )
}

/// https://developer.apple.com/documentation/foundation/urlsessionwebsocketdelegate
@objc public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
    /// https://developer.apple.com/documentation/foundation/urlsessionwebsocketdelegate/urlsession(_:websockettask:didopenwithprotocol:)
    @objc optional func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    )

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsocketdelegate/urlsession(_:websockettask:didclosewith:reason:)
    @objc optional func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    )
}

/// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/transactionmetrics
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/redirectcount
    open var redirectCount: Int { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype
    @objc public enum ResourceFetchType: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/unknown
        case unknown

        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/networkload
        case networkLoad

        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/serverpush
        case serverPush

        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/localcache
        case localCache
    }
}

/// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/request
    open var request: URLRequest { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/response
    open var response: URLResponse? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/fetchstartdate
    open var fetchStartDate: Date? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/connectstartdate
    open var connectStartDate: Date? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/connectenddate
    open var connectEndDate: Date? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/requeststartdate
    open var requestStartDate: Date? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/requestenddate
    open var requestEndDate: Date? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/responsestartdate
    open var responseStartDate: Date? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/networkprotocolname
    open var networkProtocolName: String? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/resourcefetchtype
    open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isreusedconnection
    open var isReusedConnection: Bool { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofrequestheaderbytessent
    open var countOfRequestHeaderBytesSent: Int64 { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/remoteaddress
    open var remoteAddress: String? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofrequestbodybytessent
    open var countOfRequestBodyBytesSent: Int64 { get }
}
