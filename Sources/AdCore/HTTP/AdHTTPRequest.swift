/// An HTTP request with its limits and its rules of sending.
public struct AdHTTPRequest: Hashable, Sendable {
    /// An HTTP method.
    public enum Method: String, Hashable, Sendable {
        /// A request without a body.
        case get = "GET"
        /// A request with a body.
        case post = "POST"
    }

    /// Whether a body is sent; a redirect may change it (RFC 9110 §15.4).
    public var method: Method
    /// Where the request goes first; redirects may lead elsewhere.
    public var url: HTTPURL
    /// The headers, in order.
    ///
    /// The transport sets `Host`, `Content-Length` and `Connection`.
    public var headers: AdHTTPHeaders
    /// The names of headers that are not sent to another origin after a redirect, besides the known ones.
    public var secretHeaders: [String]
    /// The body; nil for none.
    public var body: [UInt8]?
    /// The limits of time and size.
    public var limits: Limits
    /// Whether the request may be received twice.
    public var repetition: Repetition
    /// Which servers the request may go to.
    public var reach: Reach
    /// What the request is for.
    package var purpose = RequestPurpose.load
    /// The ad that the request belongs to, if its sender knows it.
    package var ad: AdID?

    /// Which servers a request may go to.
    public enum Reach: Hashable, Sendable {
        /// Any server, on this computer or in its network, too.
        case anywhere
        /// Only servers with a public address.
        ///
        /// A host that resolves to a private address is refused before anything is sent, also after each redirect. The
        /// request uses no proxy, because the proxy would resolve the host.
        case publicOnly
    }

    /// Whether a request may be received twice.
    public enum Repetition: Hashable, Sendable {
        /// A repeated request does no harm: a persistent connection may be used.
        case harmless
        /// A repeated request would be counted: it is sent once, over a new connection.
        case counted
    }

    /// Limits of time and size.
    public struct Limits: Hashable, Sendable {
        /// The time limit of DNS, TCP and TLS together.
        public var connecting: Duration
        /// The time limit from the call to the last byte.
        public var total: Duration
        /// The maximum size of the decompressed response body in bytes.
        public var body: Int
        /// What happens to a larger body.
        public var excess: Excess
        /// The maximum number of redirects; only http and https are followed.
        public var redirects: Int

        /// What happens to a body above its limit.
        public enum Excess: Hashable, Sendable {
            /// The request fails, because a part of the body is of no use.
            case refuse
            /// The body is cut without waiting for the rest, because only the status matters.
            case discard
        }

        /// Creates limits; the defaults suit an ad request.
        ///
        /// The largest creatives are playable ads of a few megabytes, and JSON escapes each quotation mark in them.
        public init(
            connecting: Duration = .seconds(5),
            total: Duration = .seconds(10),
            body: Int = 8 << 20,
            excess: Excess = .refuse,
            redirects: Int = 5
        ) {
            self.connecting = connecting
            self.total = total
            self.body = body
            self.excess = excess
            self.redirects = redirects
        }
    }

    /// Creates a request.
    public init(
        _ method: Method,
        _ url: HTTPURL,
        headers: AdHTTPHeaders = [:],
        secretHeaders: [String] = [],
        body: [UInt8]? = nil,
        limits: Limits = Limits(),
        repetition: Repetition = .harmless,
        reach: Reach = .anywhere
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.secretHeaders = secretHeaders
        self.body = body
        self.limits = limits
        self.repetition = repetition
        self.reach = reach
    }
}

/// A complete HTTP response.
public struct AdHTTPResponse: Hashable, Sendable {
    /// The status.
    public var status: Int
    /// The headers.
    public var headers: AdHTTPHeaders
    /// The decompressed body.
    public var body: [UInt8]
    /// The URL of the response, after redirects.
    public var url: HTTPURL
    /// The number of redirects that were followed.
    public var redirects: Int
    /// The redirects that were followed, first to last, if the transport knows them.
    package var hops: [RequestHop] = []

    /// Creates a response.
    public init(status: Int, headers: AdHTTPHeaders = [:], body: [UInt8] = [], url: HTTPURL, redirects: Int = 0) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.redirects = redirects
    }
}
