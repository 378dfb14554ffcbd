import AdCore

/// The sandbox's own address, as requests may name it.
///
/// A page whose name is made to lead to this machine (DNS rebinding) says that name in `Host` (RFC 9110 §7.2), and a page of
/// anybody's that opens a socket says its own in `Origin` (RFC 6455 §10.2): both are refused, because no name but
/// this machine's own is served here.
struct OwnAddress: Hashable, Sendable {
    let port: Int

    /// Whether a request names the sandbox by a name or a number of this machine, and by its port.
    ///
    /// A program that speaks HTTP/1.0 may name nothing; no browser does so.
    func isNamed(by request: SandboxRequest) -> Bool {
        guard let host = request.headers["host"] else { return true }
        return self.isOwn(host)
    }

    /// Whether the page that opens a socket, where it is one, was served by the sandbox.
    func isOrigin(of request: SandboxRequest) -> Bool {
        guard let origin = request.headers["origin"] else { return true }
        guard origin.utf8.startsIgnoringCase("http://") else { return false }
        return self.isOwn(String(origin.dropFirst("http://".count)))
    }

    private func isOwn(_ authority: String) -> Bool {
        // What would end the authority, or stand before the host, is no part of either field.
        guard !authority.utf8.contains(where: { "/?#\\@, ".utf8.contains($0) }),
            let url = HTTPURL("http://\(authority)/")
        else { return false }
        return url.port == self.port && self.isLoopback(url.host)
    }

    private func isLoopback(_ host: String) -> Bool {
        if ["localhost", "::1"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
