/// One HTTP request, with everything that decides how it may be carried out.
public struct AdHTTPRequest: Hashable, Sendable {
    /// The method.
    public enum Method: String, Hashable, Sendable {
        /// Asks, and changes nothing.
        case get = "GET"
        /// Carries a body.
        case post = "POST"
    }

    /// The method.
    public var method: Method
    /// The address.
    public var url: HTTPURL
    /// The headers, in order.
    ///
    /// `Host`, `Content-Length` and `Connection` are the transport's own.
    public var headers: AdHTTPHeaders
    /// Names of headers that go to the address's own origin and never further, besides those that are known for it.
    public var secretHeaders: [String]
    /// The body, or nil for none.
    public var body: [UInt8]?
    /// The bounds within which it is carried out.
    public var limits: Limits
    /// Whether the bytes may arrive twice without harm.
    public var repetition: Repetition
    /// How near the server may be that it goes to.
    public var reach: Reach

    /// How near a server may be.
    public enum Reach: Hashable, Sendable {
        /// It may be any, this machine and its network included.
        case anywhere
        /// It must be one of the world: what leads to this machine or its network, by a name or by numbers, is refused
        /// before anything is sent, at each redirect anew.
        ///
        /// Such a request goes over no proxy: nobody here would see where that leads.
        case publicOnly
    }

    /// Whether a request may arrive twice.
    public enum Repetition: Hashable, Sendable {
        /// A second arrival does no harm: a kept-alive connection may be used.
        case harmless
        /// A second arrival would be counted: it goes over a connection of its own, and once.
        case counted
    }

    /// Bounds of time and size.
    public struct Limits: Hashable, Sendable {
        /// For DNS, TCP and TLS together.
        public var connecting: Duration
        /// For everything, from the call to the last byte.
        public var total: Duration
        /// For the answer's body after decompression, in bytes.
        public var body: Int
        /// What becomes of a body beyond its bound.
        public var excess: Excess
        /// How many redirects are followed; they lead to http and https only.
        public var redirects: Int

        /// What becomes of a body beyond its bound.
        public enum Excess: Hashable, Sendable {
            /// The answer is none: nothing can be read from half a body.
            case refuse
            /// The body is cut, and what is left of it is not awaited: the status is the answer.
            case discard
        }

        /// Bounds; the defaults suit an ad request.
        ///
        /// The largest creatives are playables of some megabytes, and in an answer of JSON every quotation mark of
        /// theirs takes two bytes.
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

    /// Makes a request.
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

/// A whole answer.
public struct AdHTTPResponse: Hashable, Sendable {
    /// The status of the last answer.
    public var status: Int
    /// The headers of the last answer.
    public var headers: AdHTTPHeaders
    /// The body, decompressed.
    public var body: [UInt8]
    /// Where the last answer came from.
    public var url: HTTPURL
    /// How many answers before this one pointed elsewhere, and were followed.
    public var redirects: Int

    /// Makes an answer.
    public init(status: Int, headers: AdHTTPHeaders = [:], body: [UInt8] = [], url: HTTPURL, redirects: Int = 0) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.redirects = redirects
    }
}
