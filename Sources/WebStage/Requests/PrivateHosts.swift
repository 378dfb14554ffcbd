/// The names and addresses of this machine and its network that Chromium does not resolve, in its patterns: `*` is anything,
/// `?` is one character or none.
///
/// There are patterns of names only, no ranges of numbers. `10.???.???.???` are all numbers of that network as the browser
/// writes them, and few names: `10.cdn.example` is none of them. A name that is one of them all the same (`10.a.b.com`) is
/// refused with a reason (`RequestRules`), because the browser would only report that it does not exist.
package enum PrivateHosts {
    /// This machine and its network; the stage itself calls the servers that are allowed.
    package static let patterns: [String] =
        // A point at the end is a part of a name that leads to the same place.
        names + names.map { $0 + "." } + numbers + [
            "::", "::1", "::ffff:*", "fc??:*", "fd??:*", "fe8?:*", "fe9?:*", "fea?:*", "feb?:*", "ff??:*",
        ]

    private static let names = ["localhost", "*.localhost", "*.local", "*.internal", "*.lan", "*.home.arpa"]

    private static let numbers: [String] = {
        let two = (64...127).map { "100.\($0)" } + (16...31).map { "172.\($0)" }
        let few = (["169.254", "192.168", "198.18", "198.19"] + two).map { $0 + ".???.???" }
        return few + ([0, 10, 127] + Array(224...255)).map { "\($0).???.???.???" }
    }()

    /// Whether a name is one of those that are written like a number of the local network, and the browser will not know it.
    static func isLikeNumber(_ host: String) -> Bool {
        let host = Array(host.utf8)
        return self.numbers.contains { self.matches(host[...], Array($0.utf8)[...]) }
    }

    /// Whether a text is of a pattern without `*`.
    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        if first == UInt8(ascii: "?") {
            return self.matches(text, rest) || !text.isEmpty && self.matches(text.dropFirst(), rest)
        }
        return text.first == first && self.matches(text.dropFirst(), rest)
    }
}
