import AdCore

/// Decides which requests a creative may make.
package enum RequestRules {
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

    /// Decides by a request's URL.
    ///
    /// `allowed` are the origins on this computer and network, as in `http://127.0.0.1:8080`; `unresolved` is the
    /// destination if the engine does not resolve the host (`EngineRequest.unresolvedHost`).
    static func decision(_ address: String, allowed: Set<String>, unresolved: String? = nil) -> Decision {
        guard let url = self.server(of: address) else { return .proceed }
        if allowed.contains(url.origin) { return .fetch }
        // A relative URL of a creative without a base URL.
        if StageDomain.creative.hasHost(url.host) { return .missing }
        if url.isPrivate { return .refuse("the local network") }
        return unresolved.map(Decision.refuse) ?? .proceed
    }

    /// The host of a URL; nil if the URL has no server.
    package static func host(of address: String) -> String? { self.server(of: address)?.host }

    /// The path and query of a URL.
    static func target(of address: String) -> Substring {
        guard let scheme = address.firstRange(of: "://") else { return "/" }
        let target = address[scheme.upperBound...].drop { !"/?#\\".contains($0) }.prefix { $0 != "#" }
        return target.isEmpty ? "/" : target
    }

    /// The URL's server, without path and query, which may be too long for `HTTPURL`.
    private static func server(of address: String) -> HTTPURL? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let rest = address[scheme.upperBound...]
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return HTTPURL("\(address[..<scheme.upperBound])\(host)/")
    }
}
