import AdCore

/// The server's own host and port, which requests are checked against.
///
/// DNS rebinding makes a web page's own name point to this computer; such a request has that name in `Host` (RFC 9110
/// §7.2). A web page that opens a socket sends its origin in `Origin` (RFC 6455 §10.2). Both are refused unless they
/// name this computer and the server's port.
package struct LoopbackAddress: Hashable, Sendable {
    package let port: Int

    package init(port: Int) { self.port = port }

    /// Whether `Host` names this computer and the server's port.
    ///
    /// A request without `Host` is allowed: HTTP/1.0 clients send none, browsers always do.
    package func matchesHost(of request: ServerRequest) -> Bool {
        guard let host = request.headers["host"] else { return true }
        return self.matches(host)
    }

    /// Whether `Origin` is the server's own; a request without it does not come from a page.
    package func matchesOrigin(of request: ServerRequest) -> Bool {
        guard let origin = request.headers["origin"] else { return true }
        guard origin.utf8.startsIgnoringCase("http://") else { return false }
        return self.matches(String(origin.dropFirst("http://".count)))
    }

    private func matches(_ authority: String) -> Bool {
        // Characters that end an authority or precede its host occur in neither header.
        guard !authority.utf8.contains(where: { "/?#\\@, ".utf8.contains($0) }),
            let url = HTTPURL("http://\(authority)/")
        else { return false }
        return url.port == self.port && url.isLoopback
    }
}
