import WebStage

/// Patterns of the IPv4 addresses of this computer and network (RFC 6890, "Special-Purpose IP Address Registries"): `?`
/// is one character or none.
///
/// Some host names match too (`10.a.b.com`). Chromium can exclude hosts only by patterns of names, so it does not
/// resolve them, and the stage refuses them with a reason.
enum PrivateNumbers {
    static let patterns: [String] = {
        let two = (64...127).map { "100.\($0)" } + (16...31).map { "172.\($0)" }
        let few = (["169.254", "192.168", "198.18", "198.19"] + two).map { $0 + ".???.???" }
        return few + ([0, 10, 127] + Array(224...255)).map { "\($0).???.???.???" }
    }()

    /// The destination of a URL whose host matches a pattern; nil for any other.
    static func destination(of url: String) -> String? {
        let address = url.hasPrefix("ws") ? "http" + url.dropFirst(2) : url
        guard let host = RequestRules.host(of: address), self.match(host) else { return nil }
        return "a host name that looks like an IP address of the local network"
    }

    /// Whether a host name matches a pattern.
    static func match(_ host: String) -> Bool {
        let host = Array(host.utf8)
        return self.patterns.contains { self.matches(host[...], Array($0.utf8)[...]) }
    }

    /// Whether a text matches a pattern.
    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        if first == UInt8(ascii: "?") {
            return self.matches(text, rest) || !text.isEmpty && self.matches(text.dropFirst(), rest)
        }
        return text.first == first && self.matches(text.dropFirst(), rest)
    }
}
