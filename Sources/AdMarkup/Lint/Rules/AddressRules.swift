/// Where players, trackers and clicks go.
extension LintRule {
    static let addresses: [LintRule] = [
        .urlRequiredEmpty, .urlEmpty, .urlRelative, .urlWithoutScheme, .urlSchemeWrong, .urlJavascript, .urlBroken,
        .urlSpace, .urlSeveral, .urlAmpEscaped, .urlCredentials, .urlPrivateHost, .urlLong, .urlNonAscii,
        .trackerInsecure,
        .mediaInsecure, .scriptInsecure, .tagInsecure, .clickthroughInsecure,
    ]

    static let urlRequiredEmpty = LintRule(
        "url-required-empty",
        .error,
        "An address that is needed is empty",
        why: "Nothing can be loaded from nowhere.",
        cure: "Give the address, or leave the element out."
    )

    static let urlEmpty = LintRule(
        "url-empty",
        .warning,
        "An address is empty",
        why: "Some players crash on it, the others pass over it.",
        cure: "Give the address, or leave the element out."
    )

    static let urlRelative = LintRule(
        "url-relative",
        .error,
        "An address is not whole",
        why: "A player in an app has nothing to complete it with.",
        cure: "Write it from https:// on."
    )

    static let urlWithoutScheme = LintRule(
        "url-without-scheme",
        .warning,
        "An address begins with //",
        why: "In an app there is no page whose scheme it could take.",
        cure: "Write https:// before it."
    )

    static let urlSchemeWrong = LintRule(
        "url-scheme-wrong",
        .error,
        "An address has a scheme that nobody calls",
        why: "Players call http and https, nothing else.",
        cure: "Write an https address."
    )

    static let urlJavascript = LintRule(
        "url-javascript",
        .error,
        "An address is a script",
        why: "Players don't run it, and careful ones refuse the ad.",
        cure: "Write an https address."
    )

    static let urlBroken = LintRule(
        "url-broken",
        .error,
        "An address can't be called",
        why: "Its host or port is none, so that the request fails.",
        cure: "Mend the address."
    )

    static let urlSpace = LintRule(
        "url-space",
        .warning,
        "An address has white space in it",
        why: "Some players escape it, others cut the address there.",
        cure: "Write %20 for a space, and no line breaks."
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
        "An address is escaped twice",
        why: "The server gets a field called amp; and none of the others.",
        cure: "In CDATA write & as it is; outside of it &amp; once."
    )

    static let urlCredentials = LintRule(
        "url-credentials",
        .error,
        "An address has a user name in it",
        why: "Browsers and players refuse it, and the password is public.",
        cure: "Take it out; use a token in the query."
    )

    static let urlPrivateHost = LintRule(
        "url-private-host",
        .error,
        "An address is of a private network",
        why: "Nobody outside can reach it.",
        cure: "Write the public address."
    )

    static let urlLong = LintRule(
        "url-long",
        .warning,
        "An address is very long",
        why: "Servers and players cut or refuse addresses beyond 8 KB.",
        cure: "Keep ids in it, and the rest on the server."
    )

    static let urlNonAscii = LintRule(
        "url-non-ascii",
        .info,
        "An address has letters beyond ASCII",
        why: "Players escape them in different ways.",
        cure: "Percent-encode them as UTF-8."
    )

    static let trackerInsecure = LintRule(
        "tracker-insecure",
        .warning,
        "A tracker is called over http",
        why: "Apps on iOS refuse plain http by default, and the call is lost.",
        cure: "Write https."
    )

    static let mediaInsecure = LintRule(
        "media-insecure",
        .warning,
        "A file is loaded over http",
        why: "Apps on iOS and secure pages refuse plain http, and there is nothing to see.",
        cure: "Write https."
    )

    static let scriptInsecure = LintRule(
        "script-insecure",
        .error,
        "A script is loaded over http",
        why: "Whoever is on the way can put another one in its place; players refuse it.",
        cure: "Write https."
    )

    static let tagInsecure = LintRule(
        "tag-insecure",
        .warning,
        "The next document is asked for over http",
        why: "Apps on iOS refuse plain http by default, and the ad is lost.",
        cure: "Write https."
    )

    static let clickthroughInsecure = LintRule(
        "clickthrough-insecure",
        .info,
        "A landing page is on http",
        why: "Browsers warn, and people turn back.",
        cure: "Write https."
    )
}
