import AdCore

/// Which requests a creative may make.
enum RequestRules {
    enum Verdict: Hashable, Sendable {
        /// The engine sends it.
        case proceed
        /// We send it, and answer the page's request: an engine lets no page call this machine.
        case fetch
        /// It is not sent.
        case refuse(String)
        /// There is nothing at that place.
        case missing
    }

    /// Judges a request by where it goes; `allowed` are the servers on this machine that may be called, as in
    /// `http://127.0.0.1:8080`.
    static func verdict(_ address: String, allowed: Set<String>) -> Verdict {
        guard let url = self.server(of: address) else { return .proceed }
        if allowed.contains(url.origin) { return .fetch }
        let host = url.host
        // What lies beside a creative that came without an address of its own.
        if host.hasSuffix(".yabbi-creative.invalid") { return .missing }
        if self.isNear(host) { return .refuse("a request to the local network") }
        // Chromium does not resolve such a name, and would only report that it does not exist.
        return PrivateHosts.isLikeNumber(host)
            ? .refuse("a request to a name that is written like a number of the local network") : .proceed
    }

    /// The name of the server that is asked; nil where no server is.
    static func host(of address: String) -> String? { self.server(of: address)?.host }

    /// The server that is called; the rest of an address may be longer than any that we call.
    private static func server(of address: String) -> HTTPURL? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let rest = address[scheme.upperBound...]
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return HTTPURL("\(address[..<scheme.upperBound])\(host)/")
    }

    /// Whether a host is this machine or one of its network, as far as its name shows.
    static func isNear(_ host: String) -> Bool {
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        if host == "localhost"
            || [".localhost", ".local", ".internal", ".lan", ".home.arpa"].contains(where: host.hasSuffix)
        {
            return true
        }
        // An address in an unknown notation counts as one of this network.
        if host.contains(":") { return !(PeerAddress(text: host)?.isPublic ?? false) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // A name without a point is one of this network.
        guard labels.count > 1, let last = labels.last else { return true }
        let isNumber = last.allSatisfy { $0.isASCII && $0.isNumber } || last.hasPrefix("0x")
        // Unusual notations of numbers are read in more ways than one.
        return isNumber && !(PeerAddress(text: host)?.isPublic ?? false)
    }
}
