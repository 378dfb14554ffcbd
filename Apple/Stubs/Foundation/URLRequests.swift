/// https://developer.apple.com/documentation/foundation/urlrequest
public struct URLRequest: Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy-swift.enum
    public typealias CachePolicy = NSURLRequest.CachePolicy

    /// https://developer.apple.com/documentation/foundation/urlrequest/init(url:cachepolicy:timeoutinterval:)
    public init(
        url: URL,
        cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval = 60.0
    )

    /// https://developer.apple.com/documentation/foundation/urlrequest/url
    public var url: URL? { get set }

    /// https://developer.apple.com/documentation/foundation/urlrequest/cachepolicy
    public var cachePolicy: URLRequest.CachePolicy { get set }

    /// https://developer.apple.com/documentation/foundation/urlrequest/timeoutinterval
    public var timeoutInterval: TimeInterval { get set }

    /// https://developer.apple.com/documentation/foundation/urlrequest/httpmethod
    public var httpMethod: String? { get set }

    /// https://developer.apple.com/documentation/foundation/urlrequest/httpbody
    public var httpBody: Data? { get set }

    /// https://developer.apple.com/documentation/foundation/urlrequest/httpshouldhandlecookies
    public var httpShouldHandleCookies: Bool { get set }

    /// https://developer.apple.com/documentation/foundation/urlrequest/allhttpheaderfields
    public var allHTTPHeaderFields: [String: String]? { get set }

    /// https://developer.apple.com/documentation/foundation/urlrequest/value(forhttpheaderfield:)
    public func value(forHTTPHeaderField field: String) -> String?

    /// https://developer.apple.com/documentation/foundation/urlrequest/setvalue(_:forhttpheaderfield:)
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String)

    /// https://developer.apple.com/documentation/foundation/urlrequest/addvalue(_:forhttpheaderfield:)
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String)

    /// https://developer.apple.com/documentation/foundation/urlrequest/==(_:_:)
    public static func == (lhs: URLRequest, rhs: URLRequest) -> Bool

    /// https://developer.apple.com/documentation/foundation/urlrequest/hash(into:)
    public func hash(into hasher: inout Hasher)
}

/// https://developer.apple.com/documentation/foundation/nsurlrequest
open class NSURLRequest: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy-swift.enum
    @objc public enum CachePolicy: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy-swift.enum/useprotocolcachepolicy
        case useProtocolCachePolicy

        /// https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy-swift.enum/reloadignoringlocalcachedata
        case reloadIgnoringLocalCacheData
    }
}

/// https://developer.apple.com/documentation/foundation/urlresponse
open class URLResponse: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlresponse/url
    open var url: URL? { get }

    /// https://developer.apple.com/documentation/foundation/urlresponse/mimetype
    open var mimeType: String? { get }

    /// https://developer.apple.com/documentation/foundation/urlresponse/expectedcontentlength
    open var expectedContentLength: Int64 { get }
}

/// https://developer.apple.com/documentation/foundation/httpurlresponse
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/httpurlresponse/init(url:statuscode:httpversion:headerfields:)
    public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?)

    /// https://developer.apple.com/documentation/foundation/httpurlresponse/statuscode
    open var statusCode: Int { get }

    /// https://developer.apple.com/documentation/foundation/httpurlresponse/allheaderfields
    open var allHeaderFields: [AnyHashable: Any] { get }

    /// https://developer.apple.com/documentation/foundation/httpurlresponse/value(forhttpheaderfield:)
    open func value(forHTTPHeaderField field: String) -> String?
}

/// https://developer.apple.com/documentation/foundation/cachedurlresponse
open class CachedURLResponse: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/urlcache
open class URLCache: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/httpcookiestorage
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/urlcredentialstorage
open class URLCredentialStorage: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/urlcredential
open class URLCredential: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/urlprotectionspace
open class URLProtectionSpace: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/authenticationmethod
    open var authenticationMethod: String { get }

    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/host
    open var host: String { get }
}

/// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge/protectionspace
    open var protectionSpace: URLProtectionSpace { get }
}

/// https://developer.apple.com/documentation/foundation/urlerror
public struct URLError: Error, Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/urlerror/init(_:userinfo:)
    public init(_ code: URLError.Code, userInfo: [String: Any] = [:])

    /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.property
    public var code: URLError.Code { get }

    /// https://developer.apple.com/documentation/foundation/urlerror/failingurl
    public var failingURL: URL? { get }

    /// https://developer.apple.com/documentation/foundation/urlerror
    public static func == (lhs: URLError, rhs: URLError) -> Bool

    /// https://developer.apple.com/documentation/foundation/urlerror
    public func hash(into hasher: inout Hasher)

    /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/init(rawvalue:)
        public init(rawValue: Int)

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/rawvalue
        public let rawValue: Int

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/cancelled
        public static var cancelled: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/badurl
        public static var badURL: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/timedout
        public static var timedOut: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/cannotfindhost
        public static var cannotFindHost: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/cannotconnecttohost
        public static var cannotConnectToHost: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/dnslookupfailed
        public static var dnsLookupFailed: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/networkconnectionlost
        public static var networkConnectionLost: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/notconnectedtointernet
        public static var notConnectedToInternet: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/badserverresponse
        public static var badServerResponse: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/httptoomanyredirects
        public static var httpTooManyRedirects: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/datalengthexceedsmaximum
        public static var dataLengthExceedsMaximum: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/secureconnectionfailed
        public static var secureConnectionFailed: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/servercertificateuntrusted
        public static var serverCertificateUntrusted: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/servercertificatehasbaddate
        public static var serverCertificateHasBadDate: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/servercertificatehasunknownroot
        public static var serverCertificateHasUnknownRoot: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/servercertificatenotyetvalid
        public static var serverCertificateNotYetValid: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/apptransportsecurityrequiressecureconnection
        public static var appTransportSecurityRequiresSecureConnection: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/unknown
        public static var unknown: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/unsupportedurl
        public static var unsupportedURL: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/datanotallowed
        public static var dataNotAllowed: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/internationalroamingoff
        public static var internationalRoamingOff: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/callisactive
        public static var callIsActive: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/clientcertificaterejected
        public static var clientCertificateRejected: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/clientcertificaterequired
        public static var clientCertificateRequired: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/cannotparseresponse
        public static var cannotParseResponse: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/cannotdecoderawdata
        public static var cannotDecodeRawData: URLError.Code { get }

        /// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct/cannotdecodecontentdata
        public static var cannotDecodeContentData: URLError.Code { get }
    }
}

/// https://developer.apple.com/documentation/foundation/urlerror/code-swift.struct
public func ~= (code: URLError.Code, error: any Error) -> Bool
