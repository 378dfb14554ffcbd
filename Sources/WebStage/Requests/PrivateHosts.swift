/// Patterns of the hosts on this computer and network that Chromium must not resolve: `*` matches anything, `?` one
/// character or none.
///
/// Chromium has no ranges of IP addresses, only patterns of names. `10.???.???.???` matches all addresses of that
/// network and few names. A name that matches nevertheless (`10.a.b.com`) is refused with a reason by `RequestRules`,
/// because the browser would only report that it does not exist.
package enum PrivateHosts {
    /// All patterns; allowed hosts are requested by the stage, not by the browser.
    package static let patterns: [String] =
        // A trailing dot is part of the name and resolves to the same host.
        names + names.map { $0 + "." } + numbers + [
            "::", "::1", "::ffff:*", "fc??:*", "fd??:*", "fe8?:*", "fe9?:*", "fea?:*", "feb?:*", "ff??:*",
        ]

    private static let names = ["localhost", "*.localhost", "*.local", "*.internal", "*.lan", "*.home.arpa"]

    private static let numbers: [String] = {
        let two = (64...127).map { "100.\($0)" } + (16...31).map { "172.\($0)" }
        let few = (["169.254", "192.168", "198.18", "198.19"] + two).map { $0 + ".???.???" }
        return few + ([0, 10, 127] + Array(224...255)).map { "\($0).???.???.???" }
    }()

    /// Whether a host name matches a pattern of private IP addresses, so the browser does not resolve it.
    static func resemblesPrivateAddress(_ host: String) -> Bool {
        let host = Array(host.utf8)
        return self.numbers.contains { self.matches(host[...], Array($0.utf8)[...]) }
    }

    /// Whether a text matches a pattern without `*`.
    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        if first == UInt8(ascii: "?") {
            return self.matches(text, rest) || !text.isEmpty && self.matches(text.dropFirst(), rest)
        }
        return text.first == first && self.matches(text.dropFirst(), rest)
    }
}
