/// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/default
    open class var `default`: URLSessionConfiguration { get }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/ephemeral
    open class var ephemeral: URLSessionConfiguration { get }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/requestcachepolicy
    open var requestCachePolicy: NSURLRequest.CachePolicy { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforrequest
    open var timeoutIntervalForRequest: TimeInterval { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforresource
    open var timeoutIntervalForResource: TimeInterval { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/waitsforconnectivity
    open var waitsForConnectivity: Bool { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpshouldusepipelining
    open var httpShouldUsePipelining: Bool { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpshouldsetcookies
    open var httpShouldSetCookies: Bool { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpadditionalheaders
    open var httpAdditionalHeaders: [AnyHashable: Any]? { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpmaximumconnectionsperhost
    open var httpMaximumConnectionsPerHost: Int { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpcookiestorage
    open var httpCookieStorage: HTTPCookieStorage? { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/urlcredentialstorage
    open var urlCredentialStorage: URLCredentialStorage? { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/urlcache
    open var urlCache: URLCache? { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/connectionproxydictionary
    open var connectionProxyDictionary: [AnyHashable: Any]? { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpcookieacceptpolicy
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/tlsminimumsupportedprotocolversion
    open var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t { get set }
}

/// https://developer.apple.com/documentation/foundation/httpcookie
open class HTTPCookie: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/httpcookie/acceptpolicy
    @objc public enum AcceptPolicy: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/httpcookie/acceptpolicy/always
        case always

        /// https://developer.apple.com/documentation/foundation/httpcookie/acceptpolicy/never
        case never
    }
}

/// https://developer.apple.com/documentation/security/tls_protocol_version_t
public enum tls_protocol_version_t: UInt16, Sendable {
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/tlsv12
    case TLSv12 = 771

    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/tlsv13
    case TLSv13 = 772
}

/// https://developer.apple.com/documentation/foundation/urlsession
open class URLSession: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsession/init(configuration:)
    public init(configuration: URLSessionConfiguration)

    /// https://developer.apple.com/documentation/foundation/urlsession/init(configuration:delegate:delegatequeue:)
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    )

    /// https://developer.apple.com/documentation/foundation/urlsession/shared
    open class var shared: URLSession { get }

    /// https://developer.apple.com/documentation/foundation/urlsession/finishtasksandinvalidate()
    open func finishTasksAndInvalidate()

    /// https://developer.apple.com/documentation/foundation/urlsession/invalidateandcancel()
    open func invalidateAndCancel()

    /// https://developer.apple.com/documentation/foundation/urlsession
    open func dataTask(with request: URLRequest) -> URLSessionDataTask

    /// https://developer.apple.com/documentation/foundation/urlsession
    open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask

    /// https://developer.apple.com/documentation/foundation/urlsession
    open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask

    /// https://developer.apple.com/documentation/foundation/urlsession/websockettask(with:protocols:)
    open func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask

    /// https://developer.apple.com/documentation/foundation/urlsession/data(for:delegate:)
    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse)

    /// https://developer.apple.com/documentation/foundation/urlsession/bytes(for:delegate:)
    public func bytes(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (URLSession.AsyncBytes, URLResponse)

    /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/task
        public var task: URLSessionDataTask { get }

        /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/makeasynciterator()
        public func makeAsyncIterator() -> URLSession.AsyncBytes.Iterator

        /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/iterator
        public struct Iterator: AsyncIteratorProtocol {
            /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/iterator/next()
            public mutating func next() async throws -> UInt8?
        }
    }

    /// https://developer.apple.com/documentation/foundation/urlsession/responsedisposition
    @objc public enum ResponseDisposition: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsession/responsedisposition/cancel
        case cancel

        /// https://developer.apple.com/documentation/foundation/urlsession/responsedisposition/allow
        case allow
    }

    /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition
    @objc public enum AuthChallengeDisposition: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition/usecredential
        case useCredential

        /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition/performdefaulthandling
        case performDefaultHandling

        /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition/cancelauthenticationchallenge
        case cancelAuthenticationChallenge

        /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition/rejectprotectionspace
        case rejectProtectionSpace
    }
}

/// https://developer.apple.com/documentation/foundation/urlsessiontask
open class URLSessionTask: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/taskidentifier
    open var taskIdentifier: Int { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/originalrequest
    open var originalRequest: URLRequest? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/currentrequest
    open var currentRequest: URLRequest? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/response
    open var response: URLResponse? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/countofbytessent
    open var countOfBytesSent: Int64 { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/countofbytesreceived
    open var countOfBytesReceived: Int64 { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/error
    open var error: (any Error)? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.property
    open var state: URLSessionTask.State { get }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/delegate
    open var delegate: (any URLSessionTaskDelegate)? { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/resume()
    open func resume()

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/suspend()
    open func suspend()

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/cancel()
    open func cancel()

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.enum
    @objc public enum State: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.enum/running
        case running

        /// https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.enum/suspended
        case suspended

        /// https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.enum/canceling
        case canceling

        /// https://developer.apple.com/documentation/foundation/urlsessiontask/state-swift.enum/completed
        case completed
    }
}

/// https://developer.apple.com/documentation/foundation/urlsessiondatatask
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/maximummessagesize
    open var maximumMessageSize: Int { get set }

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.property
    open var closeCode: URLSessionWebSocketTask.CloseCode { get }

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closereason
    open var closeReason: Data? { get }

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/cancel(with:reason:)
    open func cancel(with closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/sendping(ponghandler:)
    open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/send(_:)
    public func send(_ message: URLSessionWebSocketTask.Message) async throws

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/send(_:completionhandler:)
    public func send(
        _ message: URLSessionWebSocketTask.Message,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/receive()
    public func receive() async throws -> URLSessionWebSocketTask.Message

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/receive(completionhandler:)
    public func receive(
        completionHandler: @escaping @Sendable (Result<URLSessionWebSocketTask.Message, any Error>) -> Void
    )

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/message
    public enum Message: Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/message/data(_:)
        case data(Data)

        /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/message/string(_:)
        case string(String)
    }

    /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum
    @objc public enum CloseCode: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/invalid
        case invalid = 0

        /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/normalclosure
        case normalClosure = 1000

        /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/goingaway
        case goingAway = 1001

        /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/protocolerror
        case protocolError = 1002

        /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/messagetoobig
        case messageTooBig = 1009

        /// https://developer.apple.com/documentation/foundation/urlsessionwebsockettask/closecode-swift.enum/init(rawvalue:)
        public init?(rawValue: Int)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public var rawValue: Int { get }
    }
}
