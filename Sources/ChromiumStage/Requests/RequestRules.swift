import AdCore

/// Which requests a creative may make.
enum RequestRules {
    enum Verdict: Hashable, Sendable {
        /// The browser makes it.
        case proceed
        /// We make it, and give the page the answer: the browser lets no page ask this machine.
        case serve
        /// Nobody makes it.
        case refuse(String)
        /// There is nothing at that place.
        case missing
    }

    /// Judges a request by where it goes; `neighbours` are the servers on this machine that may be asked, as in
    /// `http://127.0.0.1:8080`.
    static func verdict(_ address: String, neighbours: Set<String>) -> Verdict {
        guard let url = self.server(of: address) else { return .proceed }
        if neighbours.contains(url.origin) { return .serve }
        let host = url.host
        // What lies beside a creative that came without an address of its own.
        if host.hasSuffix(".yabbi-creative.invalid") { return .missing }
        if self.isNear(host) { return .refuse("a request to the local network") }
        // The browser knows no such name, and would say that nobody does.
        return NearNames.isLikeNumber(host)
            ? .refuse("a request to a name that is written like a number of the local network") : .proceed
    }

    /// The name of the server that is asked; nil where no server is.
    static func host(of address: String) -> String? { self.server(of: address)?.host }

    /// The server that is asked; what else stands in an address may be longer than any that we call.
    private static func server(of address: String) -> HTTPURL? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let rest = address[scheme.upperBound...]
        let authority = rest.prefix { !"/?#\\".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return HTTPURL("\(address[..<scheme.upperBound])\(host)/")
    }

    /// Whether a host is this machine or one beside it, as far as its name tells.
    static func isNear(_ host: String) -> Bool {
        let host = host.hasSuffix(".") ? String(host.dropLast()) : host
        if host == "localhost"
            || [".localhost", ".local", ".internal", ".lan", ".home.arpa"].contains(where: host.hasSuffix)
        {
            return true
        }
        // What is written so that nobody can tell where it leads is near as well.
        if host.contains(":") { return !(PeerAddress(text: host)?.isPublic ?? false) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // A name without a point is one of this network.
        guard labels.count > 1, let last = labels.last else { return true }
        let isNumber = last.allSatisfy { $0.isASCII && $0.isNumber } || last.hasPrefix("0x")
        // Numbers that are not written as everybody writes them are read in more ways than one.
        return isNumber && !(PeerAddress(text: host)?.isPublic ?? false)
    }
}
