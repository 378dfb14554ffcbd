/// Where players, trackers and clicks go.
extension LintRule {
    static let addresses: [LintRule] = [
        .urlRequiredEmpty, .urlEmpty, .urlRelative, .urlWithoutScheme, .urlSchemeWrong, .urlJavascript, .urlBroken,
        .urlSpace, .urlCharacters, .urlSeveral, .urlAmpEscaped, .urlCredentials, .urlPrivateHost, .urlLong,
        .urlNonAscii,
        .trackerInsecure,
        .mediaInsecure, .scriptInsecure, .tagInsecure, .clickthroughInsecure,
    ]

    static let urlRequiredEmpty = LintRule(
        "url-required-empty",
        .error,
        "Required URL is empty",
        why: "The player has nothing to load.",
        cure: "Add the URL, or remove the element."
    )

    static let urlEmpty = LintRule(
        "url-empty",
        .warning,
        "Empty URL",
        why: "Some players fail on it, the others ignore it.",
        cure: "Add the URL, or remove the element."
    )

    static let urlRelative = LintRule(
        "url-relative",
        .error,
        "Relative URL",
        why: "A player in an app has no page to resolve it against.",
        cure: "Use an absolute URL, with https:// and the host."
    )

    static let urlWithoutScheme = LintRule(
        "url-without-scheme",
        .warning,
        "URL without a scheme",
        why: "In an app there is no page whose scheme it could take.",
        cure: "Write https:// before it."
    )

    static let urlSchemeWrong = LintRule(
        "url-scheme-wrong",
        .error,
        "URL scheme is not allowed here",
        why: "Players request http and https only, and open no files of the device.",
        cure: "Use an https URL."
    )

    static let urlJavascript = LintRule(
        "url-javascript",
        .error,
        "URL is a script",
        why: "Players don't run it, and careful ones refuse the ad.",
        cure: "Write an https address."
    )

    static let urlBroken = LintRule(
        "url-broken",
        .error,
        "Invalid URL",
        why: "Its host or port is none, so that the request fails.",
        cure: "Mend the address."
    )

    static let urlSpace = LintRule(
        "url-space",
        .warning,
        "White space in a URL",
        why: "Some players escape it, others cut the address there.",
        cure: "Write %20 for a space, and no line breaks."
    )

    static let urlCharacters = LintRule(
        "url-characters",
        .warning,
        "Illegal character in a URL",
        why: "RFC 3986 allows none of | ^ ` \\ \" < > { } there: some players and servers refuse the request.",
        cure: "Percent-encode it, as in %7C for |."
    )

    static let urlSeveral = LintRule(
        "url-several",
        .error,
        "Several addresses stand where one belongs",
        why: "Players take all of it for one address, and none of them is called.",
        cure: "Give each address an element of its own."
    )

    static let urlAmpEscaped = LintRule(
        "url-amp-escaped",
        .warning,
        "URL is escaped twice",
        why: "The server gets a field called amp; and none of the others.",
        cure: "In CDATA write & as it is; outside of it &amp; once."
    )

    static let urlCredentials = LintRule(
        "url-credentials",
        .error,
        "User name in a URL",
        why: "Browsers and players refuse it, and the password is public.",
        cure: "Take it out; use a token in the query."
    )

    static let urlPrivateHost = LintRule(
        "url-private-host",
        .error,
        "URL of a private network",
        why: "Nobody outside can reach it.",
        cure: "Write the public address."
    )

    static let urlLong = LintRule(
        "url-long",
        .warning,
        "Very long URL",
        why: "Servers and players cut or refuse addresses beyond 8 KB.",
        cure: "Keep ids in it, and the rest on the server."
    )

    static let urlNonAscii = LintRule(
        "url-non-ascii",
        .info,
        "Characters beyond ASCII in a URL",
        why: "Players escape them in different ways.",
        cure: "Percent-encode them as UTF-8."
    )

    static let trackerInsecure = LintRule(
        "tracker-insecure",
        .warning,
        "Tracker URL is not https",
        why: "Apps on iOS refuse plain http by default, and the call is lost.",
        cure: "Write https."
    )

    static let mediaInsecure = LintRule(
        "media-insecure",
        .warning,
        "Media URL is not https",
        why: "Apps on iOS and secure pages refuse plain http, and there is nothing to see.",
        cure: "Write https."
    )

    static let scriptInsecure = LintRule(
        "script-insecure",
        .error,
        "Script URL is not https",
        why: "Whoever is on the way can put another one in its place; players refuse it.",
        cure: "Write https."
    )

    static let tagInsecure = LintRule(
        "tag-insecure",
        .warning,
        "VASTAdTagURI is not https",
        why: "Apps on iOS refuse plain http by default, and the ad is lost.",
        cure: "Write https."
    )

    static let clickthroughInsecure = LintRule(
        "clickthrough-insecure",
        .info,
        "Click-through URL is not https",
        why: "Browsers warn, and people turn back.",
        cure: "Write https."
    )
}
