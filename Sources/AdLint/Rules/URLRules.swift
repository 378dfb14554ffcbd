/// URLs that players, trackers and clicks request.
extension LintRule {
    static let urls: [LintRule] = [
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
        fix: "Add the URL, or remove the element."
    )

    static let urlEmpty = LintRule(
        "url-empty",
        .warning,
        "Empty URL",
        why: "Some players fail on it, others ignore it.",
        fix: "Add the URL, or remove the element."
    )

    static let urlRelative = LintRule(
        "url-relative",
        .error,
        "Relative URL",
        why: "A player in an app has no page to resolve it against.",
        fix: "Use an absolute URL, with https:// and the host.",
        specification: "RFC 3986 §4.2"
    )

    static let urlWithoutScheme = LintRule(
        "url-without-scheme",
        .warning,
        "URL without a scheme",
        why: "An app has no page whose scheme it could use.",
        fix: "Put https: in front of it.",
        specification: "RFC 3986 §4.2"
    )

    static let urlSchemeWrong = LintRule(
        "url-scheme-wrong",
        .error,
        "URL scheme is not allowed here",
        why: "Players request http and https URLs only, and open no local files.",
        fix: "Use an https URL."
    )

    static let urlJavascript = LintRule(
        "url-javascript",
        .error,
        "Script instead of a URL",
        why: "Players don't run it, and strict ones reject the ad.",
        fix: "Use an https URL."
    )

    static let urlBroken = LintRule(
        "url-broken",
        .error,
        "Invalid URL",
        why: "The host or port is invalid, so the request fails.",
        fix: "Correct the URL.",
        specification: "RFC 3986 §3.2"
    )

    static let urlSpace = LintRule(
        "url-space",
        .warning,
        "White space in a URL",
        why: "Some players escape it, others cut the URL off there.",
        fix: "Write %20 for a space, and remove line breaks.",
        specification: "RFC 3986 §2"
    )

    static let urlCharacters = LintRule(
        "url-characters",
        .warning,
        "Illegal character in a URL",
        why: "RFC 3986 forbids | ^ ` \\ \" < > { }: some players and servers reject the request.",
        fix: "Percent-encode it, such as %7C for |.",
        specification: "RFC 3986 §2"
    )

    static let urlSeveral = LintRule(
        "url-several",
        .error,
        "Several URLs in one element",
        why: "Players read the text as one URL, and request none of them.",
        fix: "Use one element for each URL."
    )

    static let urlAmpEscaped = LintRule(
        "url-amp-escaped",
        .warning,
        "URL is escaped twice",
        why: "The server receives parameters named amp; instead of the real ones.",
        fix: "Write & inside CDATA, and &amp; outside of it.",
        specification: "XML 1.0 §2.4"
    )

    static let urlCredentials = LintRule(
        "url-credentials",
        .error,
        "User name in a URL",
        why: "Browsers and players block it, and the password becomes public.",
        fix: "Remove it; use a token in the query.",
        specification: "RFC 3986 §3.2.1"
    )

    static let urlPrivateHost = LintRule(
        "url-private-host",
        .error,
        "URL of a private network",
        why: "It can't be reached from outside that network.",
        fix: "Use a public URL."
    )

    static let urlLong = LintRule(
        "url-long",
        .warning,
        "Very long URL",
        why: "Servers and players cut or refuse URLs beyond 8 KB.",
        fix: "Send ids only, and keep the data on the server."
    )

    static let urlNonAscii = LintRule(
        "url-non-ascii",
        .info,
        "Non-ASCII characters in a URL",
        why: "Players escape them in different ways.",
        fix: "Percent-encode them as UTF-8.",
        specification: "RFC 3986 §2"
    )

    static let trackerInsecure = LintRule(
        "tracker-insecure",
        .warning,
        "Tracker URL is not https",
        why: "iOS apps block plain http by default, and the request is lost.",
        fix: "Use https."
    )

    static let mediaInsecure = LintRule(
        "media-insecure",
        .warning,
        "Media URL is not https",
        why: "iOS apps and https pages block plain http, and the ad stays blank.",
        fix: "Use https."
    )

    static let scriptInsecure = LintRule(
        "script-insecure",
        .error,
        "Script URL is not https",
        why: "Anyone on the network can replace it, and players refuse to run it.",
        fix: "Use https."
    )

    static let tagInsecure = LintRule(
        "tag-insecure",
        .warning,
        "VASTAdTagURI is not https",
        why: "iOS apps block plain http by default, and the ad is lost.",
        fix: "Use https."
    )

    static let clickthroughInsecure = LintRule(
        "clickthrough-insecure",
        .info,
        "Click-through URL is not https",
        why: "Browsers warn users before they open the page, and users leave.",
        fix: "Use https."
    )
}
