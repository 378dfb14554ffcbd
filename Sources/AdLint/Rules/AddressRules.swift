import AdHTML
import AdMarkup

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
        cure: "Use an https URL."
    )

    static let urlBroken = LintRule(
        "url-broken",
        .error,
        "Invalid URL",
        why: "The host or port is invalid, so the request fails.",
        cure: "Correct the URL."
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
        "Several URLs in one element",
        why: "Players read the text as one URL, and none of them is called.",
        cure: "Use one element for each URL."
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
        cure: "Remove it; use a token in the query."
    )

    static let urlPrivateHost = LintRule(
        "url-private-host",
        .error,
        "URL of a private network",
        why: "It can't be reached from outside that network.",
        cure: "Use the public address."
    )

    static let urlLong = LintRule(
        "url-long",
        .warning,
        "Very long URL",
        why: "Servers and players cut or refuse URLs beyond 8 KB.",
        cure: "Send ids only, and keep the rest on the server."
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
        cure: "Use https."
    )

    static let mediaInsecure = LintRule(
        "media-insecure",
        .warning,
        "Media URL is not https",
        why: "Apps on iOS and secure pages refuse plain http, and the ad stays blank.",
        cure: "Use https."
    )

    static let scriptInsecure = LintRule(
        "script-insecure",
        .error,
        "Script URL is not https",
        why: "Anyone on the network can replace it, and players refuse it.",
        cure: "Use https."
    )

    static let tagInsecure = LintRule(
        "tag-insecure",
        .warning,
        "VASTAdTagURI is not https",
        why: "Apps on iOS refuse plain http by default, and the ad is lost.",
        cure: "Use https."
    )

    static let clickthroughInsecure = LintRule(
        "clickthrough-insecure",
        .info,
        "Click-through URL is not https",
        why: "Browsers warn, and users turn back.",
        cure: "Use https."
    )
}
