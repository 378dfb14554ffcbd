import AdCore

/// Decides which requests a creative may make.
enum RequestRules {
    enum Decision: Hashable, Sendable {
        /// The engine sends it.
        case proceed
        /// The stage sends it (`AllowedHostFetcher`), because engines don't let pages call this computer.
        case fetch
        /// It is not sent, because of its destination, as in "the local network".
        case refuse(String)
        /// It is answered with status 404: a relative URL of a creative without a base URL.
        case missing
    }

    /// Decides by a request's URL; `allowed` are the origins on this computer and network, as in
    /// `http://127.0.0.1:8080`.
    static func decision(_ address: String, allowed: Set<String>) -> Decision {
        guard let url = self.server(of: address) else { return .proceed }
        if allowed.contains(url.origin) { return .fetch }
        let host = url.host
        // A relative URL of a creative without a base URL.
        if StageDomain.creative.hasHost(host) { return .missing }
        if self.isPrivate(host) { return .refuse("the local network") }
        return PrivateNumbers.match(host)
            ? .refuse("a host name that looks like an IP address of the local network") : .proceed
    }

    /// The host of a URL; nil if the URL has no server.
    static func host(of address: String) -> String? { self.server(of: address)?.host }

    /// The URL's server, without path and query, which may be too long for `HTTPURL`.
    private static func server(of address: String) -> HTTPURL? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let rest = address[scheme.upperBound...]
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return HTTPURL("\(address[..<scheme.upperBound])\(host)/")
    }

    /// Whether a host is on this computer or network, by its name or literal address.
    static func isPrivate(_ host: String) -> Bool {
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        if host == "localhost"
            || [".localhost", ".local", ".internal", ".lan", ".home.arpa"].contains(where: host.hasSuffix)
        {
            return true
        }
        // Unknown notations of IP addresses count as private.
        if host.contains(":") { return !(IPAddress(text: host)?.isPublic ?? false) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // A name without a dot is a host of this network.
        guard labels.count > 1, let last = labels.last else { return true }
        let isNumber = last.allSatisfy { $0.isASCII && $0.isNumber } || last.hasPrefix("0x")
        // Unusual number notations are parsed differently by different programs.
        return isNumber && !(IPAddress(text: host)?.isPublic ?? false)
    }
}
