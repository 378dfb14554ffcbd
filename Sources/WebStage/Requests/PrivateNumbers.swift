/// Patterns of the IPv4 addresses of this computer and network (RFC 6890, "Special-Purpose IP Address Registries"): `?`
/// is one character or none.
///
/// Some host names match too (`10.a.b.com`). An engine that can exclude hosts only by patterns of names does not resolve
/// them, so the stage refuses them in every engine, with a reason.
package enum PrivateNumbers {
    package static let patterns: [String] = {
        let two = (64...127).map { "100.\($0)" } + (16...31).map { "172.\($0)" }
        let few = (["169.254", "192.168", "198.18", "198.19"] + two).map { $0 + ".???.???" }
        return few + ([0, 10, 127] + Array(224...255)).map { "\($0).???.???.???" }
    }()

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
