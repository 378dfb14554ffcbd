import AdCore

/// Patterns of the hosts on this computer and network that Chromium must not resolve: `*` matches anything, `?` one
/// character or none.
///
/// Chromium has no ranges of IP addresses, only patterns of names. `10.???.???.???` matches all addresses of that
/// network and few names. A name that matches nevertheless (`10.a.b.com`) is refused with a reason by `RequestRules`,
/// because the browser would only report that it does not exist.
enum PrivateHosts {
    /// All patterns; allowed hosts are requested by the stage, not by the browser.
    static let patterns: [String] =
        // A trailing dot is part of the name and resolves to the same host.
        names + names.map { $0 + "." } + PrivateNumbers.patterns + [
            "::", "::1", "::ffff:*", "fc??:*", "fd??:*", "fe8?:*", "fe9?:*", "fea?:*", "feb?:*", "ff??:*",
        ]

    private static let names = HostName.privateDomains.flatMap { [$0, "*." + $0] }
}
