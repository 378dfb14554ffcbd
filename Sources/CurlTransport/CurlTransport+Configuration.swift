import AdCore

extension CurlTransport {
    /// The connection settings of a transport.
    ///
    /// The limits of a single request are in its own `limits`.
    public struct Configuration: Hashable, Sendable {
        /// The maximum number of concurrent requests to one origin; further ones wait in order of arrival.
        public var connectionsPerHost = 6
        /// The maximum number of concurrent requests to all origins.
        ///
        /// Beacons use at most 96; the rest is for ad loads.
        public var connections = 160
        /// The maximum number of idle connections that are kept open.
        public var idleConnections = 64
        /// A PEM file of certificate authorities to trust in addition to the system's.
        public var caFile: String?
        /// Whether environment variables such as `http_proxy` are used.
        ///
        /// Off by default: variables inherited from a shell must not decide where an app's ads come from.
        public var usesProxyOfEnvironment = false
        /// Whether HTTP/2 is offered over TLS.
        ///
        /// Requests with the repetition `counted` always use HTTP/1.1 on a connection of their own.
        public var allowsHTTP2 = false
        /// Addresses that are treated as public; for tests, which run on loopback.
        var additionalPublicAddresses: Set<IPAddress> = []

        /// Creates the default configuration.
        public init() {}
    }
}
