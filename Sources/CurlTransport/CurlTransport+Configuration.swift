import AdCore

extension CurlTransport {
    /// How the transport connects.
    ///
    /// What a single request may cost is in its own `limits`.
    public struct Configuration: Hashable, Sendable {
        /// How many requests to one scheme, host and port are under way at once; the others wait in order of arrival.
        public var connectionsPerHost = 6
        /// How many requests are under way at once in all.
        ///
        /// Beacons that hang take 96 at most; what is beyond that is for loads.
        public var connections = 160
        /// How many idle connections are kept for later.
        public var idleConnections = 64
        /// A PEM file of certificate authorities to trust besides the system's own.
        public var caFile: String?
        /// Whether `http_proxy` and its kin in the environment are obeyed.
        ///
        /// They are not unless asked for: what an app inherited from a shell shall not decide where its ads come
        /// from.
        public var usesProxyOfEnvironment = false
        /// Whether HTTP/2 is offered over TLS.
        ///
        /// Requests that are counted go over HTTP/1.1 in any case, on a connection of their own.
        public var allowsHTTP2 = false
        /// Addresses that count as public ones; for tests, which have none.
        var publicToo: Set<PeerAddress> = []

        /// The defaults.
        public init() {}
    }
}
