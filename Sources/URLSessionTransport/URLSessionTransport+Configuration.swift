import AdCore

extension URLSessionTransport {
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
        /// Addresses that are treated as public; for tests, which run on loopback.
        var additionalPublicAddresses: Set<IPAddress> = []

        /// Creates the default configuration.
        public init() {}
    }
}
